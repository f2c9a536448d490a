import type { Api } from '@hv/router'
import {
  type Header,
  ValidationError,
  type Complete,
  type GivenVersions,
  type VersionOf,
  createAddHeaders,
  createDispatcher,
} from '@hv/router/adapter'
import { decodeUnreserved } from '@hv/router/internal'
import { createHandler } from './handlers.ts'
import type {
  Context,
  FetchControllers,
  FetchHandler,
  ProblemContent,
  RouterOptions,
  TableIn,
} from './types.ts'

/** The Content-Types that `Response.json()` sets. Only Bun adds a charset. */
const defaultJsonTypes: ReadonlySet<string | null> = new Set([
  'application/json',
  'application/json;charset=utf-8',
])

const addHeaders = createAddHeaders<Headers>(
  (headers, name) => headers.get(name) ?? undefined,
  (headers, name, value) => headers.set(name, value),
)

const problemType = 'application/problem+json; charset=utf-8'

/**
 * Serves a versioned API as a function from Request to Response.
 *
 * @throws RouterError HV_MISSING_ACTIONS if the controllers lack one of the routes' actions;
 *   HV_OPTION; HV_NO_VALIDATOR for a JSON Schema without `validator`; HV_INVALID_SCHEMA for one
 *   that the validator rejects
 * @example
 * export default { fetch: createRouter(routes, { 1: { users: usersV1 }, 2: { users: usersV2 } }) }
 */
export function createRouter<
  Routes extends Api,
  Own extends Context = Context,
  Given extends keyof TableIn<Routes> = keyof TableIn<Routes>,
>(
  this: Complete<TableIn<Routes>, Given>,
  api: Routes,
  controllers: GivenVersions<Given> & NoInfer<FetchControllers<Routes, Own>>,
  options: RouterOptions<Own, NoInfer<VersionOf<TableIn<Routes>>>> = {},
): FetchHandler<Own> {
  const { dispatch, notify, reply } = createDispatcher(api, controllers, options, {
    name: '@hv/router-fetch',
    options: ['error', 'fallback', 'validator'],
    actionOptions: [],
    prepare: (actions) =>
      new Map(
        Array.from(actions, ([row, action]) => [
          row,
          createHandler(row, action, options.validator),
        ]),
      ),
  })
  const { fallback, error: onError, problem: onProblem } = options

  return async (request, ...context) => {
    const { url, method } = request
    const target = url.slice(url.indexOf('/', url.indexOf('//') + 2))
    const path = decodeUnreserved(target) // with the query
    const accept = request.headers.get('accept') ?? undefined
    const answer = dispatch(method, path, accept, request)
    if (answer.kind === 'pass' && fallback !== undefined) return fallback(request, ...context)
    const { headers } = answer
    if (answer.kind === 'error') return fail(answer.error, request, context, headers)
    notify?.(answer, request)
    const wasRead = request.bodyUsed
    try {
      if (answer.kind !== 'action') {
        const { status, type, body } = await reply(answer, request, ...context)
        if (body === null) return finish(new Response(null, { status }), request, headers)
        const content = onProblem === undefined ? { body } : (body as ProblemContent)
        if (content?.body === undefined)
          throw new TypeError(
            'The `problem` hook returned no body. Return { body, headers }, in which the headers are optional.',
          )
        return finish(problemResponse(content, status, type), request, headers)
      }
      const response = (await answer.action(request, answer.match, ...context)) as
        | Response
        | undefined
      if (!response) {
        // Bun requires undefined after `server.upgrade(request)`.
        if (request.headers.has('upgrade')) return response as never
        throw new TypeError(`The handler of ${method} ${url} didn't return a Response.`)
      }
      return finish(response, request, headers, answer.type)
    } catch (error) {
      const cause = wasRead ? explainRead(error, request) : error
      return fail(cause, request, context, headers)
    }
  }
  async function fail(
    error: unknown,
    request: Request,
    context: Own,
    headers: readonly Header[],
  ): Promise<Response> {
    if (onError !== undefined)
      return finish(await onError(error, request, ...context), request, headers)
    if (!(error instanceof ValidationError)) throw error
    const { status, problem } = error
    return finish(problemResponse({ body: problem }, status, problemType), request, headers)
  }
}

/** Says what to do if an error's reason is that the request's body was read before. */
function explainRead(error: unknown, { method, url }: Request): unknown {
  const isAboutRead =
    error instanceof TypeError && /unusable|already (?:been )?(?:read|used)/i.test(error.message)
  if (!isAboutRead) return error
  return new TypeError(
    `The body of ${method} ${url} was read before the router got the request, so it can't be read again. ` +
      "In Hono, pass the router a copy: handler(await cloneRawRequest(c.req)), from 'hono/request'. " +
      'Elsewhere, read request.clone() instead of the request.',
    { cause: error },
  )
}

function problemResponse(
  { body, headers: given }: ProblemContent,
  status: number,
  type: string,
): Response {
  const headers = new Headers(given)
  if (!headers.has('content-type')) headers.set('content-type', type)
  const isSendable = typeof body === 'string' || body instanceof ReadableStream
  return new Response(isSendable ? body : JSON.stringify(body), { status, headers })
}

/**
 * Adds headers to a response. It's copied if its headers are immutable, as in fetched responses and
 * redirects.
 *
 * @param jsonType - replaces the type that `Response.json()` sets by default
 */
function finish(
  response: Response,
  request: Request,
  headers: readonly Header[],
  jsonType?: string,
): Response {
  if (request.method === 'HEAD' && response.body !== null) {
    response.body.cancel().catch(() => {}) // nobody reads it, so its source may fail
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
