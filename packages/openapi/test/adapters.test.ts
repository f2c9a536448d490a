// The documents of a running app: both adapters take the controllers that `openapi` reads, and leave them as they are.
import swagger, { type SwaggerOptions } from '@fastify/swagger'
import { api, cache, inherit, resources, version } from '@hv/router'
import { ajvValidator, createRouter as createExpressRouter } from '@hv/router-express'
import { createRouter as createFastifyRouter, isVersioned } from '@hv/router-fastify'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type as TypeBox034 } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { type } from 'arktype'
import express from 'express'
import fastify from 'fastify'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openapi } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { except: ['new', 'edit', 'destroy'] }))),
  version(2, inherit({ from: 'v1' }), resources('teams', { only: 'index' })),
)
const handler = (): unknown => []

/** New schema objects on each call, as two apps have them. */
function schemasOf() {
  const User = TypeBox034.Object(
    { id: TypeBox034.Integer(), name: TypeBox034.Union([TypeBox034.String(), TypeBox034.Null()]) },
    { $id: 'User' },
  )
  return {
    index: {
      summary: 'Lists users',
      tags: ['people'],
      querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
      headers: { type: 'object', properties: { 'x-run': { type: 'string' } } },
      response: { 200: TypeBox034.Array(User) },
    },
    show: {
      params: { type: 'object', properties: { id: { type: 'integer' } } },
      response: { 200: User },
    },
    create: {
      body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      response: { 201: User, '4xx': { type: 'object', properties: { error: { type: 'string' } } } },
    },
    update: {
      deprecated: true,
      body: TypeBox034.Partial(TypeBox034.Object({ name: TypeBox034.String() })),
    },
  }
}
function controllersOf(options: object = {}) {
  const users = Object.fromEntries(
    Object.entries(schemasOf()).map(([action, schema]) => [
      action,
      { ...options, schema, handler },
    ]),
  )
  return { 1: { users }, 2: { users, teams: { index: handler } } }
}
const info = { title: 'Acme', version: '1.0.0' }
const documentsOf = (controllers: object) =>
  ([1, 2] as const).map((number) =>
    JSON.stringify(openapi(routes, controllers, { version: number, info })),
  )

it('equal schemas give equal documents on Express and Fastify, before and after the start', async () => {
  const onExpress = controllersOf({ use: [] })
  const onFastify = controllersOf({ config: { owner: 'team' } })
  const expected = documentsOf(onExpress)
  expect(documentsOf(onFastify)).toEqual(expected)

  express().use(
    createExpressRouter(routes, onExpress as never, { validator: ajvValidator(new Ajv()) }),
  )
  const app = fastify()
  await app.register(createFastifyRouter(routes, onFastify as never))
  await app.ready()
  const headers = { accept: 'application/vnd.acme+json;version=2' }
  expect((await app.inject({ url: '/api/users?limit=1', headers })).statusCode).toBe(200)
  expect((await app.inject({ url: '/api/users?limit=0', headers })).statusCode).toBe(400)
  await app.close()
  expect(documentsOf(onExpress)).toEqual(expected)
  expect(documentsOf(onFastify)).toEqual(expected)
})

it.each<[string, object]>([
  ['zod', z.object({ name: z.string() })],
  ['ArkType', type({ name: 'string' })],
  ['Valibot', v.object({ name: v.string() })],
])("Fastify doesn't start with a schema of %s and without its compiler", async (_library, body) => {
  const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'create' })))
  const create = { schema: { body }, handler }
  const app = fastify().register(createFastifyRouter(small, { 1: { users: { create } } }))
  await expect(app.ready()).rejects.toThrow(
    'Failed building the validation schema for POST: /api/users',
  )
})

describe('with @fastify/swagger', () => {
  it('each version has its own document, next to the routes without a version', async () => {
    const controllers = controllersOf()
    const app = fastify()
    for (const number of [1, 2] as const) {
      const own = openapi(routes, controllers, { version: number, info })
      const options: SwaggerOptions & { decorator: string } = {
        decorator: `swaggerV${number}`,
        openapi: { openapi: '3.1.0' },
        transform: ({ schema, url, route }) => ({
          url,
          schema: isVersioned(route) ? { ...schema, hide: true } : schema,
        }),
        transformObject: (found) => {
          const { paths = {}, components = {} } =
            'openapiObject' in found ? found.openapiObject : {}
          return {
            ...own,
            paths: { ...paths, ...own.paths },
            components: {
              ...components,
              ...own.components,
              schemas: { ...components.schemas, ...own.components['schemas'] },
            },
          } as never
        },
      }
      app.register(swagger, options as SwaggerOptions)
    }
    app.register(createFastifyRouter(routes, controllers as never))
    app.addSchema({ $id: 'Health', type: 'object', properties: { ok: { type: 'boolean' } } })
    const schema = { summary: 'Health', response: { 200: { $ref: 'Health#' } } }
    app.after(() => app.get('/health', { schema }, () => ({ ok: true })))
    await app.ready()

    type Document = { paths: object; components: { schemas: object } }
    const { swaggerV1, swaggerV2 } = app as unknown as Record<
      'swaggerV1' | 'swaggerV2',
      () => Document
    >
    const paths = ['/health', '/api/users', '/api/users/{id}']
    for (const [number, document, expected] of [
      [1, swaggerV1(), paths],
      [2, swaggerV2(), [...paths, '/api/teams']],
    ] as const) {
      expect(Object.keys(document.paths).toSorted()).toEqual(expected.toSorted())
      expect(JSON.stringify(document)).toContain('"$ref":"#/components/schemas/def-0"')
      expect(document.components.schemas).toHaveProperty('def-0')
      expect(document).toMatchObject(openapi(routes, controllers, { version: number, info }))
      const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
      expect([valid, errors]).toEqual([true, undefined])
    }
    await app.close()
  })
})
