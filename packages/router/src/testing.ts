/**
 * Tests over all versions, for every test runner. It needs Node's types, or those of the DOM.
 *
 * @module
 */
import { isBodiless } from './changes/translation.ts'
import { type Api, routeTable } from './compile/api.ts'
import { invalidOption } from './errors.ts'
import { mediaType } from './respond/media-type.ts'
import type { ActionsIn, KeyOfAny } from './types/hrefs.ts'
import { listed } from './wording.ts'

/** A version, and what a client sends to get it. */
export interface VersionCase<Version = number> {
  readonly version: Version
  readonly headers: { readonly accept: string }
  /** The version that declared the action. Null if it's this one, or if you listed no action. */
  readonly inheritedFrom: number | null
}

/**
 * Lists all versions, or those that have an action, lowest first.
 *
 * @param routes - the API
 * @param action - the action's controller key and name
 * @throws RouterError HV_OPTION if no version has the action: a test of no versions can't fail
 * @example
 * describe.each(eachVersion(routes, 'users', 'show'))('version $version', ({ headers }) => {
 *   it('shows a user', async () => {
 *     const response = await app.inject({ url: '/api/users/7', headers })
 *     expect(response.json()).toMatchObject({ id: 7 })
 *   })
 * })
 */
export function eachVersion<Table, const Key extends KeyOfAny<Table> = never>(
  routes: Api<Table>,
  ...[key, action]: [] | [key: Key, action: keyof ActionsIn<Table, Key>]
): readonly VersionCase<keyof Table>[] {
  const rows = routeTable(routes)
  const rowsOfCases =
    key === undefined ? rows : rows.filter((row) => row.key === key && row.action === action)
  if (key !== undefined && rowsOfCases.length === 0) {
    const ofKey = rows.filter((row) => row.key === key)
    const names = (ofKey.length > 0 ? ofKey : rows).map((row) => `${row.key}.${row.action}`)
    const received = `${String(key)}.${String(action)}`
    throw invalidOption('eachVersion()', 'the action', `one of: ${listed(names)}`, received)
  }
  const { versions } = routes.settings
  return versions.flatMap((version): readonly VersionCase[] => {
    const row = rowsOfCases.find((candidate) => candidate.version === version)
    if (row === undefined) return []
    const inheritedFrom = key === undefined ? null : row.inheritedFrom
    return [{ version, headers: { accept: mediaType(routes as Api, row) }, inheritedFrom }]
  }) as never
}

/** The part of Fastify that {@link injectInto} uses. */
export interface InjectableApp {
  inject(options: {
    method: never
    url: string
    headers: Record<string, string>
    payload?: Buffer
  }): PromiseLike<{ statusCode: number; headers: object; rawPayload: Uint8Array }>
}

/**
 * Creates a function like `fetch` that sends requests to a Fastify app without a socket. If a
 * request is aborted, the function rejects, and the app finishes its work.
 *
 * @example const response = await injectInto(app)(new Request('http://localhost/api/users'))
 */
export const injectInto =
  (app: InjectableApp): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const { signal } = request
    const payload = Buffer.from(await request.arrayBuffer())
    signal.throwIfAborted()
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    const responded = app.inject({
      method: request.method as never,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      ...(payload.length > 0 && { payload }),
    })
    const { statusCode, headers, rawPayload } = await Promise.race([responded, aborted])
    const hasBody = !isBodiless(statusCode)
    return new Response(hasBody ? Uint8Array.from(rawPayload) : null, {
      status: statusCode,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((text): [string, string] => [name, String(text)]),
      ),
    })
  }
