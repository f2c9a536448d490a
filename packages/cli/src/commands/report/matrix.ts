import { groupBy } from '../../group-by.ts'
import { type ListedRow, operationShape } from '../../route-file/list-rows.ts'
import { type ComparedRoute, compareVersions } from '../diff/compare.ts'
import type { Contract, Difference, Move } from '../diff/contract.ts'

/** What a version does with a route of the version before. */
export type Status = 'new' | 'inherited' | 'changed' | 'removed'

/** A route in a version, or one that the version has lost. */
export interface RouteCell {
  /** Its controller's key: `admin/users`. Differences that no route has are `other operations`. */
  readonly key: string
  /** `GET /users/:id` */
  readonly route: string
  readonly status: Status
  /** `people#list, was users#index` */
  readonly note?: string
  readonly differences: readonly Difference[]
}

export type Matrix = ReturnType<typeof createMatrix>

/** What two versions' documents show; null when one of them has no document. */
type ContractOf = (move: Move) => Pick<Contract, 'changes' | 'differences'> | null

/** Compares each version that has routes with the one before, and groups its routes by resource. */
export function createMatrix(rows: readonly ListedRow[], contractOf: ContractOf) {
  const versions = [...new Set(rows.map(({ version }) => version))].toSorted((a, b) => a - b)
  const steps = versions.map((to, index) => {
    const move = { from: versions[index - 1] ?? 0, to }
    const contract = contractOf(move)
    const cells = cellsOf(rows, move, contract?.differences ?? [])
    return { ...move, contract, cells: groupBy(cells, ({ key }) => key) }
  })
  return { steps, resources: [...new Set(steps.flatMap(({ cells }) => [...cells.keys()]))] }
}

function cellsOf(
  rows: readonly ListedRow[],
  move: Move,
  differences: readonly Difference[],
): readonly RouteCell[] {
  const { added, removed, changed, same } = compareVersions(rows, move, differences)
  const cellOf = (status: Status) => (compared: ComparedRoute) => {
    const { method, pattern, target, was } = compared
    return {
      key: target.split('#')[0]!,
      route: `${method} ${pattern}`,
      status,
      note: was === undefined ? target : `${target}, was ${was}`,
      differences: compared.differences,
    }
  }
  const cells: readonly RouteCell[] = [
    ...added.map(cellOf('new')),
    ...changed.map(cellOf('changed')),
    ...same.map(cellOf('inherited')),
    ...removed.map(cellOf('removed')),
  ]
  const shapes = new Set(cells.map(({ route }) => operationShape(route)))
  const others = differences.filter(({ operation }) => !shapes.has(operationShape(operation)))
  const otherCells = [...groupBy(others, ({ operation }) => operation)].map(
    ([route, group]): RouteCell => ({
      key: 'other operations',
      route,
      status: 'changed',
      differences: group,
    }),
  )
  return [...cells, ...otherCells]
}

/** What a resource's routes have in common. If they differ, the resource is changed. */
export function statusOf(routes: readonly RouteCell[]): Status {
  const statuses = new Set(routes.map(({ status }) => status))
  return statuses.size === 1 ? routes[0]!.status : 'changed'
}
