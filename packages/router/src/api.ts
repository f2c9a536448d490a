import type { Action } from './actions.ts'
import type { Constraints } from './constraints.ts'
import type { OneOrMany, Version } from './dsl.ts'
import type { Checked, TableOf } from './infer.ts'
import { type Row, type VersionRoutes, compileTable, numbersOf, rowOf } from './table.ts'
import { validate } from './validate.ts'

export interface ApiOptions<N = number, Only = Action, Except = Action, Shallow = boolean> {
  /** The vendor part of `application/vnd.<vendor>+json`. */
  readonly vendorString: string
  /** The version of a request that names none; the first declared unless told otherwise. */
  readonly defaultVersion?: NoInfer<N>
  /** URL prefix, `/<namespace>` unless told otherwise; `''` for none. */
  readonly path?: string
  /** Controller folder and name prefix, `api` unless told otherwise; `''` for none. */
  readonly namespace?: string
  /** The extensions and suffixes that count as a format: any, only these, or none (`false`). */
  readonly formats?: readonly string[] | false
  /** Answers 406, not the default version, to a client that accepts only foreign types (a browser). */
  readonly strict?: boolean
  /** Adds a PATCH route beside every PUT. */
  readonly patch?: boolean
  readonly only?: OneOrMany<Only>
  readonly except?: OneOrMany<Except>
  readonly shallow?: Shallow
  readonly constraints?: Constraints
}

/**
 * A declared API: plain frozen data, free of any framework.
 * `T` is the whole API as one flat type: version → controller → action → params.
 */
export interface Api<T = unknown> {
  readonly options: ApiOptions
  readonly versions: readonly Version[]
  /** What the versions hold, in the order of the file. Rows are made of it when somebody asks: `routeTable`. */
  readonly table: readonly VersionRoutes[]
  readonly '~table'?: T
}

/**
 * Declares a versioned API. Every mistake in the declaration is found here, as the route file is loaded.
 *
 * @throws RouterError with a code, the place and the remedy
 * @example
 * export const routes = api(
 *   { vendorString: 'acme' },
 *   version(1, cache({ as: 'v1' }, resources('users'))),
 *   version(2, inherit({ from: 'v1' })),
 * )
 */
export const api = <
  const V extends readonly Version[],
  const Only extends Action = Action,
  const Except extends Action = never,
  const Shallow extends boolean = false,
>(
  options: ApiOptions<V[number]['name'], Only, Except, Shallow>,
  ...versions: Checked<V>
): Api<TableOf<V, Exclude<Only, Except>, Shallow>> => {
  const declared = versions as unknown as readonly Version[]
  validate(options, declared)
  return Object.freeze({ options, versions: declared, table: compileTable(options, declared) })
}

/**
 * Every route of every version, in the order of the file, as Rails lists them. The rows are frozen, and the same ones
 * each time.
 *
 * @example routeTable(routes).filter((row) => row.version === 2)
 */
export const routeTable = ({ options, table }: Api): readonly Row[] =>
  Object.freeze(
    table.flatMap(({ version, index, routes }) => routes.map((route) => rowOf(options, route, version, index))),
  )

/** The declared version numbers, lowest first. */
export const versionsOf = (api: Api): readonly number[] => numbersOf(api.versions)

/** The version of a request that names none. */
export const defaultVersionOf = (api: Api): number => api.options.defaultVersion ?? api.versions[0]!.name
