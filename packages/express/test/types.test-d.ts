import {
  type Match,
  type SchemaValue,
  api,
  became,
  cache,
  change,
  inherit,
  resources,
  version,
} from '@hv/router'
import compression from 'compression'
import cors from 'cors'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import multer from 'multer'
import * as v from 'valibot'
import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  type ApiRequest,
  type ExpressControllers,
  type Middleware,
  action,
  before,
  createRouter,
} from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    cache(
      { as: 'v1' },
      resources('users', { only: ['index', 'show'] }, resources('posts', { only: 'show' })),
    ),
  ),
  version(2, inherit({ from: 'v1' })),
)
type All = ExpressControllers<
  typeof routes extends { '~table'?: infer Table } ? NonNullable<Table> : never
>

const posts = { show: (_req: Request, res: Response) => res.json({}) }
const users = {
  index: (_req: Request, res: Response) => res.json([]),
  show: (_req: Request, res: Response) => res.json({}),
}
const all = { 1: { users, posts }, 2: { users, posts } }
const upload = multer()

describe('handlers in createRouter', () => {
  test('know the path parameters and the match', () => {
    createRouter(routes, {
      1: {
        users: {
          index: (req, res, next) => {
            expectTypeOf(req.params).toEqualTypeOf<{}>()
            expectTypeOf(req.apiMatch).toEqualTypeOf<Match>()
            expectTypeOf(res).toEqualTypeOf<Response>()
            next()
          },
          show: (req) => expectTypeOf(req.params.id).toEqualTypeOf<string>(),
        },
        posts: {
          show: (req) => expectTypeOf(req.params).toEqualTypeOf<{ user_id: string; id: string }>(),
        },
      },
      2: all[2],
    })
  })

  test('may have middleware beside them', () => {
    createRouter(routes, {
      1: {
        users: {
          index: {
            use: [upload.single('photo'), compression(), rateLimit({}), cors(), express.json()],
            handler: (req) => req.file,
          },
          show: {
            use: [(req) => expectTypeOf(req.apiMatch).toEqualTypeOf<Match>()],
            handler: (req) => req.params.id,
          },
        },
        posts,
      },
      2: all[2],
    })
    createRouter(routes, {
      ...all,
      // @ts-expect-error -- `use` is a list
      1: { users: { ...users, index: { use: cors(), handler: users.index } }, posts },
    })
  })

  test('may declare a narrower request', () => {
    const show = (req: Request<{ id: string }, unknown, { name: string }>) => req.body.name
    createRouter(routes, { ...all, 2: { users: { ...users, show }, posts } })
  })

  test('are required for every route', () => {
    // @ts-expect-error -- version 2 has no posts
    createRouter(routes, { 1: { users, posts }, 2: { users } })
    // @ts-expect-error -- version 2 has no users#show
    createRouter(routes, { 1: { users, posts }, 2: { users: { index: users.index }, posts } })
  })
})

describe('action()', () => {
  test('knows the path parameters in createRouter', () => {
    createRouter(routes, {
      ...all,
      2: {
        users: {
          ...users,
          show: action({ handler: (req) => expectTypeOf(req.params.id).toEqualTypeOf<string>() }),
        },
        posts: {
          show: action({
            use: [cors()],
            handler: (req) => expectTypeOf(req.params.user_id).toEqualTypeOf<string>(),
          }),
        },
      },
    })
  })

  test('needs no annotations in a controller of its own', () => {
    const usersV2 = {
      ...users,
      show: action({
        use: [upload.single('photo')],
        handler: (req, res) => {
          expectTypeOf(req.apiMatch).toEqualTypeOf<Match>()
          expectTypeOf(req.params).toEqualTypeOf<{ [name: string]: string }>()
          res.json(req.file?.size)
        },
      }),
    }
    createRouter(routes, { ...all, 2: { users: usersV2, posts } })
  })

  test('takes the path parameters as a type argument', () => {
    const show = action<{ id: string }>({
      handler: (req) => expectTypeOf(req.params.id).toEqualTypeOf<string>(),
    })
    createRouter(routes, { ...all, 2: { users: { ...users, show }, posts } })
  })

  test('takes the path parameters from the route that it names', () => {
    const show = action(routes, 'posts', 'show', {
      use: [cors()],
      schema: { querystring: z.object({ page: z.number() }) },
      handler: (req, res) => {
        expectTypeOf(req.params).toEqualTypeOf<{ user_id: string; id: string }>()
        expectTypeOf(req.query).toEqualTypeOf<{ page: number }>()
        expectTypeOf(req.apiMatch).toEqualTypeOf<Match>()
        res.json(req.params.user_id.length)
      },
    })
    expectTypeOf<z.infer<typeof show.schema.querystring>>().toEqualTypeOf<{ page: number }>()
    const schema = { params: z.object({ id: z.coerce.number() }) }
    const typed = {
      index: action(routes, 'users', 'index', {
        handler: (req) => expectTypeOf(req.params).toEqualTypeOf<{}>(),
      }),
      show: action(routes, 'users', 'show', {
        schema,
        handler: ({ params }) => expectTypeOf(params.id).toEqualTypeOf<number>(),
      }),
    }
    createRouter(routes, { 1: { users: typed, posts }, 2: { users, posts: { show } } })

    const handler = () => null
    // @ts-expect-error -- no controller has this key
    action(routes, 'user', 'show', { handler })
    // @ts-expect-error -- posts have no index
    action(routes, 'posts', 'index', { handler })
    // @ts-expect-error -- users#show has no user_id
    action(routes, 'users', 'show', { handler: (req) => req.params.user_id })
    // @ts-expect-error -- unknown option
    action(routes, 'users', 'show', { uses: [cors()], handler })
  })

  test('changes the shape of an action in a subclass', () => {
    class UsersV1 {
      index = action({ handler: (_req, res) => res.json([]) })
      show = action({ handler: (_req, res) => res.json({}) })
    }
    class UsersV2 extends UsersV1 {
      override index = action({ use: [cors()], handler: (_req, res) => res.json({ users: [] }) })
    }
    createRouter(routes, { 1: { users: new UsersV1(), posts }, 2: { users: new UsersV2(), posts } })
  })

  test('takes no other options', () => {
    // @ts-expect-error -- unknown option
    action({ uses: [cors()], handler: () => null })
  })
})

describe('options', () => {
  test('use is a list or a function of the row', () => {
    const signedIn: Middleware = (req, _res, next) =>
      req.apiMatch.version > 1 ? next() : undefined
    createRouter(routes, all, { use: [signedIn, cors()] })
    createRouter(routes, all, { use: (row) => (row.key.startsWith('admin/') ? [signedIn] : []) })
    // @ts-expect-error -- one middleware is no list
    createRouter(routes, all, { use: cors() as RequestHandler })
  })

  test("json takes express.json()'s options, except type", () => {
    createRouter(routes, all, { json: false })
    createRouter(routes, all, {
      json: {
        limit: '1mb',
        verify: (req) => expectTypeOf(req.url).toEqualTypeOf<string | undefined>(),
      },
    })
    // @ts-expect-error -- the type is the vendor type
    createRouter(routes, all, { json: { type: '*/*' } })
  })

  test('the result is middleware, and has one to match early', () => {
    const router = createRouter(routes, all)
    express().use(router.match, router)
    express().use((req) => expectTypeOf(req.apiMatch).toEqualTypeOf<Match | undefined>())
  })
})

test('types of controllers', () => {
  type Show = (req: ApiRequest<{ id: string }>) => unknown
  expectTypeOf<Show>().toExtend<All[1]['users']['show']>()
  type Other = (req: ApiRequest<{ slug: string }>) => unknown
  expectTypeOf<Other>().not.toExtend<All[1]['users']['show']>()
})

describe("handlers that app.get() takes, with types narrower than Express's defaults", () => {
  type Params = { id: string }
  type Query = { q: string }
  const typedRequest = (req: Request<Params, any, any, Query>, res: Response) =>
    void res.json(req.query.q)
  const typedQuery: RequestHandler<Params, any, any, Query> = (req, res) =>
    void res.json(req.query.q)
  const typedLocals: RequestHandler<any, any, any, any, { user: string }> = (_req, res, next) =>
    next(void res.locals.user.trim())
  class TypedUsers {
    show(req: Request<Params, unknown, unknown, Query>, res: Response) {
      res.json(req.query.q)
    }
  }
  const userRoutes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'show' })))
  type Show = ExpressControllers<{ 1: { users: { show: Params } } }>[1]['users']['show']

  test('are accepted by Express', () =>
    void express().get('/users/:id', typedLocals, typedRequest, typedQuery))

  test.each([typedRequest, typedQuery, typedLocals])('are accepted in controllers', (show) => {
    createRouter(userRoutes, { 1: { users: { show } } })
    createRouter(userRoutes, { 1: { users: { show: { handler: show } } } })
    createRouter(userRoutes, { 1: { users: new TypedUsers() } })
    createRouter(userRoutes, { 1: { users: { show: action({ handler: show }) } } })
    const byRoute = action(userRoutes, 'users', 'show', { handler: show })
    createRouter(userRoutes, { 1: { users: { show: byRoute } } })
  })

  test('are accepted in use', () => {
    createRouter(
      userRoutes,
      { 1: { users: { show: { use: [typedLocals], handler: () => {} } } } },
      { use: [typedLocals] },
    )
    action({ use: [typedLocals], handler: () => {} })
  })

  test("leave inline handlers Express's own types", () => {
    createRouter(userRoutes, {
      1: { users: { show: (req) => expectTypeOf(req.query).toEqualTypeOf<Request['query']>() } },
    })
    action({ handler: (req) => expectTypeOf(req.query).toEqualTypeOf<Request['query']>() })
    action({
      use: [(req) => expectTypeOf(req.query).toEqualTypeOf<Request['query']>()],
      handler: (_req, res) => expectTypeOf(res).toEqualTypeOf<Response>(),
    })
  })

  test('still have to fit the path parameters and the schema', () => {
    const other = (req: Request<{ slug: string }>) => req
    expectTypeOf(other).not.toExtend<Show>()
    const querystring = z.object({ page: z.string() })
    // @ts-expect-error the schema has a different query
    action({ schema: { querystring }, handler: typedRequest })
  })
})

describe('before, with optional fields', () => {
  const handler = (): unknown => null
  test("have zod's and Valibot's types", () => {
    const New = z.object({
      title: z.string().optional(),
      tags: z.string().optional(),
      when: z.coerce.date(),
    })
    const Old = z.object({
      title: z.string().optional(),
      tagList: z.string().optional(),
      when: z.coerce.date(),
    })
    const Other = z.object({
      title: z.string().optional(),
      colour: z.string().optional(),
      when: z.coerce.date(),
    })
    const newer = v.object({ a: v.optional(v.string()), c: v.string() })
    const older = v.object({ b: v.optional(v.string()), c: v.string() })
    const actions = {
      create: { schema: { body: New, querystring: Other }, handler },
      show: { schema: { response: { 200: v.array(newer), 202: newer } }, handler },
    }
    const derived = before(
      { users: actions },
      change('x', became(Old, New, { up: ({ title, when }) => ({ title, when }) })),
      change('y', became(older, newer, { down: ({ c }) => ({ c }) })),
    )
    expectTypeOf<SchemaValue<typeof derived.users.create.schema.body, 'output'>>().toEqualTypeOf<
      z.output<typeof Old>
    >()
    expectTypeOf(derived.users.create.schema.querystring).toEqualTypeOf(Other)
    type Shown = typeof derived.users.show.schema.response
    expectTypeOf<SchemaValue<Shown[200], 'output'>>().toEqualTypeOf<
      { b?: string | undefined; c: string }[]
    >()
    expectTypeOf<SchemaValue<Shown[202], 'output'>>().toEqualTypeOf<{
      b?: string | undefined
      c: string
    }>()
  })
})
