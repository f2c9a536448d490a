// The matchers that are compared. A peer gets all the help there is: one router per version, the extension cut off by
// hand, the version from a cache. Each answers what the reference answers, or is not timed.
import FindMyWay from 'find-my-way'
import { TrieRouter } from 'hono/router/trie-router'
import { Memoirist } from 'memoirist'
import { match as compilePath } from 'path-to-regexp'
import * as rou3 from 'rou3'
import { createAcceptCache } from '../src/accept-cache.ts'
import { type Api, type Row, createMatcher } from '../src/index.ts'
import { createNegotiator } from '../src/negotiate.ts'

export interface Answer {
  readonly route: Row
  readonly params: Readonly<Record<string, string>>
}
export type Find = (method: string, path: string, accept: string) => Answer | null

interface Router {
  add(method: string, path: string, row: Row): void
  find(method: string, path: string): { row: Row; params: Record<string, string> } | null
}

const decodeAll = (params: Record<string, string>): Record<string, string> => {
  for (const name in params) if (params[name]!.includes('%')) params[name] = decodeURIComponent(params[name]!)
  return params
}

/** One router per version; the best version that has the route. */
function perVersion(routes: Api, cached: Cached, create: () => Router): Find {
  const routers = new Map<number, Router>()
  const known = new Set<string>()
  for (const row of routes.routes) {
    const key = `${row.version} ${row.method} ${row.path.replace(/:\w+/g, ':')}`
    if (known.has(key)) continue // some peers refuse a path declared twice
    known.add(key)
    const router = routers.get(row.version) ?? create()
    routers.set(row.version, router)
    router.add(row.method, row.path.replace('(.:format)', ''), row)
  }
  const versionsOf = cached(routes)
  return (method, path, accept) => {
    const dot = path.lastIndexOf('.')
    const stem = dot > path.lastIndexOf('/') ? path.slice(0, dot) : path
    for (const version of versionsOf(accept)) {
      const found = routers.get(version)?.find(method, stem)
      if (found) return { route: found.row, params: decodeAll(found.params) }
    }
    return null
  }
}

type Cached = (routes: Api) => (accept: string) => readonly number[]
const parse = (routes: Api) => {
  const negotiate = createNegotiator(routes)
  return (accept: string): readonly number[] => negotiate(accept).acceptable.map(({ version }) => version)
}
/** What a careful developer writes: a bounded Map before the parser. */
const mapCache: Cached = (routes) => {
  const cache = new Map<string, readonly number[]>()
  const compute = parse(routes)
  return (accept) => {
    const known = cache.get(accept)
    if (known !== undefined) return known
    const versions = compute(accept)
    if (cache.size === 2000) cache.clear()
    cache.set(accept, versions)
    return versions
  }
}
/** Our own cache, given to the peer. */
const ourCache: Cached = (routes) =>
  createAcceptCache(`application/vnd.${routes.options.vendorString}+json;version=`.length, parse(routes))

const routers: Record<string, () => Router> = {
  memoirist: () => {
    const router = new Memoirist<Row>()
    return {
      add: (method, path, row) => void router.add(method, path, row),
      find(method, path) {
        const found = router.find(method, path)
        return found && { row: found.store, params: found.params }
      },
    }
  },
  'find-my-way': () => {
    const router = FindMyWay()
    return {
      add: (method, path, row) => void router.on(method as 'GET', path, () => {}, row),
      find(method, path) {
        const found = router.find(method as 'GET', path)
        return found && { row: found.store as Row, params: found.params as Record<string, string> }
      },
    }
  },
  rou3: () => {
    const router = rou3.createRouter<Row>()
    return {
      add: (method, path, row) => rou3.addRoute(router, method, path, row),
      find(method, path) {
        const found = rou3.findRoute(router, method, path)
        return found ? { row: found.data, params: { ...found.params } } : null
      },
    }
  },
  'hono TrieRouter': () => {
    const router = new TrieRouter<Row>()
    return {
      add: (method, path, row) => router.add(method, path, row),
      find(method, path) {
        const found = router.match(method, path)[0] as [Row, Record<string, string>][]
        // All that fit, in the order added: the nearest is the one with the fewest params.
        let best = found[0]
        for (const one of found)
          if (best !== undefined && Object.keys(one[1]).length < Object.keys(best[1]).length) best = one
        return best === undefined ? null : { row: best[0], params: { ...best[1] } }
      },
    }
  },
  'linear path-to-regexp': () => {
    const rows: { method: string; match: ReturnType<typeof compilePath>; row: Row; params: number }[] = []
    return {
      add(method, path, row) {
        rows.push({ method, match: compilePath(path, { decode: false }), row, params: path.split(':').length })
        rows.sort((a, b) => a.params - b.params)
      },
      find(method, path) {
        for (const one of rows) {
          const found = one.method === method && one.match(path)
          if (found) return { row: one.row, params: { ...found.params } as Record<string, string> }
        }
        return null
      },
    }
  },
}

export const peers: Record<string, (routes: Api) => Find> = {
  '@hv/router': (routes) => {
    const { match } = createMatcher(routes)
    return (method, path, accept) => {
      const found = match(method, path, accept)
      return found.kind === 'match' ? found : null
    }
  },
}
for (const [name, create] of Object.entries(routers)) {
  peers[`${name} + Map`] = (routes) => perVersion(routes, mapCache, create)
  peers[`${name} + our cache`] = (routes) => perVersion(routes, ourCache, create)
}
