import { groupBy } from '../../group-by.ts'
import { type ListedRow, operationShape, routeShape } from '../../route-file/list-rows.ts'
import type { Difference, Move } from './contract.ts'

/** A route in one of two versions, or in both. */
export interface ComparedRoute extends Pick<ListedRow, 'method' | 'path' | 'pattern'> {
  /** What the newer version calls, if it has the route: `users#index`. */
  readonly target: string
  /** What the older version calls, if it's something else. */
  readonly was?: string
  /** The version that declared it. */
  readonly declaredIn: number
  /** How requests and responses differ. Empty without documents. */
  readonly differences: readonly Difference[]
}

export interface Comparison {
  readonly added: readonly ComparedRoute[]
  readonly removed: readonly ComparedRoute[]
  /** Routes in both versions whose action or payload differs. Only documents show the payload. */
  readonly changed: readonly ComparedRoute[]
  readonly same: readonly ComparedRoute[]
}

/** What a client finds that moves to another version. */
export function compareVersions(
  rows: readonly ListedRow[],
  { from, to }: Move,
  differences: readonly Difference[] = [],
): Comparison {
  const byOperation = groupBy(differences, ({ operation }) => operationShape(operation))
  const before = servedBy(rows, from, byOperation)
  const after = servedBy(rows, to, byOperation)
  const added: ComparedRoute[] = []
  const changed: ComparedRoute[] = []
  const same: ComparedRoute[] = []
  for (const [shape, route] of after) {
    const older = before.get(shape)
    if (older === undefined) added.push(route)
    else if (older.target !== route.target) changed.push({ ...route, was: older.target })
    else if (route.differences.length > 0) changed.push(route)
    else same.push(route)
  }
  const removed = [...before].filter(([shape]) => !after.has(shape)).map(([, route]) => route)
  return { added, removed, changed, same }
}

/** What a version serves, by method and path without parameter names, sorted by path. */
function servedBy(
  rows: readonly ListedRow[],
  version: number,
  differences: ReadonlyMap<string, readonly Difference[]>,
): ReadonlyMap<string, ComparedRoute> {
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const served = rows
    .filter((row) => row.version === version && !row.shadowed)
    .toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
  const byShape = new Map<string, ComparedRoute>()
  for (const row of served) {
    const { method, path, pattern, key, action, declaredIn } = row
    let shape = routeShape(row)
    // Two routes can have the same path if constraints decide which of them serves a request.
    while (byShape.has(shape)) shape += ' as well'
    byShape.set(shape, {
      method,
      path,
      pattern,
      target: `${key}#${action}`,
      declaredIn,
      differences: differences.get(operationShape(`${method} ${pattern}`)) ?? [],
    })
  }
  return byShape
}

/** What a route calls, and what differs: `people#list, was users#index, response differs`. */
export function noteOf({ target, was, differences }: ComparedRoute): string {
  const directions = (['request', 'response'] as const).filter((direction) =>
    differences.some((difference) => difference.direction === direction),
  )
  const differ = directions.length > 1 ? 'differ' : 'differs'
  return [
    target,
    ...(was === undefined ? [] : [`was ${was}`]),
    ...(directions.length === 0 ? [] : [`${directions.join(' and ')} ${differ}`]),
  ].join(', ')
}
