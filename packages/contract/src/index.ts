// The conformance suite of the adapters: the same requests, over real sockets, must get the same answers.
import { type IncomingMessage, request } from 'node:http'
import { type Api, type Match, type Miss, createMatcher } from '@hv/router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createControllers, createOtherControllers, otherRoutes, routes } from './fixture.ts'
import { accepts, methods, paths } from './requests.ts'

/** What a neutral action sees of a request. */
export interface Exchange {
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly format: string | null
  readonly version: number
}

/** An action that knows no framework; what it returns is sent as JSON, a stream as it is. `this` is its controller. */
export type NeutralAction = (this: { readonly greeting: string }, exchange: Exchange) => unknown

export interface Served {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  close(): Promise<void>
}

export interface AdapterUnderTest {
  readonly name: string
  /** Wraps an action as the framework's own handler, and hands `this` on. */
  native(action: NeutralAction): (...native: never[]) => unknown
  /**
   * Serves routers, each at its prefix, in an app that also has an unversioned route GET /plain (`{"plain":true}`),
   * and an error handler that answers `{"caught": message}` with status 500.
   */
  serve(app: {
    readonly mounts: readonly Mount[]
    /** The app replaces the body of problem documents. */
    readonly replaceProblem?: boolean
    /** The app handles CORS itself, for `https://app.example`. */
    readonly cors?: boolean
  }): Promise<Served>
}

export interface Mount {
  readonly routes: Api
  readonly controllers: object
  readonly prefix: string
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
  readonly text: string
}

const type = 'application/vnd.acme+json'
const vendor = (version: number, rest = '') => `${type};version=${version}${rest}`

const jsonType = { 'content-type': 'application/json' }
const hostOf = (origin: string) => ({ host: '127.0.0.1', port: Number(new URL(origin).port) })

/** What the core's answer looks like from outside. */
function expectedOf(found: Match | Miss): string {
  if (found.kind === 'miss')
    return found.code === 'unknown-path' ? '404' : `${found.status} ${found.allow?.join(', ') ?? ''} Accept`
  const { version, vendor } = found
  const contentType = vendor ? `application/vnd.acme+json; version=${version}` : 'application/json'
  return `200 ${version} ${contentType}; charset=utf-8 Accept`
}

function readAnswer({ statusCode, headers }: IncomingMessage): string {
  if (headers.vary === undefined) return String(statusCode) // not ours
  if (statusCode === 200) return `200 ${String(headers['api-version'])} ${headers['content-type']} ${headers.vary}`
  return `${statusCode} ${headers.allow ?? ''} ${headers.vary}`
}

/** Runs the whole suite against one adapter. */
export function runContract(adapter: AdapterUnderTest): void {
  const mountAt = (prefix: string): Mount => ({ routes, controllers: createControllers(adapter.native), prefix })

  describe.each(['', '/mounted'])(`${adapter.name} at prefix '%s'`, (prefix) => {
    let served: Served
    beforeAll(async () => {
      served = await adapter.serve({ mounts: [mountAt(prefix)] })
    })
    afterAll(() => served.close())

    async function request(
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: string,
    ): Promise<Answer> {
      const response = await fetch(served.origin + path, {
        method,
        headers: { accept: '', ...headers },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(10_000),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text.startsWith('{') ? JSON.parse(text) : {},
      }
    }
    const ask = (path: string, accept = '', method = 'GET') => request(method, prefix + path, { accept })

    describe('versions', () => {
      it('serves version 1 and its override in version 2 at one URL', async () => {
        const one = await ask('/api/users/7', vendor(1))
        const two = await ask('/api/users/7', vendor(2))
        expect(one).toMatchObject({ status: 200, body: { say: 'one user', params: { id: '7' }, version: 1 } })
        expect(two).toMatchObject({
          status: 200,
          body: { say: 'two overridden user', params: { id: '7' }, version: 2 },
        })
      })
      it('serves an inherited action with the controller of the version asked for', async () => {
        expect((await ask('/api/users', vendor(2))).body).toMatchObject({ say: 'two users', version: 2 })
      })
      it('serves the first declared version when none is named', async () => {
        for (const accept of ['', '*/*', 'application/json', 'application/vnd.acme+json', 'text/html'])
          expect((await ask('/api/users', accept)).body, accept).toMatchObject({ version: 1 })
      })
      it('says the served version and its type', async () => {
        const named = await ask('/api/users', vendor(2))
        expect(named.headers.get('api-version')).toBe('2')
        expect(named.headers.get('content-type')).toBe('application/vnd.acme+json; version=2; charset=utf-8')
        const unnamed = await ask('/api/users')
        expect(unnamed.headers.get('api-version')).toBe('1')
        expect(unnamed.headers.get('content-type')).toBe('application/json; charset=utf-8')
      })
      it('takes the best version that has the route', async () => {
        expect(
          (await ask('/api/teams', `${vendor(1)}, ${vendor(4, ';q=0.5')}, ${vendor(2, ';q=0.7')}`)).body,
        ).toMatchObject({ version: 2 })
      })
    })

    describe('paths', () => {
      it('gives nested, member, collection and singular routes their params', async () => {
        expect((await ask('/api/users/a%2Fb/posts/9')).body).toMatchObject({
          say: 'one post',
          params: { user_id: 'a/b', id: '9' },
        })
        expect((await ask('/api/users/7/ban', '', 'POST')).body).toMatchObject({
          say: 'one banned',
          params: { id: '7' },
        })
        expect((await ask('/api/users/search')).body).toMatchObject({ say: 'one found', params: {} })
        expect((await ask('/api/profile')).body).toMatchObject({ say: 'one profile', params: {} })
      })
      it('reads the format from the extension, then from the suffix', async () => {
        expect((await ask('/api/users/7.json')).body).toMatchObject({ params: { id: '7' }, format: 'json' })
        expect((await ask('/api/users.xml')).body).toMatchObject({ say: 'one users', format: 'xml' })
        expect((await ask('/api/users/7', 'application/vnd.acme+XML;version=1')).body).toMatchObject({ format: 'xml' })
        expect((await ask('/api/users/7')).body).toMatchObject({ format: null })
      })
      it('takes one trailing slash, and ignores the query', async () => {
        for (const path of ['/api/users/', '/api/users?x=/1.y', '/api/users/?x', '/api/users.json/'])
          expect((await ask(path)).body, path).toMatchObject({ say: 'one users' })
        for (const path of ['/api/users/7/', '/api/users/7.json/', '/api/users/7?format=xml'])
          expect((await ask(path)).body, path).toMatchObject({ say: 'one user', params: { id: '7' } })
      })
      it('lets a static segment win over a param in the versions that have it', async () => {
        expect((await ask('/api/teams/new', vendor(2))).body).toMatchObject({ say: 'two new team' })
        expect((await ask('/api/users/search', vendor(4))).body).toMatchObject({
          say: 'four user',
          params: { id: 'search' },
        })
      })
    })

    describe('methods', () => {
      it('answers HEAD as GET without a body', async () => {
        const head = await ask('/api/users', vendor(2), 'HEAD')
        expect(head.status).toBe(200)
        expect(head.text).toBe('')
        expect(head.headers.get('api-version')).toBe('2')
      })
      it('answers OPTIONS with the methods of all versions, whatever Accept says', async () => {
        const options = await ask('/api/teams/7', vendor(1), 'OPTIONS')
        expect(options.status).toBe(204)
        expect(options.text).toBe('')
        expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
        expect((await ask('/api/users', 'nonsense', 'OPTIONS')).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
      })
      it('refuses a wrong method with 405 and the methods of that version', async () => {
        const wrong = await ask('/api/users/7', vendor(4), 'DELETE')
        expect(wrong.status).toBe(405)
        expect(wrong.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
        expect(wrong.body).toMatchObject({
          type: 'urn:hv-router:method-not-allowed',
          status: 405,
          allow: ['GET', 'HEAD', 'OPTIONS'],
        })
        expect((await ask('/api/users/7', '', 'POST')).headers.get('allow')).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
      })
    })

    describe('misses', () => {
      it('refuses an unknown version with 406 and the list of versions', async () => {
        const unknown = await ask('/api/users', vendor(3))
        expect(unknown.status).toBe(406)
        expect(unknown.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
        expect(unknown.body).toEqual({
          type: 'urn:hv-router:not-acceptable',
          title: 'Version not acceptable',
          status: 406,
          detail: expect.stringContaining('application/vnd.acme+json;version=<n>, with a version of 1, 2, 4') as string,
          requested: [3],
          supported: [1, 2, 4],
        })
        expect(unknown.headers.has('api-version')).toBe(false)
      })
      it('refuses a malformed version with 400', async () => {
        for (const accept of [
          'application/vnd.acme+json;version=abc',
          'application/vnd.acme+json;version=1.5',
          'application/vnd.acme+json;version=',
        ])
          expect(await ask('/api/users', accept), accept).toMatchObject({
            status: 400,
            body: { type: 'urn:hv-router:malformed-accept' },
          })
      })
      it('answers 404 for a route of other versions only, and names them', async () => {
        const other = await ask('/api/teams', vendor(1))
        expect(other.status).toBe(404)
        expect(other.body).toMatchObject({ type: 'urn:hv-router:not-in-version', availableIn: [2, 4] })
      })
      it('answers a miss before it reads the body', async () => {
        const miss = await request(
          'POST',
          `${prefix}/api/users`,
          { accept: vendor(9), 'content-type': 'text/odd' },
          '{',
        )
        expect(miss.status).toBe(406)
      })
      it('leaves paths that no version knows to the app', async () => {
        for (const path of [
          '/api/nothing',
          '/api/users/7/nothing',
          '/apix/users',
          '/api/users//',
          '/api/users/.json',
          '/api/f%6Fo',
        ])
          expect(await ask(path), path).toMatchObject({ status: 404 })
        expect((await ask('/api/nothing')).headers.has('vary')).toBe(false)
      })
      it('leaves the rest of the app as it was', async () => {
        const bare = await adapter.serve({ mounts: [] })
        try {
          for (const [method, path] of [
            ['GET', '/plain'],
            ['HEAD', '/plain'],
            ['POST', '/plain'],
            ['GET', '/missing'],
            ['GET', '/plain?x=%zz'],
          ] as const) {
            const headers = { accept: 'application/vnd.acme+json;version=99', ...(method === 'POST' && jsonType) }
            const [ours, theirs] = await Promise.all(
              [served.origin, bare.origin].map(async (origin) => {
                const answer = await fetch(origin + path, { method, headers, ...(method === 'POST' && { body: '{' }) })
                return [answer.status, [...answer.headers.keys()], await answer.text()]
              }),
            )
            expect(ours, `${method} ${path}`).toEqual(theirs)
          }
        } finally {
          await bare.close()
        }
      })
    })

    describe('every answer to a path of ours', () => {
      it.each([
        ['served', 'GET', '/api/users', ''],
        ['406', 'GET', '/api/users', vendor(9)],
        ['400', 'GET', '/api/users', 'a b'],
        ['404', 'GET', '/api/teams', vendor(1)],
        ['405', 'PUT', '/api/users', ''],
        ['204', 'OPTIONS', '/api/users', ''],
        ['500', 'GET', '/api/broken', ''],
        ['500, async', 'GET', '/api/rejected', ''],
      ])('says Vary: Accept (%s)', async (_what, method, path, accept) => {
        expect((await ask(path, accept, method)).headers.get('vary')).toBe('Accept')
      })
    })

    describe('handlers', () => {
      it.each([
        'application/json',
        'application/vnd.acme+json',
        'application/vnd.ACME+json; version=2',
        'application/vnd.acme;charset=utf-8',
      ])('parses a JSON body sent as %s', async (type) => {
        const created = await request(
          'POST',
          `${prefix}/api/users`,
          { accept: vendor(2), 'content-type': type },
          '{"name":"Zoë"}',
        )
        expect(created).toMatchObject({ status: 200, body: { created: { name: 'Zoë' }, version: 2 } })
      })
      it('hands errors, thrown or rejected, to the error handling of the framework', async () => {
        for (const [path, message] of [
          ['/api/broken', 'broken handler'],
          ['/api/rejected', 'rejected handler'],
        ] as const) {
          const failed = await ask(path, vendor(2))
          expect(failed).toMatchObject({ status: 500, body: { caught: message } })
          expect(failed.headers.get('api-version')).toBe('2')
          expect(failed.headers.get('content-type')).toBe('application/json; charset=utf-8')
        }
      })
      it('sends a stream as it comes', async () => {
        const streamed = await ask('/api/stream', vendor(2))
        expect(streamed).toMatchObject({ status: 200, body: { streamed: true } })
        expect(streamed.headers.get('content-type')).toBe('application/vnd.acme+json; version=2; charset=utf-8')
        expect(streamed.headers.get('api-version')).toBe('2')
      })
      it('answers many requests at once, each with its own version', async () => {
        const answers = await Promise.all(
          Array.from({ length: 60 }, (_, i) => ask(`/api/users/${i}`, vendor([1, 2, 4][i % 3]!))),
        )
        for (const [i, { body }] of answers.entries())
          expect(body).toMatchObject({ version: [1, 2, 4][i % 3], params: { id: String(i) } })
      })
    })
  })

  describe.each(['', '/mounted'])(`${adapter.name} answers as the core says, at prefix '%s'`, (prefix) => {
    let served: Served
    beforeAll(async () => {
      served = await adapter.serve({ mounts: [mountAt(prefix)] })
    })
    afterAll(() => served.close())
    const { match } = createMatcher(routes)

    /** Over a socket, as it is: fetch would resolve dots. */
    const send = (method: string, path: string, accept: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const hasBody = method.startsWith('P')
        const headers = { ...(accept !== '' && { accept }), ...(hasBody && jsonType) }
        const sent = request({ ...hostOf(served.origin), method, path: prefix + path, headers }, (answer) => {
          answer.resume().on('end', () => resolve(readAnswer(answer)))
        })
        sent.on('error', reject)
        sent.end(hasBody ? '{}' : '')
      })

    it.each(methods)('%s', async (method) => {
      for (const path of paths)
        for (const accept of [accepts[0]!, `${type};version=2`, `${type};version=99`, `${type};version=x`])
          expect(await send(method, path, accept), `${method} ${path} ${accept}`).toBe(
            expectedOf(match(method, path, accept)),
          )
    })
    it.each(accepts)('Accept: %s', async (accept) => {
      for (const path of ['/api/users/7', '/api/teams', '/api/nothing'])
        expect(await send('GET', path, accept), path).toBe(expectedOf(match('GET', path, accept)))
    })
  })

  describe(`${adapter.name} with two APIs in one app`, () => {
    it('keeps their vendors, paths and bodies apart', async () => {
      const other = { routes: otherRoutes, controllers: createOtherControllers(adapter.native), prefix: '' }
      const served = await adapter.serve({ mounts: [mountAt(''), other] })
      const ask = async (path: string, init: RequestInit) => {
        const answer = await fetch(served.origin + path, init)
        return [
          answer.status,
          ((await answer.json()) as Record<string, unknown>)['other'] ?? answer.headers.get('api-version'),
        ]
      }
      try {
        const [acme, theirs] = [vendor(2), 'application/vnd.other+json;version=2']
        expect(await ask('/api/users', { headers: { accept: acme } })).toEqual([200, '2'])
        expect(await ask('/other/users', { headers: { accept: theirs } })).toEqual([200, 2])
        expect(await ask('/api/users', { headers: { accept: theirs } })).toEqual([406, null])
        expect(await ask('/other/users', { headers: { accept: acme } })).toEqual([406, null])
        const made = await fetch(`${served.origin}/other/users`, {
          method: 'POST',
          headers: { 'content-type': 'application/vnd.other+json' },
          body: '{"a":1}',
        })
        expect(await made.json()).toEqual({ made: { a: 1 } })
        const allowed = await fetch(`${served.origin}/other/users`, { method: 'OPTIONS' })
        expect(allowed.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
      } finally {
        await served.close()
      }
    })
  })

  describe(`${adapter.name} with the app's own CORS handling`, () => {
    it('leaves preflights to it, and keeps its Vary beside ours', async () => {
      const served = await adapter.serve({ mounts: [mountAt('')], cors: true })
      try {
        const preflight = await fetch(`${served.origin}/api/users/7`, {
          method: 'OPTIONS',
          headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
        })
        expect(preflight.status).toBe(204)
        expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example')
        expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
        for (const version of [2, 9]) {
          const answer = await fetch(`${served.origin}/api/users/7`, {
            headers: { origin: 'https://app.example', accept: vendor(version) },
          })
          expect(answer.status).toBe(version === 2 ? 200 : 406)
          expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
          expect(answer.headers.get('vary')).toBe('Origin, Accept')
        }
      } finally {
        await served.close()
      }
    })
  })

  describe(`${adapter.name} with a problem hook`, () => {
    it('lets the app replace the body, not the status', async () => {
      const served = await adapter.serve({ mounts: [mountAt('')], replaceProblem: true })
      try {
        const response = await fetch(`${served.origin}/api/users`, { headers: { accept: vendor(9) } })
        expect(response.status).toBe(406)
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
        expect(await response.json()).toEqual({ mine: 'urn:hv-router:not-acceptable' })
      } finally {
        await served.close()
      }
    })
  })
}
