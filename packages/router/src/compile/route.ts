import { type Life, joinLives } from '../declare/life.ts'
import type { Settings } from '../declare/settings.ts'

/** A declared route. All versions that have it share it. */
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
  /** The lives of the nodes around it, the outermost first, and its own. Without the version's. */
  readonly lives: readonly Life[]
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
  /**
   * The path as Rails prints it: `/api/users/:id(.:format)`. There's no `(.:format)` with `formats:
   * false` or for the root.
   */
  readonly path: string
  /** The path without the format: `/api/users/:id`. */
  readonly pattern: string
  /** The pattern without its parameters' names: `/api/users/:`. They don't tell paths apart. */
  readonly shape: string
  /** The names of its parameters, in order: `['id']`. A glob is one of them. */
  readonly params: readonly string[]
  /** Path of the controller: `api/v1/admin/users`. */
  readonly controller: string
  /** Key of the controller inside its version: `admin/users`. */
  readonly key: string
  /** The controller's method: `show`. */
  readonly action: string
  /**
   * The route's name: `api_user`. Only the first row with a name lists it. Null for the others, and
   * for routes without a name.
   */
  readonly name: string | null
  /** The version that declared this route, or null if it's this version. */
  readonly inheritedFrom: number | null
  /** By constrained parameter: what its whole decoded value must match. */
  readonly constraints: Readonly<Record<string, RegExp>>
  /**
   * When the route is deprecated and when it ends, by its own dates and its version's. Null if
   * neither has any.
   */
  readonly life: Life | null
}

const pathOf = (pattern: string, formats: Settings['formats']): string =>
  pattern === '' || formats === false || formats.length === 0
    ? pattern || '/'
    : `${pattern}(.:format)`

/**
 * Returns a route's row in the version at a position in `settings.versions`. It's the same frozen
 * object each time.
 */
export type RowOf = (route: Route, index: number) => Row

/** A large API has many rows, so each is made when it's first needed. */
export function createRows({ versions, namespace, lives, formats }: Settings): RowOf {
  const rows = versions.map(() => new Map<Route, Row>())
  return (route, index) => {
    const row = rows[index]!.get(route) ?? createRow(route, index)
    rows[index]!.set(route, row)
    return row
  }

  function createRow(route: Route, index: number): Row {
    const version = versions[index]!
    return Object.freeze({
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
      // From the outside in, because a node can't outlive what one of the nodes around it retires.
      life: route.lives.reduce<Life | null>(
        (outer, inner) =>
          joinLives(outer, inner, `${route.method} ${route.pattern || '/'} in version ${version}`),
        lives[index]!,
      ),
    })
  }
}
