// The matchers that are compared. Peers get all the help they can: there's one router per version,
// and the query, a trailing slash and the extension are cut off first. A peer whose results differ
// from the reference's isn't timed.
import FindMyWay from 'find-my-way'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { TrieRouter } from 'hono/router/trie-router'
import { Memoirist } from 'memoirist'
import Negotiator from 'negotiator'
import { match as compilePath } from 'path-to-regexp'
import * as rou3 from 'rou3'
import { compileRouter } from 'rou3/compiler'
import { Router as expressRouter } from 'express'
import { createAcceptCache } from '@hv/router/source/negotiate/accept-cache.ts'
import { type Api, type Row, createMatcher, mediaType, routeTable } from '@hv/router'
import { createNegotiator } from '@hv/router/source/negotiate/negotiate.ts'
import { bound } from './bound.ts'
import type { Find } from './types.ts'

interface Router {
  add(method: string, path: string, row: Row): void
  /** Called after the last route has been added. */
  ready?(): void
  find(method: string, path: string): { row: Row; params: Record<string, string> } | null
}

const decodeAll = (params: Record<string, string>): Record<string, string> => {
  for (const name in params)
    if (params[name]!.includes('%')) params[name] = decodeURIComponent(params[name]!)
  return params
}
const stemOf = (path: string): string => {
  const query = path.indexOf('?')
  let stem = query < 0 ? path : path.slice(0, query)
  if (stem.length > 1 && stem.endsWith('/')) stem = stem.slice(0, -1)
  const dot = stem.lastIndexOf('.')
  return dot > stem.lastIndexOf('/') ? stem.slice(0, dot) : stem
}

/** Rows as peers accept them. If a row is declared twice, only the first. */
function* rowsOf(routes: Api): Generator<readonly [path: string, row: Row]> {
  const known = new Set<string>()
  for (const row of routeTable(routes)) {
    const key = `${row.version} ${row.method} ${row.pattern.replace(/:\w+/g, ':')}`
    if (known.has(key)) continue
    known.add(key)
    yield [row.pattern, row]
  }
}

type VersionsOf = (routes: Api) => (accept: string) => readonly number[]

/** One router per version. The best version that has the route wins. */
const perVersion =
  (create: () => Router) =>
  (routes: Api, versionsOf: VersionsOf): Find => {
    const routers = new Map<number, Router>()
    for (const [path, row] of rowsOf(routes)) {
      const router = routers.get(row.version) ?? create()
      routers.set(row.version, router)
      router.add(row.method, path, row)
    }
    for (const router of routers.values()) router.ready?.()
    const wanted = versionsOf(routes)
    return (method, path, accept) => {
      const stem = stemOf(path)
      for (const version of wanted(accept)) {
        const found = routers.get(version)?.find(method, stem)
        if (found) return { row: found.row, params: decodeAll(found.params) }
      }
      return null
    }
  }

/** One find-my-way for all versions, with the version as a constraint, of which it allows 31. */
const constrained =
  (compile: boolean) =>
  (routes: Api, versionsOf: VersionsOf): Find => {
    const router = FindMyWay({
      constraints: {
        accept: {
          name: 'accept',
          storage: () => {
            const stored = new Map<number, never>()
            return {
              get: (version: number) => stored.get(version) ?? null,
              set: (version: number, it: never) => stored.set(version, it),
            }
          },
          deriveConstraint: () => 0,
          validate: () => {},
        } as never,
      },
    })
    for (const [path, row] of rowsOf(routes))
      router.on(row.method as 'GET', path, { constraints: { accept: row.version } }, () => {}, row)
    if (compile) (router as never as { compile(): void }).compile()
    const wanted = versionsOf(routes)
    return (method, path, accept) => {
      const stem = stemOf(path)
      for (const version of wanted(accept)) {
        const found = router.find(method as 'GET', stem, { accept: version } as never)
        if (found)
          return {
            row: found.store as Row,
            params: decodeAll(found.params as Record<string, string>),
          }
      }
      return null
    }
  }

const findMyWay = (compile: boolean) => (): Router => {
  const router = FindMyWay()
  return {
    add: (method, path, row) => void router.on(method as 'GET', path, () => {}, row),
    ready: () => compile && (router as never as { compile(): void }).compile(),
    find(method, path) {
      const found = router.find(method as 'GET', path)
      return found && { row: found.store as Row, params: found.params as Record<string, string> }
    },
  }
}

const createRouters: Record<string, () => Router> = {
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
  'find-my-way': findMyWay(false),
  'find-my-way compiled (eval)': findMyWay(true),
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
  'rou3 compiled (eval)': () => {
    const router = rou3.createRouter<Row>()
    let find: (
      method: string,
      path: string,
    ) => { data: Row; params?: Record<string, string> } | undefined
    return {
      add: (method, path, row) => rou3.addRoute(router, method, path, row),
      ready: () => void (find = compileRouter(router) as never),
      find(method, path) {
        const found = find(method, path)
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
        // All routes that match, in the order they were added. The one with the fewest parameters
        // is the most specific.
        let best = found[0]
        for (const one of found)
          if (best !== undefined && Object.keys(one[1]).length < Object.keys(best[1]).length)
            best = one
        return best === undefined ? null : { row: best[0], params: { ...best[1] } }
      },
    }
  },
  // It rejects a static path that a parameter also matches, so static paths are in a Map.
  'hono RegExpRouter': () => {
    const router = new RegExpRouter<Row>()
    const statics = new Map<string, Row>()
    return {
      add: (method, path, row) => {
        if (path.includes(':')) router.add(method, path, row)
        else statics.set(`${method} ${path}`, row)
      },
      find(method, path) {
        const row = statics.get(`${method} ${path}`)
        if (row !== undefined) return { row, params: {} }
        const [found, stack] = router.match(method, path) as [
          [Row, Record<string, number>][],
          string[]?,
        ]
        const one = found[0]
        if (one === undefined) return null
        const params: Record<string, string> = {}
        for (const name in one[1]) params[name] = stack![one[1][name]!]!
        return { row: one[0], params }
      },
    }
  },
  'Express router': () => {
    const router = expressRouter()
    const rows: { method: string; path: string; row: Row }[] = []
    const response = { found: null as Row | null }
    return {
      add: (method, path, row) => void rows.push({ method, path, row }),
      ready() {
        // It uses the first route that matches.
        for (const { method, path, row } of rows.toSorted(
          (a, b) => a.path.split(':').length - b.path.split(':').length,
        ))
          router[method.toLowerCase() as 'get'](path, (_request, answer) => {
            ;(answer as never as { found: Row }).found = row
          })
      },
      find(method, path) {
        const request = { method, url: path, params: {} as Record<string, string> }
        response.found = null
        router(request as never, response as never, () => {})
        return response.found && { row: response.found, params: { ...request.params } }
      },
    }
  },
  'linear path-to-regexp': () => {
    let rows: {
      method: string
      match: ReturnType<typeof compilePath>
      row: Row
      params: number
    }[] = []
    return {
      add: (method, path, row) =>
        void rows.push({
          method,
          match: compilePath(path, { decode: false }),
          row,
          params: path.split(':').length,
        }),
      ready: () => void (rows = rows.toSorted((a, b) => a.params - b.params)),
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

// ---- how a peer comes to its versions -----------------------------------------------------------

const parse = (routes: Api) => {
  const negotiate = createNegotiator(routes.settings)
  return (accept: string): readonly number[] =>
    negotiate(accept).acceptable.map(({ version }) => version)
}
const readers: Record<string, VersionsOf> = {
  /** A parser behind a bounded Map, as a careful developer would write it. */
  Map: (routes) => {
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
  },
  'our cache': (routes) => createAcceptCache(parse(routes)),
  /** A regular expression instead of a parser, as a careful developer would write it. */
  regex: (routes) => {
    const vendor = routes.settings.vendor.replace(/\W/g, '\\$&')
    const one = new RegExp(`^application/vnd\\.${vendor}\\+json *; *version="?(\\d+)"?$`)
    const each = new RegExp(`application/vnd\\.${vendor}\\+json *; *version="?(\\d+)"?([^,]*)`, 'g')
    const fallback = [routes.settings.defaultVersion]
    return (accept) => {
      const lone = one.exec(accept)
      if (lone !== null) return [Number(lone[1])]
      const ranges = [...accept.matchAll(each)].map(([, n, rest]) => ({
        n: Number(n),
        q: Number(/; *q=([\d.]+)/.exec(rest!)?.[1] ?? 1),
      }))
      return ranges.length === 0 ? fallback : ranges.toSorted((a, b) => b.q - a.q).map(({ n }) => n)
    }
  },
  /** The package `negotiator`, with every version as an offer. */
  negotiator: (routes) => {
    const offers = routes.settings.versions.map((version) => mediaType(routes, { version }))
    return (accept) =>
      new Negotiator({ headers: { accept } })
        .mediaTypes(offers)
        .map((type) => Number(type.slice(type.indexOf('=') + 1)))
  },
}

// ---- all of them --------------------------------------------------------------------------------

export const reference = '@hv/router'
export const peers: Record<string, (routes: Api) => Find> = {
  [reference]: (routes) => {
    const { match } = createMatcher(routes)
    return (method, path, accept) => {
      const found = match(method, path, accept)
      return found.kind === 'match' ? found : null
    }
  },
  'bound: written by hand for one workload': bound,
}
const kinds: Record<string, (routes: Api, versionsOf: VersionsOf) => Find> = {
  ...Object.fromEntries(
    Object.entries(createRouters).map(([name, create]) => [name, perVersion(create)]),
  ),
  'find-my-way constraint': constrained(false),
  'find-my-way constraint compiled (eval)': constrained(true),
}
for (const [name, create] of Object.entries(kinds))
  for (const [reader, read] of Object.entries(readers))
    peers[`${name} + ${reader}`] = (routes: Api) => create(routes, read)
