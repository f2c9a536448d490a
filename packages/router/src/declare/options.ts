import type { ActionName } from './actions.ts'
import type { LifeOptions } from './life.ts'

/** One value, or a list of values. */
export type OneOrMany<T> = T | readonly T[]

/** One value or a list of values, as a list. */
export const toList = <T>(value: OneOrMany<T>): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T]

/** Keeps the names in `only`, or all but those in `except`. Using both is an error. */
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

/** A regular expression per path parameter, or its source. It must match the whole decoded value. */
export type Constraints = Readonly<Record<string, RegExp | string>>

/** Options of `api`, `version`, `namespace` and `scope`. They apply to everything inside. */
export interface SharedOptions<
  Only = ActionName,
  Except = ActionName,
  Shallow = boolean,
> extends Selection<Only, Except> {
  /** Constraints by path parameter: `{ id: /\d+/ }`. Inner constraints override outer ones, parameter by parameter. */
  readonly constraints?: Constraints
  /**
   * Leaves the parent out of the path of nested member routes: `/comments/:id` instead of `/posts/:post_id/comments/:id`.
   *
   * @default false
   */
  readonly shallow?: Shallow
}

/** The options of `version`. They apply to everything inside. */
export interface VersionOptions extends SharedOptions, LifeOptions {
  /**
   * Serves the version only to requests that name its number. Problem documents do not list it, and it cannot be the default.
   *
   * @default false
   */
  readonly preview?: boolean
}

/** The options of `namespace`. They apply to everything inside. */
export interface NamespaceOptions extends SharedOptions, LifeOptions {
  /**
   * Path segments. `''` adds none. Those of a scope may include parameters: `accounts/:account_id`.
   *
   * @default the name; none for `scope`
   */
  readonly path?: string
  /**
   * Prefix of the route names.
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
   * Name of the path parameter of a member.
   *
   * @default 'id'
   */
  readonly param?: string
  /**
   * Singular of the name. It names the parameter of nested routes: `post` gives `post_id`.
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
   * The target: an action of the surrounding resource, or `controller#action`. Required outside a resource.
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
   * The version of requests that don't ask for one. It's a number, because a default that moves breaks clients silently.
   *
   * @default the first declared version that is not a preview
   */
  readonly defaultVersion?: NoInfer<Version>
  /**
   * Answers 400 to a request that names no version.
   *
   * @default false
   */
  readonly requireVersion?: boolean
  /**
   * Path prefix of every route. `''` means none.
   *
   * @default `/<namespace>`
   */
  readonly path?: string
  /**
   * Controller folder and prefix of the route names. `''` means none.
   *
   * @default 'api'
   */
  readonly namespace?: string
  /**
   * The extensions of a path, and the suffixes of the vendor type, that count as a format. Any other extension is part of
   * the path parameter. `'any'` accepts every extension and suffix, as Rails does; parameters then cannot contain dots.
   * `false` accepts no extension, and every suffix.
   *
   * @default ['json']
   */
  readonly formats?: readonly string[] | 'any' | false
  /**
   * Rejects requests that accept only unrelated types (`text/html`) with a 406 response, instead of serving the default version.
   * A browser's requests also accept any type, so they're served.
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
