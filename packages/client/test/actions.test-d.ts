// What a client returns and takes for an action that `action()` declares, on each adapter, with each schema library.
import { api, resources, version } from '@hv/router'
import { Type } from '@sinclair/typebox'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { action as onExpress } from '../../express/src/index.ts'
import { action as onFastify } from '../../fastify/src/index.ts'
import { action as onFetch } from '../../fetch/src/index.ts'
import { type ClientError, createClient, typesOf } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    { only: ['show', 'create', 'destroy'] },
    resources('zod'),
    resources('typebox'),
    resources('valibot'),
  ),
)

const schemas = {
  zod: {
    user: z.object({ id: z.number() }),
    input: z.object({ name: z.string() }),
    nothing: z.null(),
  },
  typebox: {
    user: Type.Object({ id: Type.Number() }),
    input: Type.Object({ name: Type.String() }),
    nothing: Type.Null(),
  },
  valibot: {
    user: v.object({ id: v.number() }),
    input: v.object({ name: v.string() }),
    nothing: v.null(),
  },
}
const { zod, typebox, valibot } = schemas
const respond = () => new Response()

const express = {
  zod: {
    show: onExpress({
      schema: { response: { 200: zod.user, 404: zod.input } },
      handler: () => null,
    }),
    create: onExpress({
      schema: { body: zod.input, response: { 201: zod.user } },
      handler: () => null,
    }),
    destroy: onExpress({ schema: { response: { 204: zod.nothing } }, handler: () => null }),
  },
  typebox: {
    show: onExpress({
      schema: { response: { 200: typebox.user, 404: typebox.input } },
      handler: () => null,
    }),
    create: onExpress({
      schema: { body: typebox.input, response: { 201: typebox.user } },
      handler: () => null,
    }),
    destroy: onExpress({ schema: { response: { 204: typebox.nothing } }, handler: () => null }),
  },
  valibot: {
    show: onExpress({
      schema: { response: { 200: valibot.user, 404: valibot.input } },
      handler: () => null,
    }),
    create: onExpress({
      schema: { body: valibot.input, response: { 201: valibot.user } },
      handler: () => null,
    }),
    destroy: onExpress({ handler: () => null }),
  },
}
const fetching = {
  zod: {
    show: onFetch({ schema: { response: { 200: zod.user, 404: zod.input } }, handler: respond }),
    create: onFetch({ schema: { body: zod.input, response: { 201: zod.user } }, handler: respond }),
    destroy: onFetch({ schema: { response: { 204: zod.nothing } }, handler: respond }),
  },
  typebox: {
    show: onFetch({
      schema: { response: { 200: typebox.user, 404: typebox.input } },
      handler: respond,
    }),
    create: onFetch({
      schema: { body: typebox.input, response: { 201: typebox.user } },
      handler: respond,
    }),
    destroy: onFetch({ schema: { response: { 204: typebox.nothing } }, handler: respond }),
  },
  valibot: {
    show: onFetch({
      schema: { response: { 200: valibot.user, 404: valibot.input } },
      handler: respond,
    }),
    create: onFetch({
      schema: { body: valibot.input, response: { 201: valibot.user } },
      handler: respond,
    }),
    destroy: onFetch({ handler: respond }),
  },
}
const fastify = {
  zod: {
    show: onFastify({
      schema: { response: { 200: zod.user, 404: zod.input } },
      handler: () => null,
    }),
    create: onFastify({
      schema: { body: zod.input, response: { 201: zod.user } },
      handler: () => null,
    }),
    destroy: onFastify({ schema: { response: { 204: zod.nothing } }, handler: () => null }),
  },
  typebox: {
    show: onFastify({
      schema: { response: { 200: typebox.user, 404: typebox.input } },
      handler: () => null,
    }),
    create: onFastify({
      schema: { body: typebox.input, response: { 201: typebox.user } },
      handler: () => null,
    }),
    destroy: onFastify({ schema: { response: { 204: typebox.nothing } }, handler: () => null }),
  },
  valibot: {
    show: onFastify({
      schema: { response: { 200: valibot.user, 404: valibot.input } },
      handler: () => null,
    }),
    create: onFastify({
      schema: { body: valibot.input, response: { 201: valibot.user } },
      handler: () => null,
    }),
    destroy: onFastify({ handler: () => null }),
  },
}
const options = { baseUrl: 'https://acme.example', version: 1 } as const
const clients = {
  express: createClient(routes, { ...options, types: typesOf<{ 1: typeof express }> }),
  fetch: createClient(routes, { ...options, types: typesOf<{ 1: typeof fetching }> }),
  fastify: createClient(routes, { ...options, types: typesOf<{ 1: typeof fastify }> }),
}
type User = { id: number }
/** The body of an error whose status is 404. */
type NotFoundOf<Call extends (...args: never[]) => unknown> = Call extends {
  result(...args: never[]): Promise<infer Result>
}
  ? Result extends { error: infer Failure extends ClientError }
    ? Extract<Failure, { status: 404 }>['body']
    : never
  : never
const input = { body: { name: 'Dora' } }

describe('a client of actions', () => {
  it('of Express', () => {
    const client = clients.express
    expectTypeOf(client.zod.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.zod.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.typebox.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.typebox.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.valibot.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.valibot.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.zod.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.typebox.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.valibot.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.zod.destroy({ id: 7 })).resolves.toEqualTypeOf<undefined>()
    expectTypeOf(client.valibot.destroy({ id: 7 })).resolves.toEqualTypeOf<unknown>()
  })
  it('of fetch', () => {
    const client = clients.fetch
    expectTypeOf(client.zod.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.zod.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.typebox.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.typebox.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.valibot.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.valibot.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.zod.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.typebox.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.valibot.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.zod.destroy({ id: 7 })).resolves.toEqualTypeOf<undefined>()
    expectTypeOf(client.valibot.destroy({ id: 7 })).resolves.toEqualTypeOf<unknown>()
  })
  it('of Fastify', () => {
    const client = clients.fastify
    expectTypeOf(client.zod.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.zod.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.typebox.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.typebox.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.valibot.show({ id: 7 })).resolves.toEqualTypeOf<User>()
    expectTypeOf<NotFoundOf<typeof client.valibot.show>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf(client.zod.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.typebox.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.valibot.create(input)).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.zod.destroy({ id: 7 })).resolves.toEqualTypeOf<undefined>()
    expectTypeOf(client.valibot.destroy({ id: 7 })).resolves.toEqualTypeOf<unknown>()
  })
  it('tells errors apart by their status', () => {
    expectTypeOf(async () => {
      const { data, error, response } = await clients.fastify.zod.show.result({ id: 7 })
      expectTypeOf(response).toEqualTypeOf<Response>()
      if (error === null) return void data.id
      expectTypeOf(data).toEqualTypeOf<undefined>()
      expectTypeOf(error).toExtend<ClientError>()
      if (error.status === 404) return void error.body.name
      expectTypeOf(error.body).toEqualTypeOf<unknown>()
      // @ts-expect-error the body of another status is unknown
      void error.body.name
      // @ts-expect-error 604 is no status
      return error.status === 604
    }).returns.resolves.toExtend<boolean | undefined | void>()
  })
  it('takes the body of the schema', () => {
    expectTypeOf(() => {
      // @ts-expect-error the body has no name
      void clients.express.zod.create({ body: {} })
      // @ts-expect-error the body has no name
      void clients.fetch.valibot.create({ body: {} })
      // @ts-expect-error the body has no name
      void clients.fastify.typebox.create({ body: {} })
    }).returns.toBeVoid()
  })
})
