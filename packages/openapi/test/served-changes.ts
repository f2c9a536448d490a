// Serves two versions of one resource on every adapter. Version 1 is version 2 before some changes.
import { type ActionSchema, type Change, api, cache, inherit, resources, version } from '@hv/router'
import { ajvValidator } from '@hv/router/adapter'
import { before as beforeOnExpress, createRouter as onExpress } from '@hv/router-express'
import { before as beforeOnFastify, createRouter as onFastify } from '@hv/router-fastify'
import { before as beforeOnFetch, createRouter as onFetch } from '@hv/router-fetch'
import { Ajv } from 'ajv'
import express, { type Request as Req, type Response as Res } from 'express'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a handler sees of a request, on every adapter. */
export interface Input {
  readonly body?: any
  readonly query?: any
  readonly params?: any
  readonly headers?: any
}
export interface Output {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}
export interface Action {
  readonly schema: ActionSchema
  readonly act: (input: Input) => Output
}
export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}
/** Sends a request to a version. An empty body is null. */
type Send = (
  version: number,
  sent: Sent,
) => Promise<{ status: number; headers: Headers; body: unknown }>

export const names = ['index', 'show', 'create', 'update', 'destroy'] as const
export const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, cache({ as: 'v1' }, resources('things', { only: [...names] }))),
  version(2, inherit({ from: 'v1' })),
)
type Actions = Readonly<Partial<Record<(typeof names)[number], Action>>>
export interface Migration {
  readonly what: string
  readonly actions: Actions
  readonly changes: readonly Change[]
  /** What an older client sends, and what it receives. */
  readonly older: readonly [Sent, Output]
  /** The same for a client of the newer version. */
  readonly newer: readonly [Sent, Output]
}
const none: Action = { schema: {}, act: () => ({ status: 404, body: {} }) }
const controllerOf = (actions: Actions, handle: (act: Action['act']) => unknown) => ({
  things: Object.fromEntries(
    names.map((name) => [
      name,
      { schema: (actions[name] ?? none).schema, handler: handle((actions[name] ?? none).act) },
    ]),
  ),
})

async function sendTo(
  send: (path: string, init: RequestInit) => Promise<Response> | Response,
  number: number,
  sent: Sent,
) {
  const { method = 'GET', path = '/things/7', headers, body } = sent
  const response = await send(path, {
    method,
    headers: {
      accept: `application/vnd.acme+json;version=${number}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as unknown),
  }
}

export const adapters: Readonly<
  Record<string, (actions: Actions, ...changes: Change[]) => Promise<Send>>
> = {
  async Fastify(actions, ...changes) {
    const v2 = controllerOf(actions, (act) => (request: FastifyRequest, reply: FastifyReply) => {
      const { status = 200, headers = {}, body } = act(request)
      return reply.code(status).headers(headers).send(body)
    })
    const app = fastify().register(
      onFastify(routes, { 1: beforeOnFastify(v2, ...changes), 2: v2 } as never),
    )
    onTestFinished(() => app.close())
    const url = await app.listen()
    return (number, sent) => sendTo((path, init) => fetch(url + path, init), number, sent)
  },
  async Express(actions, ...changes) {
    const v2 = controllerOf(actions, (act) => (request: Req, response: Res) => {
      const { status = 200, headers = {}, body } = act(request)
      response.status(status).set(headers)
      return body === undefined ? response.end() : response.json(body)
    })
    const validator = ajvValidator(new Ajv({ coerceTypes: true, useDefaults: true }))
    const controllers = { 1: beforeOnExpress(v2, ...changes), 2: v2 } as never
    const server = express()
      .use(express.json(), onExpress(routes, controllers, { validator }))
      .listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    return (number, sent) =>
      sendTo((path, init) => fetch(`http://127.0.0.1:${port}${path}`, init), number, sent)
  },
  async fetch(actions, ...changes) {
    const v2 = controllerOf(actions, (act) => ({ headers: own }: Request, match: Input) => {
      const {
        status = 200,
        headers = {},
        body,
      } = act({ headers: Object.fromEntries(own), ...match })
      return body === undefined
        ? new Response(null, { status, headers })
        : Response.json(body, { status, headers })
    })
    const validator = ajvValidator(new Ajv({ coerceTypes: true, useDefaults: true }))
    const handle = onFetch(routes, { 1: beforeOnFetch(v2, ...changes), 2: v2 } as never, {
      validator,
    })
    return (number, sent) =>
      sendTo((path, init) => handle(new Request(`http://acme.example${path}`, init)), number, sent)
  },
}
