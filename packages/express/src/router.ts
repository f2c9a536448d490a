import type { Api } from '@hv/router'
import {
  type Answer,
  type ProblemAnswer,
  type Reply,
  type VersionOf,
  createAddHeaders,
  createDispatcher,
  keepsType,
} from '@hv/router/adapter'
import { varyOnAccept } from '@hv/router/internal'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { type ActionRoute, createActionRoutes } from './action-routes.ts'
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
  const { dispatch, notify, reply } = createDispatcher(api, controllers, options, {
    options: ['use', 'json', 'validator'],
    actionOptions: ['use'],
    prepare: (actions) => createActionRoutes(api, actions, options),
  })
  const { pinVersion } = options
  const early = new WeakMap<
    Request,
    Pick<Request, 'method' | 'url'> & { accept: unknown; answer: Answer<ActionRoute> }
  >()

  const router: RequestHandler = (req, res, next) => {
    const answer = answerOf(req)
    if (answer.kind === 'pass') return next()
    notify?.(answer, req)
    if (answer.kind !== 'action') {
      beforeHead(res, () => addHeaders(res, answer.headers))
      if (answer.kind === 'error') return next(answer.error)
      res.status(answer.status) // the hook sees it
      return void refuse(answer, reply(answer, req, res), res, next)
    }
    let hasLeft = false // the route, with or without an error
    beforeHead(res, () => {
      addHeaders(res, answer.headers)
      // A response that is sent after the route, such as the app's response to an error, keeps its own type.
      if (!hasLeft && !keepsType(res) && res.getHeader('Content-Type') === expressJson)
        res.setHeader('Content-Type', answer.type)
    })
    Object.assign(req.params, answer.match.params)
    req.apiMatch = answer.match
    answer.action.handle(req, res, (error?: unknown) => {
      hasLeft = true
      next(error)
    })
  }
  const ahead: RequestHandler = (req, res, next) => {
    const answer = answerOf(req)
    // Of a response that comes before the router, such as the error of a body parser. The router replaces this listener.
    beforeHead(res, () => answerOf(req).kind !== 'pass' && addHeaders(res, varyOnAccept))
    if (answer.kind === 'error') return next(answer.error)
    if (answer.kind === 'action') req.apiMatch = answer.match
    // Authentication may run later: the app could not know the version of the account yet.
    const isFinal =
      pinVersion === undefined || (answer.kind === 'action' && answer.match.source === 'explicit')
    if (isFinal)
      early.set(req, { method: req.method, url: req.url, accept: req.headers.accept, answer })
    next()
  }
  return Object.assign(named('hvRouter', router), { match: named('hvRouterMatch', ahead) })

  /** Uses what was found ahead of the router, unless the request has changed since. */
  function answerOf(req: Request): Answer<ActionRoute> {
    const { method, url } = req
    const { accept } = req.headers
    const known = early.get(req)
    return known?.url === url && known.method === method && known.accept === accept
      ? known.answer
      : dispatch(method, pathOf(req), accept, req, req.baseUrl)
  }
}

/** Sends a problem document, or what the app's hook returns. */
async function refuse(
  { problem }: ProblemAnswer,
  reply: Promise<Reply>,
  res: Response,
  next: NextFunction,
): Promise<void> {
  try {
    const { status, type, body } = await reply
    if (res.headersSent) return // by the hook
    if (problem === null) return void res.end()
    if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', type)
    res.status(status).json(body)
  } catch (error) {
    res.status(200) // Express derives the status from the error
    next(error)
  }
}

/**
 * The path that Express compares with the paths of middleware. Of all but plain URLs, Express reads another than ours would,
 * and none where the mount path was all that followed an odd host: `http://u@/api?x`.
 */
const pathOf = (req: Request): string =>
  /^\/[^#\s]*$/.test(req.url) ? req.url : ((req.path as string | null) ?? '')

/** Tracing tools show the name of a middleware. A bundler may rename a function, but not this property. */
const named = (name: string, middleware: RequestHandler): RequestHandler =>
  Object.defineProperty(middleware, 'name', { value: name })
