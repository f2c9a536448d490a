import type { Match, Matcher, Miss } from '@hv/router'
import type { Request, RequestHandler } from 'express'

interface Finder {
  /** Finds what serves a request. Uses the result of `ahead`, unless the request has changed since. */
  find(req: Request): Match | Miss
  /** Middleware that finds it ahead of the router, and sets `req.apiMatch`. */
  readonly ahead: RequestHandler
}

/**
 * Creates the finder of a router. It keeps the results of `ahead` per request.
 *
 * @param choosesVersion - the app chooses versions per request, such as that of the account
 */
export function createFinder(match: Matcher<Request>['match'], choosesVersion: boolean): Finder {
  const early = new WeakMap<Request, Pick<Request, 'method' | 'url'> & { accept: unknown; found: Match | Miss }>()

  return {
    find(req) {
      const { method, url, headers } = req
      const known = early.get(req)
      const isSame = known?.url === url && known.method === method && known.accept === headers.accept
      return isSame && isFinal(known.found) ? known.found : match(method, pathOf(req), headers.accept, req)
    },
    ahead(req, _res, next) {
      const { method, url, headers } = req
      const found = match(method, pathOf(req), headers.accept, req)
      early.set(req, { method, url, accept: headers.accept, found })
      if (found.kind === 'match') req.apiMatch = found
      next()
    },
  }

  /** Authentication may run after `ahead`: the app could then not know the version of the account. */
  function isFinal(found: Match | Miss): boolean {
    return !choosesVersion || (found.kind === 'match' && found.source === 'explicit')
  }
}

/**
 * The path that Express compares with the paths of middleware. Of all but plain URLs, Express reads another than ours would,
 * and none where the mount path was all that followed an odd host: `http://u@/api?x`.
 */
const pathOf = (req: Request): string => (/^\/[^#\s]*$/.test(req.url) ? req.url : ((req.path as string | null) ?? ''))

/** No version has the path: the request is the app's. */
export const isUnknown = (found: Match | Miss): boolean => found.kind === 'miss' && found.code === 'unknown-path'
