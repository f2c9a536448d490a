import type { Version } from './nodes.ts'
import type { ApiOptions } from './options.ts'

/** The extensions and suffixes that count as a format: a list, any, or none. */
export type Formats = readonly string[] | 'any' | false

/** The options of an API with every default applied. Later code reads these, never the options. */
export interface Settings {
  /** `acme` */
  readonly vendor: string
  /** `application/vnd.acme` */
  readonly vendorType: string
  /** `/api`, or `''`. */
  readonly prefix: string
  /** Controller folder and prefix of the route names: `api`, or `''`. */
  readonly namespace: string
  readonly formats: Formats
  readonly strict: boolean
  /** The declared versions, lowest first. */
  readonly versions: readonly number[]
  readonly defaultVersion: number
}

/** Applies the defaults. The options and versions must be valid. */
export function resolveSettings(options: ApiOptions, versions: readonly Version[]): Settings {
  const { vendorString: vendor, namespace = 'api', path = namespace, formats = ['json'], strict = false } = options
  const numbers = versions.map(({ name }) => name)
  return Object.freeze({
    vendor,
    vendorType: `application/vnd.${vendor}`,
    prefix: joinPath(path),
    namespace,
    formats: typeof formats === 'object' ? Object.freeze([...formats]) : formats,
    strict,
    versions: Object.freeze([...new Set(numbers)].toSorted((a, b) => a - b)),
    defaultVersion: options.defaultVersion ?? numbers[0]!,
  })
}

/** Joins paths with single slashes, and none at the end: `/api`, `users/` → `/api/users`. */
export const joinPath = (...paths: readonly string[]): string =>
  paths
    .flatMap((path) => path.split('/'))
    .filter(Boolean)
    .map((segment) => `/${segment}`)
    .join('')
