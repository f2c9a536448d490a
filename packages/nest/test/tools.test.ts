// @nestjs/testing, hybrid apps, durable providers, hosts, Fastify's own options.
import { api, get, version } from '@hv/router'
import { Controller, Injectable, Module, Req, Scope, SetMetadata, type Type } from '@nestjs/common'
import { ContextIdFactory } from '@nestjs/core'
import { ClientProxyFactory, type MicroserviceOptions, Transport } from '@nestjs/microservices'
import { RouteConfig, RouteConstraints } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { firstValueFrom } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { VersionedApiModule } from '../src/index.ts'
import { AppModule, ControllerGuard, UsersService } from './fixture.ts'
import { as, createApp, freePort, listen, platforms, send } from './platforms.ts'

describe.each(platforms)('on $name', (platform) => {
  it('a test overrides providers and guards', async () => {
    const mock = { find: () => ({ first: 'Mock', last: 'User' }) }
    const forbid = { canActivate: () => false }
    const started = async (building: ReturnType<typeof Test.createTestingModule>) => {
      const app = (await building.compile()).createNestApplication(platform.create() as never, {
        logger: false,
      })
      onTestFinished(() => app.close())
      return `${await listen(app)}/api/users/7`
    }
    const testing = () => Test.createTestingModule({ imports: [AppModule] })
    const mocked = await started(testing().overrideProvider(UsersService).useValue(mock))
    expect((await send(mocked, { headers: as(1) })).body).toEqual({ id: 7, name: 'Mock User' })
    const guarded = await started(testing().overrideGuard(ControllerGuard).useValue(forbid))
    expect((await send(guarded, { headers: as(1) })).status).toBe(403)
  })

  it('a hybrid app serves a class over HTTP and over a transport', async () => {
    const app = await createApp(AppModule, platform)
    const options = { host: '127.0.0.1', port: await freePort() }
    app.connectMicroservice<MicroserviceOptions>(
      { transport: Transport.TCP, options },
      { inheritAppConfig: false },
    )
    await app.startAllMicroservices()
    const origin = await listen(app)
    expect((await send(`${origin}/api/users/7`, { headers: as(2) })).status).toBe(200)
    const client = ClientProxyFactory.create({ transport: Transport.TCP, options })
    onTestFinished(() => void client.close())
    expect(await firstValueFrom(client.send('users.find', 7))).toEqual({ message: 'Ann' })
  })

  it('durable providers are shared by a tenant', async () => {
    let created = 0
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class Tenant {
      readonly number = ++created
    }
    @Controller({ scope: Scope.REQUEST, durable: true })
    class Things {
      constructor(private readonly tenant: Tenant) {}
      index() {
        return { number: this.tenant.number }
      }
    }
    const tenants = new Map<string, ReturnType<typeof ContextIdFactory.create>>()
    ContextIdFactory.apply({
      attach(contextId, request: { headers?: Record<string, string> }) {
        const name = request.headers?.['x-tenant']
        if (name === undefined) return undefined as never
        const id = tenants.get(name) ?? ContextIdFactory.create()
        tenants.set(name, id)
        return {
          resolve: ({ isTreeDurable }) => (isTreeDurable ? id : contextId),
          payload: { name },
        }
      },
    })
    onTestFinished(() => ContextIdFactory.apply({ attach: () => undefined as never }))
    const routes = api({ vendorString: 'acme' }, version(1, get('things', { to: 'things#index' })))
    @Module({
      imports: [VersionedApiModule.forRoot(routes, { 1: { things: Things } })],
      controllers: [Things],
      providers: [Tenant],
    })
    class Root {}
    const origin = await listen(await createApp(Root, platform))
    const numberOf = async (tenant: string) =>
      (await send(`${origin}/api/things`, { headers: { 'x-tenant': tenant } })).body
        .number as number
    const [a, b, again] = [await numberOf('a'), await numberOf('b'), await numberOf('a')]
    expect(a).toBe(again)
    expect(a).not.toBe(b)
  })

  it('a class for one host serves that host', async () => {
    @Controller({ host: 'admin.example' })
    class Things {
      index() {
        return ['admin']
      }
    }
    const routes = api({ vendorString: 'acme' }, version(1, get('things', { to: 'things#index' })))
    @Module({
      imports: [VersionedApiModule.forRoot(routes, { 1: { things: Things } })],
      controllers: [Things],
    })
    class Root {}
    const app = await createApp(Root, platform)
    const port = new URL(await listen(app)).port
    const { request } = await import('node:http')
    const statusOf = (host: string) =>
      new Promise((resolve) => {
        request({ host: '127.0.0.1', port, path: '/api/things', headers: { host } }, (response) => {
          resolve(response.resume().statusCode)
        }).end()
      })
    expect(await statusOf('admin.example')).toBe(200)
    expect(await statusOf('other.example')).not.toBe(200) // Nest's own response: 404, or 500 on Fastify before Nest 12
  })
})

describe('on Fastify', () => {
  const routes = api({ vendorString: 'acme' }, version(1, get('things', { to: 'things#index' })))
  const start = async (metatype: Type<{ index(...decorated: never[]): unknown }>) => {
    class Root {}
    const imports = [VersionedApiModule.forRoot(routes, { 1: { things: metatype } })]
    Module({ imports, controllers: [metatype] })(Root)
    return listen(await createApp(Root, platforms[1]))
  }
  const schema = {
    querystring: { type: 'object', required: ['page'], properties: { page: { type: 'integer' } } },
  }

  it('actions have the config and the schema of their decorators', async () => {
    @Controller()
    class Things {
      @RouteConfig({ limit: 7 })
      // As @RouteSchema(), which Nest has since 10.4.
      @SetMetadata('__fastify_route_schema__', schema)
      index(@Req() request: { routeOptions: { config: object }; query: object }) {
        return { ...request.routeOptions.config, ...request.query }
      }
    }
    const origin = await start(Things)
    expect((await send(`${origin}/api/things?page=2`)).body).toMatchObject({ limit: 7, page: 2 })
    expect((await send(`${origin}/api/things`)).status).toBe(400)
  })

  it('an action with constraints stops the start', async () => {
    @Controller()
    class Things {
      @RouteConstraints({ host: 'admin.example' })
      index() {}
    }
    await expect(start(Things)).rejects.toThrow(
      '@RouteConstraints() has no effect on versioned routes. Use a guard.',
    )
  })
})
