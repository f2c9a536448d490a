import { groupBy } from '../../group-by.ts'
import { type ListedRow, operationShape } from '../../route-file/list-rows.ts'
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

export type Matrix = ReturnType<typeof createMatrix>

/** What the documents of two versions differ in; null when one of them has no document. */
type DifferencesOf = (from: number, to: number) => readonly Difference[] | null

/** Compares each version that has routes with the one before: routes by controller key and version. */
export function createMatrix(rows: readonly ListedRow[], differencesOf: DifferencesOf) {
  const versions = [...new Set(rows.map(({ version }) => version))].toSorted((a, b) => a - b)
  const resources = new Map<string, Map<number, readonly RouteCell[]>>()
  for (const [index, version] of versions.entries()) {
    const cells = cellsOf(rows, versions[index - 1], version, differencesOf)
    for (const [key, routes] of groupBy(cells, (cell) => cell.key))
      resources.set(key, (resources.get(key) ?? new Map()).set(version, routes))
  }
  return { versions, resources }
}

function cellsOf(
  rows: readonly ListedRow[],
  before: number | undefined,
  version: number,
  differencesOf: DifferencesOf,
): readonly RouteCell[] {
  const served = rows.filter((row) => row.version === version && !row.shadowed)
  if (before === undefined) return served.map((row) => ({ key: row.key, route: nameOf(row), status: 'new' }))
  const { added, gone, overridden, derived } = compareVersions(rows, before, version)
  const documented = differencesOf(before, version)
  const differences = groupBy(documented ?? [], ({ operation }) => operationShape(operation))
  const shapeOf = (route: Named): string => operationShape(nameOf(route))
  const found = new Map<string, Pick<RouteCell, 'status' | 'note'>>()
  for (const route of documented === null ? derived : []) found.set(shapeOf(route), { status: 'may differ' })
  for (const route of added) found.set(shapeOf(route), { status: 'new' })
  for (const route of overridden) {
    const note = route.was === route.target ? `Version ${version} has its own action.` : `It was ${route.was}.`
    found.set(shapeOf(route), { status: 'changed', note })
  }
  const known = new Set([...gone, ...served].map(shapeOf))
  const others = [...differences.values()].filter(([{ operation }]) => !known.has(operationShape(operation)))
  return [
    ...served.map((row): RouteCell => {
      const own = differences.get(shapeOf(row))
      const status = own === undefined ? 'inherited' : 'changed'
      return { key: row.key, route: nameOf(row), status, differences: own, ...found.get(shapeOf(row)) }
    }),
    ...gone.map((route): RouteCell => {
      return { key: route.target.split('#')[0]!, route: nameOf(route), status: 'removed' }
    }),
    ...others.map((own): RouteCell => {
      return { key: 'other operations', route: own[0].operation, status: 'changed', differences: own }
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
