import { type Life, joinLives } from '../declare/life.ts'
import type { Settings } from '../declare/settings.ts'

/** One declared route. All versions that have it share it. */
export interface Route extends Pick<
  Row,
  'method' | 'shape' | 'params' | 'key' | 'action' | 'constraints'
> {
  /** `/api/users/:id`, or `''` for the root. */
  readonly pattern: string
  readonly name: string | null
  /** The only version that lists the name. */
  readonly namedIn: number
  readonly declaredIn: number
  /** Its own life, without that of the version. */
  readonly life: Life | null
}

/** The routes of one `version(…)` of the route file. */
export interface VersionRoutes {
  readonly version: number
  /** Position of the version in `settings.versions`. */
  readonly index: number
  readonly routes: readonly Route[]
}

/** One route of one version, as the route table lists it. */
export interface Row {
  readonly version: number
  readonly method: string
  /** The path as Rails prints it: `/api/users/:id(.:format)`. Without `(.:format)` for the root, and with `formats: false`. */
  readonly path: string
  /** The path without the format: `/api/users/:id`. */
  readonly pattern: string
  /** The pattern without the names of its parameters: `/api/users/:`. They don't tell paths apart. */
  readonly shape: string
  /** The names of its parameters, in order: `['id']`. A glob is one of them. */
  readonly params: readonly string[]
  /** Path of the controller: `api/v1/admin/users`. */
  readonly controller: string
  /** Key of the controller inside its version: `admin/users`. */
  readonly key: string
  /** The method of the controller: `show`. */
  readonly action: string
  /** `api_user`. Only the first row with a name lists it. Null for the others, and for routes without a name. */
  readonly name: string | null
  /** The version that declared this route, or null when it is this version. */
  readonly inheritedFrom: number | null
  /** Per constrained parameter: what its whole decoded value must match. */
  readonly constraints: Readonly<Record<string, RegExp>>
  /** When it is deprecated and when it ends, by its own life and that of its version. Null when neither has one. */
  readonly life: Life | null
}

/** By route, then by position of the version. */
type Rows = WeakMap<Route, Row[]>
const rowsKey = Symbol.for('@hv/router.rows')
/** Rows are made when first asked for, because a large API has many. All copies of this package share them. */
const rows: Rows = ((globalThis as { [rowsKey]?: Rows })[rowsKey] ??= new WeakMap())

const pathOf = (pattern: string, formats: Settings['formats']): string =>
  pattern === '' || formats === false || formats.length === 0
    ? pattern || '/'
    : `${pattern}(.:format)`

/** The row of a route in a version: the same frozen object each time. */
export function rowOf(
  { versions, namespace, lives, formats }: Settings,
  route: Route,
  index: number,
): Row {
  let known = rows.get(route)
  if (known === undefined) rows.set(route, (known = []))
  const version = versions[index]!
  return (known[index] ??= Object.freeze({
    version,
    method: route.method,
    path: pathOf(route.pattern, formats),
    pattern: route.pattern || '/',
    shape: route.shape,
    params: route.params,
    controller: `${namespace && `${namespace}/`}v${version}/${route.key}`,
    key: route.key,
    action: route.action,
    name: route.namedIn === version ? route.name : null,
    inheritedFrom: route.declaredIn === version ? null : route.declaredIn,
    constraints: route.constraints,
    life: joinLives(
      lives[index]!,
      route.life,
      `${route.method} ${route.pattern || '/'} in version ${version}`,
    ),
  }))
}
