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
  readonly constraint: string
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
export function groupActions(api: Api, actions: ReadonlyMap<Row, BoundAction>): ReadonlyMap<Row, GroupedAction> {
  const groupsOf = new Map<string, Row[][]>() // by method and path
  for (const row of routeTable(api)) {
    const { method, pattern } = row
    // Patterns that differ in the names of their parameters only are one path to find-my-way.
    const path = `${method} ${pattern.replaceAll(/(?<=[:*])\w+/g, '')}`
    const groups = groupsOf.get(path) ?? []
    groupsOf.set(path, groups)
    const { options } = actions.get(row)!
    const group = groups.find(([first]) => first!.pattern === pattern && isEqual(actions.get(first!)!.options, options))
    if (group === undefined) groups.push([row])
    else group.push(row)
    if (groups.length > maxGroups)
      throw new RouterError('HV_TOO_MANY_VERSIONS', { method, path: pattern, max: maxGroups })
  }

  const grouped = new Map<Row, GroupedAction>()
  for (const rows of [...groupsOf.values()].flat()) {
    const { method, pattern, action: name } = rows[0]!
    const versions = rows.map(({ version }) => `v${version}`).join(', ')
    const { options } = actions.get(rows[0]!)!
    const group = { method, pattern, name, options, constraint: `${versions} of ${pattern}` }
    for (const row of rows) grouped.set(row, { handler: actions.get(row)!.handler, group })
  }
  return grouped
}

/**
 * Compares plain objects and arrays by their contents, cycles included. Anything else is equal to itself only:
 * a function or an instance of a class may keep state that nobody else sees.
 */
export function isEqual(a: unknown, b: unknown, compared: Map<unknown, Set<unknown>> = new Map()): boolean {
  if (Object.is(a, b)) return true
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const seen = compared.get(a) ?? new Set()
  if (seen.has(b)) return true // further up, where a difference shows
  compared.set(a, seen.add(b))
  const keys = Reflect.ownKeys(a)
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
