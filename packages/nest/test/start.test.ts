// What stops the start of an app, and what it warns of.
import { type Api, api, cache, get, inherit, resources, version } from '@hv/router'
import {
  All,
  Controller,
  Get,
  Inject,
  type MiddlewareConsumer,
  Module,
  type ModuleMetadata,
  Param,
  RequestMethod,
  Scope,
  type Type,
  VersioningType,
} from '@nestjs/common'
import { HttpAdapterHost, NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { describe, expect, it } from 'vitest'
import { VersionedApiModule } from '../src/index.ts'
import {
  type Platform,
  as,
  createApp,
  createLogger,
  listen,
  platforms,
  release,
  send,
} from './platforms.ts'

const nodes = [
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' })),
] as const
const routes = api({ vendorString: 'acme', formats: false }, ...nodes)
@Controller()
class Users {
  index(): unknown {
    return ['versioned']
  }
  show(@Param('id') id: string): unknown {
    return { id }
  }
}
@Controller()
class Half {
  index() {}
}
@Controller()
class Arrow {
  index() {}
  show = () => 'property'
}
@Controller({ scope: Scope.REQUEST })
class ScopedArrow {
  index() {}
  show = () => 'property'
}
const controllers = { 1: { users: Users }, 2: { users: Users } }
const moduleOf = (table: object = controllers) => VersionedApiModule.forRoot(routes, table as never)
const rootOf = (metadata: ModuleMetadata): Type => {
  class Root {}
  Module(metadata)(Root)
  return Root
}
/** Starts an app and returns its warnings. */
async function start(platform: Platform, root: Type, prefix: Parameters<Setup> = ['']) {
  const { warnings, ...logger } = createLogger()
  const app = await createApp(root, platform, logger)
  app.setGlobalPrefix(...prefix)
  return { warnings, origin: await listen(app), app }
}
/** The error of the adapters about what the controllers lack. */
const missing = (what: string): string =>
  `HV_MISSING_ACTIONS: the routes require actions that the controllers don't have:\n  ${what}\n` +
  'Add each, or remove its route with only or except.'
type Setup = Awaited<ReturnType<typeof createApp>>['setGlobalPrefix']

describe.each(platforms)('the start on $name', (platform) => {
  const refuse = async (metadata: ModuleMetadata) => {
    const app = await createApp(rootOf(metadata), platform)
    return app.init().then(
      () => 'it starts',
      (error: Error) => error.message,
    )
  }

  it.each<[string, ModuleMetadata, string]>([
    [
      'a class that is in no module',
      { imports: [moduleOf()] },
      "VersionedApiModule.forRoot(): controllers[1]['users'] (Users) is in no module's controllers. List it in one.\n" +
        "controllers[2]['users'] (Users) is in no module's controllers. List it in one.",
    ],
    [
      'a missing version',
      { imports: [moduleOf({ 1: { users: Users } })], controllers: [Users] },
      missing('controllers[2].users'),
    ],
    [
      'null in place of a class',
      { imports: [moduleOf({ ...controllers, 2: { users: null } })], controllers: [Users] },
      missing('controllers[2].users'),
    ],
    [
      'a class without an action',
      {
        imports: [moduleOf({ ...controllers, 2: { users: Half } })],
        controllers: [Users, Half],
      },
      missing(
        "controllers[2]['users'].show (Half has no such method, and a property such as show = () => … isn't one)",
      ),
    ],
    [
      'an action that is a property',
      {
        imports: [moduleOf({ ...controllers, 2: { users: Arrow } })],
        controllers: [Users, Arrow],
      },
      missing(
        "controllers[2]['users'].show (Arrow has no such method, and a property such as show = () => … isn't one)",
      ),
    ],
    [
      'an action that is a property of a class for one request',
      {
        imports: [moduleOf({ ...controllers, 2: { users: ScopedArrow } })],
        controllers: [Users, ScopedArrow],
      },
      missing(
        "controllers[2]['users'].show (ScopedArrow has no such method, and a property such as show = () => … isn't one)",
      ),
    ],
    [
      'an instance in place of a class',
      { imports: [moduleOf({ ...controllers, 2: { users: new Users() } })], controllers: [Users] },
      "VersionedApiModule.forRoot(): controllers[2]['users'] (not a class) is in no module's controllers. List it in one.",
    ],
  ])('stops at %s', async (_what, metadata, message) => {
    expect(await refuse(metadata)).toBe(message)
  })

  it("stops at a @Param() that's not in the path", async () => {
    @Controller()
    class Misspelled extends Users {
      override show(@Param('idd') idd: string): unknown {
        return { idd }
      }
    }
    const table = { 1: { users: Misspelled }, 2: { users: Users } }
    expect(await refuse({ imports: [moduleOf(table)], controllers: [Users, Misspelled] })).toBe(
      "VersionedApiModule.forRoot(): Misspelled.show() has @Param('idd'), which isn't in /api/users/:id.",
    )
  })

  const remedy =
    "Pass forRoutes() the API's paths without the global prefix, as in 'api/*path' ('api/*' on " +
    "Nest 10). If the API isn't below that prefix, list its paths in setGlobalPrefix()'s `exclude` " +
    'as well. Or use a guard.'
  const pass = (_request: unknown, _response: unknown, next: () => void) => next()
  const isNest10 = release.startsWith('nest10')
  const below = isNest10 ? '*' : '*path'
  const byClass = (metatype: Type, paths: string[] = [], isSplit = false): Type => {
    class Root {
      configure(consumer: MiddlewareConsumer) {
        if (isSplit)
          consumer
            .apply(pass)
            .forRoutes(metatype)
            .apply(pass)
            .forRoutes(...paths)
        else consumer.apply(pass).forRoutes(metatype, ...paths)
      }
    }
    const table = { 1: { users: metatype }, 2: { users: metatype } }
    Module({ imports: [moduleOf(table)], controllers: [metatype] })(Root)
    return Root
  }
  @Controller('old')
  class Both extends Users {
    @Get()
    old() {
      return ['old']
    }
  }
  it.each([
    ['that has only versioned routes', Users],
    ['that has routes of Nest as well', Both],
  ])('stops at forRoutes() of a class %s', async (_what, metatype) => {
    const { name } = metatype
    await expect(start(platform, byClass(metatype))).rejects.toThrow(
      `forRoutes(${name}) doesn't reach its versioned routes, so their middleware doesn't run. ${remedy}`,
    )
    await expect(start(platform, byClass(metatype, ['api/users/:id']))).rejects.toThrow(
      `forRoutes(${name}) doesn't reach`,
    )
    for (const isSplit of [false, true])
      expect(
        (await start(platform, byClass(metatype, [`api/${below}`], isSplit))).warnings,
      ).toEqual([])
  })

  type Routes = (string | { path: string; method: RequestMethod; version?: string })[]
  const guarded = (forRoutes: Routes, exclude: Routes = [], table: Api = routes): Type => {
    class Root {
      configure(consumer: MiddlewareConsumer) {
        consumer
          .apply(pass)
          .exclude(...exclude)
          .forRoutes(...forRoutes)
      }
    }
    const imports = [VersionedApiModule.forRoot(table, controllers as never)]
    Module({ imports, controllers: [Users] })(Root)
    return Root
  }
  const isExpress = platform.name === 'Express'
  const runsNever = (path: string) =>
    `VersionedApiModule.forRoot(): the middleware of forRoutes('${path}') runs for no route of the API`

  it.each<[path: string, prefix: string, mounted: string, api: string]>([
    ['api/users', 'rest', '/rest/api/users', '/api/users'],
    ['/api/users/:id', 'rest', '/rest/api/users/:id', '/api/users/:id'],
    [`api/${below}`, 'rest', `/rest/api/${below}`, '/api/users'],
    [below, 'rest', `/rest/${below}`, '/api/users'],
    ['api/users', 'api', '/api/api/users', '/api/users'],
  ])('stops at forRoutes(%j) with the prefix %j', async (path, prefix, mounted, apiPath) => {
    const starting = start(platform, guarded([path]), [prefix])
    await expect(starting).rejects.toThrow(runsNever(path))
    await expect(starting).rejects.toThrow(mounted)
    await expect(starting).rejects.toThrow(`, and the API has ${apiPath}. ${remedy}`)
  })

  it('stops at a path without a wildcard on Fastify, behind the global prefix as well', async () => {
    const only = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'show' })))
    const starting = start(platform, guarded(['users'], [], only as unknown as Api), ['api'])
    if (isExpress) expect((await starting).warnings).toEqual([])
    else
      await expect(starting).rejects.toThrow(
        `${runsNever('users')}. Nest runs it at /api/users, and the API has /api/users/:id. ${remedy}`,
      )
  })

  it.each([RequestMethod.GET, RequestMethod.ALL])(
    'stops at a path without a wildcard with a method, which covers nothing below: %i',
    async (method) => {
      await expect(start(platform, guarded([{ path: 'api', method }]))).rejects.toThrow(
        `${runsNever('api')}. Nest runs it at /api, and the API has /api/users. `,
      )
    },
  )

  it('stops at / behind the global prefix on Express, where it would be a catch-all', async () => {
    const behind = start(platform, guarded(['/']), ['rest'])
    if (isExpress) await expect(behind).rejects.toThrow(runsNever('/'))
    else expect((await behind).warnings).toEqual([])
    expect((await start(platform, guarded(['/']))).warnings).toEqual([])
    for (const method of [RequestMethod.GET, RequestMethod.ALL]) {
      const root = guarded([{ path: '/', method }]) // the root alone
      expect((await start(platform, root, ['rest'])).warnings).toEqual([])
    }
  })

  it("stops at middleware for one of Nest's versions, which has a path of its own", async () => {
    const app = await createApp(
      guarded([{ path: 'api/users', method: RequestMethod.ALL, version: '1' }]),
      platform,
    )
    app.enableVersioning({ type: VersioningType.URI })
    await expect(app.init()).rejects.toThrow(
      `${runsNever('api/users')}. Nest runs it at /v1/api/users, and the API has /api/users. ${remedy}`,
    )
  })

  it('tells the methods of exclude() apart', async () => {
    const create = { path: 'api/users', method: RequestMethod.POST }
    expect(
      (await start(platform, guarded(['api/users/:id', 'api/users'], [create]))).warnings,
    ).toEqual([])
    const both = [create, { path: 'api/users', method: RequestMethod.GET }, 'api/users/:id']
    await expect(start(platform, guarded(['api/users'], both))).rejects.toThrow(
      `${runsNever('api/users')}, because exclude() takes them all away.`,
    )
  })

  it('stops at middleware whose paths exclude() takes away', async () => {
    await expect(
      start(platform, guarded(['api/users'], ['api/users', 'api/users/:id'])),
    ).rejects.toThrow(`${runsNever('api/users')}, because exclude() takes them all away.`)
    // A catch-all that leaves the API out says what it means.
    for (const path of [below, '/']) await start(platform, guarded([path], [`api/${below}`]))
  })

  it('stops at a path without a wildcard on Fastify, where it covers nothing below', async () => {
    const starting = start(platform, guarded(['api']))
    if (isExpress) return expect((await starting).warnings).toEqual([])
    await expect(starting).rejects.toThrow(
      `${runsNever('api')}. Nest runs it at /api, and the API has /api/users. ${remedy}`,
    )
  })

  it('warns of a path that covers a part of what it starts on Fastify', async () => {
    expect((await start(platform, guarded(['api/users']))).warnings).toEqual(
      isExpress
        ? []
        : [
            "The middleware of forRoutes('api/users') doesn't run for /api/users/:id on Fastify. " +
              remedy,
          ],
    )
    const both = guarded(['api/users', `api/users/${below}`])
    expect((await start(platform, both)).warnings).toEqual([])
  })

  it.each<[string, Routes, string[], Parameters<Setup>]>([
    ['a path of something else', ['admin', 'api/others', 'api/user', 'api/users/me'], [], ['']],
    ['a path of something else behind a prefix', ['admin', 'api/others'], [], ['rest']],
    ['the path without the prefix', ['users/:id', 'users'], [], ['api']],
    [
      'the path outside of the prefix',
      [`api/${below}`],
      [],
      ['rest', { exclude: [`api/${below}`] }],
    ],
    [
      'a method that the API lacks',
      [{ path: 'api/users', method: RequestMethod.POST }],
      [],
      ['rest'],
    ],
    ['a part of the routes', [`api/${below}`], ['api/users'], ['']],
    ['one path beside one that exclude() takes away', ['api/users', `api/users/${below}`], ['api/users'], ['']], // prettier-ignore
  ])('starts with middleware for %s', async (_what, forRoutes, exclude, prefix) => {
    expect((await start(platform, guarded(forRoutes, exclude), prefix)).warnings).toEqual([])
  })

  it('runs no handler without the middleware of its path for an extension', async () => {
    class Root {
      configure(consumer: MiddlewareConsumer) {
        const guard = (_request: unknown, response: { statusCode: number; end(): void }) => {
          response.statusCode = 401
          response.end()
        }
        consumer.apply(guard).forRoutes('api/users', `api/users/${below}`)
      }
    }
    const undeclared = api({ vendorString: 'acme' }, ...nodes)
    const imports = [VersionedApiModule.forRoot(undeclared, controllers)]
    Module({ imports, controllers: [Users] })(Root)
    const { warnings, origin } = await start(platform, Root)
    expect(warnings).toEqual([])
    const answers = []
    for (const path of ['users', 'users.json', 'users.JSON/', 'users/7', 'users/7.json'])
      answers.push((await send(`${origin}/api/${path}`)).status)
    expect(answers).toEqual(isExpress ? [401, 308, 308, 401, 401] : [401, 401, 401, 401, 401])
  })

  it("doesn't take the middleware of one method for a route", async () => {
    class Root {
      constructor(@Inject(HttpAdapterHost) { httpAdapter }: HttpAdapterHost) {
        if (platform.name === 'Express') httpAdapter.getInstance().get(/^\/files/, pass)
      }
      configure(consumer: MiddlewareConsumer) {
        consumer.apply(pass).forRoutes({ path: 'users/:id', method: RequestMethod.GET })
      }
    }
    Module({ imports: [moduleOf()], controllers: [Users] })(Root)
    const { warnings, origin } = await start(platform, Root, ['api'])
    expect((await send(`${origin}/api/users/7`)).body).toEqual({ id: '7' })
    expect(warnings).toEqual([])
  })

  it('warns of a path that Nest serves as well', async () => {
    @Controller('api/users')
    class Old {
      @Get()
      all() {
        return ['nest']
      }
      @Get('more/:id')
      more() {
        return ['more']
      }
    }
    const { warnings, origin } = await start(
      platform,
      rootOf({ imports: [moduleOf()], controllers: [Users, Old] }),
    )
    const served = (await send(`${origin}/api/users`, { headers: as(2) })).body
    expect([served, warnings]).toEqual(
      platform.name === 'Express'
        ? [
            ['nest'],
            [
              "Nest's route /api/users also takes GET /api/users, which the API has. Nest's gets the requests.",
            ],
          ]
        : [
            ['versioned'],
            [
              "Nest's route /api/users also takes GET /api/users, which the API has. The API's gets the requests.",
            ],
          ],
    )
    expect((await send(`${origin}/api/users/more/7`)).body).toEqual(['more'])
  })

  it('warns of a catch-all that comes first', async () => {
    const path = platform.name === 'Fastify' || release.startsWith('nest10') ? '*' : '*path'
    @Controller()
    class Rest {
      @All(path)
      rest() {
        return ['rest']
      }
    }
    const { warnings, origin } = await start(
      platform,
      rootOf({ imports: [moduleOf()], controllers: [Users, Rest] }),
    )
    const served = (await send(`${origin}/api/users`, { headers: as(2) })).body
    expect([served, warnings]).toEqual(
      platform.name === 'Express'
        ? [
            ['rest'],
            [
              expect.stringMatching(
                /^Nest's route \S+ also takes GET \/api\/users, which the API has\. Nest's gets/,
              ),
            ],
          ]
        : [['versioned'], []],
    )
  })

  it('serves a class that two modules list, with the instance of the first', async () => {
    @Controller()
    class Shared extends Users {
      constructor(@Inject('name') private readonly name: string) {
        super()
      }
      override show(): unknown {
        return [this.name]
      }
    }
    class First {}
    class Second {}
    for (const module of [First, Second])
      Module({ controllers: [Shared], providers: [{ provide: 'name', useValue: module.name }] })(
        module,
      )
    const shared = moduleOf({ 1: { users: Shared }, 2: { users: Shared } })
    const { warnings, origin } = await start(platform, rootOf({ imports: [First, Second, shared] }))
    expect((await send(`${origin}/api/users/7`, { headers: as(2) })).body).toEqual(['First'])
    expect(warnings).toEqual([])
  })

  it('serves a @Param() that one of the paths of its method has', async () => {
    @Controller()
    class Accounts {
      show(@Param('id') id?: string) {
        return { id: id ?? 'me' }
      }
    }
    const paths = [
      get('accounts/:id', { to: 'accounts#show' }),
      get('me', { to: 'accounts#show' }),
    ] as const
    const accounts = api({ vendorString: 'acme' }, version(1, ...paths))
    const imports = [VersionedApiModule.forRoot(accounts, { 1: { accounts: Accounts } })]
    const { origin } = await start(platform, rootOf({ imports, controllers: [Accounts] }))
    expect((await send(`${origin}/api/accounts/7`)).body).toEqual({ id: '7' })
    expect((await send(`${origin}/api/me`)).body).toEqual({ id: 'me' })
  })

  it.each([
    [
      'a route of two APIs',
      resources('users', { only: 'index' }),
      'the path of GET /api/users is in both acme and crm. Only the first would get requests, so import each API once, and give each path to one of them.',
    ],
    [
      'a route of two APIs whose parameters have different names',
      resources('users', { only: 'show', param: 'name' }),
      'the path of GET /api/users/:name is in both acme and crm. Only the first would get requests, so import each API once, and give each path to one of them.',
    ],
    [
      'a path of two APIs with different methods',
      resources('users', { only: 'create' }),
      'the path of POST /api/users is in both acme and crm. Only the first would get requests, so import each API once, and give each path to one of them.',
    ],
  ])('stops at %s', async (_what, crm, message) => {
    const other = api({ vendorString: 'crm' }, version(1, crm as never))
    const table = { 1: { users: Users } }
    const imports = [moduleOf(), VersionedApiModule.forRoot(other as Api, table as never)]
    expect(await refuse({ imports, controllers: [Users] })).toBe(
      `VersionedApiModule.forRoot(): ${message}`,
    )
  })

  it('stops at two forRoot() of the same routes, but not at different prefixes', async () => {
    const at = (prefix: string) => VersionedApiModule.forRoot(routes, controllers, { prefix })
    const refuseBoth = (first: string, second: string) =>
      refuse({ imports: [at(first), at(second)], controllers: [Users] })
    expect(await refuseBoth('', '')).toBe(
      'VersionedApiModule.forRoot(): the path of GET /api/users is in both acme and acme. Only the first would get requests, so import each API once, and give each path to one of them.',
    )
    expect(await refuseBoth('', '/admin')).toBe('it starts')
  })

  it('serves several APIs at one prefix', async () => {
    const other = api({ vendorString: 'other' }, version(1, resources('teams', { only: 'index' })))
    @Controller()
    class Others {
      index(): unknown {
        return ['other']
      }
    }
    const imports = [moduleOf(), VersionedApiModule.forRoot(other, { 1: { teams: Others } })]
    const mapped: string[] = []
    const logger = { ...createLogger(), log: (line: string) => mapped.push(line) }
    const origin = await listen(
      await createApp(rootOf({ imports, controllers: [Users, Others] }), platform, logger),
    )
    expect(mapped.filter((line) => line.includes('{/api/users, GET} (version: 2)'))).toHaveLength(1)
    const accept = 'application/vnd.other+json;version=1'
    expect((await send(`${origin}/api/users`, { headers: as(2) })).body).toEqual(['versioned'])
    expect((await send(`${origin}/api/users`, { headers: { accept } })).status).toBe(406)
    expect((await send(`${origin}/api/teams`, { headers: { accept } })).body).toEqual(['other'])
  })
})

it("stops on an HTTP adapter that it doesn't know", async () => {
  class Unknown extends ExpressAdapter {
    override getType() {
      return 'unknown'
    }
  }
  const root = rootOf({ imports: [moduleOf()], controllers: [Users] })
  const app = await NestFactory.create(root, new Unknown(), { logger: false, abortOnError: false })
  await expect(app.init()).rejects.toThrow(
    "VersionedApiModule serves on Express and Fastify. This app's HTTP adapter is 'unknown'.",
  )
})
