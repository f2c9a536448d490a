import type { Api } from '@hv/router'
import { decodeBody, encodeBody, encodeQuery } from './bodies.ts'
import { ClientError } from './client-error.ts'
import { type Deprecation, readDeprecation } from './deprecation.ts'
import { type Endpoint, endpointFor, pathOf, readEndpoint } from './endpoint.ts'
import { redirectMessage, sendWithinOrigin } from './redirects.ts'
import { type ClientTable, clientTable } from './table.ts'
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
 * @param routes - what `api()` returns, or its `clientTable` in place of the route file
 * @throws TypeError for a version that isn't declared, without a baseUrl, or for one with a query
 * @example
 * const client = createClient(routes, { baseUrl: 'https://acme.example', version: 2, types: typesOf<Controllers> })
 * const user = await client.users.show({ id: 7 })
 */
export function createClient<Table, const Version extends keyof Table, Controllers = unknown>(
  routes: Api<Table> | ClientTable<Api<Table>>,
  options: ClientOptions<Version, Controllers>,
): Client<Table, Version, Controllers> {
  const table = tableOf(routes, options?.version)
  if (!options.baseUrl || /[?#]/.test(String(options.baseUrl)))
    throw new TypeError(
      "createClient requires a baseUrl, without a query. Pass { baseUrl: 'https://acme.example' }.",
    )
  const base = String(options.baseUrl).replace(/\/$/, '')
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const announced = new Set<string>()
  const client: Record<string, Record<string, unknown>> = Object.create(null)

  for (const [key, ofController] of Object.entries(table.actions)) {
    client[key] = Object.create(null) as {}
    for (const [action, routesOfAction] of Object.entries(ofController))
      client[key][action] = createCall(`${key}.${action}`, routesOfAction.map(readEndpoint))
  }
  return client as Client<Table, Version, Controllers>

  function createCall(name: string, endpoints: readonly Endpoint[]) {
    const exchange = async (input?: CallInput): Promise<[Request, Response]> => {
      const { body, query, headers, signal, ...params } = input ?? {}
      const { method, pattern } = endpointFor(endpoints, params)
      const url = base + pathOf(name, pattern, params) + encodeQuery(name, query)
      const encoded = encodeBody(body)
      const common =
        typeof options.headers === 'function' ? await options.headers() : options.headers
      const exchanged = await sendWithinOrigin(name, send, url, {
        method,
        headers: withAccept(table, name, mergeHeaders(encoded.headers, common, headers)),
        ...encoded.init,
        ...(signal && { signal }),
      })
      announce(exchanged[1], name)
      return exchanged
    }
    const result = async (input?: CallInput) => {
      const [request, response] = await exchange(input)
      const { data, broken } = await decodeBody(response)
      if (response.ok && broken === null) return { data, error: null, response }
      const problem = response.ok
        ? { message: `The body of ${request.url} is not JSON: ${broken!.message}`, cause: broken }
        : { message: redirectMessage(request, response) }
      return { data: undefined, error: new ClientError(name, response, data, problem), response }
    }
    const call = async (input?: CallInput) => {
      const { data, error } = await result(input)
      if (error !== null) throw error
      return data
    }
    return Object.assign(call, {
      result,
      response: async (input?: CallInput) => (await exchange(input))[1],
    })
  }

  function announce({ headers }: Response, action: string): void {
    if (options.onDeprecated === undefined || announced.has(action)) return
    const deprecation = readDeprecation(headers)
    if (deprecation === null) return
    announced.add(action)
    const announcement = { version: table.version, action, ...deprecation }
    // An error of the callback, now or later, must not lose the response.
    new Promise<unknown>((resolve) => resolve(options.onDeprecated!(announcement))).catch(
      console.error,
    )
  }
}

interface CallInput extends CallOptions {
  readonly body?: unknown
  readonly query?: object
  readonly [param: string]: unknown
}

function tableOf(routes: Api | ClientTable, version: unknown): ClientTable {
  if (!routes || !('actions' in routes)) return clientTable(routes, { version: version as never })
  if (routes.version === version) return routes
  throw new TypeError(
    `The client table is one of version ${routes.version}, not ${String(version)}. Create it again.`,
  )
}

/** Later headers replace earlier ones, in any letter case. */
function mergeHeaders(...all: readonly (HeaderValues | undefined)[]): Headers {
  const merged = new Headers()
  for (const headers of all)
    new Headers(headers ?? {}).forEach((value, name) => merged.set(name, value))
  return merged
}

/** Headers of the caller may ask for another format, not for another version. */
function withAccept({ version, accept }: ClientTable, action: string, headers: Headers): Headers {
  const given = headers.get('accept')
  if (given === null) {
    headers.set('accept', accept)
    return headers
  }
  const namesVersion = new RegExp(`;\\s*version\\s*=\\s*"?${version}"?\\s*(?:;|$)`, 'i')
  if (given.split(',').every((range) => namesVersion.test(range))) return headers
  throw new TypeError(
    `${action}: the header 'accept: ${given}' doesn't name version ${version}. Remove it, or use '${accept}'.`,
  )
}
