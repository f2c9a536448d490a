import { type Api, type Match, type Matcher, type Miss, createMatcher } from '@hv/router'
import {
  type Answer,
  type Header,
  ValidationError,
  type VersionOf,
  assertRouterOptions,
  createAddHeaders,
  createAnswer,
  createNotify,
} from '@hv/router/adapter'
import { createHandlers } from './handlers.ts'
import type { Context, FetchControllers, FetchHandler, RouterOptions, TableIn } from './types.ts'

/** What `Response.json()` sets: on Bun with a charset, elsewhere without. */
const defaultJsonTypes: ReadonlySet<string | null> = new Set(['application/json', 'application/json;charset=utf-8'])

const addHeaders = createAddHeaders<Headers>(
  (headers, name) => headers.get(name) ?? undefined,
  (headers, name, value) => headers.set(name, value),
)

const problemType = 'application/problem+json; charset=utf-8'

/** A property of every handler: whether it or its fallback serves a request. All copies of this package share the symbol. */
const kServes = Symbol.for('@hv/router-fetch.serves')
interface MaybeRouter {
  readonly [kServes]?: (request: Request) => boolean
}

/**
 * Serves a versioned API as a function from Request to Response.
 *
 * @throws RouterError HV_MISSING_ACTIONS when the controllers lack an action of the routes; HV_OPTION;
 *   HV_NO_VALIDATOR for a JSON Schema without `validator`; HV_INVALID_SCHEMA for one that the validator rejects
 * @example export default { fetch: createRouter(routes, { 1: { users: new UsersV1() }, 2: { users: new UsersV2() } }) }
 */
export function createRouter<Routes extends Api, Own extends Context = Context>(
  api: Routes,
  controllers: NoInfer<FetchControllers<Routes, Own>>,
  options: RouterOptions<Own, NoInfer<VersionOf<TableIn<Routes>>>> = {},
): FetchHandler<Own> {
  assertRouterOptions(options, ['error', 'fallback', 'validator'])
  const match = createMatch(createMatcher<Request>(api, options))
  const { fallback, error: onError, problem: onProblem } = options
  const notify = createNotify(options.onRouted, (error) => console.error(error))
  const answer = createAnswer(api, createHandlers(api, controllers, options.validator))

  const handler: FetchHandler<Own> = async (request, ...context) => {
    let found: Match | Miss
    let isFallback: boolean
    try {
      found = match(request)
      isFallback = fallback !== undefined && isForFallback(found, fallback as MaybeRouter, request)
    } catch (error) {
      return fail(error, varyOnAccept, request, context) // the `defaultVersion` function failed
    }
    if (isFallback) return fallback!(request, ...context)
    if (!isUnknown(found)) notify?.(found, request)

    const answered = answer(found)
    const { headers } = answered
    try {
      if (answered.kind === 'problem') return finish(await refuse(answered, request, context), request, headers)
      const response = (await answered.action(request, found as Match, ...context)) as Response | undefined
      if (!response) {
        if (request.headers.has('upgrade')) return response as never // Bun requires it after `server.upgrade(request)`
        throw new TypeError(`The handler of ${request.method} ${request.url} did not return a Response.`)
      }
      return finish(response, request, headers, answered.type)
    } catch (error) {
      return fail(error, headers, request, context)
    }
  }
  const serves = (request: Request): boolean =>
    match(request).kind === 'match' || (fallback as MaybeRouter | undefined)?.[kServes]?.(request) === true
  return Object.assign(handler, { [kServes]: serves })

  async function fail(error: unknown, headers: readonly Header[], request: Request, context: Own): Promise<Response> {
    if (onError !== undefined) return finish(await onError(error, request, ...context), request, headers)
    if (!(error instanceof ValidationError)) throw error
    const { status, problem } = error
    return finish(Response.json(problem, { status, headers: { 'content-type': problemType } }), request, headers)
  }

  async function refuse(
    { status, problem, type }: Extract<Answer<unknown>, { kind: 'problem' }>,
    request: Request,
    context: Own,
  ): Promise<Response> {
    if (problem === null) return new Response(null, { status })
    if (onProblem === undefined) return Response.json(problem, { status, headers: { 'content-type': type } })
    const { body, headers } = await onProblem(problem, request, ...context)
    return new Response(body, { status, headers })
  }
}

const createMatch =
  ({ match }: Matcher<Request>) =>
  (request: Request): Match | Miss =>
    match(request.method, pathOf(request.url), request.headers.get('accept') ?? undefined, request)

/** The path and the query of a URL. */
const pathOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2))

/** Whether no version has the path, or the fallback is a router that serves what this one refuses. */
function isForFallback(found: Match | Miss, fallback: MaybeRouter, request: Request): boolean {
  if (found.kind === 'match') return false
  return isUnknown(found) || fallback[kServes]?.(request) === true
}

const isUnknown = (found: Match | Miss): boolean => found.kind === 'miss' && found.code === 'unknown-path'

const varyOnAccept: readonly Header[] = [['vary', 'Accept']]

/**
 * Adds the headers to a response. The headers of fetched responses and redirects are immutable: such a response is copied.
 *
 * @param jsonType - replaces the default type of `Response.json()`
 */
function finish(response: Response, request: Request, headers: readonly Header[], jsonType?: string): Response {
  if (request.method === 'HEAD' && response.body !== null) {
    response.body.cancel().catch(() => {}) // its source may fail; nobody reads it
    return finish(new Response(null, response), request, headers, jsonType)
  }
  try {
    addHeaders(response.headers, headers)
    if (jsonType !== undefined && defaultJsonTypes.has(response.headers.get('content-type')))
      response.headers.set('content-type', jsonType)
    return response
  } catch {
    return finish(new Response(response.body, response), request, headers, jsonType)
  }
}
