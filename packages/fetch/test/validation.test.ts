import { api, resources, version } from '@hv/router'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type RouteMatch,
  type RouterOptions,
  ValidationError,
  ajvValidator,
  createRouter,
} from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['show', 'update'] })),
)
const echo = (request: Request, { params, query, headers, body }: RouteMatch) =>
  Response.json({ params, query, headers, body, used: request.bodyUsed })
const routerOf = (schema: unknown, options: RouterOptions = {}, more: object = {}) => {
  const update = { schema, handler: echo, ...more }
  return createRouter(routes, { 1: { users: { show: echo, update } } } as never, options as {})
}
const put = async (
  handler: ReturnType<typeof routerOf>,
  body = '{}',
  headers: Record<string, string> = { 'content-type': 'application/json' },
  query = '',
) => {
  const response = await handler(
    new Request(`http://localhost/api/users/7${query}`, { method: 'PUT', headers, body }),
  )
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as object,
  }
}
const name = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 } },
  required: ['name'],
}
const validator = ajvValidator(new Ajv())

describe('a request', () => {
  it('is validated part by part, and the handler receives the values', async () => {
    const handler = routerOf({
      params: z.object({ id: z.coerce.number() }),
      querystring: z.object({
        limit: z.coerce.number().default(50),
        tag: z.array(z.string()).optional(),
      }),
      headers: z.object({ 'x-run': z.coerce.number() }),
      body: z.object({ name: z.string() }),
    })
    const headers = { 'content-type': 'application/vnd.acme+json;version=1', 'x-run': '3' }
    const body = { name: 'Dora' }
    expect((await put(handler, JSON.stringify(body), headers, '?tag=a&tag=b')).json).toEqual({
      params: { id: 7 },
      query: { limit: 50, tag: ['a', 'b'] },
      headers: { 'x-run': 3 },
      body,
      used: true,
    })
  })

  it("without a schema isn't read", async () => {
    expect((await put(routerOf({ summary: 'Updates a user' }))).json).toEqual({
      params: { id: '7' },
      used: false,
    })
  })

  it('may have a query with any names', async () => {
    const handler = routerOf({ querystring: z.record(z.string(), z.unknown()) })
    const { json } = await put(handler, '{}', {}, '?__proto__=1&a=1&a=2')
    expect(JSON.stringify(json)).toContain('"query":{"a":["1","2"]')
    expect(Object.prototype).not.toHaveProperty('1')
  })

  it.each([
    ['{"name":"D"}', 'application/json', /^body\/name /],
    ['', 'application/json', /^body must be object/],
    ['{', 'application/json', /^body isn't JSON$/],
    ['{"name":"Dora"}', 'text/plain', /^body has the type text\/plain, which isn't JSON$/],
  ])("that doesn't match gets 400: %s as %s", async (body, type, detail) => {
    const { status, headers, json } = await put(routerOf({ body: name }, { validator }), body, {
      'content-type': type,
    })
    expect([status, headers.get('vary'), headers.get('api-version')]).toEqual([400, 'Accept', '1'])
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(json).toMatchObject({ type: 'urn:hv-router:invalid-request', status: 400, part: 'body' })
    expect((json as { detail: string }).detail).toMatch(detail)
  })

  it("that doesn't match gets a problem document", async () => {
    const handler = routerOf(
      { querystring: { type: 'object', properties: { limit: { maxLength: 1 } } } },
      { validator },
    )
    expect((await put(handler, '{}', {}, '?limit=10')).json).toEqual({
      type: 'urn:hv-router:invalid-request',
      title: 'Invalid request',
      status: 400,
      detail: 'query/limit must NOT have more than 1 characters',
      part: 'query',
      issues: [{ pointer: '/limit', message: 'must NOT have more than 1 characters' }],
    })
  })

  it('with a long key above wrong values gets a short 400', async () => {
    const handler = routerOf({ body: z.object({ tags: z.record(z.string(), z.array(z.int())) }) })
    const body = { tags: { ['x'.repeat(50_000)]: Array.from({ length: 100 }, () => 'x') } }
    const { status, json } = await put(handler, JSON.stringify(body))
    expect(status).toBe(400)
    expect(JSON.stringify(json).length).toBeLessThan(JSON.stringify(body).length)
  })

  it("that doesn't match is an error for the app", async () => {
    const error = (reason: unknown) =>
      Response.json({ issues: reason instanceof ValidationError && reason.issues }, { status: 422 })
    const { status, json } = await put(
      routerOf({ body: name }, { validator, error }),
      '{"name":"D"}',
    )
    expect([status, json]).toEqual([
      422,
      { issues: [{ message: expect.any(String) as string, path: ['name'] }] },
    ])
  })

  it("that doesn't match has zod's own issues for an app that keeps their format", async () => {
    const error = (reason: unknown) =>
      Response.json({ issues: (reason as ValidationError).cause }, { status: 422 })
    const schema = z.object({ name: z.string(), age: z.number().min(18) })
    const sent = { age: 7 }
    const { status, json } = await put(routerOf({ body: schema }, { error }), JSON.stringify(sent))
    expect([status, json]).toEqual([422, { issues: schema.safeParse(sent).error!.issues }])
  })

  it("isn't validated with `validator: false`, but read", async () => {
    const { status, json } = await put(
      routerOf({ body: name }, { validator: false }),
      '{"name":"D"}',
    )
    expect([status, json]).toEqual([200, { params: { id: '7' }, body: { name: 'D' }, used: true }])
  })
})

it.each<[what: string, start: () => unknown, code: string]>([
  ['a JSON Schema without a validator', () => routerOf({ body: name }), 'HV_NO_VALIDATOR'],
  [
    'a wrong schema',
    () => routerOf({ body: { type: 'wrong' } }, { validator }),
    'HV_INVALID_SCHEMA',
  ],
  ['a misspelled part', () => routerOf({ query: name }), 'HV_OPTION'],
  ['a schema that is undefined', () => routerOf(undefined), 'HV_OPTION'],
  [
    'a misspelled option of the router',
    () => routerOf({}, { onRoute: () => {} } as object),
    'HV_OPTION',
  ],
  ['a misspelled option', () => routerOf({}, {}, { schemas: {} }), 'HV_OPTION'],
])("doesn't start with %s", (_what, start, code) => {
  expect(start).toThrow(expect.objectContaining({ code }) as Error)
})
