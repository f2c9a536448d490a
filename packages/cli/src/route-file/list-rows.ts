import type { Row } from '@hv/router'
import { reachable } from '@hv/router/internal'
import { groupBy } from '../group-by.ts'
import { type State, stateOf } from './lives.ts'
import type { RouteFile } from './route-file.ts'

/** A row, and where it comes from. */
export interface ListedRow extends Row {
  readonly origin: 'new' | 'inherited'
  readonly declaredIn: number
  /** Another row in this version serves the same method and path. */
  readonly shadowed: boolean
  /** The current state of a route that's deprecated, that ends, or that's in a preview. */
  readonly state: State | undefined
}

/** Lists the rows with their origin and state, as `routes` prints them. */
export function listRows({ rows, lives }: RouteFile): readonly ListedRow[] {
  const previews = new Set(lives.flatMap(({ number, isPreview }) => (isPreview ? [number] : [])))
  const shapeInVersion = (row: Row): string => `${row.version} ${routeShape(row)}`
  const groups = groupBy(rows, shapeInVersion)
  const reachableRows = new Set(reachable(rows))
  return rows.map((row) => {
    const { version, inheritedFrom, life } = row
    const group = groups.get(shapeInVersion(row))!
    // If a constraint decides, the second row for a path may well be reached.
    const isConstrained = group.some(({ constraints }) => Object.keys(constraints).length > 0)
    const isPreview = previews.has(version)
    return {
      ...row,
      origin: inheritedFrom === null ? 'new' : 'inherited',
      declaredIn: inheritedFrom ?? version,
      shadowed: !reachableRows.has(row) && !isConstrained,
      state: life === null && !isPreview ? undefined : stateOf({ life, isPreview }, Date.now()),
    }
  })
}

/** A method and path, without parameter names: `GET /users/:`. */
export const routeShape = ({ method, pattern }: Pick<Row, 'method' | 'pattern'>): string =>
  shapeOf(`${method} ${pattern}`)

/** A route without its parameters' names, which no client sees, and without formats, a setting. */
export const shapeOf = (route: string): string =>
  route.replaceAll('(.:format)', '').replaceAll(/([:*])\w+/g, '$1')

/** The same for a route and its operation in a document, where globs look like parameters. */
export const operationShape = (route: string): string =>
  shapeOf(route.replaceAll(/\{[^}]*\}/g, ':_')).replaceAll('*', ':')
