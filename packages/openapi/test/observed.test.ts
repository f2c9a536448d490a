// What Express, Fastify and fetch send is what their documents say.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type Api, withResponses } from '@hv/router'
import { brownout, runObserved } from '@hv/router-contract'
import { ajvValidator, createRouter as onExpress, validationErrorHandler } from '@hv/router-express'
import { createRouter as onFastify } from '@hv/router-fastify'
import { createRouter as onFetch } from '@hv/router-fetch'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import express, { type ErrorRequestHandler, type Request, type Response as Sent } from 'express'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { openapi } from '../src/index.ts'

const User = {
  $id: 'User',
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' } },
}
const NewUser = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const list = { response: { 200: { type: 'array', items: User } } }
const one = { response: { 200: User } }
const created = { body: NewUser, response: { 201: User } }
const none = { response: { 204: { type: 'null' } } }
const missing = { message: 'No such user' }
const options = { now: () => brownout }
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const compile = (schema: object) => ajv.compile(schema)

const documentsOf = (routes: Api, controllers: object) => {
  const info = { title: 'Acme', version: '1.0.0' }
  const documentOf = (number: number) =>
    openapi(routes, controllers, { version: number as never, info })
  return { 1: documentOf(1), 2: documentOf(2) }
}
const both = (users: object, errors: object) => {
  const controllers = withResponses({ users } as never, errors as never)
  return { 1: controllers, 2: controllers }
}
const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** An error's message, as the apps' own error handlers send it. */
const Failure = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
}

runObserved({
  name: 'Express',
  statuses: { 'the type': 400 }, // express.json() leaves the body alone
  compile,
  async start(routes) {
    const users = {
      index: { schema: list, handler: (_req: Request, res: Sent) => res.json([{ id: 7 }]) },
      show: {
        schema: one,
        handler: ({ params }: Request, res: Sent) =>
          params['id'] === '7' ? res.json({ id: 7 }) : res.status(404).json(missing),
      },
      create: {
        schema: created,
        handler: (_req: Request, res: Sent) => res.status(201).json({ id: 8 }),
      },
      destroy: { schema: none, handler: (_req: Request, res: Sent) => res.status(204).end() },
      boom: () => {
        throw new Error('boom')
      },
    }
    const controllers = both(users, { '4xx': Failure, '5xx': Failure })
    const onError: ErrorRequestHandler = (error, _req, res, _next) =>
      res.status(error.status ?? 500).json({ message: error.message })
    const validator = ajvValidator(new Ajv())
    const router = onExpress(routes, controllers as never, { ...options, validator, json: {} })
    const app = express().use(express.json(), router, validationErrorHandler, onError)
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      origin: originOf(server),
      documents: documentsOf(routes, controllers),
      close: () => server.close(),
    }
  },
})

/** What Fastify sends by default. */
const FastifyError = {
  type: 'object',
  required: ['statusCode', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' },
    code: { type: 'string' },
    error: { type: 'string' },
    message: { type: 'string' },
  },
}
runObserved({
  name: 'Fastify',
  statuses: { 'the charset': 201, 'the extension': 200 },
  compile,
  async start(routes) {
    const users = {
      index: { schema: list, handler: () => Promise.resolve([{ id: 7 }]) },
      show: {
        schema: { response: { 200: User, 404: Failure } },
        handler: ({ params }: FastifyRequest, reply: FastifyReply) =>
          (params as { id: string }).id === '7'
            ? reply.send({ id: 7 })
            : reply.code(404).send(missing),
      },
      create: {
        schema: created,
        handler: (_request: FastifyRequest, reply: FastifyReply) => reply.code(201).send({ id: 8 }),
      },
      destroy: {
        schema: none,
        handler: (_request: FastifyRequest, reply: FastifyReply) => reply.code(204).send(),
      },
      boom: () => Promise.reject(new Error('boom')),
    }
    const controllers = both(users, { '4xx': FastifyError, '5xx': FastifyError })
    const app = fastify({ forceCloseConnections: true })
    app.register(onFastify(routes, controllers as never, options))
    return {
      origin: await app.listen({ host: '127.0.0.1', port: 0 }),
      documents: documentsOf(routes, controllers),
      close: () => app.close(),
    }
  },
})

runObserved({
  name: 'fetch',
  statuses: { 'the size': 201, 'the type': 400, 'the charset': 201 },
  compile,
  async start(routes) {
    const users = {
      index: { schema: list, handler: () => Response.json([{ id: 7 }]) },
      show: {
        schema: one,
        handler: (_request: unknown, { params }: { params: { id: string } }) =>
          params.id === '7' ? Response.json({ id: 7 }) : Response.json(missing, { status: 404 }),
      },
      create: { schema: created, handler: () => Response.json({ id: 8 }, { status: 201 }) },
      destroy: { schema: none, handler: () => new Response(null, { status: 204 }) },
      boom: () => Promise.reject(new Error('boom')),
    }
    const controllers = both(users, { '4xx': Failure, '5xx': Failure })
    const validator = ajvValidator(new Ajv())
    const router = onFetch(routes, controllers as never, { ...options, validator } as never)
    const handle = async (request: globalThis.Request) => {
      try {
        return await router(request)
      } catch (error) {
        return Response.json({ message: (error as Error).message }, { status: 500 })
      }
    }
    const server = serve({ fetch: handle, hostname: '127.0.0.1', port: 0 }) as Server
    if (!server.listening) await once(server, 'listening')
    return {
      origin: originOf(server),
      documents: documentsOf(routes, controllers),
      close: () => server.close(),
    }
  },
})
