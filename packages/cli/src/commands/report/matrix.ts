import { groupBy } from '../../group-by.ts'
import type { ListedRow } from '../../route-file/list-rows.ts'
import { type ComparedRoute, callOf, compareVersions } from '../diff/compare.ts'
import type { Contract, Difference, Move } from '../diff/contract.ts'

/** How a route differs from the version before. */
export type Status = ComparedRoute['status']

/** A route in a version, or one that the version has lost. */
export interface RouteCell {
  /** The controller's key: `admin/users`. */
  readonly resource: string
  readonly status: Status
  /** `GET /users/:id` */
  readonly route: string
  /** `people#list, was users#index` */
  readonly note?: string
  readonly differences: readonly Difference[]
}

export type Matrix = ReturnType<typeof createMatrix>

/**
 * Compares each version that has routes with the one before, by resource.
 *
 * @param contractOf - what two versions' documents show; null when one of them has no document
 */
export function createMatrix(
  rows: readonly ListedRow[],
  contractOf: (move: Move) => Pick<Contract, 'changes' | 'differences'> | null,
) {
  const versions = [...new Set(rows.map(({ version }) => version))].toSorted((a, b) => a - b)
  const steps = versions.map((to, index) => {
    const move = { from: versions[index - 1] ?? 0, to }
    const contract = contractOf(move)
    const differences = contract?.differences ?? []
    const routes = compareVersions(rows, move, differences)
    const cells = routes.map((compared): RouteCell => {
      const { status, method, pattern, target, differences: payload } = compared
      const resource = target.split('#')[0]!
      const route = `${method} ${pattern}`
      return { resource, status, route, note: callOf(compared), differences: payload }
    })
    const ofRoutes = new Set(routes.flatMap((route) => route.differences))
    const others = differences.filter((difference) => !ofRoutes.has(difference))
    for (const [route, payload] of groupBy(others, ({ operation }) => operation))
      cells.push({ resource: 'other operations', status: 'changed', route, differences: payload })
    return { ...move, contract, cells: groupBy(cells, ({ resource }) => resource) }
  })
  return { steps, resources: [...new Set(steps.flatMap(({ cells }) => [...cells.keys()]))] }
}

/** What a resource's routes have in common. If they differ, the resource is changed. */
export function statusOf(routes: readonly RouteCell[]): Status {
  const statuses = new Set(routes.map(({ status }) => status))
  return statuses.size === 1 ? routes[0]!.status : 'changed'
}
