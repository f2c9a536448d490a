// Nest's CacheInterceptor in front of versions with different bodies.
import { api, became, change, get, inherit, post, resources, version } from '@hv/router'
import { CacheInterceptor, CacheKey, CacheModule } from '@nestjs/cache-manager'
import {
  Controller,
  type ExecutionContext,
  Module,
  Query,
  type Type,
  UseInterceptors,
} from '@nestjs/common'
import { APP_INTERCEPTOR } from '@nestjs/core'
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger'
import { expect, it } from 'vitest'
import { VersionedApiModule, before } from '../src/index.ts'
import { as, createApp, listen, platforms, send } from './platforms.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['show', 'create'] })),
  version(2, inherit({ from: 1 })),
)
let calls = 0

class Timed extends CacheInterceptor {}
/** What the error says. */
class VersionCache extends CacheInterceptor {
  protected override trackBy(context: ExecutionContext) {
    const key = super.trackBy(context)
    return key && `${context.switchToHttp().getRequest().apiMatch?.version} ${key}`
  }
}

/** A cache of the app's own, which has the version in its keys, under Nest's name. */
class OwnCache extends VersionCache {
  protected override trackBy(context: ExecutionContext) {
    return super.trackBy(context)
  }
}
class NoCache {
  intercept(_context: object, next: { handle(): unknown }): unknown {
    return next.handle()
  }
}
for (const metatype of [OwnCache, NoCache])
  Object.defineProperty(metatype, 'name', { value: 'CacheInterceptor' })

interface Arrangement {
  readonly onMethods?: readonly [one: MethodDecorator[], two: MethodDecorator[]]
  readonly onClass?: Type
  readonly everywhere?: Type
  readonly isSame?: boolean
}
const cached = (interceptor: Type | object) =>
  UseInterceptors(interceptor as Type) as MethodDecorator
const Key = (key: string) => CacheKey(key) as MethodDecorator

function arrange(
  { onMethods = [[], []], onClass, everywhere, isSame = false }: Arrangement,
  table = routes,
): Type {
  @Controller()
  class One {
    show(): unknown {
      calls++
      return { by: 1 }
    }
    create(): unknown {
      return {}
    }
  }
  @Controller()
  class Two extends One {}
  if (!isSame)
    Object.defineProperty(Two.prototype, 'show', {
      value: function show() {
        calls++
        return { by: 2 }
      },
      configurable: true,
      writable: true,
    })
  for (const [i, { prototype }] of [One, Two].entries())
    for (const decorator of onMethods[i]!)
      decorator(prototype, 'show', Object.getOwnPropertyDescriptor(prototype, 'show')!)
  if (onClass !== undefined) UseInterceptors(onClass)(One)
  class Root {}
  Module({
    imports: [
      CacheModule.register({ isGlobal: true }),
      VersionedApiModule.forRoot(table, { 1: { users: One }, 2: { users: Two } }),
    ],
    controllers: [One, Two],
    providers: [
      // A factory may leave its interceptor out.
      { provide: APP_INTERCEPTOR, useFactory: () => undefined },
      ...(everywhere === undefined ? [] : [{ provide: APP_INTERCEPTOR, useClass: everywhere }]),
    ],
  })(Root)
  return Root
}

const both = (...decorators: MethodDecorator[]): NonNullable<Arrangement['onMethods']> => [
  decorators,
  decorators,
]

it.each<[string, Arrangement]>([
  ['on the methods', { onMethods: both(cached(CacheInterceptor)) }],
  ['on the class', { onClass: CacheInterceptor }],
  ['for the whole app', { everywhere: CacheInterceptor }],
  ['whose subclass has the same keys', { onClass: Timed }],
  ['with @CacheKey()', { onMethods: both(cached(CacheInterceptor), Key('users')) }],
  [
    'with @CacheKey(), whatever trackBy() does',
    { onMethods: both(cached(VersionCache), Key('users')) },
  ],
])('refuses a CacheInterceptor %s', async (_where, arrangement) => {
  const app = await createApp(arrange(arrangement), platforms[0])
  await expect(app.init()).rejects.toThrow(
    "VersionedApiModule.forRoot(): the CacheInterceptor of GET /api/users/:id would send version 1's body to " +
      'version 2, because both have the same key. Use this subclass instead',
  )
})

it.each<[string, object, object, string]>([
  [
    'of a path whose parameters have different names',
    get('users/:id', { to: 'users#show' }),
    get('users/:name', { to: 'users#show' }),
    'GET /api/users/:name',
  ],
  [
    'of a POST with @CacheKey()',
    post('users', { to: 'users#show' }),
    post('users', { to: 'users#show' }),
    'POST /api/users',
  ],
])('refuses the CacheInterceptor %s', async (_what, one, two, where) => {
  const table = api({ vendorString: 'acme' }, version(1, one as never), version(2, two as never))
  const key = where.startsWith('POST') ? [Key('users')] : []
  const app = await createApp(
    arrange({ onMethods: both(cached(CacheInterceptor), ...key) }, table as never),
    platforms[0],
  )
  await expect(app.init()).rejects.toThrow(
    `the CacheInterceptor of ${where} would send version 1's`,
  )
})

it.each<[string, Arrangement]>([
  ['on the class, with keys by version', { onClass: VersionCache }],
  ['for the whole app, with keys by version', { everywhere: VersionCache }],
  ["on the class, with a subclass that has Nest's name", { onClass: OwnCache }],
  ['in one version only', { onMethods: [[cached(CacheInterceptor)], []] }],
])('serves each version its own body with a CacheInterceptor %s', async (_where, arrangement) => {
  for (const platform of platforms) {
    calls = 0
    const origin = await listen(await createApp(arrange(arrangement), platform))
    const bodies = []
    for (const n of [1, 2, 1, 2])
      bodies.push((await send(`${origin}/api/users/7`, { headers: as(n) })).body)
    expect(bodies).toEqual([{ by: 1 }, { by: 2 }, { by: 1 }, { by: 2 }])
    expect(calls).toBe(arrangement.onMethods === undefined ? 2 : 3)
  }
})

it("starts with an interceptor that has nothing but the name of Nest's", async () => {
  const app = await createApp(arrange({ onClass: NoCache }), platforms[0])
  await expect(app.init()).resolves.toBe(app)
})

it('starts with one method for all versions, whose body they share', async () => {
  const app = await createApp(arrange({ onClass: CacheInterceptor, isSame: true }), platforms[0])
  await expect(app.init()).resolves.toBe(app)
})

class User {
  @ApiProperty()
  fullName!: string
}
class UserV1 {
  @ApiProperty()
  name!: string
}
class Search {
  @ApiProperty({ required: false })
  limit?: string
}
class SearchV1 {
  @ApiProperty({ required: false })
  size?: string
}
const renamed = became(UserV1, User, { down: ({ fullName }) => ({ name: fullName }) })
const searched = became(SearchV1, Search, { up: ({ size = '' }) => ({ limit: size }) })

/** Creates an app whose version 1 is derived. */
function derive(interceptor: Type, conversions: readonly ReturnType<typeof became>[]): Type {
  @UseInterceptors(interceptor)
  @Controller()
  class Users {
    @ApiOkResponse({ type: User })
    index(@Query() { limit = 'none' }: Search): User {
      calls++
      return { fullName: `Ann ${limit}` }
    }
  }
  const only = api(
    { vendorString: 'acme' },
    version(1, resources('users', { only: 'index' })),
    version(2, inherit({ from: 1 })),
  )
  const v2 = { users: Users }
  const v1 = before(v2, change('Users and searches have other fields.', ...conversions)) as never
  class Root {}
  const cache = CacheModule.register({ isGlobal: true })
  const imports = [cache, VersionedApiModule.forRoot(only, { 1: v1, 2: v2 })]
  Module({ imports, controllers: [Users] })(Root)
  return Root
}

it.each<[string, Type, number]>([
  ['one entry for both with CacheInterceptor', CacheInterceptor, 1],
  ['an entry each with keys by version', VersionCache, 2],
])('a derived version gets its own body, from %s', async (_what, interceptor, count) => {
  for (const platform of platforms) {
    calls = 0
    const origin = await listen(await createApp(derive(interceptor, [renamed]), platform))
    const bodies = []
    for (const n of [1, 2, 1, 2])
      bodies.push((await send(`${origin}/api/users?limit=6`, { headers: as(n) })).body)
    const [older, newer] = [{ name: 'Ann 6' }, { fullName: 'Ann 6' }]
    expect(bodies).toEqual([older, newer, older, newer])
    expect(calls).toBe(count)
  }
})

it('refuses one entry for versions that read the same query differently', async () => {
  const conversions = [renamed, searched] as never
  const app = await createApp(derive(CacheInterceptor, conversions), platforms[0])
  await expect(app.init()).rejects.toThrow('because both have the same key')
  const origin = await listen(await createApp(derive(VersionCache, conversions), platforms[0]))
  const ask = async (n: number) =>
    (await send(`${origin}/api/users?limit=6`, { headers: as(n) })).body
  expect([await ask(1), await ask(2)]).toEqual([{ name: 'Ann ' }, { fullName: 'Ann 6' }])
})
