// Three versions of one API on each adapter: validation, serialization, documents and typed clients.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { serve as serveFetch } from '@hono/node-server'
import { ClientError, createClient, typesOf } from '@hv/router-client'
import {
  action,
  ajvValidator,
  before as expressBefore,
  createRouter as createExpressRouter,
} from '@hv/router-express'
import { before as fastifyBefore, createRouter as createFastifyRouter } from '@hv/router-fastify'
import {
  type RouteMatch,
  action as fetchAction,
  before as fetchBefore,
  createRouter as createFetchRouter,
} from '@hv/router-fetch'
import type { Static } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import createExpress, {
  type NextFunction,
  type Request,
  type Response as ExpressResponse,
} from 'express'
import createFastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { openapi } from '../src/index.ts'
import {
  NewUser,
  Team,
  User,
  UserPage,
  fullName,
  listsAreEnvelopes,
  routes,
  twoNames,
} from './versions.ts'

type NewUser = Static<typeof NewUser>

/** What the handlers received. */
const received: unknown[] = []
const dora = { id: 7, firstName: 'Dora', lastName: 'Maar' }
const schemas = {
  index: { response: { 200: UserPage } },
  show: { response: { 200: User } },
  create: { body: NewUser, response: { 201: User } },
  team: { response: { 200: Team } },
}
const show = (id: string): unknown =>
  id === 'stream' ? Readable.from(['bytes']) : id === 'text' ? 'text' : dora

class FastifyUsers {
  readonly #page = { items: [dora], next: '/users?after=7' }
  index = { schema: schemas.index, handler: (): unknown => this.#page }
  show = {
    schema: schemas.show,
    handler: ({ params: { id } }: FastifyRequest<{ Params: { id: string } }>): unknown => show(id),
  }
  create = {
    schema: schemas.create,
    preHandler: (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      received.push(request.body)
      done()
    },
    handler: (request: FastifyRequest<{ Body: NewUser }>, reply: FastifyReply): unknown =>
      reply.code(201).send({ id: 8, ...request.body }),
  }
}
const fastifyV3 = {
  users: new FastifyUsers(),
  teams: { show: { schema: schemas.team, handler: () => ({ id: 'a', owner: dora }) } },
}
const fastifyV2 = fastifyBefore(fastifyV3, twoNames)
const fastifyControllers = {
  1: fastifyBefore(fastifyV2, fullName, listsAreEnvelopes),
  2: fastifyV2,
  3: fastifyV3,
}

class ExpressUsers {
  readonly #page = { items: [dora], next: '/users?after=7' }
  index = {
    schema: schemas.index,
    handler: (_req: Request, res: ExpressResponse): unknown => res.json(this.#page),
  }
  show = {
    schema: schemas.show,
    handler: (req: Request<{ id: string }>, res: ExpressResponse): unknown => {
      const body = show(req.params.id)
      return body instanceof Readable
        ? body.pipe(res)
        : typeof body === 'string'
          ? res.send(body)
          : res.send(body)
    },
  }
  create = action({
    schema: schemas.create,
    handler: (req, res) => {
      received.push(req.body)
      return res.status(201).json({ id: 8, ...req.body })
    },
  })
}
const expressV3 = {
  users: new ExpressUsers(),
  teams: {
    show: {
      schema: schemas.team,
      handler: (_req: Request, res: ExpressResponse) => res.json({ id: 'a', owner: dora }),
    },
  },
}
const expressV2 = expressBefore(expressV3, twoNames)
const expressControllers = {
  1: expressBefore(expressV2, fullName, listsAreEnvelopes),
  2: expressV2,
  3: expressV3,
}

class FetchUsers {
  readonly #page = { items: [dora], next: '/users?after=7' }
  index = { schema: schemas.index, handler: () => Response.json(this.#page) }
  show = {
    schema: schemas.show,
    handler: (_request: globalThis.Request, { params }: RouteMatch<{ id: string }>) => {
      const body = show(params.id)
      if (body instanceof Readable) return new Response(Readable.toWeb(body) as ReadableStream)
      return typeof body === 'string' ? new Response(body) : Response.json(body)
    },
  }
  create = fetchAction({
    schema: schemas.create,
    handler: (_request, { body }) => {
      received.push(body)
      return Response.json({ id: 8, ...body }, { status: 201 })
    },
  })
}
const fetchV3 = {
  users: new FetchUsers(),
  teams: { show: { schema: schemas.team, handler: () => Response.json({ id: 'a', owner: dora }) } },
}
const fetchV2 = fetchBefore(fetchV3, twoNames)
const fetchControllers = {
  1: fetchBefore(fetchV2, fullName, listsAreEnvelopes),
  2: fetchV2,
  3: fetchV3,
}

const adapters: Record<string, { controllers: object; serve: () => Promise<string> }> = {
  Fastify: {
    controllers: fastifyControllers,
    async serve() {
      const app = createFastify()
      app.register(createFastifyRouter(routes, fastifyControllers))
      onTestFinished(() => app.close())
      return app.listen({ host: '127.0.0.1', port: 0 })
    },
  },
  Express: {
    controllers: expressControllers,
    async serve() {
      const validator = ajvValidator(new Ajv())
      const app = createExpress().use(createExpress.json())
      app.use(createExpressRouter(routes, expressControllers, { validator }))
      app.use(
        (
          error: Error & { status: number },
          _req: Request,
          res: ExpressResponse,
          _next: NextFunction,
        ) => res.status(error.status).json({ message: error.message }),
      )
      const server = app.listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
  },
  fetch: {
    controllers: fetchControllers,
    async serve() {
      const handler = createFetchRouter(routes, fetchControllers, {
        validator: ajvValidator(new Ajv()),
      })
      const server = serveFetch({ fetch: handler, hostname: '127.0.0.1', port: 0 })
      if (!server.listening) await once(server, 'listening')
      onTestFinished(() => void server.close())
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
  },
}
type Controllers = typeof fastifyControllers

describe.each(Object.entries(adapters))('three versions on %s', (_name, { controllers, serve }) => {
  it('each answer with their own schemas', async () => {
    const baseUrl = await serve()
    const headers = { connection: 'close' }
    const one = createClient(routes, { baseUrl, version: 1, types: typesOf<Controllers>, headers })
    const two = createClient(routes, { baseUrl, version: 2, types: typesOf<Controllers>, headers })
    const three = createClient(routes, {
      baseUrl,
      version: 3,
      types: typesOf<Controllers>,
      headers,
    })

    const list = await one.users.index.result()
    expectTypeOf(list.data!).toEqualTypeOf<{ id: number; name: string }[]>()
    expect(list.data).toEqual([{ id: 7, name: 'Dora Maar' }])
    expect(list.response.headers.get('link')).toBe('</users?after=7>; rel="next"')
    expect(list.response.headers.get('content-type')).toContain('version=1')
    const page = await two.users.index.result()
    expectTypeOf(page.data!.items).toEqualTypeOf<{ id: number; fullName: string }[]>()
    expect(page.data).toEqual({ items: [{ id: 7, fullName: 'Dora Maar' }], next: '/users?after=7' })
    expect(page.response.headers.get('link')).toBeNull()
    expect((await three.users.index()).items).toEqual([dora])

    expect(await one.users.show({ id: 7 })).toEqual({ id: 7, name: 'Dora Maar' })
    expect(await two.users.show({ id: 7 })).toEqual({ id: 7, fullName: 'Dora Maar' })
    const team = await one.teams.show({ id: 1 })
    expectTypeOf(team.owner).toEqualTypeOf<{ id: number; name: string } | null | undefined>()
    expect(team).toEqual({ id: 'a', owner: { id: 7, name: 'Dora Maar' } })

    received.length = 0
    expect(await one.users.create({ body: { name: 'Lee Miller' } })).toEqual({
      id: 8,
      name: 'Lee Miller',
    })
    expect(await two.users.create({ body: { fullName: 'Lee Miller' } })).toEqual({
      id: 8,
      fullName: 'Lee Miller',
    })
    expect(received).toEqual(
      Array.from({ length: 2 }, () => ({ firstName: 'Lee', lastName: 'Miller' })),
    )
    // @ts-expect-error version 1 has a name
    const refused = one.users.create({ body: { fullName: 'Lee Miller' } })
    await expect(refused).rejects.toThrow(ClientError)
    await expect(one.users.create({ body: { name: 'Lee' } })).rejects.toMatchObject({ status: 400 })
  })

  it('send text and streams as they are', async () => {
    const origin = await serve()
    for (const [id, text] of [
      ['stream', 'bytes'],
      ['text', 'text'],
    ]) {
      const accept = 'application/vnd.acme+json;version=1'
      const response = await fetch(`${origin}/users/${id}`, {
        headers: { accept, connection: 'close' },
      })
      expect(await response.text()).toBe(text)
    }
  })

  it('have documents of their own', () => {
    const documentOf = (number: 1 | 2 | 3) =>
      JSON.stringify(
        openapi(routes, controllers, { version: number, info: { title: 'Acme', version: '1' } })
          .paths,
      )
    const names = ['"name":{"type"', '"fullName":{"type"', '"firstName":{"type"']
    expect(
      [1, 2, 3].map((number) => names.map((name) => documentOf(number as 1).includes(name))),
    ).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ])
    expect(documentOf(1)).not.toContain('"next"')
  })
})
