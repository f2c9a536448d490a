import type { ActionName } from '../declare/actions.ts'
import type { Version } from '../declare/nodes.ts'
import type { ApiOptions } from '../declare/options.ts'
import type { AppliedOptions } from '../declare/options-of.ts'
import { type Settings, resolveSettings } from '../declare/settings.ts'
import { invalidOption } from '../errors.ts'
import type { Checked } from '../types/inherit.ts'
import type { OptionalNumbers, TableOf, WithOptional } from '../types/table-of.ts'
import { checkLives } from './check-lives.ts'
import { compileRoutes } from './compile-routes.ts'
import { type Row, type RowOf, type VersionRoutes, createRows } from './route.ts'
import { assertDeclaration } from './assert-declaration.ts'

/**
 * A declared API: plain data, frozen, independent of any framework.
 * `Table` is the whole API as one type: version → controller → action → path parameters.
 */
export interface Api<Table = unknown> {
  /** The options with every default applied. */
  readonly settings: Settings
  /** The route file as written: a node per `version(…)`. */
  readonly nodes: readonly Version[]
  /**
   * The routes of each `version(…)`, in the order of the route file. {@link routeTable} lists them
   * as rows.
   */
  readonly table: readonly VersionRoutes[]
  readonly rowOf: RowOf
  readonly '~table'?: Table
}

/**
 * Declares a versioned API. Every mistake in the route file is found when the file is loaded.
 *
 * @param options - see {@link ApiOptions}; `vendorString` is required
 * @param versions - the versions, in any order. An `inherit` repeats what's declared above it
 * @throws RouterError with a code, the place of the mistake and what to do
 * @example
 * export const routes = api(
 *   { vendorString: 'acme' },
 *   version(1, resources('users')),
 *   version(2, inherit({ from: 1 }), resources('teams')),
 * )
 */
export const api = <
  const Versions extends readonly Version[],
  const Only extends ActionName = ActionName,
  const Except extends ActionName = never,
  const Shallow extends boolean = false,
>(
  options: ApiOptions<Versions[number]['name'], Only, Except, Shallow>,
  ...versions: Checked<Versions>
): Api<
  WithOptional<
    TableOf<Versions, AppliedOptions<Exclude<Only, Except>, Shallow>>,
    OptionalNumbers<Versions>
  >
> => {
  const declared: readonly unknown[] = versions
  const nodes = Object.freeze(declared) as readonly Version[]
  assertDeclaration(options, nodes)
  const settings = resolveSettings(options, nodes)
  const table = compileRoutes(settings, options, nodes)
  const rowOf = Object.freeze(createRows(settings))
  checkLives(settings, table, rowOf)
  return Object.freeze({ settings, nodes, table, rowOf })
}

/**
 * Lists every version's routes in the route file's order, as `rails routes` does.
 * The rows are frozen, and the same objects each time.
 *
 * @param declared - the API
 * @throws RouterError HV_OPTION for anything but an API
 * @example routeTable(routes).filter((row) => row.version === 2)
 */
export function routeTable(declared: Api): readonly Row[] {
  const { table, rowOf } = assertApi(declared, 'routeTable()')
  return Object.freeze(
    table.flatMap(({ index, routes }) => routes.map((route) => rowOf(route, index))),
  )
}

/**
 * Returns its argument.
 *
 * @throws RouterError HV_OPTION for anything but an API, such as `undefined` from a circular import
 */
export function assertApi<A extends Api>(value: A, where: string): A {
  if (!Array.isArray(value?.table)) throw invalidOption(where, 'api', 'what api() returns', value)
  return value
}
