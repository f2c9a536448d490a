import { groupBy } from '../../group-by.ts'
import { type ListedRow, operationShape } from '../../route-file/list-rows.ts'
import type { Difference, Move } from './contract.ts'

/** A route in one of two versions, or in both. */
export interface ComparedRoute extends Pick<
  ListedRow,
  'method' | 'path' | 'pattern' | 'target' | 'declaredIn'
> {
  /** Changed routes have a different action or payload. Only documents show the payload. */
  readonly status: 'new' | 'removed' | 'changed' | 'inherited'
  /** What the older version calls, if it's something else. */
  readonly was?: string
  /** How requests and responses differ. Empty without documents. */
  readonly differences: readonly Difference[]
}

/**
 * Lists the routes that a client finds when it moves to another version, by path, then those it
 * loses.
 */
export function compareVersions(
  rows: readonly ListedRow[],
  { from, to }: Move,
  differences: readonly Difference[] = [],
): readonly ComparedRoute[] {
  const byOperation = groupBy(differences, ({ operation }) => operationShape(operation))
  const before = servedBy(rows, from)
  const after = servedBy(rows, to)
  const removed = [...before].filter(([shape]) => !after.has(shape))
  return [...after, ...removed].map(([shape, row]) => {
    const { method, path, pattern, target, declaredIn } = row
    const payload = byOperation.get(operationShape(`${method} ${pattern}`)) ?? []
    const route = { method, path, pattern, target, declaredIn, differences: payload }
    const was = before.get(shape)?.target
    if (was === undefined) return { status: 'new', ...route }
    if (!after.has(shape)) return { status: 'removed', ...route }
    if (was !== target) return { status: 'changed', ...route, was }
    return { status: payload.length > 0 ? 'changed' : 'inherited', ...route }
  })
}

/** What a version serves, by method and path without parameter names, sorted by path. */
function servedBy(rows: readonly ListedRow[], version: number): ReadonlyMap<string, ListedRow> {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  const served = rows
    .filter((row) => row.version === version && !row.shadowed)
    .toSorted((a, b) => compare(`${a.path} ${a.method}`, `${b.path} ${b.method}`))
  const byShape = new Map<string, ListedRow>()
  for (const row of served) {
    let shape = `${row.method} ${row.shape}`
    // Two routes can have the same path if constraints decide which of them serves a request.
    while (byShape.has(shape)) shape += ' as well'
    byShape.set(shape, row)
  }
  return byShape
}

/** What a route calls: `people#list, was users#index`. */
export const callOf = ({ target, was }: ComparedRoute): string =>
  was === undefined ? target : `${target}, was ${was}`
