import { type Listing, routeShape } from '../../route-file/list-rows.ts'

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
  readonly was: string
  /** The version whose controller holds the newer action; null when none does. */
  readonly changedIn: number | null
}

export interface Comparison {
  readonly added: readonly ComparedRoute[]
  readonly gone: readonly ComparedRoute[]
  readonly overridden: readonly Override[]
  /** Routes whose older action is derived from the newer one by `before`. Which of them differ, only documents show. */
  readonly derived: readonly ComparedRoute[]
}

/** What a client finds that moves from one version to another. */
export function compareVersions(rows: readonly Listing[], from: number, to: number): Comparison {
  const [before, after] = [targetsOf(rows, from), targetsOf(rows, to)]
  const added = [...after].filter(([shape]) => !before.has(shape))
  const gone = [...before].filter(([shape]) => !after.has(shape))
  const shared = [...after].flatMap(([shape, now]) => {
    const was = before.get(shape)
    return was === undefined ? [] : [{ was, now, isSameFile: was.actionFrom === now.actionFrom }]
  })
  const overridden = shared.filter(({ was, now, isSameFile }) => !isSameFile || was.route.target !== now.route.target)
  const derived = shared.filter(({ now, isSameFile }) => isSameFile && (now.actionFrom ?? 0) > Math.min(from, to))
  return {
    added: added.map(([, { route }]) => route),
    gone: gone.map(([, { route }]) => route),
    overridden: overridden.map(({ was, now }) => ({ ...now.route, was: was.route.target, changedIn: now.actionFrom })),
    derived: derived.map(({ now }) => now.route),
  }
}

/** A route, and the version whose controller has its action; null when none has it. */
interface Target {
  readonly route: ComparedRoute
  readonly actionFrom: number | null
}

/** The routes of a version by method and path, sorted by path. */
function targetsOf(rows: readonly Listing[], version: number): ReadonlyMap<string, Target> {
  const targets = rows
    .filter(({ row, listed }) => row.version === version && !listed.shadowed)
    .map(({ row, listed: { actionFrom } }): [string, Target] => {
      const { method, path, pattern, key, action } = row
      return [routeShape(row), { route: { method, path, pattern, target: `${key}#${action}` }, actionFrom }]
    })
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return new Map(
    targets.toSorted(([, { route: a }], [, { route: b }]) => compare(a.path, b.path) || compare(a.method, b.method)),
  )
}
