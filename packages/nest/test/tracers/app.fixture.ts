// Serves the same paths natively and through the router, and tells the test how a tracing tool names the requests.
import { takeName } from './tool.fixture.ts'
import 'reflect-metadata'
import { type Api, api, inherit, resources, version } from '@hv/router'
import { createRouter as createExpress } from '@hv/router-express'
import { createRouter as createFastify } from '@hv/router-fastify'
import { VersionedApiModule } from '@hv/router-nest'
import { Controller, Get, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import express, { type RequestHandler } from 'express'
import fastify, { type FastifyPluginCallback } from 'fastify'
import { once } from 'node:events'
import { type Server, get } from 'node:http'
import type { AddressInfo } from 'node:net'

const users = resources('users', { only: ['index', 'show'] })
const atRoot = api({ vendorString: 'acme' }, version(1, users), version(2, inherit({ from: 1 })))
const inMount = api(
  { vendorString: 'acme', path: '' },
  version(1, users),
  version(2, inherit({ from: 1 })),
)

const respond: RequestHandler = (_req, res) => void res.json({})
const onExpress = { users: { index: respond, show: respond } }
const createOnExpress = (routes: Api) =>
  createExpress(routes, { 1: onExpress, 2: onExpress } as never)

async function listenExpress(set: (app: express.Express) => unknown): Promise<Server> {
  const app = express()
  set(app)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const returned = () => Promise.resolve({})
const onFastify = { users: { index: returned, show: returned } }

async function listenFastify(plugin: FastifyPluginCallback, prefix: string): Promise<Server> {
  const app = fastify()
  app.register(plugin, { prefix })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server
}

@Controller('api/users')
class NativeUsers {
  @Get()
  index(): object {
    return {}
  }
  @Get(':id')
  show(): object {
    return {}
  }
}
@Module({ controllers: [NativeUsers] })
class NativeModule {}

@Controller()
class Users {
  index(): object {
    return {}
  }
  show(): object {
    return {}
  }
}
@Module({
  imports: [VersionedApiModule.forRoot(atRoot, { 1: { users: Users }, 2: { users: Users } })],
  controllers: [Users],
})
class VersionedModule {}

async function listenNest(module: object, adapter: object): Promise<Server> {
  const app = await NestFactory.create(module, adapter as never, { logger: false })
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer() as Server
}

const setups: Readonly<Record<string, () => Promise<Server>>> = {
  'Express, native': () =>
    listenExpress((app) => {
      const router = express.Router().get('/users', respond).get('/users/:id', respond)
      app.use('/api', router)
    }),
  'Express, versioned': () => listenExpress((app) => app.use(createOnExpress(atRoot))),
  'Express, versioned and mounted': () =>
    listenExpress((app) => app.use('/api', createOnExpress(inMount))),
  'Express, versioned in a router': () =>
    listenExpress((app) => app.use('/api', express.Router().use(createOnExpress(inMount)))),
  'Fastify, native': () =>
    listenFastify((app, _options, done) => {
      app.get('/users', returned)
      app.get('/users/:id', returned)
      done()
    }, '/api'),
  'Fastify, versioned': () =>
    listenFastify(createFastify(atRoot, { 1: onFastify, 2: onFastify }) as never, ''),
  'Nest on Express, native': () => listenNest(NativeModule, new ExpressAdapter()),
  'Nest on Express, versioned': () => listenNest(VersionedModule, new ExpressAdapter()),
  'Nest on Fastify, native': () => listenNest(NativeModule, new FastifyAdapter()),
  'Nest on Fastify, versioned': () => listenNest(VersionedModule, new FastifyAdapter()),
}

async function request(server: Server, path: string, requested: number): Promise<void> {
  const { port } = server.address() as AddressInfo
  const headers = { accept: `application/vnd.acme+json;version=${requested}` }
  const sent = get({ port, path, headers, agent: false })
  const [response] = await once(sent, 'response')
  await once(response.resume(), 'end')
}

async function main(): Promise<void> {
  const names: Record<string, readonly string[]> = {}
  for (const [setup, listen] of Object.entries(setups)) {
    const server = await listen()
    const ofSetup: string[] = []
    for (const [path, requested] of [
      ['/api/users/7', 2],
      ['/api/users', 2],
      ['/api/users/7', 9],
    ] as const) {
      await request(server, path, requested)
      ofSetup.push(await takeName())
    }
    names[setup] = ofSetup
  }
  process.send!(names, () => process.exit(0))
}
void main()
