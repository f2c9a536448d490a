import { type Listing, routeShape } from '../../route-file/list-rows.ts'

/** A route of one of the two versions. */
export interface ComparedRoute {
  readonly method: string
  readonly path: string
  /** The path without the format. */
  readonly pattern: string
  /** `users#index` */
  readonly target: string
}

/** A route that both versions have, and that calls something else in the newer one. */
export interface Override extends ComparedRoute {
  /** What the older version calls. */
  readonly was: string
  /** The version whose controller holds the newer action; null when none does. */
  readonly changedIn: number | null
}

/** The routes that differ between two versions. */
export interface Comparison {
  readonly added: readonly ComparedRoute[]
  readonly gone: readonly ComparedRoute[]
  readonly overridden: readonly Override[]
  /**
   * Routes that both versions have, and whose older action is derived from the newer one: `before` converts requests and
   * responses. Which of them differ, only documents show.
   */
  readonly derived: readonly ComparedRoute[]
}

/** What a client finds that moves from one version to another. */
export function compareVersions(rows: readonly Listing[], from: number, to: number): Comparison {
  const [before, after] = [targetsOf(rows, from), targetsOf(rows, to)]
  const routeOf = ({ method, path, pattern, target }: ResolvedRoute): ComparedRoute => ({
    method,
    path,
    pattern,
    target,
  })
  return {
    added: [...after].filter(([shape]) => !before.has(shape)).map(([, target]) => routeOf(target)),
    gone: [...before].filter(([shape]) => !after.has(shape)).map(([, target]) => routeOf(target)),
    overridden: [...after].flatMap(([shape, now]): readonly Override[] => {
      const was = before.get(shape)
      if (was === undefined || (was.target === now.target && was.actionFrom === now.actionFrom)) return []
      return [{ ...routeOf(now), was: was.target, changedIn: now.actionFrom }]
    }),
    derived: [...after].flatMap(([shape, now]) => {
      const isSame = before.get(shape)?.actionFrom === now.actionFrom
      return isSame && now.actionFrom !== null && now.actionFrom > Math.min(from, to) ? [routeOf(now)] : []
    }),
  }
}

/** A route, and the version whose controller has its action; null when none has it. */
interface ResolvedRoute extends ComparedRoute {
  readonly actionFrom: number | null
}

/** The routes of a version by method and path, sorted by path. */
function targetsOf(rows: readonly Listing[], version: number): ReadonlyMap<string, ResolvedRoute> {
  const targets = new Map<string, ResolvedRoute>()
  for (const { row, listed } of rows) {
    if (row.version !== version || listed.shadowed) continue
    const { method, path, pattern, key, action } = row
    targets.set(routeShape(row), { method, path, pattern, target: `${key}#${action}`, actionFrom: listed.actionFrom })
  }
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return new Map([...targets].toSorted(([, a], [, b]) => compare(a.path, b.path) || compare(a.method, b.method)))
}
