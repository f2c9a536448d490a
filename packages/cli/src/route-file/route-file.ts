// The commands' view of a route file. No other module of the CLI reads what `api()` returns.
import { type Api, type Life, type Row, type Settings, routeTable } from '@hv/router'

/** A loaded route file. */
export interface RouteFile {
  readonly path: string
  readonly api: Api
  readonly rows: readonly Row[]
  readonly settings: Settings
  /** One entry per version number, lowest first. */
  readonly lives: readonly VersionLife[]
  /** The version of requests that don't ask for one. Null if they have to. */
  readonly defaultVersion: number | null
}

export interface VersionLife {
  readonly number: number
  readonly life: Life | null
  readonly isPreview: boolean
}

/** Turns an API into the plain data that the commands use. */
export function describeApi(api: Api, path: string): RouteFile {
  const { settings } = api
  const lives = settings.versions.map((number, index) => ({
    number,
    life: settings.lives[index]!,
    isPreview: settings.previews.includes(number),
  }))
  const defaultVersion = settings.requireVersion ? null : settings.defaultVersion
  return { path, api, rows: routeTable(api), settings, lives, defaultVersion }
}

/** Whether a value is what `api()` returns. */
export const isApi = (value: unknown): value is Api =>
  typeof value === 'object' &&
  value !== null &&
  'settings' in value &&
  'nodes' in value &&
  'table' in value
