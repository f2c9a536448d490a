// `npm run bench -- calls`: the functions that `GET /api/users/7` calls, and how often, counted by V8.
// `ours` lists this repository's functions by file. `framework` counts the calls in other packages.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import express, { type Request as ExpressRequest, type Response as ExpressResponse } from 'express'
import fastify, { type FastifyRequest } from 'fastify'
import { type Api, api, cache, createMatcher, inherit, resources, version } from '@hv/router'
import { createRouter as createExpressRouter } from '@hv/router-express'
import { createRouter as createFastifyRouter } from '@hv/router-fastify'
import { type RouteMatch, createRouter as createFetchRouter } from '@hv/router-fetch'

const routes: Api = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' })),
)
const accept = 'application/vnd.acme+json;version=2'
const wrong = 'application/vnd.acme+json;version=9'

/** The controllers of both versions. */
function controllersOf(show: unknown): never {
  const users = { index: show, show }
  return { 1: { users }, 2: { users } } as never
}

type Send = (path: string, accept: string) => unknown

async function listen(server: ReturnType<typeof createServer>): Promise<Send> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return async (path, type) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: type } })).text()
}

const { match } = createMatcher(routes)
const handle = createFetchRouter(
  routes,
  controllersOf((_request: Request, { params }: RouteMatch) => Response.json(params)),
)
const expressApp = express().use(
  createExpressRouter(
    routes,
    controllersOf((req: ExpressRequest, res: ExpressResponse) => void res.json(req.params)),
  ),
)
const fastifyApp = fastify()
fastifyApp.register(
  createFastifyRouter(
    routes,
    controllersOf((request: FastifyRequest) => Promise.resolve(request.params)),
  ),
)
await fastifyApp.ready()
const express_ = createServer(expressApp)
const onExpress = await listen(express_)
const onFastify = await listen(fastifyApp.server)
const onFetch: Send = (path, type) =>
  handle(new Request(`http://localhost${path}`, { headers: { accept: type } }))

const cases: Record<string, () => unknown> = {
  'match() alone': () => match('GET', '/api/users/7', accept),
  fetch: () => onFetch('/api/users/7', accept),
  'fetch 406': () => onFetch('/api/users/7', wrong),
  Express: () => onExpress('/api/users/7', accept),
  'Express 406': () => onExpress('/api/users/7', wrong),
  Fastify: () => onFastify('/api/users/7', accept),
  'Fastify .json': () => onFastify('/api/users/7.json', accept),
  'Fastify 406': () => onFastify('/api/users/7', wrong),
}

/** The positions where our source files begin in a bundle, read from the bundler's comments. */
const filesOf = new Map<string, readonly { readonly file: string; readonly start: number }[]>()

/** Returns a function's source file. Empty for this file's and other packages' functions. */
function sourceOf(url: string, offset: number): string {
  if (!url.startsWith(new URL('.', import.meta.url).href)) return ''
  let files = filesOf.get(url)
  if (files === undefined) {
    const comments = readFileSync(new URL(url), 'utf8').matchAll(
      /^\/\/ ((?:\.\.\/[\w-]+\/)?src\/\S+)$/gm,
    )
    files = Array.from(comments, ({ 1: file, index }) => ({ file: file!, start: index }))
    filesOf.set(url, files)
  }
  const file = files.findLast(({ start }) => start <= offset)?.file ?? ''
  return file.startsWith('../') ? file : ''
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

async function count(send: () => unknown): Promise<Record<string, number>> {
  for (let i = 0; i < 50; i++) await send()
  await session.post('Profiler.takePreciseCoverage') // starts from zero
  await send()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called = result.flatMap(
    ({ url, functions }) =>
      functions
        .map(({ functionName: name, ranges: [range] }) => ({
          url,
          name,
          start: range!.startOffset,
          calls: range!.count,
        }))
        .filter(({ start, calls }) => start > 0 && calls > 0), // a module starts at 0
  )
  const ours = called
    .map(({ url, name, start, calls }) => ({ name, calls, file: sourceOf(url, start) }))
    .filter(({ file }) => file !== '')
  if (process.argv.includes('--list'))
    for (const { file, name, calls } of ours) console.log(`  ${calls} ${file} ${name}`)
  const theirs = called.filter(({ url }) => url.includes('/node_modules/'))
  return {
    'our functions': ours.length,
    'our calls': sum(ours),
    'our files': new Set(ours.map(({ file }) => file)).size,
    'framework calls': sum(theirs),
  }
}
const sum = (called: readonly { readonly calls: number }[]): number =>
  called.reduce((all, { calls }) => all + calls, 0)

const counts: Record<string, Record<string, number>> = {}
for (const [name, send] of Object.entries(cases)) {
  if (process.argv.includes('--list')) console.log(name)
  counts[name] = await count(send)
}
console.table(counts)
express_.close()
express_.closeAllConnections()
await fastifyApp.close()
