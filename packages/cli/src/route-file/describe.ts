// The only file that reads what `api()` returns. It runs in the worker, next to the route file.
import { type Api, routeTable } from '@hv/router'
import type { DeclaredVersion, RouteFile } from './route-file.ts'

/** Turns an API into the plain data that the commands use. */
export const describeApi = (api: Api, path: string): RouteFile => ({
  path,
  lives: api.settings.versions.map((number, index) => ({
    number,
    life: api.settings.lives[index]!,
    isPreview: api.settings.previews.includes(number),
  })),
  settings: api.settings,
  defaultVersion: api.settings.requireVersion || api.settings.defaultsToOldest ? null : api.settings.defaultVersion,
  versions: api.nodes.map(({ name, nodes }) => describeVersion(name, nodes as readonly CoreNode[])),
  rows: routeTable(api),
})

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
  typeof value === 'object' && value !== null && 'settings' in value && 'nodes' in value && 'table' in value
