// The only file that reads what `api()` returns. It runs in the worker, next to the route file.
import { type Api, routeTable } from '@hv/router'
import type { ListedNode, RouteFile } from './route-file.ts'

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
  versions: api.nodes.map(({ name, nodes }) => ({
    number: name,
    nodes: (nodes as readonly CoreNode[]).map(describeNode),
  })),
  rows: routeTable(api),
})

interface CoreNode {
  readonly kind: string
  readonly name: unknown
  readonly options: { readonly only?: unknown; readonly except?: unknown }
}

function describeNode({ kind, name, options }: CoreNode): ListedNode {
  if (kind === 'cache') return { kind, name: String(name) }
  if (kind !== 'inherit') return { kind: 'other', name: String(name) }
  const isSelective = options.only !== undefined || options.except !== undefined
  return { kind, from: [name].flat().map(String), isSelective }
}

/** Whether a value is what `api()` returns. */
export const isApi = (value: unknown): value is Api =>
  typeof value === 'object' && value !== null && 'settings' in value && 'nodes' in value && 'table' in value
