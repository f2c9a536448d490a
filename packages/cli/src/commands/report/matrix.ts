import { groupBy } from '../../group-by.ts'
import { type ListedRow, operationShape } from '../../route-file/list-rows.ts'
import { compareVersions } from '../diff/compare.ts'
import type { Contract, Difference, Move } from '../diff/contract.ts'

/** What a version does with a route of the version before. */
export type Status = 'new' | 'inherited' | 'changed' | 'removed'

/** A route in a version, or one that the version has lost. */
export interface RouteCell {
  readonly status: Status
  /** `GET /users/:id` */
  readonly route: string
  /** `people#list, was users#index` */
  readonly note?: string
  readonly differences: readonly Difference[]
}

export type Matrix = ReturnType<typeof createMatrix>

/** What two versions' documents show; null when one of them has no document. */
type ContractOf = (move: Move) => Pick<Contract, 'changes' | 'differences'> | null

/** Compares each version that has routes with the one before, by resource. */
export function createMatrix(rows: readonly ListedRow[], contractOf: ContractOf) {
  const versions = [...new Set(rows.map(({ version }) => version))].toSorted((a, b) => a - b)
  const steps = versions.map((to, index) => {
    const move = { from: versions[index - 1] ?? 0, to }
    const contract = contractOf(move)
    return { ...move, contract, cells: cellsOf(rows, move, contract?.differences ?? []) }
  })
  return { steps, resources: [...new Set(steps.flatMap(({ cells }) => [...cells.keys()]))] }
}

/** By the controller's key: `admin/users`. Differences that no route has are other operations. */
function cellsOf(
  rows: readonly ListedRow[],
  move: Move,
  differences: readonly Difference[],
): ReadonlyMap<string, readonly RouteCell[]> {
  const cells = new Map<string, RouteCell[]>()
  const add = (key: string, cell: RouteCell): void => {
    cells.set(key, [...(cells.get(key) ?? []), cell])
  }
  const { added, removed, changed, same } = compareVersions(rows, move, differences)
  const statuses = { new: added, changed, inherited: same, removed }
  const shapes = new Set<string>()
  for (const [status, routes] of Object.entries(statuses))
    for (const { method, pattern, target, was, differences: payload } of routes) {
      const route = `${method} ${pattern}`
      shapes.add(operationShape(route))
      const note = was === undefined ? target : `${target}, was ${was}`
      const [key] = target.split('#')
      add(key!, { status: status as Status, route, note, differences: payload })
    }
  const otherDifferences = differences.filter(
    ({ operation }) => !shapes.has(operationShape(operation)),
  )
  for (const [route, payload] of groupBy(otherDifferences, ({ operation }) => operation))
    add('other operations', { status: 'changed', route, differences: payload })
  return cells
}

/** What a resource's routes have in common. If they differ, the resource is changed. */
export function statusOf(routes: readonly RouteCell[]): Status {
  const statuses = new Set(routes.map(({ status }) => status))
  return statuses.size === 1 ? routes[0]!.status : 'changed'
}
