// What the commands know about a route file. Only this file reads what `api()` returns, in the worker that loads the file.
import { type Api, type Life, type Row, type Settings, routeTable } from '@hv/router'

/** A loaded route file, as plain data. */
export interface RouteFile {
  readonly path: string
  /** One entry per `version()` call, in the order of the file. */
  readonly versions: readonly DeclaredVersion[]
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

/** One `version()` call. */
export interface DeclaredVersion {
  readonly number: number
  /** The caches that it declares, and those that it inherits as a whole. */
  readonly caches: readonly string[]
  /** What else it declares, which no version can inherit: `users`, or `a selection of v1`. */
  readonly others: readonly string[]
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
  const versions = api.nodes.map(({ name, nodes }) =>
    describeVersion(name, nodes as readonly CoreNode[]),
  )
  return { path, versions, rows: routeTable(api), settings, lives, defaultVersion }
}

interface CoreNode {
  readonly kind: string
  readonly name: unknown
  readonly options: { readonly only?: unknown; readonly except?: unknown }
}

function describeVersion(number: number, nodes: readonly CoreNode[]): DeclaredVersion {
  const caches: string[] = []
  const others: string[] = []
  for (const { kind, name, options } of nodes) {
    const isWhole = kind === 'inherit' && options.only === undefined && options.except === undefined
    if (kind === 'cache' || isWhole) caches.push(...[name].flat().map(String))
    else others.push(kind === 'inherit' ? `a selection of ${String(name)}` : String(name))
  }
  return { number, caches, others }
}

/** Whether a value is what `api()` returns. */
export const isApi = (value: unknown): value is Api =>
  typeof value === 'object' &&
  value !== null &&
  'settings' in value &&
  'nodes' in value &&
  'table' in value
