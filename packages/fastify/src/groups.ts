import { type Api, RouterError, type Row, routeTable } from '@hv/router'
import type { BoundAction } from '@hv/router/adapter'

/** find-my-way keeps the handlers of one path in 31 bits. One is left for a route of the app. */
const maxGroups = 30

/** The versions that give one method and path the same options. They share a Fastify route. */
export interface Group {
  readonly method: string
  readonly pattern: string
  /** The name of the action: `show`. */
  readonly name: string
  readonly options: BoundAction['options']
  /** The constraint value of the route: no other route of the API has it. */
  constraint: string
}

/** An action and the Fastify route that calls it. */
export interface GroupedAction {
  readonly handler: BoundAction['handler']
  readonly group: Group
}

/**
 * Groups the versions of each method and path by the options of their actions.
 *
 * @throws RouterError HV_TOO_MANY_VERSIONS when one method and path has over thirty groups
 */
export function groupActions(
  api: Api,
  actions: ReadonlyMap<Row, BoundAction>,
): ReadonlyMap<Row, GroupedAction> {
  const groupsOf = new Map<string, Group[]>() // by method and path
  const grouped = new Map<Row, GroupedAction>()
  for (const row of routeTable(api)) {
    const { method, pattern, action: name, version } = row
    // Patterns that differ in the names of their parameters only are one path to find-my-way.
    const path = `${method} ${pattern.replaceAll(/(?<=[:*])\w+/g, '')}`
    const groups = groupsOf.get(path) ?? []
    groupsOf.set(path, groups)
    const { handler, options } = actions.get(row)!
    const known = groups.find(
      (group) => group.pattern === pattern && isEqual(group.options, options),
    )
    const group = known ?? {
      method,
      pattern,
      name,
      options,
      constraint: `v${version} of ${pattern}`,
    }
    if (known === undefined) groups.push(group)
    else known.constraint = known.constraint.replace(' of ', `, v${version} of `)
    if (groups.length > maxGroups)
      throw new RouterError('HV_TOO_MANY_VERSIONS', { method, path: pattern, max: maxGroups })
    grouped.set(row, { handler, group })
  }
  return grouped
}

/**
 * Compares plain objects and arrays by their contents, cycles included. Anything else is equal to itself only:
 * a function or an instance of a class may keep state that nobody else sees.
 */
export function isEqual(
  a: unknown,
  b: unknown,
  compared: Map<unknown, Set<unknown>> = new Map(),
): boolean {
  if (Object.is(a, b)) return true
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const seen = compared.get(a) ?? new Set()
  if (seen.has(b)) return true // further up, where a difference shows
  compared.set(a, seen.add(b))
  const keys = Reflect.ownKeys(a).toReversed() // symbols first: the history of changes tells the versions of a schema apart
  return (
    keys.length === Reflect.ownKeys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key], compared))
  )
}

function isPlain(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}
