// Serves one variant of the app for `http.ts`. The apps are `fastify` and `express`, with `-400`
// for 400 resources. The variants are `bare`, `again` (identical to `bare`), `headers` and `ours`.
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { createRouter as onExpress } from '@hv/router-express'
import { createRouter as onFastify } from '@hv/router-fastify'
import { type Api, api, cache, inherit, resources, version } from '@hv/router'

const [app, mode] = process.argv.slice(2) as [string, 'bare' | 'again' | 'headers' | 'ours']
const names = Array.from({ length: app.endsWith('-400') ? 400 : 4 }, (_, i) => `r${i}s`)
const actions = ['index', 'create', 'show', 'update', 'destroy'] as const
const headers = {
  vary: 'Accept',
  'api-version': '1',
  'content-type': 'application/vnd.acme+json; version=1; charset=utf-8',
}
const answer = (id: string) => ({
  id,
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  roles: ['admin'],
})

type Loose = (...args: unknown[]) => never
const routes: Api = (api as Loose)(
  { vendorString: 'acme', except: ['new', 'edit'] },
  version(1, (cache as Loose)({ as: 'v1' }, ...names.map((name) => resources(name)))),
  version(2, inherit({ from: 'v1' })),
  version(3, inherit({ from: 'v1' })),
)
const controllers = (handler: unknown) => {
  const controller = Object.fromEntries(actions.map((action) => [action, handler]))
  const all = Object.fromEntries(names.map((name) => [name, controller]))
  return { 1: all, 2: all, 3: all } as never
}
const paths = names.flatMap((name) => [
  ['get', `/api/${name}`] as const,
  ['post', `/api/${name}`] as const,
  ['get', `/api/${name}/:id`] as const,
  ['put', `/api/${name}/:id`] as const,
  ['delete', `/api/${name}/:id`] as const,
])

const port = app.startsWith('fastify') ? await serveFastify() : await serveExpress()
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!([user + system, user])
})
process.on('disconnect', () => process.exit())
process.send!(port)

async function serveFastify(): Promise<number> {
  const server = fastify()
  const handler = (request: { params: unknown }) =>
    Promise.resolve(answer((request.params as { id: string }).id))
  if (mode === 'ours') await server.register(onFastify(routes, controllers(handler)))
  else for (const [method, path] of paths) server[method](path, handler)
  if (mode === 'headers')
    server.addHook('onSend', (_request, reply, _payload, next) => {
      reply.headers(headers)
      next()
    })
  await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as AddressInfo).port
}

async function serveExpress(): Promise<number> {
  const server = express()
  const handler = (request: { params: unknown }, response: { json(body: unknown): unknown }) =>
    response.json(answer((request.params as { id: string }).id))
  if (mode === 'headers') server.use((_request, response, next) => next(void response.set(headers)))
  if (mode === 'ours') server.use(onExpress(routes, controllers(handler)))
  else for (const [method, path] of paths) server[method](path, handler as never)
  return new Promise((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () =>
      resolve((listening.address() as AddressInfo).port),
    )
  })
}
