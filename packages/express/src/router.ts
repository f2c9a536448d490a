import type { Api } from '@hv/router'
import {
  type Answer,
  type ProblemAnswer,
  type Reply,
  type Complete,
  type GivenVersions,
  type VersionOf,
  createAddHeaders,
  createDispatcher,
  keepsType,
} from '@hv/router/adapter'
import { assertObject, varyOnAccept } from '@hv/router/internal'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { type ActionRoute, createActionRoutes } from './action-routes.ts'
import { beforeHead } from './response-head.ts'
import type { ApiRouter, ExpressControllers, RouterOptions } from './types.ts'

/** The Content-Type that `res.json()` sets if there's none. */
const expressJson = 'application/json; charset=utf-8'

const addHeaders = createAddHeaders<Response>(
  (res, name) => res.getHeader(name)?.toString(),
  (res, name, value) => res.setHeader(name, value),
)

/**
 * Serves a versioned API as Express middleware. Requests for paths that no version has go on to
 * `next()`.
 *
 * @throws RouterError HV_MISSING_ACTIONS if the controllers lack one of the routes' actions;
 *   HV_OPTION; HV_NO_VALIDATOR for a JSON Schema without `validator`; HV_INVALID_SCHEMA for one
 *   that the validator rejects
 * @example app.use(createRouter(routes, { 1: { users: usersV1 }, 2: { users: usersV2 } }))
 */
export function createRouter<T, Given extends keyof T>(
  this: Complete<T, Given>,
  api: Api<T>,
  controllers: GivenVersions<Given> & NoInfer<ExpressControllers<T>>,
  options: RouterOptions<NoInfer<VersionOf<T>>> = {},
): ApiRouter {
  const { dispatch, notify, reply } = createDispatcher(api, controllers, options, {
    name: '@hv/router-express',
    options: ['use', 'json', 'validator', 'caseSensitive'],
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
      const location = answer.kind === 'problem' && answer.status === 308 && rewrittenFrom(req)
      if (location) res.setHeader('Location', location) // instead of the answer's
      beforeHead(res, () => addHeaders(res, answer.headers))
      if (answer.kind === 'error') return next(answer.error)
      res.status(answer.status) // so that the hook sees it
      return void refuse(answer, reply(answer, req, res), res, next)
    }
    let hasLeft = false // whether the route has called next()
    const leave: NextFunction = (error?: unknown) => {
      hasLeft = true
      next(error)
    }
    beforeHead(res, () => {
      addHeaders(res, answer.headers)
      // If the route has called `next()`, somebody else sends the response, such as the app's error
      // handler, so its type stays.
      if (
        !hasLeft &&
        !hasTimedOut(req) &&
        !keepsType(res) &&
        res.getHeader('Content-Type') === expressJson
      )
        res.setHeader('Content-Type', answer.type)
    })
    Object.assign(req.params, answer.match.params)
    req.apiMatch = answer.match
    req.next = leave // what `res.sendFile()`, `res.render()` and `res.format()` call
    dispatchRoute(answer.action, req, res, leave)
  }
  const match: RequestHandler = (req, res, next) => {
    const answer = answerOf(req)
    // For a response that's sent before the router, such as a body parser's error. The router
    // replaces this listener.
    beforeHead(res, () => answerOf(req).kind !== 'pass' && addHeaders(res, varyOnAccept))
    if (answer.kind === 'error') return next(answer.error)
    if (answer.kind === 'action') req.apiMatch = answer.match
    // With pinVersion, authentication may run later, so the app may not know the account's version
    // yet.
    const isFinal =
      pinVersion === undefined || (answer.kind === 'action' && answer.match.source === 'explicit')
    if (isFinal)
      early.set(req, { method: req.method, url: req.url, accept: req.headers.accept, answer })
    next()
  }
  return Object.assign(named('hvRouter', router), { match: named('hvRouterMatch', match) })

  /** Returns what `router.match` has found, unless the request has changed since. */
  function answerOf(req: Request): Answer<ActionRoute> {
    const { method, url, headers } = req
    assertObject('@hv/router-express', 'the app', 'an Express app', headers)
    const { accept } = headers
    const matched = early.get(req)
    return matched?.url === url && matched.method === method && matched.accept === accept
      ? matched.answer
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
    if (res.headersSent) return // the hook has responded itself
    if (problem === null) return void res.end()
    if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', type)
    res.status(status).json(body)
  } catch (error) {
    res.status(200) // so that Express derives the status from the error
    next(error)
  }
}

/**
 * Returns the path that Express compares with middleware's paths. For anything but a plain URL,
 * Express's parser disagrees with ours, so we take Express's path. It's null if only the mount path
 * follows an odd host: `http://u@/api?x`.
 */
function pathOf(req: Request): string {
  if (/^\/[^#\s]*$/.test(req.url)) return req.url
  const path = (req.path as string | null) ?? ''
  // A redirect keeps the query.
  return path === '' ? '' : path + (/\?[^#\s]*/.exec(req.url)?.[0] ?? '')
}

/**
 * Returns where an extension redirects to if middleware has rewritten the URL, because the target
 * is relative to what the client sent: `./old` for `/old.json`, even if that's now
 * `/api/users.json`.
 */
function rewrittenFrom({ originalUrl, baseUrl, url }: Request): string | undefined {
  const sent = /^[^?#]*\/([^/?#]+)\.[^./?#]+(\/?)(\?[^#]*)?(?:#|$)/.exec(originalUrl)
  if (sent === null || originalUrl === baseUrl + url) return undefined
  const [, segment, slash, query = ''] = sent
  return `${slash === '/' ? '..' : '.'}/${segment}${query}`
}

/**
 * Runs a route as Express does. Datadog and Sentry hook into this method, to name the request after
 * the route. Express 5 and 4 spell it differently.
 */
function dispatchRoute(route: ActionRoute, req: Request, res: Response, next: NextFunction): void {
  if (route.handleRequest) route.handleRequest(req, res, next)
  else route.handle_request!(req, res, next)
}

/** Whether connect-timeout has passed an error to the app, which responds from there. */
const hasTimedOut = (req: Request & { readonly timedout?: boolean }): boolean =>
  req.timedout === true

/**
 * Tracing tools show a middleware's name. Bundlers may rename functions, but don't change this
 * property.
 */
const named = (name: string, middleware: RequestHandler): RequestHandler =>
  Object.defineProperty(middleware, 'name', { value: name })
