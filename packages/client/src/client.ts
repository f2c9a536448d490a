import { type Api, type Row, hrefs, mediaType } from '@hv/router'
import { decodeBody, encodeBody, encodeQuery } from './bodies.ts'
import { ClientError } from './client-error.ts'
import { type Deprecation, readDeprecation } from './deprecation.ts'
import { redirectMessage, sendWithinOrigin } from './redirects.ts'
import type { CallOptions, Client } from './types.ts'

type HeaderValues = Readonly<Record<string, string>>

/** The options of `createClient`. */
export interface ClientOptions<Version, Controllers> {
  /** Origin of the API, and the path that a proxy puts before it: `https://acme.example/gateway`. */
  readonly baseUrl: string | URL
  /** The version that the client calls. */
  readonly version: Version
  /** The controllers of the server, as a type only: `typesOf<Controllers>`. Without it, bodies are `unknown`. */
  readonly types?: () => Controllers
  /** Headers of every request. A function is called for each request, so a token may change. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
  /**
   * Sends a request.
   *
   * @default fetch
   */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Called for the first response of each action that announces its end, with the Deprecation or the Sunset header. */
  readonly onDeprecated?: (deprecation: Deprecation) => void
}

/**
 * Carries the types of the server's controllers, and no code: `import type { Controllers } from '../server/controllers.js'`.
 *
 * @example createClient(routes, { baseUrl, version: 2, types: typesOf<Controllers> })
 */
export const typesOf = <Controllers>(): Controllers => undefined as never

/**
 * Creates a client of one version: `client.<controller>.<action>({ ...params, body, query, headers, signal })`.
 *
 * @throws RouterError HV_UNKNOWN_VERSION, HV_OPTION; TypeError without a baseUrl, or for one with a query
 * @example
 * const client = createClient(routes, { baseUrl: 'https://acme.example', version: 2, types: typesOf<Controllers> })
 * const user = await client.users.show({ id: 7 })
 */
export function createClient<Table, const Version extends keyof Table, Controllers = unknown>(
  routes: Api<Table>,
  options: ClientOptions<Version, Controllers>,
): Client<Table, Version, Controllers> {
  const accept = mediaType(routes as Api, { version: Number(options?.version) })
  if (!options.baseUrl || /[?#]/.test(String(options.baseUrl)))
    throw new TypeError("createClient requires a baseUrl, without a query. Pass { baseUrl: 'https://acme.example' }.")
  const base = String(options.baseUrl).replace(/\/$/, '')
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const announced = new Set<string>()
  const namesVersion = new RegExp(`;\\s*version\\s*=\\s*"?${Number(options.version)}"?\\s*(?:;|$)`, 'i')
  const client: Record<string, Record<string, unknown>> = Object.create(null)

  for (const [key, action, endpoints] of actionsOf(routes, Number(options.version))) {
    const name = `${key}.${action}`
    const raw = async (input?: CallInput) => {
      const { body, query, headers, signal, ...params } = input ?? {}
      const { method, href } = endpointFor(endpoints, params)
      const encoded = encodeBody(body)
      const own = typeof options.headers === 'function' ? await options.headers() : options.headers
      const [request, response] = await sendWithinOrigin(name, send, base + href(params) + encodeQuery(name, query), {
        method,
        headers: withAccept(name, mergeHeaders(encoded.headers, own, headers)),
        ...encoded.init,
        ...(signal && { signal }),
      })
      const { data, broken } = await decodeBody(response)
      announce(response, name)
      if (!response.ok) throw new ClientError(name, response, data, { message: redirectMessage(request, response) })
      if (broken !== null) {
        const message = `The body of ${request.url} is not JSON: ${broken.message}`
        throw new ClientError(name, response, data, { message, cause: broken })
      }
      return { data, response }
    }
    const call = async (input?: CallInput) => (await raw(input)).data
    ;(client[key] ??= Object.create(null) as {})[action] = Object.assign(call, { raw })
  }
  return client as Client<Table, Version, Controllers>

  function announce({ headers }: Response, action: string): void {
    if (options.onDeprecated === undefined || announced.has(action)) return
    const deprecation = readDeprecation(headers)
    if (deprecation === null) return
    announced.add(action)
    const announcement = { version: Number(options.version), action, ...deprecation }
    // An error of the callback, now or later, must not lose the response.
    new Promise<unknown>((resolve) => resolve(options.onDeprecated!(announcement))).catch(console.error)
  }

  /** Headers of the caller may ask for another format, not for another version. */
  function withAccept(action: string, headers: Headers): Headers {
    const given = headers.get('accept')
    if (given === null) headers.set('accept', accept)
    else if (!given.split(',').every((range) => namesVersion.test(range)))
      throw new TypeError(
        `${action}: the header 'accept: ${given}' does not name version ${String(options.version)}. Remove it, or use '${accept}'.`,
      )
    return headers
  }
}

interface CallInput extends CallOptions {
  readonly body?: unknown
  readonly query?: object
  readonly [param: string]: unknown
}

/** A method and path of an action. */
interface Endpoint {
  readonly method: string
  readonly params: readonly string[]
  readonly href: (params: object) => string
}

/** The actions of a version. An action has several endpoints if several routes name it, such as PUT and PATCH. */
function actionsOf(api: Api, version: number): readonly (readonly [string, string, Endpoint[]])[] {
  const actions = new Map<string, readonly [string, string, Endpoint[]]>()
  const routes = api.table.flatMap((declared) => (declared.version === version ? declared.routes : []))
  for (const route of routes) {
    const { key, action, method, pattern } = route
    const helpers = hrefs({ ...api, table: [{ version, index: 0, routes: [route] }] }) as Helpers
    const params = [...pattern.matchAll(/[:*](\w+)/g)].map(([, param]) => param!)
    const known = actions.get(`${key}#${action}`) ?? [key, action, []]
    known[2].push({ method, params, href: helpers[key]![action]! })
    actions.set(`${key}#${action}`, known)
  }
  return [...actions.values()]
}
type Helpers = Readonly<Record<Row['key'], Readonly<Record<Row['action'], Endpoint['href']>>>>

/** The endpoint with the most parameters that are all given, else the first, whose `href` throws. */
function endpointFor(endpoints: readonly Endpoint[], given: Readonly<Record<string, unknown>>): Endpoint {
  const byParams = endpoints.toSorted((a, b) => b.params.length - a.params.length)
  return byParams.find(({ params }) => params.every((name) => given[name] !== undefined)) ?? endpoints[0]!
}

/** Later headers replace earlier ones, in any letter case. */
function mergeHeaders(...all: readonly (HeaderValues | undefined)[]): Headers {
  const merged = new Headers()
  for (const headers of all) new Headers(headers ?? {}).forEach((value, name) => merged.set(name, value))
  return merged
}
