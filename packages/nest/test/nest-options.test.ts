// What an app asks of Nest in main.ts: views, raw bodies, previews, graphs, transports.
import { type Api, api, get, resources, version } from '@hv/router'
import {
  Body,
  Controller,
  Module,
  type RawBodyRequest,
  Render,
  Req,
  Scope,
  type Type,
} from '@nestjs/common'
import { NestFactory, SerializedGraph } from '@nestjs/core'
import {
  ClientProxyFactory,
  MessagePattern,
  type MicroserviceOptions,
  Transport,
} from '@nestjs/microservices'
import { Test } from '@nestjs/testing'
import { join } from 'node:path'
import { firstValueFrom } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { VersionedApiModule, type VersionedApiOptions } from '../src/index.ts'
import { AppModule, UsersService } from './fixture.ts'
import { as, createApp, freePort, listen, platforms, release, send } from './platforms.ts'

/** A module with an API in one version, of one class. */
function rootOf(routes: Api, key: string, metatype: Type, options: VersionedApiOptions = {}): Type {
  class Root {}
  const imports = [
    VersionedApiModule.forRoot(routes, { 1: { [key]: metatype } } as never, options as never),
  ]
  Module({ imports, controllers: [metatype] })(Root)
  return Root
}

const ping = api({ vendorString: 'acme' }, version(1, get('ping', { to: 'pings#index' })))
@Controller()
class Pings {
  @MessagePattern('ping')
  index() {
    return 'pong'
  }
}

describe.each(platforms)('an app on $name', (platform) => {
  const isExpress = platform.name === 'Express'

  it('renders views, under their own type', async () => {
    @Controller()
    class Pages {
      @Render('page.txt')
      home() {
        return { title: 'Acme' }
      }
    }
    const routes = api({ vendorString: 'acme' }, version(1, get('home', { to: 'pages#home' })))
    const app = await createApp(rootOf(routes, 'pages', Pages), platform)
    const instance = app.getHttpAdapter().getInstance()
    const show = ({ title }: { title: string }) => `<h1>${title}</h1>`
    if (isExpress) {
      instance.set('views', join(import.meta.dirname, 'views'))
      instance.engine('txt', (_path: string, data: never, done: Function) => done(null, show(data)))
    } else
      // As @fastify/view does.
      instance.decorateReply('view', function view(this: any, _path: string, data: never) {
        return this.type('text/html; charset=utf-8').send(show(data))
      })
    const { text, headers } = await send(`${await listen(app)}/api/home`, { headers: as(1) })
    expect(text).toBe('<h1>Acme</h1>')
    expect([headers.get('content-type'), headers.get('api-version')]).toEqual([
      'text/html; charset=utf-8',
      '1',
    ])
  })

  it('keeps raw bodies. On Express those under the vendor type need json: { verify }', async () => {
    @Controller()
    class Hooks {
      create(@Req() { rawBody }: RawBodyRequest<object>, @Body() body: object) {
        return { raw: rawBody?.toString(), body }
      }
    }
    const routes = api({ vendorString: 'acme' }, version(1, resources('hooks', { only: 'create' })))
    const start = async (options: VersionedApiOptions) => {
      const root = rootOf(routes, 'hooks', Hooks, options)
      const app = await NestFactory.create(root, platform.create() as never, {
        rawBody: true,
        logger: false,
      })
      onTestFinished(() => app.close())
      return listen(app)
    }
    const post = async (origin: string, type: string) =>
      (
        await send(`${origin}/api/hooks`, {
          method: 'POST',
          body: '{ "a":1}',
          headers: as(1, { 'content-type': type }),
        })
      ).body
    const [raw, vendor] = [{ raw: '{ "a":1}', body: { a: 1 } }, 'application/vnd.acme+json']
    const origin = await start({})
    expect(await post(origin, 'application/json')).toEqual(raw)
    expect(await post(origin, vendor)).toEqual(isExpress ? { body: { a: 1 } } : raw)
    const verify = (request: object, _response: object, rawBody: Buffer) =>
      void Object.assign(request, { rawBody })
    expect(await post(await start({ json: { verify } }), vendor)).toEqual(raw)
  })

  it('starts as a preview, without its classes', async () => {
    const options = { preview: true, logger: false, abortOnError: false } as const
    const app = await NestFactory.create(
      rootOf(ping, 'pings', Pings),
      platform.create() as never,
      options,
    )
    onTestFinished(() => app.close())
    await expect(app.init()).resolves.toBe(app)
  })

  it.skipIf(release.startsWith('nest10'))('instruments what it creates for a request', async () => {
    @Controller({ scope: Scope.REQUEST })
    class Traced {
      traced = false
      index() {
        return { traced: this.traced }
      }
    }
    const instanceDecorator = (instance: unknown) =>
      instance instanceof Traced ? Object.assign(instance, { traced: true }) : instance
    const options = {
      logger: false,
      abortOnError: false,
      instrument: { instanceDecorator },
    } as const
    const app = await NestFactory.create(
      rootOf(ping, 'pings', Traced),
      platform.create() as never,
      options,
    )
    onTestFinished(() => app.close())
    expect((await send(`${await listen(app)}/api/ping`, { headers: as(1) })).body).toEqual({
      traced: true,
    })
  })

  it('has the versioned routes in its graph', async () => {
    const app = await NestFactory.create(AppModule, platform.create() as never, {
      snapshot: true,
      logger: false,
    })
    onTestFinished(() => app.close())
    await listen(app)
    const { entrypoints } = app.get(SerializedGraph).toJSON() as unknown as {
      entrypoints: Record<string, object[]>
    }
    expect(Object.values(entrypoints).flat()).toContainEqual(
      expect.objectContaining({ className: 'UsersV2', methodName: 'show' }),
    )
  })
})

it('a microservice starts, and serves the class over its transport alone', async () => {
  const options = { host: '127.0.0.1', port: await freePort() }
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(
    rootOf(ping, 'pings', Pings),
    {
      transport: Transport.TCP,
      options,
      logger: false,
    },
  )
  onTestFinished(() => app.close())
  await app.listen()
  const client = ClientProxyFactory.create({ transport: Transport.TCP, options })
  onTestFinished(() => void client.close())
  expect(await firstValueFrom(client.send('ping', {}))).toBe('pong')
})

it('an application context starts', async () => {
  const context = await NestFactory.createApplicationContext(AppModule, { logger: false })
  expect(context.get(UsersService, { strict: false }).find(1).first).toBe('Ann')
  await context.close()
})

it('a testing module without an app starts', async () => {
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile()
  await module.init()
  onTestFinished(() => module.close())
  expect(module.get(UsersService, { strict: false }).find(1).first).toBe('Ann')
})
