import { type Api, type Controllers, type HandlerKind, type Match, type Problem, createMatcher } from '@hv/router'
import { bindActions, createContentTypeOf, isVendorJson, problemOf, varyAccept } from '@hv/router/adapter'
import { type NextFunction, type Request, type RequestHandler, type Response, json } from 'express'

declare global {
  namespace Express {
    interface Request {
      /** What the versioned router found: version, route, params and format. Absent outside it. */
      apiMatch?: Match
    }
  }
}

/** Written as a method: a handler may narrow what was checked before it, `Request<{ id: string }, unknown, Body>`. */
interface Handler<P> {
  call(req: Request<{ [N in keyof P]: string }>, res: Response, next: NextFunction): unknown
}

export interface ExpressKind extends HandlerKind {
  readonly handler: Handler<this['params']>['call']
  readonly options: {}
}

/** What the controllers of an API are, written as a type. */
export type ExpressControllers<T> = Controllers<T, ExpressKind>

export interface RouterOptions {
  /**
   * Replaces the body of the answer when no route serves the request; the status stays.
   * It may set headers on `res`: the Content-Type is `application/problem+json` unless it sets another.
   */
  readonly problem?: (problem: Problem, req: Request, res: Response) => unknown
}

/**
 * Serves a versioned API as Express middleware. Paths that no version knows go on to `next()`.
 *
 * @throws RouterError HV_MISSING_ACTIONS when the controllers lack what the routes reach
 * @example app.use(createRouter(routes, { 1: { users: new UsersV1() }, 2: { users: new UsersV2() } }))
 */
export function createRouter<T>(
  routes: Api<T>,
  controllers: NoInfer<ExpressControllers<T>>,
  options: RouterOptions = {},
): RequestHandler {
  const { match } = createMatcher(routes)
  const actions = bindActions(routes, controllers)
  const contentTypeOf = createContentTypeOf(routes)
  const parseVendorJson = json({ type: (req) => isVendorJson(routes, req.headers['content-type'] ?? '') })

  return (req, res, next) => {
    const found = match(req.method, req.url, req.headers.accept)
    if (found.kind === 'miss' && found.code === 'unknown-path') return next()

    res.setHeader('Vary', varyAccept(res.getHeader('Vary')?.toString()))
    if (found.kind === 'miss') return refuse(problemOf(found, routes.options.vendorString))

    const contentType = contentTypeOf(found)
    res.setHeader('API-Version', String(found.version))
    res.setHeader('Content-Type', contentType)
    req.apiMatch = found
    Object.assign(req.params, found.params)
    const fail = (error?: unknown) => {
      if (res.getHeader('Content-Type') === contentType && !res.headersSent) res.removeHeader('Content-Type')
      next(error)
    }
    parseVendorJson(req, res, (error?: unknown) => {
      if (error !== undefined) return fail(error)
      try {
        const result = actions.get(found.route)!.handler(req as never, res as never, fail as never)
        if (result instanceof Promise) result.catch(fail)
      } catch (error) {
        fail(error)
      }
    })

    function refuse(problem: Problem): void {
      const { status, allow } = problem
      if (allow !== undefined) res.setHeader('Allow', allow.join(', '))
      res.status(status)
      if (status === 204) return void res.end()
      const body = options.problem === undefined ? problem : options.problem(problem, req, res)
      if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'application/problem+json; charset=utf-8')
      res.status(status).json(body)
    }
  }
}
