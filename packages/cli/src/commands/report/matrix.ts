import type { Listing } from '../../route-file/list-rows.ts'
import { type ComparedRoute, compareVersions } from '../diff/compare.ts'
import type { Difference } from '../diff/contract.ts'

/** What a version does with a route or a resource of the version before. `may differ`: only documents can tell. */
export type Status = 'new' | 'inherited' | 'changed' | 'may differ' | 'removed'

/** A route of a version, compared with the version before. */
export interface RouteCell {
  /** `GET /users/:id` */
  readonly route: string
  readonly status: Status
  /** Empty, or how another action came to serve it. */
  readonly note: string
  readonly differences: readonly Difference[]
}

/** A resource in a version. */
export interface Cell {
  readonly status: Status
  readonly routes: readonly RouteCell[]
}

/** The resources of all versions, each version compared with the one before. */
export interface Matrix {
  /** The versions that have routes. */
  readonly versions: readonly number[]
  /** By controller key (`admin/users`) and version. There is no cell where a version doesn't have the resource. */
  readonly resources: ReadonlyMap<string, ReadonlyMap<number, Cell>>
}

/**
 * Compares each version with the one before.
 *
 * @param differencesOf - what the documents of two versions differ in; null when one of them has no document
 */
export function createMatrix(
  listings: readonly Listing[],
  differencesOf: (from: number, to: number) => readonly Difference[] | null,
): Matrix {
  const versions = [...new Set(listings.map(({ row }) => row.version))].toSorted((a, b) => a - b)
  const resources = new Map<string, Map<number, Cell>>()
  for (const [index, version] of versions.entries()) {
    const cells = new Map<string, RouteCell[]>()
    for (const [key, cell] of routeCells(listings, versions[index - 1], version, differencesOf))
      cells.set(key, [...(cells.get(key) ?? []), cell])
    for (const [key, routes] of cells)
      resources.set(key, (resources.get(key) ?? new Map()).set(version, { status: statusOf(routes), routes }))
  }
  return { versions, resources }
}

/** The routes of a version and those that it has lost, each with the key of its controller. */
function routeCells(
  listings: readonly Listing[],
  before: number | undefined,
  version: number,
  differencesOf: (from: number, to: number) => readonly Difference[] | null,
): readonly (readonly [key: string, RouteCell])[] {
  const rows = listings.filter(({ row, listed }) => row.version === version && !listed.shadowed).map(({ row }) => row)
  const compared = before === undefined ? null : compareVersions(listings, before, version)
  const documented = before === undefined ? null : differencesOf(before, version)
  const find = <Route extends ComparedRoute>(routes: readonly Route[], shape: string): Route | undefined =>
    routes.find(({ method, pattern }) => shapeOf(`${method} ${pattern}`) === shape)
  const current = rows.map(({ method, pattern, key }): readonly [string, RouteCell] => {
    const route = `${method} ${pattern}`
    const shape = shapeOf(route)
    if (compared === null || find(compared.added, shape) !== undefined)
      return [key, { route, status: 'new', note: '', differences: [] }]
    const differences = documented?.filter(({ operation }) => shapeOf(operation) === shape) ?? []
    const override = find(compared.overridden, shape)
    const isDerived = documented === null && find(compared.derived, shape) !== undefined
    const own = override?.was === override?.target ? `Version ${version} has its own action.` : `Was ${override?.was}.`
    const status = override !== undefined || differences.length > 0 ? 'changed' : isDerived ? 'may differ' : 'inherited'
    return [key, { route, status, note: override === undefined ? '' : own, differences }]
  })
  const removed = (compared?.gone ?? []).map(({ method, pattern, target }): readonly [string, RouteCell] => [
    target.split('#')[0]!,
    { route: `${method} ${pattern}`, status: 'removed', note: '', differences: [] },
  ])
  return [...current, ...removed]
}

/** What all routes have in common. Routes that are inherited, and some that are not, make a changed resource. */
function statusOf(routes: readonly RouteCell[]): Status {
  const all = new Set(routes.map(({ status }) => status))
  if (all.size === 1) return routes[0]!.status
  return all.size === 2 && all.has('inherited') && all.has('may differ') ? 'may differ' : 'changed'
}

/** Without the names of parameters: `GET /users/:id` and `GET /users/{id}` are `GET /users/:`. */
const shapeOf = (route: string): string => route.replaceAll(/:\w+|\{\w+\}/g, ':')
