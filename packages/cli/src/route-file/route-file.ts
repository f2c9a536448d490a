// The commands' view of a route file. No other module of the CLI reads what `api()` returns.
import { type Api, type Settings, routeTable } from '@hv/router'
import { type ListedRow, listRows } from './list-rows.ts'
import { type VersionLife, stateOf } from './lives.ts'

/** A loaded route file. */
export interface RouteFile {
  readonly path: string
  /** The path as messages show it: `src/routes.ts`. */
  readonly name: string
  readonly api: Api
  readonly rows: readonly ListedRow[]
  readonly settings: Settings
  /** One entry per version number, lowest first. */
  readonly lives: readonly VersionLife[]
  /** The version of requests that don't ask for one. Null if they have to. */
  readonly defaultVersion: number | null
  /** When the file was read, which decides whether a version has ended. */
  readonly now: number
}

/** Turns an API into the plain data that the commands use. */
export function describeApi(api: Api, path: string, name: string): RouteFile {
  const { settings } = api
  const now = Date.now()
  const lives = settings.versions.map((number, index) => {
    const isPreview = settings.previews.includes(number)
    const lifecycle = { life: settings.lives[index]!, isPreview }
    return { number, ...lifecycle, state: stateOf(lifecycle, now) }
  })
  const rows = listRows(routeTable(api), settings.previews, now)
  const defaultVersion = settings.requireVersion ? null : settings.defaultVersion
  return { path, name, api, rows, settings, lives, defaultVersion, now }
}

/** Whether a value is what `api()` returns. */
export const isApi = (value: unknown): value is Api =>
  typeof value === 'object' &&
  value !== null &&
  'settings' in value &&
  'nodes' in value &&
  'table' in value
