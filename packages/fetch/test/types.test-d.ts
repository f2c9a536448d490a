// The types of controllers and of the context. A line below `@ts-expect-error` must not compile; all others must.
import {
  type SchemaValue,
  api,
  became,
  cache,
  change,
  inherit,
  resources,
  version,
} from '@hv/router'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  type FetchControllers,
  type RouteMatch,
  action,
  before,
  createRouter,
} from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' })),
)
const v1 = {
  users: {
    index: () => Response.json([]),
    show: (_request: Request, { params }: RouteMatch<{ id: string }>) => Response.json(params.id),
  },
}
interface Env {
  readonly KEY: string
}

describe('createRouter', () => {
  it('types inline handlers', () => {
    createRouter(routes, {
      1: {
        users: {
          index: (request, match) => {
            expectTypeOf(request).toEqualTypeOf<Request>()
            expectTypeOf(match.version).toEqualTypeOf<number>()
            return Response.json([])
          },
          show: async (_request, { params }, env) => {
            expectTypeOf(params).toEqualTypeOf<{ id: string }>()
            expectTypeOf(env).toEqualTypeOf<unknown>()
            return Response.json(params.id.toUpperCase())
          },
        },
      },
      2: {
        users: { ...v1.users, show: { schema: { summary: 'a user' }, handler: v1.users.show } },
      },
    })
  })

  it('rejects missing actions, unknown options and handlers that return something else', () => {
    // @ts-expect-error version 2 has no show
    createRouter(routes, { 1: v1, 2: { users: { index: v1.users.index } } })
    createRouter(routes, {
      1: v1,
      // @ts-expect-error no option is called schemas
      2: { users: { ...v1.users, index: { schemas: {}, handler: v1.users.index } } },
    })
    // @ts-expect-error a handler returns a Response
    createRouter(routes, { 1: v1, 2: { users: { ...v1.users, index: () => ({}) } } })
    createRouter(routes, {
      1: v1,
      // @ts-expect-error users#index has no parameter
      2: { users: { ...v1.users, index: (_, { params }) => Response.json(params.id) } },
    })
  })

  it('types the context by one parameter', () => {
    const handler = createRouter<typeof routes, [env: Env]>(
      routes,
      {
        1: v1,
        2: {
          users: {
            index: (_request, _match, env) => Response.json(env.KEY),
            show: (_request, { params }, { KEY }) => Response.json([params.id, KEY]),
          },
        },
      },
      {
        fallback: (_request, env) => new Response(env.KEY),
        error: (_error, _request, env) => new Response(env.KEY),
        problem: (_problem, _request, env) => ({ body: env.KEY, headers: { 'x-key': env.KEY } }),
      },
    )
    expectTypeOf(handler).toEqualTypeOf<(request: Request, env: Env) => Promise<Response>>()
    // @ts-expect-error the handler requires the environment
    void handler(new Request('http://localhost/'))
  })

  it('types the version that the app chooses by the declared versions', () => {
    const controllers = { 1: v1, 2: v1 }
    createRouter(routes, controllers, {
      pinVersion: ({ headers }) => (headers.has('x-new') ? 2 : undefined),
    })
    // @ts-expect-error version 3 isn't declared
    createRouter(routes, controllers, { pinVersion: () => 3 })
    createRouter(routes, controllers, {
      now: () => 0,
      onRouted: (found, { url }) => void [found.kind, url],
    })
  })

  it('types an action by its schema', () => {
    const show = action({
      schema: {
        params: z.object({ id: z.coerce.number() }),
        querystring: z.object({ limit: z.number() }),
      },
      handler: (_request, { params, query, body, version: served }, env: Env) => {
        expectTypeOf(params).toEqualTypeOf<{ id: number }>()
        expectTypeOf(query).toEqualTypeOf<{ limit: number }>()
        expectTypeOf(body).toEqualTypeOf<undefined>()
        return Response.json([served, env.KEY])
      },
    })
    createRouter(routes, { 1: { users: { ...v1.users, show } }, 2: v1 })
    const changed = change(
      'The limit is a number.',
      became(z.object({ limit: z.string() }), z.object({ limit: z.number() }), {
        up: ({ limit }) => ({ limit: Number(limit) }),
      }),
    )
    const older = before({ users: { ...v1.users, show } }, changed)
    expectTypeOf<
      SchemaValue<(typeof older)['users']['show']['schema']['querystring'], 'output'>
    >().toEqualTypeOf<{
      limit: string
    }>()
    createRouter(routes, { 1: older, 2: v1 })
  })

  it('types an action by its route', () => {
    const withPosts = api(
      { vendorString: 'acme' },
      version(
        1,
        resources('posts', { param: 'slug', only: [] }, resources('comments', { only: 'show' })),
      ),
    )
    const show = action(withPosts, 'comments', 'show', {
      schema: { querystring: z.object({ limit: z.number() }) },
      handler: (_request, { params, query }, env: Env) => {
        expectTypeOf(params).toEqualTypeOf<{ post_slug: string; id: string }>()
        expectTypeOf(query).toEqualTypeOf<{ limit: number }>()
        return Response.json([params.post_slug.length, env.KEY])
      },
    })
    const handler = createRouter(withPosts, { 1: { comments: { show } } })
    expectTypeOf(handler).toExtend<(request: Request, env: Env) => Promise<Response>>()
    // @ts-expect-error posts have no actions
    action(withPosts, 'posts', 'show', { handler: () => new Response() })
    // @ts-expect-error comments have no index
    action(withPosts, 'comments', 'index', { handler: () => new Response() })
    action(withPosts, 'comments', 'show', {
      // @ts-expect-error comments#show has no post_id
      handler: (_request, { params }) => Response.json(params.post_id),
    })
    // @ts-expect-error a handler returns a Response
    action(withPosts, 'comments', 'show', { handler: () => ({}) })
  })

  it('accepts handlers that annotate the context', () => {
    class Users {
      index(_request: Request, _match: RouteMatch, env: Env) {
        return Response.json(env.KEY)
      }
      show = v1.users.show
    }
    const handler = createRouter(routes, { 1: { users: new Users() }, 2: v1 })
    expectTypeOf(handler).toExtend<
      (request: Request, env: Env, context: object) => Promise<Response>
    >()
  })

  it('has a type for controllers', () => {
    expectTypeOf<{ 1: typeof v1; 2: typeof v1 }>().toExtend<FetchControllers<typeof routes>>()
    expectTypeOf<{ 1: typeof v1 }>().not.toExtend<FetchControllers<typeof routes>>()
  })
})
