import { type Life, joinLives, readLife } from './life.ts'
import { RouterError } from '../errors.ts'
import type { Version } from './nodes.ts'
import type { ApiOptions, VersionOptions } from './options.ts'

/** The extensions and suffixes that count as a format: a list, any, or none. */
export type Formats = readonly string[] | 'any' | false

/**
 * An API's options with every default applied. Everything else reads these settings. Only
 * `compileRoutes` reads the options themselves, to apply the `SharedOptions` and `patch` to nodes.
 */
export interface Settings {
  /** `acme` */
  readonly vendor: string
  /** `application/vnd.acme` */
  readonly vendorType: string
  /** `/api`, or `''`. */
  readonly prefix: string
  /** The controllers' folder and the prefix of the route names: `api`, or `''`. */
  readonly namespace: string
  readonly formats: Formats
  /** Whether the app has left out `formats`, so that `/users.json` may redirect to `/users`. */
  readonly redirectsExtensions: boolean
  /** Whether browsers get a 406 response instead of the default version. */
  readonly strict: boolean
  /** The declared versions, lowest first. */
  readonly versions: readonly number[]
  /** The version of requests that don't ask for one. */
  readonly defaultVersion: number
  /** Whether such requests get a 400 response instead. */
  readonly requireVersion: boolean
  /** The versions that only serve requests that ask for them. */
  readonly previews: readonly number[]
  /** Each version's dates, in the order of `versions`. Null if it has none. */
  readonly lives: readonly (Life | null)[]
}

/**
 * Applies the defaults. The options and versions have to be valid.
 *
 * @throws RouterError HV_DEFAULT_VERSION; HV_DATE, HV_SUNSET and HV_BROWNOUT for a version's dates
 */
export function resolveSettings(options: ApiOptions, versions: readonly Version[]): Settings {
  const {
    vendorString: vendor,
    namespace = 'api',
    path = namespace,
    formats = ['json'],
    strict = false,
    requireVersion = false,
  } = options
  const declared = versions.map(({ name }) => name)
  const numbers = [...new Set(declared)].toSorted((a, b) => a - b)
  const previews = versions
    .filter((version) => (version.options as VersionOptions).preview === true)
    .map(({ name }) => name)
  const candidates = declared.filter((number) => !previews.includes(number))
  const { defaultVersion = candidates[0] } = options
  if (defaultVersion !== undefined && !candidates.includes(defaultVersion))
    throw new RouterError('HV_DEFAULT_VERSION', {
      option: 'defaultVersion',
      received: defaultVersion,
      known: candidates,
    })
  return Object.freeze({
    vendor,
    vendorType: `application/vnd.${vendor}`,
    prefix: joinPath(path),
    namespace,
    formats: typeof formats === 'object' ? Object.freeze([...formats]) : formats,
    redirectsExtensions: options.formats === undefined,
    strict,
    versions: Object.freeze(numbers),
    defaultVersion: defaultVersion ?? numbers[0]!,
    requireVersion: requireVersion || defaultVersion === undefined, // every version is a preview
    previews: Object.freeze(previews),
    lives: Object.freeze(numbers.map((number) => lifeOf(number, versions))),
  })
}

/** Reads a version's dates. Its number may be declared more than once. */
function lifeOf(number: number, versions: readonly Version[]): Life | null {
  const where = `version ${number}`
  let life: Life | null = null
  for (const { name, options } of versions)
    if (name === number) life = joinLives(life, readLife(options as VersionOptions, where), where)
  return life
}

/** Joins paths with single slashes, and none at the end: `/api` and `users/` to `/api/users`. */
export function joinPath(...paths: readonly string[]): string {
  let joined = ''
  for (const path of paths)
    for (const segment of path.split('/')) if (segment !== '') joined += `/${segment}`
  return joined
}

/** What parameters look like in a pattern: `:id`, or `*path` at its end. */
const paramNames = /(?<=\/[:*])\w+/g

/** The names of a pattern's parameters: `['user_id', 'id']` for `/users/:user_id/posts/:id`. */
export const paramsOf = (pattern: string): readonly string[] => pattern.match(paramNames) ?? []

/** The pattern without its parameters' names, which don't tell paths apart: `/users/:/posts/:`. */
export const shapeOf = (pattern: string): string => pattern.replaceAll(paramNames, '')
