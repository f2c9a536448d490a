// Bodies that are hard to convert for an older version, and what every adapter has to do with them. How a response is sent,
// with which status and to which method, is a matter of the table in derived/.
import { gzipSync } from 'node:zlib'
import { api, became, change, resources, version } from '@hv/router'
import { type Validator, before } from '@hv/router/adapter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What a handler sends. */
export interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** For `value`, the JSON text of the value. */
  readonly body: string | Uint8Array
}

/**
 * How a handler sends it: as a value that the framework serializes, as text or bytes that it sends,
 * with the methods of Node's response, or in a framework's own way.
 */
export type Way =
  | 'value'
  | 'text'
  | 'bytes'
  | 'end'
  | 'writeHead'
  | 'hijack'
  | 'write'
  | 'pipeline'
  | 'flush'
  | 'chunked'
const wholeBodies: readonly Way[] = ['text', 'bytes', 'end', 'writeHead', 'hijack', 'chunked']

type Send = (sent: Sent, ...native: any[]) => unknown

export interface BodiesUnderTest {
  readonly name: string
  /** The ways that the framework has. */
  readonly ways: Readonly<Partial<Record<Way, Send>>>
  /**
   * Handlers that send a newer user as JSON in a way that can't be converted, and go on afterwards.
   * They're called for the older version only, because some of them end a process without it.
   */
  readonly misuses: Readonly<Record<string, (...native: any[]) => unknown>>
  /** Returns a request header. */
  header(name: string, ...native: any[]): string
  /** Returns the request's parsed body. */
  body(...native: any[]): unknown
  /**
   * Serves the API. The app responds to an error with status 500, or the error's own, and a text
   * that contains its message.
   *
   * @param compress - whether responses are compressed by a plugin that's registered before the
   *   router, or after it, or by the app's own hook, which sees what the handler sends; or not at
   *   all. Null if the framework has nothing like that
   */
  serve(
    routes: object,
    controllers: object,
    validator: Validator,
    compress: Compress | null,
  ): Promise<ServedBodies | null>
}
export type Compress = 'before' | 'after' | 'hook'

export interface ServedBodies {
  request(path: string, init: RequestInit): Promise<Response>
  close(): Promise<void>
}

const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, resources('bodies', { only: ['index', 'create'] })),
  version(2, resources('bodies', { only: ['index', 'create'] })),
)
const schemaOf = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
})
const User = schemaOf('fullName')
const OlderUser = schemaOf('name')
const about = 'A user has a full name.'
const fullName = change(
  about,
  became(OlderUser, User, {
    up: ({ name, ...rest }: any) => ({ fullName: name, ...rest }),
    down: ({ fullName: name, ...rest }: any) => ({ name, ...rest }),
  }),
)
const validator: Validator = (schema) => (value) => {
  const [name] = (schema as typeof User).required
  const isUser = typeof (value as Record<string, unknown> | null)?.[name!] === 'string'
  return isUser ? { value } : { issues: [{ message: `has no ${name}` }] }
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const newer = '{"fullName":"Dora"}'
const older = '{"name":"Dora"}'
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

interface Row extends Partial<Sent> {
  readonly what: string
  readonly ways: readonly Way[]
  /** What an older client gets: a text, or `refused` and a part of the message, or the same. */
  readonly gets: { readonly text: string } | { readonly refused: RegExp } | 'the same'
  readonly lacks?: readonly string[]
}
const withNumber = (text: string): string => `{"fullName":"Dora","n":${text}}`

const rows: readonly Row[] = [
  { what: 'a user', ways: ['value', ...wholeBodies], gets: { text: older } },
  { what: 'a stream', ways: ['write', 'pipeline', 'flush'], gets: { refused: /a stream/ } },
  {
    what: 'a stream of another type',
    ways: ['pipeline', 'flush'],
    headers: { 'content-type': 'text/x-lines' },
    gets: 'the same',
  },
  ...['12345678901234567890', '-9007199254740993', '1E400', '1e-400', `1${'0'.repeat(400)}`].map(
    (text): Row => ({
      what: `the number ${text.slice(0, 20)}`,
      ways: wholeBodies,
      body: withNumber(text),
      gets: { refused: new RegExp(`the number ${text.slice(0, 20)}`) },
    }),
  ),
  ...[
    ['1.0', '1'],
    ['-0', '0'],
    ['9007199254740991', '9007199254740991'],
    ['100000000000000000000', '100000000000000000000'],
    ['0.12345678901234567890', '0.12345678901234568'],
    ['0e-9999', '0'],
    ['"12345678901234567890"', '"12345678901234567890"'],
    ['"\\"1e999 \\\\"', '"\\"1e999 \\\\"'],
  ].map(([text, kept]): Row => ({
    what: `the number ${text}`,
    ways: wholeBodies,
    body: withNumber(text!),
    gets: { text: `{"name":"Dora","n":${kept}}` },
  })),
  { what: 'a byte order mark', ways: wholeBodies, body: `\uFEFF${newer}`, gets: { text: older } },
  { what: 'null', ways: ['value', ...wholeBodies], body: 'null', gets: 'the same' },
  { what: 'a bare string', ways: wholeBodies, body: '"Dora"', gets: 'the same' },
  { what: 'a list', ways: wholeBodies, body: '[{"fullName":"x"}]', gets: 'the same' },
  {
    what: 'a list of lists',
    ways: ['value', ...wholeBodies],
    status: 201,
    body: `[[${newer}],[]]`,
    gets: { text: `[[${older}],[]]` },
  },
  { what: 'no JSON', ways: wholeBodies, body: 'Dora', gets: { refused: /isn't JSON/ } },
  {
    what: "bytes that aren't UTF-8",
    ways: ['bytes', 'end', 'chunked'],
    body: new Uint8Array([...bytes('{"fullName":"'), 0xff, ...bytes('"}')]),
    gets: { refused: /isn't JSON in UTF-8/ },
  },
  {
    what: 'a body that is already compressed',
    ways: ['bytes', 'end', 'chunked'],
    body: new Uint8Array(gzipSync(newer)),
    headers: { ...json, 'content-encoding': 'gzip' },
    gets: { refused: /Content-Encoding gzip/ },
  },
  {
    what: 'a part of a body',
    ways: wholeBodies,
    status: 206,
    body: '{"fullName":',
    headers: { ...json, 'content-range': 'bytes 0-11/19' },
    gets: { refused: /206/ },
  },
  { what: 'another status', ways: ['value', ...wholeBodies], status: 404, gets: 'the same' },
  {
    what: 'the newer length, ETag and digests',
    ways: wholeBodies,
    headers: {
      ...json,
      'content-length': String(newer.length),
      etag: '"newer"',
      digest: 'sha-256=x',
      'content-digest': 'sha-256=:x:',
      'repr-digest': 'sha-256=:x:',
      'content-md5': 'x',
    },
    gets: { text: older },
    lacks: ['digest', 'content-digest', 'repr-digest', 'content-md5'],
  },
]

/** Requests: what an older client sends, and what a newer one would. */
const requests: readonly {
  readonly what: string
  readonly older: string | Uint8Array
  readonly newer: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly isChunked?: true
}[] = [
  { what: 'a user', older, newer },
  { what: 'in chunks', older, newer, isChunked: true },
  { what: 'a byte order mark', older: `\uFEFF${older}`, newer: `\uFEFF${newer}` },
  {
    what: 'a big number',
    older: '{"name":"Dora","n":12345678901234567890}',
    newer: withNumber('12345678901234567890'),
  },
  { what: 'null', older: 'null', newer: 'null' },
  { what: 'a bare string', older: '"Dora"', newer: '"Dora"' },
  { what: 'a list of lists', older: `[[${older}]]`, newer: `[[${newer}]]` },
  { what: 'nothing', older: '', newer: '' },
  { what: 'no JSON', older: '{"name":', newer: '{"fullName":' },
  { what: 'text', older, newer, headers: { 'content-type': 'text/plain' } },
  {
    what: 'compressed',
    older: new Uint8Array(gzipSync(older)),
    newer: new Uint8Array(gzipSync(newer)),
    headers: { ...json, 'content-encoding': 'gzip' },
  },
]

const accept = (client: number): string => `application/vnd.acme+json;version=${client}`

/** A row, sent in one of its ways. */
type Case = Row & { readonly way: Way }

/** Runs the table on an adapter, for responses and for requests. */
export function runAwkwardBodies(adapter: BodiesUnderTest): void {
  const cases = rows.flatMap((row) =>
    row.ways.flatMap((way): Case[] => (adapter.ways[way] ? [{ ...row, way }] : [])),
  )
  const controllers = createControllers(adapter, cases)
  const serve = (compress: Compress | null) =>
    adapter.serve(routes, controllers, validator, compress)

  describe(`awkward bodies on ${adapter.name}`, () => {
    let app: ServedBodies
    beforeAll(async () => {
      app = (await serve(null))!
    })
    afterAll(() => app.close())

    it.each(cases.map((row, at) => ({ ...row, at })))(
      'a response with $what, sent as $way',
      ({ at, ...row }) => expectResponse(app, row, String(at)),
    )
    it.each(Object.keys(adapter.misuses))('a handler that %s', async (misuse) => {
      const received = await ask(app, 1, misuse)
      expect([received.status, received.text]).toEqual([500, expect.stringContaining(about)])
    })
    it.each(requests)('a request with $what', (request) => expectRequest(app, request))
  })

  describe.each(['before', 'after', 'hook'] as const)(`compressed ${adapter.name}, %s`, (order) => {
    let app: ServedBodies | null
    beforeAll(async () => {
      app = await serve(order)
    })
    afterAll(() => app?.close())
    it.each(['value', 'text', 'bytes', 'end', 'writeHead', 'write'] as const)(
      'sent as %s',
      async (way) => {
        const at = cases.findIndex((row) => row.way === way)
        if (app === null || at === -1) return
        const received = await ask(app, 1, String(at), 'gzip')
        const native = await ask(app, 2, String(at), 'gzip')
        // The app's hook compresses text before the router sees it, and no hook sees raw responses.
        const isRefused = way === 'write' || (order === 'hook' && ['text', 'bytes'].includes(way))
        if (isRefused)
          expect([received.status, received.text]).toEqual([500, expect.stringContaining(about)])
        else {
          expect([received.status, received.text]).toEqual([200, older])
          expect(received.headers.get('content-encoding')).toBe(
            native.headers.get('content-encoding'),
          )
        }
      },
    )
  })
}

function createControllers(adapter: BodiesUnderTest, cases: readonly Case[]): object {
  const index = {
    schema: {
      response: {
        200: User,
        201: { type: 'array', items: { type: 'array', items: User } },
      },
    },
    handler: (...native: any[]) => {
      const name = adapter.header('x-case', ...native)
      const misuse = adapter.misuses[name]
      if (misuse !== undefined) return misuse(...native)
      const { way, status = 200, headers = json, body = newer } = cases[Number(name)]!
      const isText = way === 'value' || way === 'text' || typeof body !== 'string'
      return adapter.ways[way]!({ status, headers, body: isText ? body : bytes(body) }, ...native)
    },
  }
  const create = {
    schema: { body: User },
    handler: (...native: any[]) => {
      const body = JSON.stringify({ received: adapter.body(...native) })
      return adapter.ways.value!({ status: 200, headers: json, body }, ...native)
    },
  }
  const v2 = { bodies: { index, create } }
  return { 1: before(v2 as never, fullName), 2: v2 }
}

async function ask(app: ServedBodies, client: number, name: string, encoding = 'identity') {
  const headers = { accept: accept(client), 'accept-encoding': encoding, 'x-case': name }
  const response = await app.request('/bodies', { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Sends a row as an older client, and as a newer one. */
async function expectResponse(app: ServedBodies, row: Omit<Case, 'at'>, name: string) {
  const { gets, lacks = [], status = 200, body = newer } = row
  const native = await ask(app, 2, name)
  expect(native.status).toBe(status)
  const received = await ask(app, 1, name)
  if (gets === 'the same') {
    expect([received.status, received.text]).toEqual([native.status, native.text])
    expect(received.headers.get('etag')).toBe(native.headers.get('etag'))
    return
  }
  if ('refused' in gets) {
    expect([received.status, received.text]).toEqual([500, expect.stringMatching(gets.refused)])
    expect(received.text).toContain(about)
    for (const header of ['content-encoding', 'content-range'])
      expect(received.headers.get(header)).toBeNull()
    return
  }
  expect([received.status, received.text]).toEqual([status, gets.text])
  expect(received.headers.get('etag')).not.toBe('"newer"')
  for (const header of lacks) expect(received.headers.get(header)).toBeNull()
  const lengths = [null, String(older.length), String(bytes(gets.text).length)]
  expect(lengths).toContain(received.headers.get('content-length'))
  if (typeof body === 'string') expect(native.text).toBe(body.replace(/^\uFEFF/, '')) // fetch() skips the mark
}

/** Sends a request as an older client, and what a newer one would send. */
async function expectRequest(
  app: ServedBodies,
  { headers = json, isChunked, ...sent }: (typeof requests)[number],
) {
  const post = async (client: number, content: string | Uint8Array) => {
    const body = typeof content === 'string' ? bytes(content) : content
    const response = await app.request('/bodies', {
      method: 'POST',
      headers: { ...headers, accept: accept(client) },
      body: isChunked ? new Blob([body as never]).stream() : (body as never),
      ...(isChunked && { duplex: 'half' }),
    } as RequestInit)
    const text = await response.text()
    return [response.status, response.status === 200 ? text : 'refused']
  }
  expect(await post(1, sent.older)).toEqual(await post(2, sent.newer))
}
