// Every observed response has to validate against the document of its version: its status, its
// headers, its media type and its body.
import { type Api, api, get, inherit, resources, version } from '@hv/router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptOf } from './fixture.ts'

/** In every app, version 1 is in a brownout when the requests ask for it. */
export const observedRoutes = api(
  { vendorString: 'acme' },
  version(
    1,
    { deprecated: '2027-01-01', brownouts: [['2027-02-01', '2027-02-02']] },
    resources('users', { only: ['index', 'show', 'create', 'destroy'] }),
    get('boom', { to: 'users#boom' }),
  ),
  version(2, inherit({ from: 1 })),
)
export const brownout = Date.parse('2027-02-01T12:00Z')

/** An OpenAPI document, or a part of one. */
type Part = Readonly<Record<string, any>> // oxlint-disable-line typescript/no-explicit-any

export interface ObservedUnderTest {
  readonly name: string
  /** Serves `observedRoutes`, and returns the document of each version. */
  start(routes: Api): Promise<{
    readonly origin: string
    readonly documents: Readonly<Record<number, object>>
    close(): unknown
  }>
  /** Returns Ajv's function that validates values. */
  compile(schema: object): { (value: unknown): unknown; errors?: unknown }
  /** The statuses that differ from those of `requests`. */
  readonly statuses?: Readonly<Record<string, number>>
}

interface Sent {
  readonly status: number
  readonly method?: string
  readonly path?: string
  readonly accept?: string
  readonly type?: string
  readonly body?: string
  /** The versions whose documents describe the response. Default: 2 */
  readonly versions?: readonly number[]
}

const json = 'application/json'
/** The requests, by what's wrong with them. */
const requests: Readonly<Record<string, Sent>> = {
  nothing: { status: 200 },
  'nothing, a user': { status: 200, path: '/api/users/7' },
  'nothing, a new user': { status: 201, method: 'POST', body: '{"name":"Ada"}' },
  'nothing, with the vendor type': {
    status: 201,
    method: 'POST',
    body: '{"name":"Ada"}',
    type: 'application/vnd.acme+json',
  },
  'nothing, no body': { status: 204, method: 'DELETE', path: '/api/users/7' },
  'the user': { status: 404, path: '/api/users/9' },
  'the user, says the handler': { status: 404, path: '/api/users/10' },
  'the body': { status: 400, method: 'POST', body: '{}' },
  'the JSON': { status: 400, method: 'POST', body: '{' },
  'the size': { status: 413, method: 'POST', body: JSON.stringify({ name: 'x'.repeat(2e6) }) },
  'the type': { status: 415, method: 'POST', body: '{"name":"Ada"}', type: 'text/csv' },
  'the charset': {
    status: 415,
    method: 'POST',
    body: '{"name":"Ada"}',
    type: 'application/json; charset=x',
  },
  'the path': { status: 400, path: '/api/users/%zz' },
  'the extension': { status: 308, path: '/api/users/7.json' },
  'the Accept header': { status: 400, accept: acceptOf('x' as never) },
  'the version': { status: 406, accept: acceptOf(9), versions: [1, 2] },
  'the time': { status: 410, accept: acceptOf(1), versions: [1] },
  'the handler': { status: 500, path: '/api/boom' },
}

/** Tests that an app sends what its documents say. */
export function runObserved(app: ObservedUnderTest): void {
  describe(`the documents of ${app.name} say what it sends`, () => {
    let started: Awaited<ReturnType<ObservedUnderTest['start']>>
    beforeAll(async () => {
      started = await app.start(observedRoutes)
    })
    afterAll(() => started.close())

    it.each(Object.entries(requests))('wrong: %s', async (what, sent) => {
      const { method = 'GET', accept = acceptOf(2), body, versions } = sent
      let { path = '/api/users' } = sent
      const ask = () =>
        fetch(started.origin + path, {
          method,
          headers: { accept, ...(body && { 'content-type': sent.type ?? json }) },
          ...(body && { body }),
          redirect: 'manual',
        })
      let response = await ask()
      let text = await response.text()
      expect([response.status, text]).toEqual([app.statuses?.[what] ?? sent.status, text])
      // No document has paths with extensions, so the redirect has to lead to an operation.
      if (response.status === 308) {
        const { headers } = response
        expect([text, headers.get('content-type')]).toEqual(['', null])
        path = new URL(headers.get('location')!, started.origin + path).pathname
        response = await ask()
        text = await response.text()
        expect([path, response.status]).toEqual(['/api/users/7', 200])
      }
      for (const number of versions ?? [2])
        expectDescribed(started.documents[number]!, method, path, response, text, app.compile)
    })
  })
}

function expectDescribed(
  document: Part,
  method: string,
  path: string,
  { status, headers }: Response,
  text: string,
  compile: ObservedUnderTest['compile'],
): void {
  const resolve = (part: Part): Part => {
    const [, , kind, name] = String(part['$ref'] ?? '').split('/')
    return kind === undefined ? part : document['components'][kind][name!]
  }
  const expectValid = (schema: object, value: unknown) => {
    const validate = compile({ components: document['components'], allOf: [schema] })
    expect([validate(value), validate.errors, value]).toEqual([true, null, value])
  }
  const template = Object.keys(document['paths']).find((candidate) =>
    new RegExp(`^${candidate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )!
  const { responses } = document['paths'][template][method.toLowerCase()]
  const described = responses[status] ?? responses[`${String(status)[0]}XX`] ?? responses.default
  expect(described, `${status} isn't in the document`).toBeDefined()
  const { content, headers: describedHeaders = {} } = resolve(described)

  for (const [name, header] of Object.entries<Part>(describedHeaders)) {
    const { schema } = resolve(header)
    const value = headers.get(name)
    expect(value, name).not.toBeNull()
    expectValid(schema, schema.type === 'integer' ? Number(value) : value)
  }
  if (text === '') return
  const type = readType(headers.get('content-type') ?? '')
  const media = Object.entries<Part>(content ?? {}).find(([key]) =>
    readType(key).every((part) => type.includes(part)),
  )
  expect(media, `${headers.get('content-type')} isn't in ${JSON.stringify(content)}`).toBeDefined()
  expectValid(media![1]['schema'] ?? {}, JSON.parse(text))
}

/** A media type and its parameters. */
const readType = (type: string): readonly string[] => type.toLowerCase().split(/\s*;\s*/)
