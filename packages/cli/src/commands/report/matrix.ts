import { groupBy } from '../../group-by.ts'
import { type ListedRow, operationShape } from '../../route-file/list-rows.ts'
import { type ComparedRoute, compareVersions, noteOf } from '../diff/compare.ts'
import type { Contract, Difference } from '../diff/contract.ts'

/** What a version does with a route of the version before. */
export type Status = 'new' | 'inherited' | 'changed' | 'removed'

/** A route of a version, or one that it has lost. */
export interface RouteCell {
  /** The key of its controller: `admin/users`. What the documents have besides routes are `other operations`. */
  readonly key: string
  /** `GET /users/:id` */
  readonly route: string
  readonly status: Status
  /** `people#list, was users#index` */
  readonly note?: string
  readonly differences: readonly Difference[]
}

export type Matrix = ReturnType<typeof createMatrix>

/** What the documents of two versions show; null when one of them has no document. */
type ContractOf = (
  from: number,
  to: number,
) => Pick<Contract, 'changes' | 'differences' | 'examples'> | null

/** Compares each version that has routes with the one before: its routes by the key of their controller. */
export function createMatrix(rows: readonly ListedRow[], contractOf: ContractOf) {
  const versions = [...new Set(rows.map(({ version }) => version))].toSorted((a, b) => a - b)
  const steps = versions.map((version, index) => {
    const before = versions[index - 1] ?? 0
    const contract = contractOf(before, version)
    return {
      before,
      version,
      contract,
      cells: groupBy(compareWithBefore(rows, before, version, contract), ({ key }) => key),
    }
  })
  return { steps, resources: [...new Set(steps.flatMap(({ cells }) => [...cells.keys()]))] }
}

function compareWithBefore(
  rows: readonly ListedRow[],
  before: number,
  version: number,
  contract: ReturnType<ContractOf>,
): readonly RouteCell[] {
  const { added, removed, changed, same } = compareVersions(rows, before, version)
  const differences = groupBy(contract?.differences ?? [], ({ operation }) =>
    operationShape(operation),
  )
  const cellsOf = (routes: readonly ComparedRoute[], status: Status): readonly RouteCell[] =>
    routes.map((compared) => {
      const route = `${compared.method} ${compared.pattern}`
      const own = differences.get(operationShape(route)) ?? []
      return {
        key: compared.target.split('#')[0]!,
        route,
        note: noteOf(compared),
        status: own.length > 0 && status === 'inherited' ? 'changed' : status,
        differences: own,
      }
    })
  const cells = [
    ...cellsOf(added, 'new'),
    ...cellsOf(changed, 'changed'),
    ...cellsOf(same, 'inherited'),
    ...cellsOf(removed, 'removed'),
  ]
  const known = new Set(cells.map(({ route }) => operationShape(route)))
  const others = [...differences.values()].filter(
    ([{ operation }]) => !known.has(operationShape(operation)),
  )
  return [
    ...cells,
    ...others.map((own): RouteCell => {
      return {
        key: 'other operations',
        route: own[0].operation,
        status: 'changed',
        differences: own,
      }
    }),
  ]
}

/** What all routes of a resource have in common. If some are inherited and others aren't, the resource is changed. */
export function statusOf(routes: readonly RouteCell[]): Status {
  const all = new Set(routes.map(({ status }) => status))
  return all.size === 1 ? routes[0]!.status : 'changed'
}
