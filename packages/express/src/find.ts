import type { Match, Matcher, Miss } from '@hv/router'
import type { Request, RequestHandler } from 'express'

interface Finder {
  /** Finds what serves a request. Uses the result of `ahead`, unless the request has changed since. */
  find(req: Request): Match | Miss
  /** Middleware that finds it ahead of the router, and sets `req.apiMatch`. */
  readonly ahead: RequestHandler
}

/** Creates the finder of a router. It keeps the results of `ahead` per request. */
export function createFinder(match: Matcher<Request>['match']): Finder {
  const early = new WeakMap<Request, Pick<Request, 'method' | 'url'> & { accept: unknown; found: Match | Miss }>()

  return {
    find(req) {
      const { method, url, headers } = req
      const known = early.get(req)
      if (known?.url === url && known.method === method && known.accept === headers.accept) return known.found
      return match(method, url, headers.accept, req)
    },
    ahead(req, _res, next) {
      const { method, url, headers } = req
      const found = match(method, url, headers.accept, req)
      early.set(req, { method, url, accept: headers.accept, found })
      if (found.kind === 'match') req.apiMatch = found
      next()
    },
  }
}

/** No version has the path: the request is the app's. */
export const isUnknown = (found: Match | Miss): boolean => found.kind === 'miss' && found.code === 'unknown-path'
