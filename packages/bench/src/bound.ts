// The fastest router that we could write for the workload `regular` alone. It's hand-written for
// seven routes, relies on numeric ids, well-formed paths and identical versions, and doesn't say
// why a request is a miss.
import { createAcceptCache } from '@hv/router/source/negotiate/accept-cache.ts'
import { type Api, type Row, routeTable } from '@hv/router'
import { createNegotiator } from '@hv/router/source/negotiate/negotiate.ts'
import type { Find, Found } from './types.ts'

const [DOT, SLASH] = [46, 47]
const prefix = '/api/'

interface Resource {
  readonly name: string
  readonly rows: readonly Readonly<Record<string, Row>>[]
}

export function bound(routes: Api): Find {
  const negotiate = createNegotiator(routes.settings)
  const versionOf = createAcceptCache((accept) => negotiate(accept).acceptable[0]!.version)
  const table: (Resource | undefined)[] = Array.from({ length: 4096 })
  const byName = new Map<string, Record<string, Row>[]>()
  for (const row of routeTable(routes)) {
    const name = row.path.split(/[/(]/)[2]!
    const rows = byName.get(name) ?? []
    byName.set(name, rows)
    ;(rows[row.version] ??= {})[row.action] = row
  }
  for (const [name, rows] of byName) {
    let slot = hashOf(name, 0, name.length) & 4095
    while (table[slot] !== undefined) slot = (slot + 1) & 4095
    table[slot] = { name, rows }
  }

  return (method, path, accept): Found | null => {
    const version = versionOf(accept)
    if (!path.startsWith(prefix)) return null
    let hash = 0
    let to = prefix.length
    let code = 0
    for (; to < path.length; to++) {
      code = path.charCodeAt(to)
      if (code === SLASH || code === DOT) break
      hash = (Math.imul(hash, 31) + code) | 0
    }
    let slot = hash & 4095
    let resource = table[slot]
    while (
      resource !== undefined &&
      !(resource.name.length === to - prefix.length && path.startsWith(resource.name, 5))
    )
      resource = table[(slot = (slot + 1) & 4095)]
    if (resource === undefined) return null
    const rows = resource.rows[version]!
    if (code !== SLASH)
      return method === 'GET'
        ? found(rows['index']!)
        : method === 'POST'
          ? found(rows['create']!)
          : null
    const from = to + 1
    for (to = from; to < path.length; to++) {
      code = path.charCodeAt(to)
      if (code === SLASH || code === DOT) break
    }
    if (code === SLASH)
      return method === 'GET' && path.endsWith('/edit')
        ? found(rows['edit']!, path.slice(from, to))
        : null
    if (method === 'GET') {
      if (path.startsWith('new', from) && to === from + 3) return found(rows['new']!)
      return found(rows['show']!, path.slice(from, to))
    }
    if (method === 'PUT') return found(rows['update']!, path.slice(from, to))
    return method === 'DELETE' ? found(rows['destroy']!, path.slice(from, to)) : null
  }
}

const found = (route: Row, id?: string): Found => ({
  row: route,
  params: id === undefined ? {} : { id },
})

function hashOf(text: string, from: number, to: number): number {
  let hash = 0
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}
