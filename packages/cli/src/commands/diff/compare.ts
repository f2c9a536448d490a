import { type ListedRow, routeShape } from '../../route-file/list-rows.ts'

/** A route of either version. */
export interface ComparedRoute extends Pick<ListedRow, 'method' | 'path' | 'pattern'> {
  /** `users#index` */
  readonly target: string
  /** What the older version calls, if the route is overridden. */
  readonly was?: string
  /** The version whose controller holds the newer action then; null when none does. */
  readonly changedIn?: number | null
}

export interface Comparison {
  readonly added: readonly ComparedRoute[]
  readonly gone: readonly ComparedRoute[]
  /** Routes that both versions have, and that call something else in the newer one. */
  readonly overridden: readonly ComparedRoute[]
  /** Routes whose older action is derived from the newer one by `before`. Which of them differ, only documents show. */
  readonly derived: readonly ComparedRoute[]
  readonly same: readonly ComparedRoute[]
}

/** What a client finds that moves from one version to another. */
export function compareVersions(rows: readonly ListedRow[], from: number, to: number): Comparison {
  const [before, after] = [servedBy(rows, from), servedBy(rows, to)]
  const overridden: ComparedRoute[] = []
  const derived: ComparedRoute[] = []
  const same: ComparedRoute[] = []
  for (const [shape, row] of after) {
    const old = before.get(shape)
    if (old === undefined) continue
    const [route, was, changedIn] = [routeOf(row), routeOf(old).target, row.actionFrom]
    if (old.actionFrom !== changedIn || was !== route.target)
      overridden.push({ ...route, was, changedIn })
    else if ((changedIn ?? 0) > Math.min(from, to)) derived.push(route)
    else same.push(route)
  }
  return {
    added: [...after].flatMap(([shape, row]) => (before.has(shape) ? [] : [routeOf(row)])),
    gone: [...before].flatMap(([shape, row]) => (after.has(shape) ? [] : [routeOf(row)])),
    overridden,
    derived,
    same,
  }
}

/** What a route calls, and what the older version called. */
export function noteOf({ target, was, changedIn }: ComparedRoute): string {
  if (was === undefined) return target
  return was === target ? `${target}, changed in version ${changedIn}` : `${target}, was ${was}`
}

const routeOf = ({ method, path, pattern, key, action }: ListedRow): ComparedRoute => ({
  method,
  path,
  pattern,
  target: `${key}#${action}`,
})

/** What a version serves, by method and path without the names of parameters, sorted by path. */
function servedBy(rows: readonly ListedRow[], version: number): ReadonlyMap<string, ListedRow> {
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const served = rows
    .filter((row) => row.version === version && !row.shadowed)
    .toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
  const byShape = new Map<string, ListedRow>()
  for (const row of served) {
    let shape = routeShape(row)
    while (byShape.has(shape)) shape += ' as well' // constraints decide which of them serves a request
    byShape.set(shape, row)
  }
  return byShape
}
