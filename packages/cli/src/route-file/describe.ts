// The only file that reads what `api()` returns. It runs in the worker, beside the route file.
import { type Api, routeTable } from '@hv/router'
import type { DeclaredNode, RouteFile } from './route-file.ts'

/** Turns an API into the plain data that the commands use. */
export function describeApi(api: Api, path: string): RouteFile {
  const { namespace = 'api' } = api.options
  const routes = api.table.flatMap((version) => version.routes) // in the order of the rows
  return {
    path,
    versions: api.versions.map(({ name, nodes }) => ({
      number: name,
      nodes: (nodes as readonly CoreNode[]).map(describeNode),
    })),
    rows: routeTable(api).map((row, i) => ({
      ...row,
      pattern: routes[i]!.path || '/',
      key: row.controller.slice(`${namespace && `${namespace}/`}v${row.version}/`.length),
      constraints: routes[i]!.constraints,
    })),
  }
}

interface CoreNode {
  readonly kind: string
  readonly name: unknown
  readonly options: { readonly only?: unknown; readonly except?: unknown }
}

function describeNode({ kind, name, options }: CoreNode): DeclaredNode {
  if (kind === 'cache') return { kind, name: String(name) }
  if (kind !== 'inherit') return { kind: 'other', name: String(name) }
  const isSelective = options.only !== undefined || options.except !== undefined
  return { kind, from: [name].flat().map(String), isSelective }
}

export const isApi = (value: unknown): value is Api =>
  typeof value === 'object' && value !== null && 'options' in value && 'versions' in value && 'table' in value
