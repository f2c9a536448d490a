import type { Api } from '@hv/router'
import { patternFor } from '@hv/router/internal'
import { decodeBody, encodeBody, encodeQuery } from './bodies.ts'
import { ClientError } from './client-error.ts'
import { type Deprecation, readDeprecation } from './deprecation.ts'
import { type Endpoint, pathOf, readEndpoint } from './endpoint.ts'
import { type ClientTable, clientTable } from './table.ts'
import type { CallOptions, Client, Get } from './types.ts'

type HeaderValues = Readonly<Record<string, string>>

/** The options of `createClient`. */
export interface ClientOptions<Version, Controllers> {
  /**
   * The API's origin, with the path that a proxy puts in front of it, if any:
   * `https://acme.example/gateway`.
   */
  readonly baseUrl: string | URL
  readonly version: Version
  /**
   * The types of the server's controllers: `typesOf<Controllers>`. Without them, bodies are
   * `unknown`.
   */
  readonly types?: () => Controllers
  /**
   * Headers for every request. A function is called for each request, so it can return a fresh
   * token.
   */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
  /**
   * Sends a request. Redirects aren't followed unless this function does it:
   * `(request) => fetch(request, { redirect: 'follow' })`.
   *
   * @default fetch
   */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Called once per action, when a response has a Deprecation or Sunset header. */
  readonly onDeprecated?: (deprecation: Deprecation) => void
}

/**
 * Carries the types of the server's controllers without their code: `import type { Controllers }
 * from '../server/controllers.js'`.
 *
 * @example createClient(routes, { baseUrl, version: 2, types: typesOf<Controllers> })
 */
export const typesOf = <Controllers>(): Controllers => undefined as never

/**
 * Creates a client for one version: `client.<controller>.<action>({ ...params, body, query,
 * headers, signal })`.
 *
 * @param routes - what `api()` returns, or a `clientTable`, with which the client doesn't need the
 *   route file
 * @throws TypeError if the version isn't declared, or if baseUrl is missing or has a query
 * @example
 * const types = typesOf<Controllers>
 * const client = createClient(routes, { baseUrl: 'https://acme.example', version: 2, types })
 * const user = await client.users.show({ id: 7 })
 */
export function createClient<Table, const Version extends keyof Table, Controllers = unknown>(
  routes: Api<Table> | ClientTable<Api<Table>>,
  options: ClientOptions<Version, Controllers>,
): Client<Table, Version, Get<Controllers, Version>> {
  const table = tableOf(routes, options?.version)
  if (!options.baseUrl || /[?#]/.test(String(options.baseUrl)))
    throw new TypeError(
      'createClient() requires a baseUrl without a query. ' +
        "Pass { baseUrl: 'https://acme.example' }.",
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
  return client as Client<Table, Version, Get<Controllers, Version>>

  function createCall(name: string, endpoints: readonly Endpoint[]) {
    const exchange = async (input?: CallInput): Promise<{ url: string; response: Response }> => {
      const { body, query, headers, signal, ...params } = input ?? {}
      const { method, pattern } = patternFor(endpoints, params)
      const url = base + pathOf(name, pattern, params) + encodeQuery(name, query)
      const encoded = encodeBody(body)
      const common =
        typeof options.headers === 'function' ? await options.headers() : options.headers
      const request = new Request(url, {
        ...encoded,
        method,
        headers: withAccept(table, name, mergeHeaders(encoded.headers, common, headers)),
        // A redirect's target could be any server, which fetch would send the caller's headers and
        // body to.
        redirect: 'manual',
        signal: signal ?? null,
      })
      const response = (await send(request)) as Response | undefined
      if (!response?.headers) throw new TypeError(`${name}: fetch didn't return a Response.`)
      announce(response, name)
      return { url: request.url, response }
    }
    const result = async (input?: CallInput) => {
      const { url, response } = await exchange(input)
      const { data, broken } = await decodeBody(response)
      if (response.ok && broken === null) return { data, error: null, response }
      const problem = response.ok
        ? { message: `The body of ${url} isn't JSON: ${broken!.message}`, cause: broken }
        : { message: redirectMessage(response) }
      return { data: undefined, error: new ClientError(name, response, data, problem), response }
    }
    const call = async (input?: CallInput) => {
      const { data, error } = await result(input)
      if (error !== null) throw error
      return data
    }
    return Object.assign(call, {
      result,
      response: async (input?: CallInput) => (await exchange(input)).response,
    })
  }

  function announce({ headers }: Response, action: string): void {
    if (options.onDeprecated === undefined || announced.has(action)) return
    const deprecation = readDeprecation(headers)
    if (deprecation === null) return
    announced.add(action)
    const announcement = { version: table.version, action, ...deprecation }
    // If the callback throws or rejects, the caller still gets the response.
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
    `The client table is for version ${routes.version}, not ${String(version)}. Create it again.`,
  )
}

/** Later headers replace earlier ones, whatever their letter case. */
function mergeHeaders(...all: readonly (HeaderValues | undefined)[]): Headers {
  const merged = new Headers()
  for (const headers of all)
    new Headers(headers ?? {}).forEach((value, name) => merged.set(name, value))
  return merged
}

/** The caller's headers can ask for a different format, but not for a different version. */
function withAccept({ version, accept }: ClientTable, action: string, headers: Headers): Headers {
  const given = headers.get('accept')
  if (given === null) {
    headers.set('accept', accept)
    return headers
  }
  const namesVersion = new RegExp(`;\\s*version\\s*=\\s*"?${version}"?\\s*(?:;|$)`, 'i')
  if (given.split(',').every((range) => namesVersion.test(range))) return headers
  throw new TypeError(
    `${action}: the header 'accept: ${given}' doesn't name version ${version}. ` +
      `Remove it, or use '${accept}'.`,
  )
}

/**
 * Says where a redirect leads, unless the runtime hides it, as browsers do. Undefined for any other
 * response.
 */
function redirectMessage({ type, status, headers }: Response): string | undefined {
  const location = headers.get('location')
  const isRedirect = location !== null && [301, 302, 303, 307, 308].includes(status)
  if (!isRedirect && type !== 'opaqueredirect') return undefined
  // The query stays out of logs, because it may contain a token.
  const target = location?.split(/[?#]/, 1)[0] ?? 'an address that the browser hides'
  return (
    `redirects to ${target}, and redirects aren't followed, ` +
    'because the target would get your headers and body. Update baseUrl, ' +
    "or follow redirects with { fetch: (request) => fetch(request, { redirect: 'follow' }) }."
  )
}
