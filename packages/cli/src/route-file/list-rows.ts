import type { Row } from '@hv/router'
import { reachable, shapeOf } from '@hv/router/internal'
import { type State, stateOf, sunsetOf } from './lives.ts'

/** A row, and where it comes from. */
export interface ListedRow extends Row {
  /** What it calls: `users#index`. */
  readonly target: string
  readonly origin: 'new' | 'inherited'
  readonly declaredIn: number
  /** Another row in this version serves the same method and path. */
  readonly shadowed: boolean
  /** The current state of a route that's deprecated, that ends, or that's in a preview. */
  readonly state: State | undefined
  /** The announced sunset: `2027-07-01`. */
  readonly sunset: string | undefined
}

/** Lists the rows with their origin and their state at a time, as `routes` prints them. */
export function listRows(
  rows: readonly Row[],
  previews: readonly number[],
  now: number,
): readonly ListedRow[] {
  const firstRows = new Set(reachable(rows))
  // If there are constraints, requests can also reach the second row for a path.
  const constrained = new Set(
    rows.filter(({ constraints }) => Object.keys(constraints).length > 0).map(endpointOf),
  )
  return rows.map((row) => {
    const { version, inheritedFrom, life } = row
    const isPreview = previews.includes(version)
    return {
      ...row,
      target: `${row.key}#${row.action}`,
      origin: inheritedFrom === null ? 'new' : 'inherited',
      declaredIn: inheritedFrom ?? version,
      shadowed: !firstRows.has(row) && !constrained.has(endpointOf(row)),
      state: life === null && !isPreview ? undefined : stateOf({ life, isPreview }, now),
      sunset: sunsetOf(life),
    }
  })
}

/** A row's version, method and path, without the parameters' names: `2 GET /users/:`. */
export const endpointOf = ({ version, method, shape }: Row): string =>
  `${version} ${method} ${shape}`

/**
 * A route or a document's operation without the parameters' names: `GET /users/:`. A document shows
 * globs as parameters.
 */
export const operationShape = (route: string): string =>
  shapeOf(route.replaceAll(/\{[^}]*\}/g, ':_')).replaceAll('*', ':')
