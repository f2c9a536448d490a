// Hono's middleware on paths, and guards that read the URL themselves, stand in front of the router.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createGuardTest, report, runRequestLines } from '@hv/router-contract'
import { Hono } from 'hono'
import { type RouteMatch, createRouter } from '../src/index.ts'

const ran = new WeakMap<Request, string[]>()
const handler = (request: Request, { version, row }: RouteMatch) =>
  new Response('{}', { headers: { 'x-served': report(version, row.pattern, ran.get(request)!) } })

runRequestLines({
  name: 'fetch on Node',
  async serve(apis) {
    const app = new Hono()
    for (const { mount, guards, routes, controllers } of apis) {
      const unknown = new Response(null, { status: 404 })
      const router = createRouter(routes, controllers(handler) as never, {
        fallback: () => unknown,
      })
      for (const path of guards) {
        const test = createGuardTest(path)
        app.use(`${mount}${path}/*`, async ({ req: { raw } }, next) => {
          const below = mount === '' ? raw : withoutMount(raw)
          if (test(new URL(below.url).pathname)) ran.set(raw, [...(ran.get(raw) ?? []), path])
          await next()
        })
      }
      app.all(`${mount}/*`, async ({ req: { raw } }, next) => {
        const request = mount === '' ? raw : withoutMount(raw)
        ran.set(request, ran.get(raw) ?? [])
        const response = await router(request)
        return response === unknown ? next() : response
      })
    }
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server
    if (!server.listening) await once(server, 'listening')
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  },
})

const withoutMount = (request: Request): Request => {
  const { origin, pathname, search } = new URL(request.url)
  const below = pathname.replace(/^\/[^/]*/, '') // the mount may be sent as `/mount%65d`
  return new Request(origin + below + search, {
    method: request.method,
    headers: request.headers,
  })
}
