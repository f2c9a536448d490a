import { type Api, type Match, type Miss, createMatcher } from '@hv/router'
import {
  type Answer,
  type VersionOf,
  assertRouterOptions,
  createAddHeaders,
  createAnswer,
  createNotify,
} from '@hv/router/adapter'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { createActionRoutes } from './action-routes.ts'
import { createFinder, isUnknown } from './find.ts'
import { addRouter, isServedLater } from './later-router.ts'
import { createMountCheck } from './mount-check.ts'
import { beforeHead } from './response-head.ts'
import type { ApiRouter, ExpressControllers, RouterOptions } from './types.ts'

/** What `res.json()` sets when nothing has set a Content-Type. */
const expressJson = 'application/json; charset=utf-8'

const addHeaders = createAddHeaders<Response>(
  (res, name) => res.getHeader(name)?.toString(),
  (res, name, value) => res.setHeader(name, value),
)

/**
 * Serves a versioned API as Express middleware. A request for a path that no version has goes on to `next()`.
 *
 * @throws RouterError HV_MISSING_ACTIONS when the controllers lack an action of the routes; HV_OPTION;
 *   HV_NO_VALIDATOR for a JSON Schema without `validator`; HV_INVALID_SCHEMA for one that the validator rejects
 * @example app.use(createRouter(routes, { 1: { users: new UsersV1() }, 2: { users: new UsersV2() } }))
 */
export function createRouter<T>(
  api: Api<T>,
  controllers: NoInfer<ExpressControllers<T>>,
  options: RouterOptions<NoInfer<VersionOf<T>>> = {},
): ApiRouter {
  assertRouterOptions(options, ['use', 'json', 'validator'])
  const { match } = createMatcher<Request>(api, options)
  const notify = createNotify(options.onRouted, (error) => console.error(error))
  const answer = createAnswer(api, createActionRoutes(api, controllers, options))
  const { find, ahead } = createFinder(match, options.defaultVersion !== undefined)
  const checkMount = createMountCheck(match)

  const router: RequestHandler = (req, res, next) => {
    let found: Match | Miss
    try {
      found = find(req)
      checkMount(found, req)
      if (isUnknown(found)) return next()
      if (found.kind === 'miss' && isServedLater(router, req)) return next()
    } catch (error) {
      // The `defaultVersion` function failed.
      beforeHead(res, () => addHeaders(res, [['vary', 'Accept']]))
      return next(error || new Error('defaultVersion failed', { cause: error }))
    }
    notify?.(found, req)

    const answered = answer(found)
    if (answered.kind === 'problem') {
      beforeHead(res, () => addHeaders(res, answered.headers))
      return void refuse(answered, options, req, res, next)
    }
    let hasLeft = false // the route, with or without an error
    beforeHead(res, () => {
      addHeaders(res, answered.headers)
      // A response that is sent after the route, such as the app's response to an error, keeps its own type.
      if (!hasLeft && res.getHeader('Content-Type') === expressJson) res.setHeader('Content-Type', answered.type)
    })
    const matched = found as Match
    Object.assign(req.params, matched.params)
    req.apiMatch = matched
    answered.action.handle(req, res, (error?: unknown) => {
      hasLeft = true
      next(error)
    })
  }
  const matchAhead: RequestHandler = (req, res, next) => {
    // Of a response that comes before the router, such as the error of a body parser. The router replaces this listener.
    beforeHead(res, () => isOfApi(req) && addHeaders(res, [['vary', 'Accept']]))
    ahead(req, res, next)
  }
  const isOfApi = (req: Request): boolean => {
    try {
      return !isUnknown(find(req))
    } catch {
      return true // `defaultVersion` failed
    }
  }
  addRouter(router, match)
  return Object.assign(named('hvRouter', router), { match: named('hvRouterMatch', matchAhead) })
}

/** Tracing tools show the name of a middleware. A bundler may rename a function, but not this property. */
const named = (name: string, middleware: RequestHandler): RequestHandler =>
  Object.defineProperty(middleware, 'name', { value: name })

/** Sends a problem document, or what the app's hook returns. */
async function refuse(
  { status, problem, type }: Extract<Answer<unknown>, { kind: 'problem' }>,
  options: Pick<RouterOptions, 'problem'>,
  req: Request,
  res: Response,
  next: NextFunction,
): Promise<void> {
  res.status(status)
  if (problem === null) return void res.end()
  try {
    const body = options.problem === undefined ? problem : await options.problem(problem, req, res)
    if (res.headersSent) return // by the hook
    if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', type)
    res.status(status).json(body)
  } catch (error) {
    res.status(200) // Express derives the status from the error
    next(error || new Error('Rejected promise'))
  }
}
