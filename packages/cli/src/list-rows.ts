import { type Api, type Row, routeTable } from '@hv/router'
import { controllerKeyOf } from './controller-key.ts'
import type { Providers } from './providers.ts'

/** A row, and where it comes from. */
export interface ListedRow {
  readonly version: number
  readonly name: string | null
  readonly method: string
  readonly path: string
  readonly controller: string
  readonly action: string
  /** `overridden`: the route is inherited, and a controller of a later version holds the action. */
  readonly origin: 'own' | 'inherited' | 'overridden'
  /** The version that declared the route. */
  readonly declaredIn: number
  /** The version whose controller file holds the action; null where no controllers were found. */
  readonly actionFrom: number | null
  /** Another row of this version serves the same method and path. */
  readonly shadowed: boolean
}

export function listRows(api: Api, providers: Providers | null, only?: readonly number[]): readonly ListedRow[] {
  const rows = routeTable(api).filter(({ version }) => only === undefined || only.includes(version))
  // Where values decide, a second row of the same path may well be reached.
  const constrained = new Set(
    api.table.flatMap(({ version, routes }) =>
      routes
        .filter(({ constraints }) => Object.keys(constraints).length > 0)
        .map(({ method, path }) => placeOf({ version, method, path: `${path || '/'}(.:format)` })),
    ),
  )
  const winners = new Map<string, Row>()
  for (const row of rows) {
    const key = placeOf(row)
    const winner = winners.get(key)
    if (winner === undefined || (winner.inheritedFrom !== null && row.inheritedFrom === null)) winners.set(key, row)
  }
  return rows.map((row) => {
    const declaredIn = row.inheritedFrom ?? row.version
    const actionFrom = providers?.providerOf(row.version, controllerKeyOf(api, row), row.action) ?? null
    const isOverridden = row.inheritedFrom !== null && actionFrom !== null && actionFrom > declaredIn
    return {
      version: row.version,
      name: row.name,
      method: row.method,
      path: row.path,
      controller: row.controller,
      action: row.action,
      origin: row.inheritedFrom === null ? 'own' : isOverridden ? 'overridden' : 'inherited',
      declaredIn,
      actionFrom,
      shadowed: winners.get(placeOf(row)) !== row && !constrained.has(placeOf(row)),
    }
  })
}

/** Method and path, whatever the params are called. */
export const placeOf = ({ version, method, path }: Pick<Row, 'version' | 'method' | 'path'>): string =>
  `${version} ${method} ${path.replace(/:\w+/g, ':')}`
