// The apps of the contract suite as functions from Request to Response. They use no Node API.
import { api, became, cache, change, get, inherit, post, version } from '@hv/router'
import type { AdapterUnderTest, AppUnderTest } from '@hv/router-contract'
import { type RouteMatch, before, createRouter } from '../src/index.ts'

export type App = (request: Request) => Promise<Response>

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null)?.then === 'function'

/** Wraps an action of the suite as a handler. */
export const native: AdapterUnderTest['native'] = (action) =>
  function (this: never, request: Request, { params, format, version }: RouteMatch) {
    const headers: [string, string][] = []
    const setHeader = (name: string, value: string) => void headers.push([name, value])
    const send = (result: unknown): Response => {
      const isStream = Symbol.asyncIterator in Object(result)
      const response = isStream
        ? new Response(streamOf(result as AsyncGenerator<string>))
        : typeof result === 'string'
          ? new Response(result)
          : Response.json(result)
      for (const [name, value] of headers) response.headers.set(name, value)
      return response
    }
    const run = (body: unknown) => action.call(this, { params, body, format, version, setHeader })
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return request
        .text()
        .then((text) => run(text === '' ? undefined : JSON.parse(text)))
        .then(send)
    const result = run(undefined)
    if (!isThenable(result)) return send(result)
    return {
      // oxlint-disable-next-line unicorn/no-thenable -- what an action returns stays a thenable
      then: (resolve: (sent: Response) => void, reject: () => void) =>
        result.then((value) => resolve(send(value)), reject),
    }
  }

/** `ReadableStream.from` doesn't exist everywhere. */
const streamOf = (texts: AsyncGenerator<string>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next()
      if (done === true) controller.close()
      else controller.enqueue(new TextEncoder().encode(value))
    },
  })

const json = { 'content-type': 'application/json; charset=utf-8' }

/** Responses whose headers are immutable. */
const immutable = createRouter(
  api(
    { vendorString: 'acme', path: '/immutable' },
    version(
      1,
      get('redirected', { to: 'responses#redirected' }),
      get('fetched', { to: 'responses#fetched' }),
    ),
  ),
  {
    1: {
      responses: {
        redirected: ({ url }) => Response.redirect(new URL('/plain', url), 307),
        fetched: ({ url }) => fetch(new URL('/plain', url)),
      },
    },
  },
)

/** Two versions of an API. The first is derived from the second. */
const User = { $id: 'User', type: 'object', properties: { fullName: { type: 'string' } } }
const OlderUser = { $id: 'OlderUser', type: 'object', properties: { name: { type: 'string' } } }
const fullName = change(
  'A user has a full name.',
  became(OlderUser, User, {
    up: ({ name }) => ({ fullName: name }),
    down: ({ fullName: name }) => ({ name }),
    headers: () => ({ 'x-older': 'yes' }),
  }),
)
const newer = {
  users: {
    create: {
      schema: { body: User, response: { 201: User } },
      handler: (_request: Request, { body }: RouteMatch) => Response.json(body, { status: 201 }),
    },
  },
}
const evolving = createRouter(
  api(
    { vendorString: 'acme', path: '/evolving' },
    version(1, cache({ as: 'v1' }, post('users', { to: 'users#create' }))),
    version(2, inherit({ from: 'v1' })),
  ),
  { 1: before(newer, fullName), 2: newer },
  {
    // An object must have the property of its schema.
    validator: (schema) => (value) => {
      const [name] = Object.keys((schema as typeof User).properties)
      return Object.hasOwn(Object(value), name!)
        ? { value }
        : { issues: [{ message: `has no ${name}` }] }
    },
  },
)

/** An app of the suite. Its last fallback serves the rest of the app. */
export function createApp({ mounts, replaceProblem, options, cors = false }: AppUnderTest): App {
  const rest: App = async (request) => {
    const { url, method } = request
    if (new URL(url).pathname.startsWith('/immutable')) return immutable(request)
    if (new URL(url).pathname.startsWith('/evolving')) return evolving(request)
    return new URL(url).pathname === '/plain' && (method === 'GET' || method === 'HEAD')
      ? Response.json({ plain: true })
      : new Response(null, { status: 404 })
  }
  const app = mounts.reduceRight<App>((fallback, { routes, controllers, prefix }) => {
    const handler = createRouter(routes, controllers as never, {
      fallback,
      error: (error) =>
        Response.json(
          { caught: String((error as Error | undefined)?.message) },
          { status: 500, headers: json },
        ),
      ...(replaceProblem && {
        problem: async (problem) => ({ body: await replaceProblem(problem), headers: json }),
      }),
      ...options,
    })
    return prefix === '' ? handler : (request) => handler(withoutPrefix(request, prefix))
  }, rest)
  return cors ? withCors(app) : app
}

/** As the `mount()` of a framework does. Other paths stay. */
function withoutPrefix(request: Request, prefix: string): Request {
  const url = new URL(request.url)
  if (!url.pathname.startsWith(`${prefix}/`)) return request
  return new Request(url.origin + url.pathname.slice(prefix.length) + url.search, request)
}

const withCors =
  (app: App): App =>
  async (request) => {
    const headers = {
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'GET,PUT',
    }
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers })
    const response = await app(request)
    response.headers.set('access-control-allow-origin', 'https://app.example')
    response.headers.append('vary', 'Origin')
    return response
  }
