// Every promise of the types. A line below `@ts-expect-error` must not compile; all others must.
import { describe, expectTypeOf, it } from 'vitest'
import {
  type ActionName,
  type Api,
  type Controllers,
  type HandlerKind,
  type ResourcesOptions,
  api,
  cache,
  collection,
  del,
  get,
  hrefs,
  inherit,
  mediaType,
  member,
  namespace,
  post,
  put,
  resource,
  resources,
  scope,
  version,
} from '../../src/index.ts'
import type { Inherit, Version } from '../../src/declare/nodes.ts'

interface Req<P> {
  params: P
}
interface Kind extends HandlerKind {
  readonly handler: (request: Req<this['params']>) => unknown
  readonly options: { schema?: object; preHandler?: () => void }
}
const createRouter = <T>(_routes: Api<T>, _controllers: NoInfer<Controllers<T, Kind>>): void => {}
type TableOf<A> = A extends Api<infer T> ? T : never

const routes = api(
  { vendorString: 'acme', defaultVersion: 1 },
  version(
    1,
    cache(
      { as: 'v1' },
      get('/health', { to: 'health#show' }),
      resources('users', { except: ['new', 'edit'] }),
      resources(
        'posts',
        resources(
          'comments',
          { only: ['index', 'create', 'show'], shallow: true },
          resources('votes', { only: 'create' }),
        ),
        member(get('preview'), post('publish')),
        collection(get('search')),
      ),
      resource('profile'),
      namespace('nests', resources('nested', { only: 'index' })),
    ),
  ),
  version(
    2,
    cache(
      { as: 'v2' },
      inherit({ from: 'v1', except: ['users', 'nests'] }),
      resources(
        'users',
        { only: ['index', 'show'], param: 'slug' },
        resources('keys', { only: ['index', 'destroy'] }),
      ),
    ),
  ),
  version(
    3,
    { only: ['index', 'show'] },
    inherit({ from: ['v1', 'v2'], only: 'posts' }),
    resources('people', { singular: 'person' }, resources('pets')),
    resources('statuses', resources('notes')),
  ),
)
type Table = TableOf<typeof routes>
type Id = { id: string }

describe('the table', () => {
  it('knows the actions and params of every version', () => {
    expectTypeOf<Table[1]['health']>().toEqualTypeOf<{ show: {} }>()
    expectTypeOf<Table[1]['users']>().toEqualTypeOf<{
      index: {}
      create: {}
      show: Id
      update: Id
      destroy: Id
    }>()
    expectTypeOf<Table[1]['posts']['preview']>().toEqualTypeOf<Id>()
    expectTypeOf<Table[1]['posts']['search']>().toEqualTypeOf<{}>()
    expectTypeOf<Table[1]['comments']>().toEqualTypeOf<{
      index: { post_id: string }
      create: { post_id: string }
      show: Id
    }>()
    expectTypeOf<Table[1]['votes']>().toEqualTypeOf<{ create: { comment_id: string } }>()
    expectTypeOf<keyof Table[1]['profiles']>().toEqualTypeOf<
      'new' | 'edit' | 'show' | 'update' | 'destroy' | 'create'
    >()
    expectTypeOf<Table[1]['nests/nested']>().toEqualTypeOf<{ index: {} }>()
  })
  it('follows cache and inherit', () => {
    expectTypeOf<keyof Table[2]>().toEqualTypeOf<
      'health' | 'posts' | 'comments' | 'votes' | 'profiles' | 'users' | 'keys'
    >()
    expectTypeOf<Table[2]['users']>().toEqualTypeOf<{ index: {}; show: { slug: string } }>()
    expectTypeOf<Table[2]['keys']>().toEqualTypeOf<{
      index: { user_slug: string }
      destroy: { user_slug: string; id: string }
    }>()
    expectTypeOf<keyof Table[3]>().toEqualTypeOf<
      'posts' | 'comments' | 'votes' | 'people' | 'pets' | 'statuses' | 'notes'
    >()
    expectTypeOf<Table[3]['pets']>().toEqualTypeOf<{
      index: { person_id: string }
      show: { person_id: string; id: string }
    }>()
    expectTypeOf<Table[3]['notes']['index']>().toEqualTypeOf<{ status_id: string }>()
  })
  it('takes caches by value', () => {
    const v1 = cache({ as: 'v1' }, resources('users', { only: 'index' }))
    const byValue = api({ vendorString: 'acme' }, version(1, v1), version(2, inherit({ from: v1 })))
    expectTypeOf<TableOf<typeof byValue>>().toEqualTypeOf<{
      1: { users: { index: {} } }
      2: { users: { index: {} } }
    }>()
  })
})

describe('verbs directly in a resource', () => {
  const withVerbs = api(
    { vendorString: 'acme' },
    version(
      1,
      resources(
        'posts',
        { only: 'show' },
        post('clone'),
        get('do-it'),
        get('raw/:part', { to: 'raw' }),
        put('owner', { to: 'users#own' }),
        resources('comments', { only: [], param: 'slug' }, post('like')),
      ),
      resource('profile', { only: [] }, get('avatar'), post('photo', { to: 'photos#create' })),
      namespace('admin', resources('users', { only: [], controller: 'people' }, del('sessions'))),
      resources(
        'albums',
        { only: [], shallow: true },
        get('cover'),
        resources('songs', { only: [] }, get('lyrics')),
      ),
    ),
  )
  type VerbTable = TableOf<typeof withVerbs>[1]
  it('become actions of its controller, with the parameter of a nested route', () => {
    expectTypeOf<VerbTable['posts']['clone']>().toEqualTypeOf<{ post_id: string }>()
    expectTypeOf<VerbTable['posts']['do_it']>().toEqualTypeOf<{ post_id: string }>()
    expectTypeOf<keyof VerbTable['posts']>().toEqualTypeOf<'show' | 'clone' | 'do_it' | 'raw'>()
    expectTypeOf<VerbTable['users']>().toEqualTypeOf<{ own: { post_id: string } }>()
    expectTypeOf<VerbTable['comments']>().toEqualTypeOf<{
      like: { post_id: string; comment_slug: string }
    }>()
    expectTypeOf<VerbTable['admin/people']>().toEqualTypeOf<{ sessions: { user_id: string } }>()
    expectTypeOf<VerbTable['songs']>().toEqualTypeOf<{ lyrics: { song_id: string } }>()
    expectTypeOf<VerbTable['albums']>().toEqualTypeOf<{ cover: { album_id: string } }>()
  })
  it('have no parameter in a singular resource', () => {
    expectTypeOf<VerbTable['profiles']>().toEqualTypeOf<{ avatar: {} }>()
    expectTypeOf<VerbTable['photos']>().toEqualTypeOf<{ create: {} }>()
  })
  it('accept any parameter name where the path has a parameter', () => {
    expectTypeOf<VerbTable['posts']['raw']>().toEqualTypeOf<{ [x: string]: string }>()
  })
  it('require no controller for a resource without actions', () => {
    expectTypeOf<keyof VerbTable>().toEqualTypeOf<
      'posts' | 'users' | 'comments' | 'profiles' | 'photos' | 'admin/people' | 'albums' | 'songs'
    >()
    const empty = api(
      { vendorString: 'x' },
      version(1, resources('x', { only: [] }, resources('y', { only: 'index' }))),
    )
    expectTypeOf<TableOf<typeof empty>>().toEqualTypeOf<{ 1: { y: { index: { x_id: string } } } }>()
  })
})

describe('scope', () => {
  const scoped = api(
    { vendorString: 'acme' },
    version(
      1,
      cache(
        { as: 'v1' },
        scope(
          { module: 'admin', path: 'office', as: 'office' },
          resources('users', { only: 'show' }),
        ),
        scope({ path: 'accounts/:account_id' }, resources('keys', { only: 'index' })),
        scope({ only: 'index' }, resources('tags'), get('health', { to: 'health#show' })),
        resources(
          'statuses',
          { only: [], singular: 'status' },
          scope(
            { module: 'statuses' },
            post('mute'),
            member(get('context')),
            resource('reblog', { only: 'create' }),
          ),
        ),
      ),
    ),
    version(2, inherit({ from: 'v1', only: ['users', 'keys', 'health'] })),
    version(
      3,
      inherit({ from: 'v1', except: ['users', 'statuses#mute', 'statuses/reblog', 'keys#index'] }),
    ),
  )
  type ScopedTable = TableOf<typeof scoped>
  it('adds a controller folder, parameters and actions', () => {
    expectTypeOf<ScopedTable[1]['admin/users']>().toEqualTypeOf<{ show: Id }>()
    expectTypeOf<ScopedTable[1]['keys']>().toEqualTypeOf<{ index: { [x: string]: string } }>()
    expectTypeOf<ScopedTable[1]['tags']>().toEqualTypeOf<{ index: {} }>()
    expectTypeOf<ScopedTable[1]['health']>().toEqualTypeOf<{ show: {} }>()
  })
  it('applies to the resource around it', () => {
    expectTypeOf<ScopedTable[1]['statuses/statuses']>().toEqualTypeOf<{
      mute: { status_id: string }
      context: Id
    }>()
    expectTypeOf<ScopedTable[1]['statuses/reblogs']>().toEqualTypeOf<{
      create: { status_id: string }
    }>()
  })
  it('lets inherit select its nodes by name', () => {
    expectTypeOf<keyof ScopedTable[2]>().toEqualTypeOf<'admin/users' | 'keys' | 'health'>()
    expectTypeOf<keyof ScopedTable[3]>().toEqualTypeOf<'tags' | 'health' | 'statuses/statuses'>()
    expectTypeOf<ScopedTable[3]['statuses/statuses']>().toEqualTypeOf<{ context: Id }>()
  })
  it('keeps its parameters in shallow routes', () => {
    const localized = api(
      { vendorString: 'acme' },
      version(
        1,
        scope(
          { path: ':locale', shallow: true },
          resources('albums', { only: [] }, resources('songs', { only: 'show' })),
        ),
      ),
    )
    expectTypeOf<TableOf<typeof localized>[1]['songs']>().toEqualTypeOf<{
      show: { [x: string]: string }
    }>()
  })
})

describe('a glob', () => {
  it('is one parameter', () => {
    const withGlobs = api(
      { vendorString: 'acme' },
      version(
        1,
        get('files/*path', { to: 'files#show' }),
        get('*rest', { to: 'errors#show' }),
        resources(
          'repos',
          { only: [] },
          get('blob/*path', { to: 'blob' }),
          member(get('tree/*rest', { to: 'tree' })),
        ),
      ),
    )
    type GlobTable = TableOf<typeof withGlobs>[1]
    expectTypeOf<GlobTable['files']>().toEqualTypeOf<{ show: { path: string } }>()
    expectTypeOf<GlobTable['errors']>().toEqualTypeOf<{ show: { rest: string } }>()
    expectTypeOf<GlobTable['repos']>().toEqualTypeOf<{
      blob: { repo_id: string; path: string }
      tree: { id: string; rest: string }
    }>()
  })
})

describe('except of inherit', () => {
  const v1 = cache(
    { as: 'v1' },
    resources(
      'users',
      resources(
        'posts',
        { only: ['index', 'show'] },
        resources('votes', { only: 'create' }),
        post('pin'),
      ),
      member(get('preview')),
      collection(get('search')),
      get('inbox'),
    ),
    resource('profile', { only: ['show', 'update'] }),
    namespace(
      'admin',
      resources('keys', { only: ['index', 'destroy'] }),
      get('log', { to: 'logs#show' }),
    ),
  )
  it('leaves out actions, nested resources and nodes of a namespace', () => {
    const reduced = api(
      { vendorString: 'acme' },
      version(1, v1),
      version(
        2,
        inherit({
          from: v1,
          except: ['users#destroy', 'users/posts', 'users#search', 'admin/keys#destroy'],
        }),
      ),
      version(
        3,
        cache(
          { as: 'v3' },
          inherit({ from: v1, except: ['users/posts#show', 'users#inbox', 'profile#update'] }),
        ),
      ),
      version(
        4,
        inherit({
          from: 'v3',
          except: ['users/posts/votes', 'users/posts#pin', 'admin/keys', 'users#preview'],
        }),
      ),
      version(5, inherit({ from: v1, except: ['admin/log', 'users#index'] })),
    )
    type ReducedTable = TableOf<typeof reduced>
    type Users = 'index' | 'create' | 'new' | 'edit' | 'show' | 'update'
    expectTypeOf<keyof ReducedTable[2]>().toEqualTypeOf<
      'users' | 'profiles' | 'admin/keys' | 'admin/logs'
    >()
    expectTypeOf<keyof ReducedTable[2]['users']>().toEqualTypeOf<Users | 'preview' | 'inbox'>()
    expectTypeOf<ReducedTable[2]['admin/keys']>().toEqualTypeOf<{ index: {} }>()
    expectTypeOf<keyof ReducedTable[3]['posts']>().toEqualTypeOf<'index' | 'pin'>()
    expectTypeOf<keyof ReducedTable[3]['users']>().toEqualTypeOf<
      Users | 'destroy' | 'preview' | 'search'
    >()
    expectTypeOf<ReducedTable[3]['profiles']>().toEqualTypeOf<{ show: {} }>()
    expectTypeOf<keyof ReducedTable[4]>().toEqualTypeOf<
      'users' | 'posts' | 'profiles' | 'admin/logs'
    >()
    expectTypeOf<keyof ReducedTable[4]['posts']>().toEqualTypeOf<'index'>()
    expectTypeOf<keyof ReducedTable[4]['users']>().toEqualTypeOf<Users | 'destroy' | 'search'>()
    expectTypeOf<keyof ReducedTable[5]>().toEqualTypeOf<
      'users' | 'posts' | 'votes' | 'profiles' | 'admin/keys'
    >()
  })
  it("refuses names that the cache doesn't have", () => {
    const from = { from: 'v1' } as const
    api(
      { vendorString: 'x' },
      version(1, v1),
      // @ts-expect-error users has no action list
      version(2, inherit({ ...from, except: 'users#list' })),
    )
    // @ts-expect-error posts is nested in users
    api({ vendorString: 'x' }, version(1, v1), version(2, inherit({ ...from, except: 'posts' })))
    api(
      { vendorString: 'x' },
      version(1, v1),
      // @ts-expect-error users has no comments
      version(2, inherit({ ...from, except: 'users/comments' })),
    )
    api(
      { vendorString: 'x' },
      version(1, v1),
      // @ts-expect-error posts has no action destroy
      version(2, inherit({ ...from, except: 'users/posts#destroy' })),
    )
    api(
      { vendorString: 'x' },
      version(1, v1),
      // @ts-expect-error admin has no users
      version(2, inherit({ ...from, except: 'admin/users' })),
    )
    api(
      { vendorString: 'x' },
      version(1, v1),
      // @ts-expect-error profile, not profiles
      version(2, inherit({ ...from, except: 'profiles#show' })),
    )
    // @ts-expect-error only takes names of nodes in the cache
    api({ vendorString: 'x' }, version(1, v1), version(2, inherit({ ...from, only: 'users#show' })))
    const v2 = cache({ as: 'v2' }, inherit({ from: 'v1', except: 'users#destroy' }))
    const again = inherit({ from: 'v2', except: 'users#destroy' })
    // @ts-expect-error destroy is gone already
    api({ vendorString: 'x' }, version(1, v1), version(2, v2), version(3, again))
  })
})

describe('except of inherit with the targets of verbs', () => {
  const verbs = version(
    1,
    get('users', { to: 'users#findAll' }),
    del('users/:email', { to: 'users#delete' }),
    resources('users', { only: ['show', 'destroy'] }),
    del('everyone', { to: 'users#destroy' }),
    scope({ path: 'in' }, get('scope', { to: 'users#scoped' })),
    namespace('admin', del('users/:email', { to: 'users#delete' })),
    get('deep', { to: 'admin/logs#show' }),
  )
  it('drops every action with the name', () => {
    const dropping = api(
      { vendorString: 'x' },
      verbs,
      version(2, inherit({ from: 1, except: ['users#delete', 'users#destroy'] })),
      version(3, inherit({ from: 2, except: ['admin/users#delete', 'users#scoped'] })),
      version(4, inherit({ from: 3, except: ['admin/logs#show', 'users#findAll'] })),
    )
    type Dropped = TableOf<typeof dropping>
    expectTypeOf<keyof Dropped[1]['users']>().toEqualTypeOf<
      'findAll' | 'delete' | 'show' | 'destroy' | 'scoped'
    >()
    expectTypeOf<keyof Dropped[2]['users']>().toEqualTypeOf<'findAll' | 'show' | 'scoped'>()
    expectTypeOf<keyof Dropped[2]>().toEqualTypeOf<'users' | 'admin/users' | 'admin/logs'>()
    expectTypeOf<keyof Dropped[3]>().toEqualTypeOf<'users' | 'admin/logs'>()
    expectTypeOf<keyof Dropped[3]['users']>().toEqualTypeOf<'findAll' | 'show'>()
    expectTypeOf<keyof Dropped[4]>().toEqualTypeOf<'users'>()
    expectTypeOf<keyof Dropped[4]['users']>().toEqualTypeOf<'show'>()
  })
  it('refuses targets that no verb has', () => {
    const x = { vendorString: 'x' } as const
    // @ts-expect-error version 1 has no 'users#remove'
    api(x, verbs, version(2, inherit({ from: 1, except: 'users#remove' })))
    // @ts-expect-error version 1 has no 'admin/users#findAll'
    api(x, verbs, version(2, inherit({ from: 1, except: 'admin/users#findAll' })))
    const v2 = version(2, inherit({ from: 1, except: 'users#delete' }))
    const v3 = version(3, inherit({ from: 2, except: 'users#delete' }))
    // @ts-expect-error version 2 has dropped it already
    api(x, verbs, v2, v3)
  })
})

describe('inherit from a version', () => {
  const v1 = version(
    1,
    { except: ['new', 'edit'] },
    resources('users', resources('posts', { only: 'index' }), member(get('preview'))),
    cache({ as: 'extras' }, resources('tags', { only: ['index', 'show'] })),
    namespace('admin', resources('keys', { only: ['index', 'destroy'] })),
  )
  const numbered = api(
    { vendorString: 'acme' },
    v1,
    version(2, inherit({ from: 1 }), resources('teams', { only: 'show' })),
    version(3, { only: 'index' }, inherit({ from: 2, only: ['users', 'teams'] })),
    version(
      4,
      inherit({ from: 2, except: ['users#preview', 'users/posts', 'admin/keys#index', 'tags'] }),
    ),
    version(5, cache({ as: 'v5' }, namespace('all', inherit({ from: [4, 'extras'] })))),
    version(6, inherit({ from: ['v5', 3] })),
  )
  type Numbered = TableOf<typeof numbered>
  type Kept = 'index' | 'create' | 'show' | 'update' | 'destroy'
  it('repeats everything that the version has, inherited routes included', () => {
    expectTypeOf<keyof Numbered[2]>().toEqualTypeOf<
      'users' | 'posts' | 'tags' | 'admin/keys' | 'teams'
    >()
    expectTypeOf<Numbered[2]['posts']>().toEqualTypeOf<{ index: { user_id: string } }>()
  })
  it("keeps the version's options, and applies the inheriting version's options otherwise", () => {
    expectTypeOf<keyof Numbered[2]['users']>().toEqualTypeOf<Kept | 'preview'>()
    expectTypeOf<keyof Numbered[3]>().toEqualTypeOf<'users' | 'posts' | 'teams'>()
    expectTypeOf<keyof Numbered[3]['users']>().toEqualTypeOf<Kept | 'preview'>()
    expectTypeOf<Numbered[3]['teams']>().toEqualTypeOf<{ show: Id }>()
  })
  it('leaves out what except names', () => {
    expectTypeOf<keyof Numbered[4]>().toEqualTypeOf<'users' | 'admin/keys' | 'teams'>()
    expectTypeOf<keyof Numbered[4]['users']>().toEqualTypeOf<Kept>()
    expectTypeOf<Numbered[4]['admin/keys']>().toEqualTypeOf<{ destroy: Id }>()
  })
  it('takes versions and caches in one list, in a cache and in a namespace', () => {
    type InNamespace = 'all/users' | 'all/admin/keys' | 'all/teams' | 'all/tags'
    expectTypeOf<keyof Numbered[5]>().toEqualTypeOf<InNamespace>()
    expectTypeOf<keyof Numbered[6]>().toEqualTypeOf<InNamespace | 'users' | 'posts' | 'teams'>()
  })
  it("takes the number of a version that's declared twice or after others", () => {
    const twice = api(
      { vendorString: 'acme' },
      version(9, resources('users', { only: 'index' })),
      version(9, resources('posts', { only: 'index' })),
      version(1, inherit({ from: 9 })),
    )
    expectTypeOf<keyof TableOf<typeof twice>[1]>().toEqualTypeOf<'users' | 'posts'>()
  })
  it('requires the controllers of the inheriting version', () => {
    const two = api(
      { vendorString: 'acme' },
      version(1, resources('users', { only: ['index', 'show'] })),
      version(2, inherit({ from: 1 })),
    )
    const users = { index: () => 1, show: ({ params }: Req<Id>) => params.id }
    createRouter(two, { 1: { users }, 2: { users } })
    // @ts-expect-error -- version 2's users has no show
    createRouter(two, { 1: { users }, 2: { users: { index: () => 1 } } })
    // @ts-expect-error -- version 2 has users
    createRouter(two, { 1: { users }, 2: {} })
    // @ts-expect-error -- version 2 is missing
    createRouter(two, { 1: { users } })
  })
  it("refuses versions and names that don't exist", () => {
    const x = { vendorString: 'x' }
    // @ts-expect-error -- version 3 isn't declared
    api(x, v1, version(2, inherit({ from: 3 })))
    // @ts-expect-error -- version 3 isn't declared
    api(x, v1, version(2, namespace('n', inherit({ from: [1, 3] }))))
    // @ts-expect-error -- version 2 can't inherit from itself
    api(x, v1, version(2, inherit({ from: 2 })))
    // @ts-expect-error -- version 1 is a tombstone
    api(x, version(1, { sunset: '2027-07-01' }), version(2, inherit({ from: 1 })))
    // @ts-expect-error -- version 1 has no members
    api(x, v1, version(2, inherit({ from: 1, only: 'members' })))
    // @ts-expect-error -- users has no list
    api(x, v1, version(2, inherit({ from: [1, 'extras'], except: 'users#list' })))
    api(
      x,
      version(1, resources('a', { except: 'new' })),
      // @ts-expect-error -- version 1 leaves new out
      version(2, inherit({ from: 1, except: 'a#new' })),
    )
  })
})

const small = api(
  { vendorString: 'acme', defaultVersion: 2, only: ['index', 'show'] },
  version(1, cache({ as: 'v1' }, resources('users', resources('posts')))),
  version(2, inherit({ from: 'v1' })),
)
const users = { index: () => [], show: () => ({}) }
const posts = users

describe('controllers', () => {
  it('takes objects, classes and action objects; inline handlers know their params', () => {
    class UsersV1 {
      greeting = 'hello'
      index(): unknown {
        return this.greeting
      }
      show(request: Req<Id>): unknown {
        return request.params.id
      }
    }
    class UsersV2 extends UsersV1 {
      override show(request: Req<Id>) {
        return `${this.greeting} ${request.params.id}`
      }
    }
    createRouter(small, {
      1: {
        users: new UsersV1(),
        posts: {
          index: ({ params }) => params.user_id.big(),
          show: ({ params: { user_id, id } }) => user_id + id,
        },
      },
      2: {
        users: new UsersV2(),
        posts: {
          index: { schema: { querystring: {} }, handler: ({ params }) => params.user_id.big() },
          show: { preHandler: () => {}, handler: ({ params }) => params.id.big() },
        },
      },
    })
  })
  it("refuses what doesn't fit the routes", () => {
    const noShow = { index: () => [] }
    class Users {
      index() {
        return []
      }
    }
    // @ts-expect-error version 2 lacks the inherited action show
    createRouter(small, { 1: { users, posts }, 2: { users: noShow, posts } })
    // @ts-expect-error the same in a class
    createRouter(small, { 1: { users, posts }, 2: { users: new Users(), posts } })
    // @ts-expect-error version 2 lacks the inherited resource posts
    createRouter(small, { 1: { users, posts }, 2: { users } })
    // @ts-expect-error version 2 is missing
    createRouter(small, { 1: { users, posts } })
    // @ts-expect-error no resource is called extra
    createRouter(small, { 1: { users, posts, extra: users }, 2: { users, posts } })
    createRouter(small, {
      // @ts-expect-error show has id, not slug
      1: { users: { ...users, show: (r: Req<{ slug: string }>) => r }, posts },
      2: { users, posts },
    })
    createRouter(small, {
      // @ts-expect-error schemas is no option of a route
      1: { users: { ...users, show: { handler: () => 1, schemas: {} } }, posts },
      2: { users, posts },
    })
    createRouter(small, {
      // @ts-expect-error an action object needs a handler
      1: { users: { ...users, show: { schema: {} } }, posts },
      2: { users, posts },
    })
  })
})

describe('URL functions', () => {
  const href = hrefs(routes)
  it('takes the params of the action', () => {
    expectTypeOf(href.users.show({ id: 7 })).toEqualTypeOf<string>()
    href.users.show({ slug: 'a', format: 'json' })
    const twoPaths = hrefs(
      api({ vendorString: 'x' }, version(1, resources('a', resources('b')), resources('b'))),
    )
    twoPaths.b.index()
    twoPaths.b.index({ a_id: 7 })
    href.keys.destroy({ user_slug: 'ann', id: 1 })
    href.posts.search()
    href['nests/nested'].index()
  })
  it('refuses other params, actions and resources', () => {
    // @ts-expect-error id is missing
    href.users.show()
    // @ts-expect-error id is a string or a number
    href.users.show({ id: true })
    // @ts-expect-error users has no new
    href.users.new()
    // @ts-expect-error no such resource
    href.nobody.index()
    // @ts-expect-error the parent's param is user_slug
    href.keys.index({ id: 1 })
  })
})

describe('the route file', () => {
  it('refuses what means nothing', () => {
    // @ts-expect-error 9 is no version
    api({ vendorString: 'x', defaultVersion: 9 }, version(1, resources('a')))
    api(
      { vendorString: 'x' },
      version(1, cache({ as: 'v1' }, resources('a'))),
      // @ts-expect-error no cache is named v0
      version(2, inherit({ from: 'v0' })),
    )
    api(
      { vendorString: 'x' },
      version(1, cache({ as: 'v1' }, resources('a'))),
      // @ts-expect-error v1 doesn't hold b
      version(2, inherit({ from: 'v1', except: 'b' })),
    )
    // @ts-expect-error vendorString is missing
    api({ defaultVersion: 1 }, version(1, resources('a')))
    // @ts-expect-error a misspelled option
    api({ vendorString: 'x', defaultVerson: 1 }, version(1, resources('a')))
    // @ts-expect-error no such action
    resources('users', { only: ['list'] })
    // @ts-expect-error no such action
    resources('users', { only: 'list' })
    // @ts-expect-error a misspelled option
    resources('users', { pram: 'slug' })
    // @ts-expect-error a misspelled option beside a right one
    resources('users', { only: 'show', pram: 'slug' })
    // @ts-expect-error a route of a version says what it calls
    version(1, get('/health'))
    // @ts-expect-error member stands in a resource
    version(1, member(get('x')))
    // @ts-expect-error no such action
    namespace('n', { only: ['lst'] }, resource('a'))
    // @ts-expect-error a misspelled option
    inherit({ from: 'v1', excpt: 'a' })
    // @ts-expect-error a misspelled option
    scope({ modul: 'admin' }, resources('users'))
    // @ts-expect-error no such action
    scope({ only: 'list' }, resources('users'))
    // @ts-expect-error a route of a version says what it calls, in a scope too
    version(1, scope({ path: 'a' }, get('health')))
    // @ts-expect-error member stands in a resource
    version(1, scope({ path: 'a' }, member(get('x'))))
    // @ts-expect-error version stands in api
    resources('users', {}, version(2))
  })
})

describe('mediaType', () => {
  const two = api({ vendorString: 'x' }, version(1, resources('a')), version(2, resources('a')))
  it('takes declared versions, and numbers of unknown value', () => {
    expectTypeOf(mediaType(two, { version: 2 })).toEqualTypeOf<string>()
    mediaType(two, { version: 2, suffix: 'xml' })
    for (const number of two.settings.versions) mediaType(two, { version: number })
    mediaType(two as Api, { version: 9 })
  })
  it("refuses a version that's not declared", () => {
    // @ts-expect-error 9 isn't declared
    mediaType(two, { version: 9 })
  })
})

describe('the life of versions and routes', () => {
  const life = {
    deprecated: new Date(),
    sunset: '2027-07-01',
    docs: 'https://docs.example/v1',
    successor: 2,
    brownouts: [['2027-05-01', '2027-05-02T12:00Z']],
    retire: 'serve',
  } as const

  it("is an option of versions, nodes, verbs and inherit, and doesn't change the table", () => {
    const ending = api(
      { vendorString: 'a', requireVersion: true },
      version(
        1,
        { ...life, only: 'index' },
        cache(
          { as: 'v1' },
          resources('users', life),
          get('health', { to: 'health#show', ...life }),
        ),
      ),
      version(
        2,
        { preview: true },
        inherit({ from: 'v1', only: 'users', ...life }),
        namespace('admin', life, resource('key', { only: 'show', ...life })),
      ),
    )
    type Ending = TableOf<typeof ending>
    expectTypeOf<Ending[1]>().toEqualTypeOf<{ users: { index: {} }; health: { show: {} } }>()
    expectTypeOf<keyof Ending[2]['users']>().toEqualTypeOf<
      'index' | 'create' | 'new' | 'edit' | 'show' | 'update' | 'destroy'
    >()
    expectTypeOf<keyof Ending[2]>().toEqualTypeOf<'users' | 'admin/keys'>()
  })

  it('leaves a version without routes out of the controllers, not out of the numbers', () => {
    const ending = api(
      { vendorString: 'a', defaultVersion: 1 },
      version(1, { sunset: '2026-01-01' }),
      version(2, resources('users', { only: 'index' })),
    )
    expectTypeOf<keyof TableOf<typeof ending>>().toEqualTypeOf<2>()
    createRouter(ending, { 2: { users: { index: () => 1 } } })
    // @ts-expect-error -- version 1 has no controllers
    createRouter(ending, { 1: {}, 2: { users: { index: () => 1 } } })
  })

  it('refuses other values', () => {
    // @ts-expect-error -- a date
    resources('users', { sunset: true })
    // @ts-expect-error -- a number
    api({ vendorString: 'a', defaultVersion: 'oldest' }, version(1, resources('users')))
    // @ts-expect-error -- windows
    version(1, { brownouts: ['2027-05-01'] }, resources('users'))
    // @ts-expect-error -- an option of versions
    resources('users', { preview: true })
    // @ts-expect-error -- an option of versions and their nodes
    api({ vendorString: 'a', sunset: '2027-07-01' }, version(1, resources('users')))
    // @ts-expect-error -- 'gone' or 'serve'
    inherit({ from: 'v1', retire: 'never' })
  })
})
