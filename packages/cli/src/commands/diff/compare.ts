import { type ListedRow, routeShape } from '../../route-file/list-rows.ts'

/** A route in either version. */
export interface ComparedRoute extends Pick<ListedRow, 'method' | 'path' | 'pattern'> {
  /** What the newer version calls, if it has the route: `users#index`. */
  readonly target: string
  /** What the older version calls, if that's something else. */
  readonly was?: string
  /** The version that declared it. */
  readonly declaredIn: number
}

export interface Comparison {
  readonly added: readonly ComparedRoute[]
  readonly removed: readonly ComparedRoute[]
  /** Routes in both versions that call something else in the newer one. */
  readonly changed: readonly ComparedRoute[]
  /** The other routes in both versions. Only documents show whether their payloads differ. */
  readonly same: readonly ComparedRoute[]
}

/** What a client finds that moves from one version to another. */
export function compareVersions(rows: readonly ListedRow[], from: number, to: number): Comparison {
  const before = servedBy(rows, from)
  const after = servedBy(rows, to)
  const added = [...after].filter(([shape]) => !before.has(shape))
  const removed = [...before].filter(([shape]) => !after.has(shape))
  const changed: ComparedRoute[] = []
  const same: ComparedRoute[] = []
  for (const [shape, route] of after) {
    const older = before.get(shape)
    if (older === undefined) continue
    if (older.target === route.target) same.push(route)
    else changed.push({ ...route, was: older.target })
  }
  return {
    added: added.map(([, route]) => route),
    removed: removed.map(([, route]) => route),
    changed,
    same,
  }
}

/** What a route calls, and what the older version called: `people#list, was users#index`. */
export const noteOf = ({ target, was }: ComparedRoute): string =>
  was === undefined ? target : `${target}, was ${was}`

/** What a version serves, by method and path without parameter names, sorted by path. */
function servedBy(rows: readonly ListedRow[], version: number): ReadonlyMap<string, ComparedRoute> {
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const served = rows
    .filter((row) => row.version === version && !row.shadowed)
    .toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
  const byShape = new Map<string, ComparedRoute>()
  for (const row of served) {
    const { method, path, pattern, key, action, declaredIn } = row
    let shape = routeShape(row)
    // Two routes may have the same path if constraints decide which of them serves a request.
    while (byShape.has(shape)) shape += ' as well'
    byShape.set(shape, { method, path, pattern, target: `${key}#${action}`, declaredIn })
  }
  return byShape
}
