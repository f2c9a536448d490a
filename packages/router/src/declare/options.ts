import type { ActionName } from './actions.ts'
import type { LifeOptions } from './life.ts'

/** One value, or a list of values. */
export type OneOrMany<T> = T | readonly T[]

/** Makes a list of a single value. */
export const toList = <T>(value: OneOrMany<T>): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T]

/** Keeps the names in `only`, or all except those in `except`. You can't use both. */
export interface Selection<Only, Except = Only> {
  /** Keeps these names and leaves out the rest. Default: all. */
  readonly only?: OneOrMany<Only>
  /** Leaves out these names. */
  readonly except?: OneOrMany<Except>
}

/** Whether `only` and `except` keep a name. */
export const isSelected = <Name>(name: Name, { only, except }: Selection<Name>): boolean =>
  (only === undefined || toList(only).includes(name)) &&
  (except === undefined || !toList(except).includes(name))

/**
 * A regular expression per path parameter, or its source. It has to match the whole decoded value.
 */
export type Constraints = Readonly<Record<string, RegExp | string>>

/** Options of `api`, `version`, `namespace` and `scope`. They apply to everything inside. */
export interface SharedOptions<
  Only = ActionName,
  Except = ActionName,
  Shallow = boolean,
> extends Selection<Only, Except> {
  /**
   * Constraints by path parameter: `{ id: /\d+/ }`. An inner constraint overrides an outer one for
   * the same parameter.
   */
  readonly constraints?: Constraints
  /**
   * Leaves the parent out of nested members' paths: `/comments/:id` instead of
   * `/posts/:post_id/comments/:id`.
   *
   * @default false
   */
  readonly shallow?: Shallow
}

/** The options of `version`. They apply to everything inside. */
export interface VersionOptions extends SharedOptions, LifeOptions {
  /**
   * Serves the version only to requests that ask for its number. Problem documents don't list it,
   * and it can't be the default.
   *
   * @default false
   */
  readonly preview?: boolean
}

/** The options of `namespace`. They apply to everything inside. */
export interface NamespaceOptions extends SharedOptions, LifeOptions {
  /**
   * Path segments. `''` adds none. They can contain parameters: `accounts/:account_id`.
   *
   * @default the name; none for `scope`
   */
  readonly path?: string
  /**
   * The prefix of the route names.
   *
   * @default the name; none for `scope`
   */
  readonly as?: string
}

/** The options of `scope`. They apply to everything inside. */
export interface ScopeOptions extends NamespaceOptions {
  /**
   * Controller folder, such as `admin`.
   *
   * @default none
   */
  readonly module?: string
}

/** The options of `resources` and `resource`. */
export interface ResourcesOptions extends NamespaceOptions {
  /**
   * Controller key inside the version, such as `admin/users`.
   *
   * @default the name, or its plural for `resource`
   */
  readonly controller?: string
  /**
   * The name of a member's path parameter.
   *
   * @default 'id'
   */
  readonly param?: string
  /**
   * The singular of the name. Nested routes' parameter is named after it: `post_id` for `post`.
   *
   * @default the singular by Rails' rules
   */
  readonly singular?: string
  /**
   * Adds a PATCH route next to PUT.
   *
   * @default the `patch` option of the API
   */
  readonly patch?: boolean
}

/** The options of `get`, `post`, `put`, `patch` and `del`. */
export interface VerbOptions extends LifeOptions, Pick<SharedOptions, 'constraints'> {
  /**
   * What it calls: an action of the surrounding resource, or `controller#action`. It's required
   * outside a resource.
   *
   * @default the path, with `_` for each dash
   */
  readonly to?: string
  /**
   * Name of the route.
   *
   * @default the path
   */
  readonly as?: string
}

/** The options of `api`. */
export interface ApiOptions<
  Version = number,
  Only = ActionName,
  Except = ActionName,
  Shallow = boolean,
> extends SharedOptions<Only, Except, Shallow> {
  /** The vendor in `application/vnd.<vendor>+json`. */
  readonly vendorString: string
  /**
   * The version of requests that don't ask for one. It's a fixed number, because a default that
   * moves breaks clients silently.
   *
   * @default the first declared version that isn't a preview
   */
  readonly defaultVersion?: NoInfer<Version>
  /**
   * Responds with 400 to requests that don't ask for a version.
   *
   * @default false
   */
  readonly requireVersion?: boolean
  /**
   * The prefix of every route's path. `''` means none.
   *
   * @default `/<namespace>`
   */
  readonly path?: string
  /**
   * The controllers' folder, and the prefix of the route names. `''` means none.
   *
   * @default 'api'
   */
  readonly namespace?: string
  /**
   * The formats that clients can ask for, with a path's extension or the vendor type's suffix. Any
   * other extension is part of the path parameter. `'any'` accepts every extension and suffix, as
   * Rails does, but then parameters can't contain dots. `false` accepts no extension and every
   * suffix. If you leave it out, Express and fetch redirect `/users.json` to `/users`.
   *
   * @default ['json']
   */
  readonly formats?: readonly string[] | 'any' | false
  /**
   * Rejects requests that only accept unrelated types (`text/html`) with a 406 response, instead of
   * serving the default version. Browsers also accept any type, so their requests are still served.
   *
   * @default false
   */
  readonly strict?: boolean
  /**
   * Adds a PATCH route next to every PUT.
   *
   * @default false
   */
  readonly patch?: boolean
}
