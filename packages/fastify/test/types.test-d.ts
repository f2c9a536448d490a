// The types of controllers and actions. A line below `@ts-expect-error` must not compile; all others must.
import type { JsonSchemaToTsProvider } from '@fastify/type-provider-json-schema-to-ts'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type Match, api, cache, inherit, resources, version } from '@hv/router'
import { Type as TypeBox034 } from '@sinclair/typebox'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type preHandlerAsyncHookHandler,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { Type } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type ApiRequest, action, createAction, createRouter } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show', 'create'] }))),
  version(2, inherit({ from: 'v1' })),
)
const v1 = {
  users: {
    index: () => [],
    show: (request: ApiRequest<{ id: string }>) => ({ id: request.params.id }),
    create: () => ({}),
  },
}

describe('createRouter', () => {
  it('types the path parameters and apiMatch of inline handlers', () => {
    createRouter(routes, {
      1: {
        users: {
          index: (request) => {
            expectTypeOf(request.apiMatch).toEqualTypeOf<Match>()
          },
          show: (request, reply) =>
            reply.send({ id: request.params.id.toUpperCase(), v: request.apiMatch.version }),
          create: {
            schema: { body: { type: 'object' } },
            handler: (request) => ({ v: request.apiMatch.version, body: request.body }),
          },
        },
      },
      2: v1,
    })
  })
  it('accepts handlers that declare what their schema has checked', () => {
    createRouter(routes, {
      1: v1,
      2: {
        users: {
          ...v1.users,
          create: (request: FastifyRequest<{ Body: { name: string } }>) => request.body.name,
        },
      },
    })
  })
  it('rejects missing actions, unknown options and options that the plugin sets', () => {
    // @ts-expect-error version 2 has no create
    createRouter(routes, { 1: v1, 2: { users: { index: () => [], show: () => ({}) } } })
    createRouter(routes, {
      1: v1,
      // @ts-expect-error no option is called schemas
      2: { users: { ...v1.users, index: { schemas: {}, handler: () => [] } } },
    })
    createRouter(routes, {
      1: v1,
      // @ts-expect-error the plugin sets the constraints
      2: { users: { ...v1.users, index: { constraints: {}, handler: () => [] } } },
    })
  })
  it('leaves apiMatch nullable elsewhere', () => {
    expectTypeOf<FastifyRequest['apiMatch']>().toEqualTypeOf<Match | null | undefined>()
    expectTypeOf<ApiRequest<{ id: string }>['apiMatch']>().toEqualTypeOf<Match>()
    expectTypeOf<FastifyRequest<{ Body: { name: string } }>['apiMatch']>().toEqualTypeOf<Match>()
    expectTypeOf<
      FastifyRequest<{ Querystring: { page: number } }>['apiMatch']
    >().toEqualTypeOf<Match>()
  })
})

describe('action', () => {
  it('needs no annotations in object controllers', () => {
    const v2 = {
      users: {
        ...v1.users,
        index: action({
          config: {},
          preHandler: async (request) => void request.log,
          handler: (request, reply) => {
            expectTypeOf(request.apiMatch).toEqualTypeOf<Match>()
            expectTypeOf(request.params).toEqualTypeOf<Record<string, string>>()
            return reply.code(200).send([])
          },
        }),
      },
    }
    createRouter(routes, { 1: v1, 2: v2 })
  })
  it('knows the path parameters inside createRouter', () => {
    createRouter(routes, {
      1: v1,
      2: {
        users: {
          ...v1.users,
          show: action({
            handler: (request) => {
              expectTypeOf(request.params).toEqualTypeOf<{ id: string }>()
              return request.params.id.toUpperCase()
            },
          }),
        },
      },
    })
  })
  it('knows the path parameters of the route that it names', () => {
    const withPosts = api(
      { vendorString: 'acme' },
      version(
        1,
        cache(
          { as: 'v1' },
          resources('posts', { only: [] }, resources('comments', { only: 'show' })),
        ),
      ),
      version(2, inherit({ from: 'v1' }), resources('users', { only: 'show', param: 'slug' })),
    )
    const show = action(withPosts, 'comments', 'show', {
      schema: {
        querystring: z.object({ page: z.coerce.number() }),
        response: { 200: z.object({ id: z.string() }) },
      },
      preHandler: async (request) => void expectTypeOf(request.apiMatch).toEqualTypeOf<Match>(),
      handler: (request) => {
        expectTypeOf(request.params).toEqualTypeOf<{ post_id: string; id: string }>()
        expectTypeOf(request.query).toEqualTypeOf<{ page: number }>()
        return request.params.post_id.trim()
      },
    })
    expectTypeOf<z.infer<typeof show.schema.querystring>>().toEqualTypeOf<{ page: number }>()
    class Users {
      readonly names = new Map([['ann', 'Ann']])
      show = createAction<TypeBoxTypeProvider>()(withPosts, 'users', 'show', {
        schema: { response: { 200: Type.Object({ name: Type.Optional(Type.String()) }) } },
        handler: (request) => ({ name: this.names.get(request.params.slug) ?? '' }),
      })
    }
    createRouter(withPosts, {
      1: { comments: { show } },
      2: { comments: { show }, users: new Users() },
    })
    action(withPosts, 'users', 'show', {
      schema: { params: z.object({ slug: z.coerce.number() }) },
      handler: (request) => expectTypeOf(request.params).toEqualTypeOf<{ slug: number }>(),
    })
    const handler = () => null
    // @ts-expect-error posts have no actions
    action(withPosts, 'posts', 'show', { handler })
    // @ts-expect-error users have no index
    action(withPosts, 'users', 'index', { handler })
    // @ts-expect-error the parameter is called slug
    action(withPosts, 'users', 'show', { handler: (request) => request.params.id })
    // @ts-expect-error the plugin sets the constraints
    action(withPosts, 'users', 'show', { constraints: {}, handler })
  })
  it('accepts handlers that declare their request', () => {
    type Update = { Params: { id: string }; Body: { name: string } }
    const show = action({
      handler: (request: FastifyRequest<Update>) => request.body.name + request.params.id,
    })
    createRouter(routes, { 1: v1, 2: { users: { ...v1.users, show } } })
  })
  it('accepts hooks that declare their request, as routes of Fastify do', () => {
    const app = fastify()
    const hook = async (request: FastifyRequest<{ Body: { name: string } }>) =>
      void request.body.name
    const withDone = (
      _: FastifyRequest<{ Body: { name: string } }>,
      _reply: FastifyReply,
      done: () => void,
    ) => done()
    const body = z.object({ name: z.string() })
    const handler = () => null
    app.post('/users', { preHandler: [hook, withDone], onSend: hook }, () => null)
    createRouter(routes, {
      1: { users: { ...v1.users, show: { preHandler: [hook, withDone], onSend: hook, handler } } },
      2: v1,
    })
    action({
      schema: { body },
      preValidation: [withDone],
      preHandler: hook,
      handler: (request) => request.body.name,
    })
    const authenticate: preHandlerAsyncHookHandler = async (_request, reply) => reply.code(401)
    action({
      preHandler: [authenticate],
      handler: ({ params }) => expectTypeOf(params).toEqualTypeOf<Record<string, string>>(),
    })
    // @ts-expect-error the first parameter of a hook is a request
    action({ preHandler: async (name: string) => name, handler })
  })
  it('infers the parameters of hooks', () => {
    const handler = () => null
    action({
      preHandler(request, reply, done) {
        expectTypeOf(request.id).toEqualTypeOf<string>()
        expectTypeOf(request.apiMatch).toEqualTypeOf<Match>()
        expectTypeOf(reply).toExtend<FastifyReply>()
        done()
      },
      async onSend(_request, _reply, payload) {
        expectTypeOf(payload).toEqualTypeOf<unknown>()
        expectTypeOf(this).toExtend<FastifyInstance>()
      },
      handler,
    })
  })
  it("doesn't type this as the app in handlers, because it's the controller", () => {
    action({
      preHandler: async function () {
        expectTypeOf(this).toEqualTypeOf<FastifyInstance>()
      },
      handler() {
        expectTypeOf(this).toEqualTypeOf<unknown>()
      },
    })
  })
  it("rejects what's no action", () => {
    // @ts-expect-error the handler is missing
    action({ schema: {} })
    // @ts-expect-error no option is called schemas
    action({ schemas: {}, handler: () => [] })
    // @ts-expect-error the plugin sets the constraints
    action({ constraints: {}, handler: () => [] })
  })
})

describe('createAction', () => {
  it('infers from TypeBox schemas', () => {
    const typed = createAction<TypeBoxTypeProvider>()
    const users = {
      ...v1.users,
      create: typed({
        schema: {
          body: Type.Object({ name: Type.String() }),
          querystring: Type.Object({ dry: Type.Boolean() }),
          params: Type.Object({ id: Type.Integer() }),
          response: { 200: Type.Object({ id: Type.Integer() }) },
        },
        handler: (request, reply) => {
          expectTypeOf(request.body).toEqualTypeOf<{ name: string }>()
          expectTypeOf(request.query).toEqualTypeOf<{ dry: boolean }>()
          expectTypeOf(request.params).toEqualTypeOf<{ id: number }>()
          expectTypeOf(request.apiMatch).toEqualTypeOf<Match>()
          // @ts-expect-error the response has an id
          reply.send({ name: request.body.name })
          return { id: request.params.id }
        },
      }),
    }
    createRouter(routes, { 1: { users: v1.users }, 2: { users } })
    typed({
      schema: { response: { 200: Type.Object({ id: Type.Integer() }) } },
      // @ts-expect-error the response has an id
      handler: () => ({ name: '' }),
    })
  })
  it('infers from Zod schemas', () => {
    const typed = createAction<ZodTypeProvider>()
    const users = {
      ...v1.users,
      create: typed({
        schema: {
          body: z.object({ name: z.string() }),
          querystring: z.object({ page: z.coerce.number() }),
        },
        handler: (request) => {
          expectTypeOf(request.body).toEqualTypeOf<{ name: string }>()
          expectTypeOf(request.query).toEqualTypeOf<{ page: number }>()
          return request.body
        },
      }),
    }
    createRouter(routes, { 1: { users: v1.users }, 2: { users } })
  })
  it('infers from JSON Schema literals', () => {
    const typed = createAction<JsonSchemaToTsProvider>()
    const users = {
      ...v1.users,
      create: typed({
        schema: {
          body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
        handler: (request) => {
          expectTypeOf(request.body.name).toEqualTypeOf<string>()
          return request.body
        },
      }),
    }
    createRouter(routes, { 1: { users: v1.users }, 2: { users } })
  })
  it('infers inside createRouter, with the path parameters', () => {
    const typed = createAction<TypeBoxTypeProvider>()
    createRouter(routes, {
      1: v1,
      2: {
        users: {
          ...v1.users,
          show: typed({
            schema: { querystring: Type.Object({ full: Type.Boolean() }) },
            handler: (request) => {
              expectTypeOf(request.query).toEqualTypeOf<{ full: boolean }>()
              expectTypeOf(request.params).toEqualTypeOf<{ id: string }>()
              return request.params.id
            },
          }),
        },
      },
    })
  })
})

describe('action without a type provider', () => {
  it('infers the request from schemas of TypeBox 0.34 and of Standard Schema', () => {
    const create = action({
      schema: {
        summary: 'Creates a user',
        tags: ['people'],
        params: TypeBox034.Object({ id: TypeBox034.String() }),
        querystring: { type: 'object' },
        body: z.object({ name: z.string(), age: z.coerce.number<string>() }),
      },
      handler: (request) => {
        expectTypeOf(request.params).toEqualTypeOf<{ id: string }>()
        expectTypeOf(request.query).toEqualTypeOf<unknown>()
        expectTypeOf(request.body).toEqualTypeOf<{ name: string; age: number }>()
        expectTypeOf(request.apiMatch).toEqualTypeOf<Match>()
        return { id: 7 }
      },
    })
    expectTypeOf<z.infer<typeof create.schema.body>>().toEqualTypeOf<{
      name: string
      age: number
    }>()
    createRouter(routes, { 1: v1, 2: { users: { ...v1.users, create } } })
  })
  it('accepts what documents read, and nothing else', () => {
    createRouter(routes, {
      1: v1,
      2: {
        users: {
          ...v1.users,
          index: { schema: { summary: 'Lists users', hide: true }, handler: () => [] },
        },
      },
    })
    createRouter(routes, {
      1: v1,
      2: {
        // @ts-expect-error a schema has no sumary
        users: { ...v1.users, index: { schema: { sumary: 'Lists users' }, handler: () => [] } },
      },
    })
  })
})
