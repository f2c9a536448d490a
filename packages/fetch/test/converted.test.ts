// What a conversion makes of a request is validated like a request of the newer version.
import { api, became, cache, change, inherit, resources, version } from '@hv/router'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { ajvValidator, before, createRouter } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['create', 'index'] }))),
  version(2, inherit({ from: 'v1' })),
)
const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const Older = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const User = object({ fullName: { type: 'string', maxLength: 20 } }, ['fullName'])
const OlderQuery = object({ size: { type: 'integer' } })
const Query = object({ limit: { type: 'integer', maximum: 9 } })

function serve(
  up: (older: never) => unknown = ({ name, ...rest }: { name: string }) => ({
    fullName: name,
    ...rest,
  }),
  headers = {},
) {
  const v2 = {
    users: {
      create: {
        schema: { body: User, response: { 200: User } },
        handler: (_request: Request, { body }: { body?: unknown }) => Response.json(body),
      },
      index: {
        schema: { querystring: Query },
        handler: (_request: Request, { query }: { query?: unknown }) => Response.json(query),
      },
    },
  }
  const renamed = change(
    'A name is a fullName.',
    became(Older, User, {
      up: up as never,
      down: ({ fullName }) => ({ name: fullName }),
      headers: () => headers,
    }),
    became(OlderQuery, Query, { up: ({ size }) => ({ limit: size }) }),
  )
  const options = {
    validator: ajvValidator(new Ajv({ coerceTypes: true })),
    error: (error: unknown) => {
      const { message, status = 500 } = error as { message: string; status?: number }
      return new Response(message, { status })
    },
  }
  const handler = createRouter(routes, { 1: before(v2, renamed), 2: v2 } as never, options)
  return async (path: string, body?: object) => {
    const sent = {
      accept: 'application/vnd.acme+json;version=1',
      'content-type': 'application/json',
    }
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await handler(
      new Request(`http://localhost${path}`, { ...init, headers: sent }),
    )
    return [response.status, await response.text(), response.headers.get('vary')]
  }
}

it('is refused in the name of the change', async () => {
  const ask = serve()
  const refused = "body is rejected after the change 'A name is a fullName.'"
  expect(await ask('/users', { name: 'Dora' })).toEqual([200, '{"name":"Dora"}', 'Accept'])
  expect(await ask('/users', { name: 'x'.repeat(21) })).toEqual([
    400,
    `${refused}: fullName must NOT have more than 20 characters`,
    'Accept',
  ])
  const message = `${refused}: must NOT have additional properties`
  expect(await ask('/users', { name: 'Dora', role: 'admin' })).toEqual([400, message, 'Accept'])
  expect(await ask('/users?size=5')).toEqual([200, '{"limit":5}', 'Accept'])
  expect(await ask('/users?size=10')).toEqual([
    400,
    expect.stringMatching(/^query is rejected after the change .*: limit must be <= 9$/),
    'Accept',
  ])
})

it.each([
  ['returns a promise', 'its conversion returns a promise', () => Promise.reject(new Error('no'))],
  ['throws nothing', "the change 'A name is a fullName.' threw undefined", () => { throw undefined }], // prettier-ignore
])('is an error when the conversion %s', async (_what, message, up) => {
  expect(await serve(up)('/users', { name: 'Dora' })).toEqual([
    500,
    expect.stringContaining(message),
    'Accept',
  ])
})

it.each([
  ['a name of the router', { 'API-Version': '9' }, "can't set the header 'API-Version'"],
  [
    'a name that frames the message',
    { 'content-length': '1' },
    "can't set the header 'content-length'",
  ],
  ['a line break', { 'x-a': 'a\r\nx-b: b' }, "sets 'x-a' to what no header can have"],
])('is an error when its headers have %s', async (_what, headers, message) => {
  expect(await serve(undefined, headers)('/users', { name: 'Dora' })).toEqual([
    500,
    expect.stringContaining(message),
    'Accept',
  ])
})
