import type { Row } from '@hv/router'
import type { Controllers } from '../controllers/controllers.ts'
import { groupBy } from '../group-by.ts'
import { type State, dateOf, stateOf } from './lives.ts'
import type { RouteFile } from './route-file.ts'

/** A row, and where it comes from. The fields are those that `routes --json` prints. */
export interface ListedRow {
  readonly version: number
  readonly name: string | null
  readonly method: string
  readonly path: string
  readonly controller: string
  readonly action: string
  /** `overridden`: the route is inherited, and a controller of a later version holds the action. */
  readonly origin: 'own' | 'inherited' | 'overridden'
  readonly declaredIn: number
  /** The version whose controller file holds the action; null without controllers, or when none holds it. */
  readonly actionFrom: number | null
  /** Another row of this version serves the same method and path. */
  readonly shadowed: boolean
  /** The state now, of a route that is deprecated, that ends, or that is a preview. */
  readonly state?: State
  /** When the route ends: `2027-07-01`. */
  readonly sunset?: string
}

export interface Listing {
  readonly row: Row
  readonly listed: ListedRow
}

/** Lists the rows with their origin and state, as `routes` prints them. */
export function listRows({ rows, lives }: RouteFile, controllers: Controllers | null): readonly Listing[] {
  const previews = new Set(lives.flatMap(({ number, isPreview }) => (isPreview ? [number] : [])))
  const shapeInVersion = (row: Row): string => `${row.version} ${routeShape(row)}`
  const groups = groupBy(rows, shapeInVersion)
  return rows.map((row) => {
    const group = groups.get(shapeInVersion(row))!
    // Where values decide, a second row of the same path may well be reached.
    const isConstrained = group.some(({ constraints }) => Object.keys(constraints).length > 0)
    const winner = group.find(({ inheritedFrom }) => inheritedFrom === null) ?? group[0]
    return { row, listed: listedRow(row, controllers, row !== winner && !isConstrained, previews.has(row.version)) }
  })
}

function listedRow(row: Row, controllers: Controllers | null, shadowed: boolean, isPreview: boolean): ListedRow {
  const { version, name, method, path, controller, action, inheritedFrom, life } = row
  const declaredIn = inheritedFrom ?? version
  const fromOf = (number: number): number | null => {
    const found = controllers?.find(number, row.key, action)
    return found === undefined || found.kind === 'missing' ? null : found.version
  }
  const actionFrom = fromOf(version)
  // `before` takes the older action from the newer controller.
  const isOverridden = actionFrom !== null && actionFrom > declaredIn && actionFrom !== fromOf(declaredIn)
  const origin = inheritedFrom === null ? 'own' : isOverridden ? 'overridden' : 'inherited'
  const listed = { version, name, method, path, controller, action, origin, declaredIn, actionFrom, shadowed } as const
  if (life === null && !isPreview) return listed
  const sunset = life?.sunset ?? null
  return {
    ...listed,
    state: stateOf({ life, isPreview }, Date.now()),
    ...(sunset !== null && { sunset: dateOf(sunset) }),
  }
}

/** Method and path, without the names of parameters: `GET /users/:`. */
export const routeShape = ({ method, pattern }: Pick<Row, 'method' | 'pattern'>): string =>
  shapeOf(`${method} ${pattern}`)

/** A route without its parameters' names, which no client sees, and without formats, which are a setting. */
export const shapeOf = (route: string): string => route.replaceAll('(.:format)', '').replace(/([:*])\w+/g, '$1')

/** The same for a route and for its operation in a document, where a glob looks like a parameter. */
export const operationShape = (route: string): string => shapeOf(route.replace(/\{[^}]*\}/g, ':_')).replaceAll('*', ':')
