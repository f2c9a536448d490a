// A parameter with a default may be left out, as far as the type of the schema shows the default.
import { api, resources, version } from '@hv/router'
import { Type as TypeBox034 } from '@sinclair/typebox'
import { Type } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { createClient, typesOf } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    { only: ['index', 'create'] },
    resources('old'),
    resources('typebox'),
    resources('zod'),
  ),
)
/** TypeBox keeps no default in its types: `Object.assign` adds it. */
const limit034 = Object.assign(TypeBox034.Integer(), { default: 20 })
const limit1 = Object.assign(Type.Integer(), { default: 20 })
const controllers = {
  1: {
    old: {
      index: {
        schema: { querystring: TypeBox034.Object({ limit: limit034 }) },
        handler: (): unknown => null,
      },
      create: {
        schema: { body: TypeBox034.Object({ name: TypeBox034.String(), limit: limit034 }) },
        handler: (): unknown => null,
      },
    },
    typebox: {
      index: {
        schema: { querystring: Type.Object({ limit: limit1, tag: Type.Optional(Type.String()) }) },
        handler: (): unknown => null,
      },
      create: {
        schema: { body: Type.Object({ name: Type.String(), limit: limit1 }) },
        handler: (): unknown => null,
      },
    },
    zod: {
      index: {
        schema: { querystring: z.object({ limit: z.number().default(20) }) },
        handler: (): unknown => null,
      },
      create: {
        schema: { body: z.object({ name: z.string(), limit: z.number().default(20) }) },
        handler: (): unknown => null,
      },
    },
  },
}
const client = createClient(routes, {
  baseUrl: 'https://acme.example',
  version: 1,
  types: () => controllers,
})

describe('a parameter with a default', () => {
  it('may be left out, and keeps its type', () => {
    expectTypeOf(async () => {
      await client.old.index()
      await client.old.index({ query: {} })
      await client.old.index({ query: { limit: 10 } })
      await client.old.create({ body: { name: 'Ann' } })
      await client.typebox.index()
      await client.typebox.index({ query: { tag: 'x' } })
      await client.typebox.create({ body: { name: 'Ann' } })
      await client.zod.index()
      await client.zod.create({ body: { name: 'Ann' } })
      // @ts-expect-error limit is a number
      await client.old.index({ query: { limit: 'ten' } })
      // @ts-expect-error limit is a number
      await client.typebox.index({ query: { limit: 'ten' } })
      // @ts-expect-error name is required
      await client.old.create({ body: { limit: 10 } })
      // @ts-expect-error name is required
      await client.typebox.create({ body: { limit: 10 } })
    }).returns.resolves.toBeVoid()
  })

  it('is a value for the handler', () => {
    const query = TypeBox034.Object({ limit: limit034 })
    expectTypeOf<(typeof query)['static']>().toEqualTypeOf<{ limit: number }>()
    expectTypeOf(typesOf<typeof controllers>).returns.toEqualTypeOf<typeof controllers>()
  })
})
