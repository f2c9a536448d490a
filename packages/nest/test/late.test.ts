// What an app adds late, such as between init() and listen(), applies to versioned routes as to Nest's own.
import { api, get, post, version } from '@hv/router'
import {
  Body,
  type CanActivate,
  Controller,
  Get,
  type INestApplication,
  Injectable,
  Module,
  type NestInterceptor,
  type OnApplicationBootstrap,
  type OnModuleInit,
  Post,
  type Type,
} from '@nestjs/common'
import { LazyModuleLoader } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { VersionedApiModule } from '../src/index.ts'
import { some } from '../../../tools/test-all.ts'
import { type Platform, createApp, listen, platforms, send } from './platforms.ts'

/** The same methods twice: with Nest's decorators, and for the route file. */
@Controller('api/native')
class Native {
  @Get()
  index() {
    return { ok: true }
  }
  @Post()
  create(@Body() body: unknown) {
    return { body }
  }
}
@Controller()
class Versioned {
  index() {
    return { ok: true }
  }
  create(@Body() body: unknown) {
    return { body }
  }
}
const routes = api(
  { vendorString: 'acme' },
  version(1, get('versioned', { to: 'things#index' }), post('versioned', { to: 'things#create' })),
)

type Add = (app: INestApplication) => unknown
const fastifyOf = (app: INestApplication) => app.getHttpAdapter().getInstance()
/** A function of Express and of @fastify/middie. */
const reject = (_request: unknown, response: any) => {
  response.statusCode = 401
  response.end('no')
}
const rejectHook = async (_request: unknown, reply: any) => reply.code(401).send('no')
const rejectGuard: CanActivate = { canActivate: () => false }
const wrap: NestInterceptor = {
  intercept: (_context, next) => next.handle().pipe(map(() => 'wrapped')),
}

const anywhere: Record<string, Add> = {
  'use(reject)': (app) => app.getHttpAdapter().use(reject),
  "use('/api', reject)": (app) => app.getHttpAdapter().use('/api', reject),
  'enableCors()': (app) => app.enableCors(),
  'use(set a header)': (app) =>
    app.getHttpAdapter().use((_request: unknown, response: any, next: () => void) => {
      response.setHeader('x-late', 'yes')
      next()
    }),
}
const fastifyOnly: Record<string, Add> = {
  'addHook(onRequest)': (app) => fastifyOf(app).addHook('onRequest', rejectHook),
  'addHook(preHandler)': (app) => fastifyOf(app).addHook('preHandler', rejectHook),
  'addHook(onSend)': (app) =>
    fastifyOf(app).addHook('onSend', async (_request: unknown, reply: any) => {
      reply.header('x-late', 'yes')
    }),
  'a parser': (app) =>
    fastifyOf(app).addContentTypeParser(
      'text/plain',
      { parseAs: 'string' },
      (_request: unknown, body: string, done: Function) => done(null, body),
    ),
  'a serializer': (app) => fastifyOf(app).setReplySerializer(() => '"serialized"'),
  'a decorator and a hook that uses it': (app) => {
    fastifyOf(app).decorateRequest('late', null)
    fastifyOf(app).addHook('onRequest', async (request: any, reply: any) => {
      reply.header('x-late', Object.hasOwn(request, 'late') ? 'own' : 'missing')
    })
  },
}
const onApp: Record<string, Add> = {
  'useGlobalGuards()': (app) => app.useGlobalGuards(rejectGuard),
  'useGlobalInterceptors()': (app) => app.useGlobalInterceptors(wrap),
  'useBodyParser()': (app) => {
    const isExpress = app.getHttpAdapter().getType() === 'express'
    ;(app as NestExpressApplication).useBodyParser((isExpress ? 'text' : 'text/plain') as 'text')
  },
}

interface Late {
  readonly add: Add
  readonly app: () => INestApplication
}
const times: Record<string, (late: Late, root: (...imports: unknown[]) => Type) => Type> = {
  'in onModuleInit, imported before': (late, root) => root(initModule(late), 'api'),
  'in onModuleInit, imported after': (late, root) => root('api', initModule(late)),
  'in onApplicationBootstrap, imported before': (late, root) => root(bootModule(late), 'api'),
  'in onApplicationBootstrap, imported after': (late, root) => root('api', bootModule(late)),
}

function initModule({ add, app }: Late): Type {
  @Module({})
  class Init implements OnModuleInit {
    async onModuleInit() {
      await add(app())
    }
  }
  return Init
}
function bootModule({ add, app }: Late): Type {
  @Module({})
  class Boot implements OnApplicationBootstrap {
    async onApplicationBootstrap() {
      await add(app())
    }
  }
  return Boot
}
function lazyModule({ add, app }: Late): Type {
  @Injectable()
  class Adds {
    constructor() {
      void add(app())
    }
  }
  @Module({ providers: [Adds] })
  class Lazy {}
  return Lazy
}

function rootWith(imports: readonly unknown[]): Type {
  const versioned = VersionedApiModule.forRoot(routes, { 1: { things: Versioned } })
  const all = imports.map((given) => (given === 'api' ? versioned : given)) as Type[]
  @Module({ imports: all, controllers: [Native, Versioned] })
  class Root {}
  return Root
}

/** What a client sees of a path. */
async function seenAt(url: string) {
  const seen = []
  for (const init of [
    {},
    { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } },
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'text' },
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
  ]) {
    const headers = { origin: 'https://a.example', ...init.headers }
    const received = await send(url, { ...init, headers })
    seen.push({
      status: received.status,
      text: received.text.replaceAll('versioned', 'native'),
      late: received.headers.get('x-late'),
      origin: received.headers.get('access-control-allow-origin'),
    })
  }
  return seen
}

describe.each(platforms)('on $name', (platform: Platform) => {
  const inHooks = { ...anywhere, ...(platform.name === 'Fastify' && fastifyOnly) }
  const ask = async (app: INestApplication) => {
    const origin = await listen(app)
    const [native, versioned] = [
      await seenAt(`${origin}/api/native`),
      await seenAt(`${origin}/api/versioned`),
    ]
    // If nothing else responds to OPTIONS, the router does.
    if (versioned[1]!.status === 204) versioned[1] = native[1]!
    return { native, versioned }
  }

  describe.each(Object.entries(times))('%s', (_when, createRoot) => {
    it.each(some(Object.entries(inHooks), 4))('%s', async (_what, add) => {
      let app!: INestApplication
      const root = createRoot({ add, app: () => app }, (...imports) => rootWith(imports))
      app = await createApp(root, platform)
      const { native, versioned } = await ask(app)
      expect(versioned).toEqual(native)
    })
  })

  const withApp = some(Object.entries({ ...inHooks, ...onApp }), 7)
  it.each(withApp)('before init(): %s', async (_what, add) => {
    const app = await createApp(rootWith(['api']), platform)
    await add(app)
    const { native, versioned } = await ask(app)
    expect(versioned).toEqual(native)
  })
  it.each(withApp)('between init() and listen(): %s', async (_what, add) => {
    const app = await createApp(rootWith(['api']), platform)
    await app.init()
    await add(app)
    const { native, versioned } = await ask(app)
    expect(versioned).toEqual(native)
  })
  it.each(withApp)('in a lazy module: %s', async (_what, add) => {
    const app = await createApp(rootWith(['api']), platform)
    await app.init()
    const lazy = lazyModule({ add, app: () => app })
    await app.get(LazyModuleLoader).load(() => lazy)
    const { native, versioned } = await ask(app)
    expect(versioned).toEqual(native)
  })
})
