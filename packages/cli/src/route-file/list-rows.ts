import type { Row } from '@hv/router'
import type { Controllers } from '../controllers/controllers.ts'
import { groupBy } from '../group-by.ts'
import { type State, stateOf } from './lives.ts'
import type { RouteFile } from './route-file.ts'

/** A row, and where it comes from. */
export interface ListedRow extends Row {
  /** `overridden`: the route is inherited, and a controller of a later version holds the action. */
  readonly origin: 'own' | 'inherited' | 'overridden'
  readonly declaredIn: number
  /** The version whose controller file holds the action; null without controllers, or when none holds it. */
  readonly actionFrom: number | null
  /** Another row of this version serves the same method and path. */
  readonly shadowed: boolean
  /** The state now, of a route that is deprecated, that ends, or that is a preview. */
  readonly state: State | undefined
}

/** Lists the rows with their origin and state, as `routes` prints them. */
export function listRows(
  { rows, lives }: RouteFile,
  controllers: Controllers | null,
): readonly ListedRow[] {
  const previews = new Set(lives.flatMap(({ number, isPreview }) => (isPreview ? [number] : [])))
  const shapeInVersion = (row: Row): string => `${row.version} ${routeShape(row)}`
  const groups = groupBy(rows, shapeInVersion)
  return rows.map((row) => {
    const { version, key, action, inheritedFrom, life } = row
    const group = groups.get(shapeInVersion(row))!
    // Where values decide, a second row of the same path may well be reached.
    const isConstrained = group.some(({ constraints }) => Object.keys(constraints).length > 0)
    const winner = group.find((other) => other.inheritedFrom === null) ?? group[0]

    const declaredIn = inheritedFrom ?? version
    const [actionFrom, declaredFrom] = [version, declaredIn].map((number) => {
      const found = controllers?.find(number, key, action)
      return found === undefined || found.kind === 'missing' ? null : found.version
    }) as [number | null, number | null]
    // `before` takes the older action from the newer controller.
    const isOverridden =
      actionFrom !== null && actionFrom > declaredIn && actionFrom !== declaredFrom
    const isPreview = previews.has(version)
    return {
      ...row,
      origin: inheritedFrom === null ? 'own' : isOverridden ? 'overridden' : 'inherited',
      declaredIn,
      actionFrom,
      shadowed: row !== winner && !isConstrained,
      state: life === null && !isPreview ? undefined : stateOf({ life, isPreview }, Date.now()),
    }
  })
}

/** Method and path, without the names of parameters: `GET /users/:`. */
export const routeShape = ({ method, pattern }: Pick<Row, 'method' | 'pattern'>): string =>
  shapeOf(`${method} ${pattern}`)

/** A route without its parameters' names, which no client sees, and without formats, which are a setting. */
export const shapeOf = (route: string): string =>
  route.replaceAll('(.:format)', '').replace(/([:*])\w+/g, '$1')

/** The same for a route and for its operation in a document, where a glob looks like a parameter. */
export const operationShape = (route: string): string =>
  shapeOf(route.replace(/\{[^}]*\}/g, ':_')).replaceAll('*', ':')
