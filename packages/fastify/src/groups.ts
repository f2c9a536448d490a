import { type Api, RouterError, type Row, routeTable } from '@hv/router'
import type { BoundAction } from '@hv/router/adapter'
import { invalidOption, placeOf } from '@hv/router/internal'

/** find-my-way stores a path's handlers in 31 bits. One bit is left for a route of the app. */
const maxGroups = 30

/** The route options that an action can't have, and what to do instead. */
const routerOptions: Readonly<Record<string, string>> = {
  constraints: 'left out. Check the host or the header in an onRequest hook instead',
  method: 'left out. Declare it in the route file',
  url: 'left out. Declare it in the route file',
  exposeHeadRoute: 'left out. To reject HEAD requests, use an onRequest hook',
  prefixTrailingSlash: 'left out. Paths are served with and without a trailing slash',
}

/** The versions that have the same options for a method and path. They share a Fastify route. */
export interface Group {
  readonly method: string
  readonly pattern: string
  /** The action's name: `show`. */
  readonly name: string
  readonly options: BoundAction['options']
  /** The route's constraint value, which none of the API's other routes has. */
  constraint: string
}

/** An action and the Fastify route that calls it. */
export interface GroupedAction {
  readonly handler: BoundAction['handler']
  readonly group: Group
}

/**
 * Groups each method and path's versions by their action's options.
 *
 * @throws RouterError HV_OPTION for an option that the router sets itself; HV_TOO_MANY_VERSIONS if a
 *   method and path has more than thirty groups
 */
export function groupActions(
  api: Api,
  actions: ReadonlyMap<Row, BoundAction>,
): ReadonlyMap<Row, GroupedAction> {
  const groupsOf = new Map<string, Group[]>() // by method and path
  const grouped = new Map<Row, GroupedAction>()
  for (const row of routeTable(api)) {
    const { method, pattern, shape, action: name, version } = row
    // To find-my-way, patterns that only differ in their parameters' names are the same path.
    const path = `${method} ${shape}`
    const groups = groupsOf.get(path) ?? []
    groupsOf.set(path, groups)
    const { handler, options } = actions.get(row)!
    for (const [option, expected] of Object.entries(routerOptions))
      if (options[option] !== undefined)
        throw invalidOption(placeOf(row), option, expected, options[option])
    let group = groups.find((other) => other.pattern === pattern && isEqual(other.options, options))
    if (group === undefined) {
      group = { method, pattern, name, options, constraint: `v${version} of ${pattern}` }
      groups.push(group)
    } else group.constraint = group.constraint.replace(' of ', `, v${version} of `)
    if (groups.length > maxGroups)
      throw new RouterError('HV_TOO_MANY_VERSIONS', { method, path: pattern, max: maxGroups })
    grouped.set(row, { handler, group })
  }
  return grouped
}

/**
 * Compares plain objects and arrays by their contents, cycles included. Anything else only equals
 * itself, because functions and instances of classes may have hidden state.
 */
export function isEqual(
  a: unknown,
  b: unknown,
  compared: Map<unknown, Set<unknown>> = new Map(),
): boolean {
  if (Object.is(a, b)) return true
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const seen = compared.get(a) ?? new Set()
  if (seen.has(b)) return true // they're being compared further up, which finds a difference
  compared.set(a, seen.add(b))
  // Symbols come first, because a schema's history of changes is the quickest way to tell versions
  // apart.
  const keys = Reflect.ownKeys(a).toReversed()
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
