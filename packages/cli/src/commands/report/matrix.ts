import { groupBy } from '../../group-by.ts'
import { type Listing, operationShape } from '../../route-file/list-rows.ts'
import { type ComparedRoute, compareVersions } from '../diff/compare.ts'
import type { Difference } from '../diff/contract.ts'

/** What a version does with a route of the version before. `may differ`: it's derived by changes; documents show which. */
export type Status = 'new' | 'inherited' | 'changed' | 'may differ' | 'removed'

/** A route of a version, or one that it has lost. */
export interface RouteCell {
  /** The key of its controller: `admin/users`. What the documents have besides routes are `other operations`. */
  readonly key: string
  /** `GET /users/:id` */
  readonly route: string
  readonly status: Status
  /** `Version 2 has its own action.` */
  readonly note?: string | undefined
  readonly differences?: readonly Difference[] | undefined
}

/** Routes by controller key and version. `versions` are those that have routes. */
export interface Matrix {
  readonly versions: readonly number[]
  readonly resources: ReadonlyMap<string, ReadonlyMap<number, readonly RouteCell[]>>
}

/** What the documents of two versions differ in; null when one of them has no document. */
type DifferencesOf = (from: number, to: number) => readonly Difference[] | null

/** Compares each version with the one before. */
export function createMatrix(listings: readonly Listing[], differencesOf: DifferencesOf): Matrix {
  const versions = [...new Set(listings.map(({ row }) => row.version))].toSorted((a, b) => a - b)
  const resources = new Map<string, Map<number, readonly RouteCell[]>>()
  for (const [index, version] of versions.entries()) {
    const cells = cellsOf(listings, versions[index - 1], version, differencesOf)
    for (const [key, routes] of groupBy(cells, (cell) => cell.key))
      resources.set(key, (resources.get(key) ?? new Map()).set(version, routes))
  }
  return { versions, resources }
}

function cellsOf(
  listings: readonly Listing[],
  before: number | undefined,
  version: number,
  differencesOf: DifferencesOf,
): readonly RouteCell[] {
  const rows = listings.filter(({ row, listed }) => row.version === version && !listed.shadowed).map(({ row }) => row)
  if (before === undefined) return rows.map((row) => ({ key: row.key, route: nameOf(row), status: 'new' }))
  const { added, gone, overridden, derived } = compareVersions(listings, before, version)
  const documented = differencesOf(before, version)
  const differences = groupBy(documented ?? [], ({ operation }) => operationShape(operation))
  const shapes = (routes: readonly Named[]) => new Set(routes.map((route) => operationShape(nameOf(route))))
  const [isNew, mayDiffer] = [shapes(added), shapes(documented === null ? derived : [])]
  const overrides = new Map(overridden.map((route) => [operationShape(nameOf(route)), route]))
  const current = rows.map((row): RouteCell => {
    const [key, route, shape] = [row.key, nameOf(row), operationShape(nameOf(row))]
    if (isNew.has(shape)) return { key, route, status: 'new' }
    const override = overrides.get(shape)
    if (override === undefined && !differences.has(shape))
      return { key, route, status: mayDiffer.has(shape) ? 'may differ' : 'inherited' }
    const own =
      override?.was === override?.target ? `Version ${version} has its own action.` : `It was ${override?.was}.`
    return { key, route, status: 'changed', note: override && own, differences: differences.get(shape) }
  })
  const removed = gone.map((route): RouteCell => {
    const [key] = route.target.split('#') as [string]
    return { key, route: nameOf(route), status: 'removed' }
  })
  const known = shapes([...gone, ...rows])
  const others = [...differences].filter(([shape]) => !known.has(shape))
  return [
    ...current,
    ...removed,
    ...others.map(([, found]): RouteCell => {
      return { key: 'other operations', route: found[0]!.operation, status: 'changed', differences: found }
    }),
  ]
}

/** What all routes of a resource have in common. If some are inherited and others aren't, the resource is changed. */
export function statusOf(routes: readonly RouteCell[]): Status {
  const all = new Set(routes.map(({ status }) => status))
  return all.size === 1 ? routes[0]!.status : 'changed'
}

type Named = Pick<ComparedRoute, 'method' | 'pattern'>
const nameOf = ({ method, pattern }: Named): string => `${method} ${pattern}`
