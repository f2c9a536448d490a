/**
 * Tests over all versions, for every test runner. It needs Node's types, or those of the DOM.
 *
 * @module
 */
import { type Api, routeTable } from './compile/api.ts'
import type { Row } from './compile/route.ts'
import { type RouterError, invalidOption } from './errors.ts'
import { mediaType } from './respond/media-type.ts'
import { type RecordedResponse, type Recording, maskValues } from './testing/recording.ts'
import type { ActionsIn, KeyOfAny } from './types/hrefs.ts'
import { listed } from './wording.ts'

export { type InjectableApp, injectInto } from './testing/inject-into.ts'
export { type Law, lawsOf } from './testing/laws.ts'
export { type RecordedResponse, type Recording, differences } from './testing/recording.ts'

/** A version, and what a client sends to reach it. */
export interface VersionCase<Version = number> {
  readonly version: Version
  readonly headers: { readonly accept: string }
  /** The version that declared the action. Null when it is this version, and in a list without an action. */
  readonly inheritedFrom: number | null
}

/**
 * Lists the versions, or those that have an action, lowest first.
 *
 * @param routes - the API
 * @param action - the controller key and the name of an action
 * @throws RouterError HV_OPTION for an action that no version has: a test of no versions could not fail
 * @example
 * describe.each(eachVersion(routes, 'users', 'show'))('GET /api/users/:id, version $version', ({ headers }) => { … })
 */
export function eachVersion<Table, const Key extends KeyOfAny<Table> = never>(
  routes: Api<Table>,
  ...[key, action]: [] | [key: Key, action: keyof ActionsIn<Table, Key>]
): readonly VersionCase<keyof Table>[] {
  const cases = new Map<number, VersionCase>()
  for (const row of routeTable(routes)) {
    if (cases.has(row.version) || (key !== undefined && (row.key !== key || row.action !== action)))
      continue
    cases.set(row.version, {
      version: row.version,
      headers: { accept: mediaType(routes as Api, row) },
      inheritedFrom: key === undefined ? null : row.inheritedFrom,
    })
  }
  if (key !== undefined && cases.size === 0)
    throw unknownAction(routeTable(routes), String(key), action)
  const sorted = [...cases.values()].toSorted((a, b) => a.version - b.version)
  return sorted as never
}

function unknownAction(rows: readonly Row[], key: string, action: unknown): RouterError {
  const ofKey = rows.filter((row) => row.key === key)
  const known = (ofKey.length > 0 ? ofKey : rows).map((row) => `${row.key}.${row.action}`)
  return invalidOption(
    'eachVersion()',
    'the action',
    `one of: ${listed(known)}`,
    `${key}.${String(action)}`,
  )
}

/** A request of a script. */
export interface ScriptedRequest {
  /** Default: `'GET'`. */
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** Requests by name, in order. A function receives the responses so far, unmasked: for a token, or an id. */
export type Script = Readonly<
  Record<
    string,
    ScriptedRequest | ((responses: Readonly<Record<string, RecordedResponse>>) => ScriptedRequest)
  >
>

/** The options of `record`. */
export interface RecordOptions<Version = number> {
  readonly version: Version
  readonly script: Script
  /**
   * Values that differ in every run, as JSON Pointers in which `*` means every element: `/items/*\/createdAt`.
   */
  readonly volatile?: readonly string[]
  /** The headers to record. Default: the ones that belong to the contract of a version. */
  readonly headers?: readonly string[]
  /** Default: `'http://localhost'`. */
  readonly baseUrl?: string | URL
}

const contractHeaders =
  'content-type vary api-version location link allow retry-after deprecation sunset'.split(' ')

/**
 * Sends a script as a client of one version, and records the responses.
 *
 * @param send - `fetch`, or `injectInto(app)`
 * @throws RouterError HV_UNKNOWN_VERSION; HV_OPTION for a `volatile` pointer that does not start with `/`
 * @example
 * const now = await record(injectInto(app), routes, { version: 1, script })
 * expect(differences(released, now)).toEqual([])
 */
export async function record<Table>(
  send: (request: Request) => Promise<Response>,
  routes: Api<Table>,
  options: RecordOptions<keyof Table>,
): Promise<Recording> {
  const {
    version,
    script,
    volatile = [],
    headers: names = contractHeaders,
    baseUrl = 'http://localhost',
  } = options
  const accept = mediaType(routes as Api, { version: Number(version) })
  assertPointers(volatile)
  const responses: Record<string, RecordedResponse> = {}
  const recording: Record<string, RecordedResponse> = {}
  for (const [name, step] of Object.entries(script)) {
    const {
      method = 'GET',
      path,
      headers,
      body,
    } = typeof step === 'function' ? step(responses) : step
    const hasBody = body !== undefined
    const response = await send(
      new Request(new URL(path, baseUrl), {
        method,
        redirect: 'manual',
        headers: { accept, ...(hasBody && { 'content-type': 'application/json' }), ...headers },
        ...(hasBody && { body: JSON.stringify(body) }),
      }),
    )
    const recorded = names.filter((header) => response.headers.has(header))
    responses[name] = {
      status: response.status,
      headers: Object.fromEntries(
        recorded.map((header) => [header, response.headers.get(header)!]),
      ),
      body: await parse(await response.arrayBuffer()),
    }
    recording[name] = { ...responses[name], body: maskValues(responses[name].body, volatile) }
  }
  return recording
}

/** Without its slash, `at` would be the pointer to the whole body. */
function assertPointers(volatile: readonly string[]): void {
  if (!Array.isArray(volatile) || !volatile.every((pointer) => String(pointer).startsWith('/')))
    throw invalidOption(
      'record()',
      'volatile',
      'a list of JSON Pointers, each of which starts with /',
      volatile,
    )
}

async function parse(bytes: ArrayBuffer): Promise<unknown> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return `<${bytes.byteLength} bytes, sha-256 ${hex}>`
  }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
