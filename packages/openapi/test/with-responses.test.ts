// The envelope of errors changes between versions, and is declared once: on every adapter, and in documents.
import {
  type Api,
  api,
  became,
  cache,
  change,
  inherit,
  resources,
  version,
  withResponses,
} from '@hv/router'
import { before as beforeOnExpress, createRouter as onExpress } from '@hv/router-express'
import { before as beforeOnFastify, createRouter as onFastify } from '@hv/router-fastify'
import { before as beforeOnFetch, createRouter as onFetch } from '@hv/router-fetch'
import { Type } from '@sinclair/typebox'
import { type } from 'arktype'
import express, { type Request as Req, type Response as Res } from 'express'
import fastify from 'fastify'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openapi } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show', 'destroy'] }))),
  version(2, inherit({ from: 'v1' })),
)
const Failure = Type.Object(
  { errors: Type.Array(Type.Object({ message: Type.String() })) },
  { $id: 'Failure' },
)
const FailureV1 = Type.Object({ error: Type.String() }, { $id: 'FailureV1' })
const Conflict = Type.Object({ conflict: Type.String() })
const failure = change(
  'Errors are a list.',
  became(FailureV1, Failure, {
    down: ({ errors }) => ({ error: errors.map(({ message }) => message).join(', ') }),
  }),
)
const missing = { errors: [{ message: 'No such user' }], secret: 'x' }
const schema = { response: { 409: Conflict } }

/** Responds to a request: `[status, body]`. */
type Send = (method: 'GET' | 'DELETE', path: string, number: number) => Promise<[number, unknown]>
const headersOf = (number: number) => ({ accept: `application/vnd.acme+json;version=${number}` })

const adapters: Readonly<Record<string, () => Promise<Send>>> = {
  async Fastify() {
    class Users {
      readonly #missing = missing
      index() {
        return []
      }
      async show(
        _request: unknown,
        reply: { code(status: number): { send(body: object): unknown } },
      ) {
        return reply.code(404).send(this.#missing)
      }
      destroy = {
        schema,
        handler: (_request: unknown, reply: { code(s: number): { send(b: object): unknown } }) =>
          reply.code(409).send({ conflict: 'x' }),
      }
    }
    const v2 = withResponses({ users: new Users() }, { '4xx': Failure })
    const app = fastify().register(
      onFastify(routes, { 1: beforeOnFastify(v2, failure), 2: v2 } as never),
    )
    onTestFinished(() => app.close())
    return async (method, url, number) => {
      const { statusCode, body } = await app.inject({ method, url, headers: headersOf(number) })
      return [statusCode, JSON.parse(body)]
    }
  },
  async Express() {
    const v2 = withResponses(
      {
        users: {
          index: (_req: Req, res: Res) => res.json([]),
          show: (_req: Req, res: Res) => res.status(404).json(missing),
          destroy: {
            schema,
            handler: (_req: Req, res: Res) => res.status(409).json({ conflict: 'x' }),
          },
        },
      },
      { '4xx': Failure },
    )
    const controllers = { 1: beforeOnExpress(v2, failure), 2: v2 }
    const server = express()
      .use(onExpress(routes, controllers, { validator: false }))
      .listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    return async (method, path, number) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: headersOf(number),
      })
      return [response.status, await response.json()]
    }
  },
  async fetch() {
    const v2 = withResponses(
      {
        users: {
          index: () => Response.json([]),
          show: () => Response.json(missing, { status: 404 }),
          destroy: { schema, handler: () => Response.json({ conflict: 'x' }, { status: 409 }) },
        },
      },
      { '4xx': Failure },
    )
    const handle = onFetch(routes as Api, { 1: beforeOnFetch(v2, failure), 2: v2 } as never)
    return async (method, path, number) => {
      const response = await handle(
        new Request(`http://acme.example${path}`, { method, headers: headersOf(number) }),
      )
      return [response.status, await response.json()]
    }
  },
}

describe.each(Object.entries(adapters))('shared responses on %s', (name, start) => {
  it('are converted for the older version', async () => {
    const send = await start()
    expect(await send('GET', '/users/7', 1)).toEqual([404, { error: 'No such user' }])
    expect(await send('DELETE', '/users/7', 1)).toEqual([409, { conflict: 'x' }])
    expect(await send('GET', '/users', 1)).toEqual([200, []])
    const { secret, ...serialized } = missing
    expect(await send('GET', '/users/7', 2)).toEqual([
      404,
      name === 'Fastify' ? serialized : { ...serialized, secret },
    ])
  })
})

it('shared responses are in every operation of a document, under the responses of the action', () => {
  const handler = () => null
  const v2 = withResponses(
    { users: { index: handler, show: handler, destroy: { schema, handler } } },
    { '4xx': Failure },
  )
  const v1 = beforeOnFetch(v2, failure)
  const schemasOf = (number: 1 | 2, path: string, method: string) => {
    const { paths } = openapi(
      routes,
      { 1: v1, 2: v2 },
      { version: number, info: { title: 'A', version: '1' } },
    )
    const { responses } = paths[path]![method] as {
      responses: Record<string, { content?: Record<string, { schema?: unknown }> }>
    }
    expect(Object.keys(responses)).toContain('2XX')
    return Object.entries(responses).flatMap(([status, { content = {} }]) =>
      content['application/json'] ? [[status, content['application/json'].schema]] : [],
    )
  }
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  // The app may send a 400 or a 406 as well.
  const sharedOf = (name: string) => ['400', '406', '4XX'].map((status) => [status, ref(name)])
  expect(schemasOf(2, '/users/{id}', 'get')).toEqual(sharedOf('Failure'))
  expect(schemasOf(1, '/users/{id}', 'get')).toEqual(sharedOf('FailureV1'))
  expect(schemasOf(2, '/users/{id}', 'delete')).toEqual(
    sharedOf('Failure').toSpliced(2, 0, [
      '409',
      expect.objectContaining({ required: ['conflict'] }) as never,
    ]),
  )
})

it("takes ArkType's schemas, which are functions", () => {
  const v1 = withResponses({ users: { index: () => [] } }, { 404: type({ error: 'string' }) })
  const table = api({ vendorString: 'acme' }, version(1, resources('users', { only: ['index'] })))
  const { paths } = openapi(table, { 1: v1 }, { version: 1, info: { title: 'Acme', version: '1' } })
  expect(paths['/api/users']!['get']).toMatchObject({
    responses: {
      404: { content: { 'application/json': { schema: { required: ['error'] } } } },
    },
  })
})

it.each(['400', '4xx', 'default'])(
  "a problem document of the app's, declared under %s, may be sent as well as the router's",
  (status) => {
    const Own = { type: 'object', required: ['code'] }
    const response = { [status]: { content: { 'application/problem+json': { schema: Own } } } }
    const users = { show: { schema: { response }, handler: () => ({}) } }
    const table = api({ vendorString: 'acme' }, version(1, resources('users', { only: ['show'] })))
    const info = { title: 'A', version: '1' }
    const { paths, components } = openapi(table, { 1: { users } }, { version: 1, info })
    const { responses } = paths['/api/users/{id}']!['get'] as {
      responses: Record<string, { content: Record<string, { schema: object }> }>
    }
    const { content } = components['responses']!['MalformedRequest'] as (typeof responses)[string]
    const router = content['application/problem+json']!.schema
    expect(responses['400']!.content).toEqual({
      'application/problem+json': { schema: { anyOf: [router, Own] } },
    })
  },
)
