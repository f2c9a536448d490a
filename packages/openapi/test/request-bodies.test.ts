// When a document says that a request has a body, and whether it's required.
import { api, resources, version } from '@hv/router'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openapi } from '../src/index.ts'

const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'create' })))
const info = { title: 'Acme', version: '1.0.0' }
function bodyOf(schema: object) {
  const controllers = { 1: { users: { create: { schema, handler: () => ({}) } } } }
  const { paths } = openapi(routes, controllers, { version: 1, info })
  return paths['/api/users']!['post'] as { readonly requestBody?: { readonly required?: boolean } }
}

const binary = { schema: { type: 'string', format: 'binary' } }
it.each<[types: readonly string[], content: object]>([
  [['image/png'], { 'image/png': binary }],
  [['image/png', 'text/csv'], { 'image/png': binary, 'text/csv': binary }],
  [['multipart/form-data'], { 'multipart/form-data': { schema: {} } }],
  [['application/merge-patch+json'], { 'application/merge-patch+json': { schema: {} } }],
])('consumes %j without a body schema', (consumes, content) => {
  expect(bodyOf({ consumes }).requestBody).toEqual({ required: true, content })
})

it("there's none without either, or if nothing is consumed", () => {
  expect(bodyOf({}).requestBody).toBeUndefined()
  expect(bodyOf({ consumes: [] }).requestBody).toBeUndefined()
})

const shape = { name: z.string() }
const VUser = v.object({ name: v.string() })
const fail = () => {
  throw new Error('now')
}
const libraryWith = (validate: () => unknown) => {
  const jsonSchema = { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) }
  return { '~standard': { version: 1, vendor: 'acme', validate, jsonSchema } }
}
it.each<[what: string, body: object, required: true | undefined]>([
  ['zod', z.object(shape), true],
  ['zod, optional', z.object(shape).optional(), undefined],
  ['zod, nullish', z.object(shape).nullish(), undefined],
  ['zod, with a default', z.object(shape).default({ name: 'Ada' }), undefined],
  ['zod, nullable', z.object(shape).nullable(), true],
  ['zod, which waits', z.any().refine((body) => Promise.reject(new Error(body))), true],
  ['Valibot', toStandardJsonSchema(VUser), true],
  ['Valibot, optional', toStandardJsonSchema(v.optional(VUser)), undefined],
  ['Valibot, nullish', toStandardJsonSchema(v.nullish(VUser)), undefined],
  ['Valibot, with a default', toStandardJsonSchema(v.optional(VUser, { name: 'Ada' })), undefined],
  ['Valibot, nullable', toStandardJsonSchema(v.nullable(VUser)), true],
  ['ArkType', type({ name: 'string' }), true],
  ['ArkType, optional', type({ name: 'string' }).or('undefined'), undefined],
  ['a library that throws', libraryWith(() => fail()), true],
  ['a library that waits', libraryWith(() => Promise.reject(new Error('later'))), true],
  ['TypeBox, optional, which only matters in an object', Type.Optional(Type.Object({})), true],
  ['TypeBox', Type.Object({ name: Type.String() }), true],
  ['JSON Schema', { type: ['object', 'null'] }, true],
])('a body is required: %s', (_what, body, required) => {
  expect(bodyOf({ body }).requestBody!.required).toBe(required)
})
