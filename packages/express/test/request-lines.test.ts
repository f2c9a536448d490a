// Express's own middleware on paths stands in front of the router.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { report, runRequestLines } from '@hv/router-contract'
import express, { type Request, type RequestHandler, Router } from 'express'
import { createRouter } from '../src/index.ts'

const ran = new WeakMap<Request, string[]>()
const guard =
  (path: string): RequestHandler =>
  (req, _res, next) => {
    ran.set(req, [...(ran.get(req) ?? []), path])
    next()
  }
const handler: RequestHandler = (req, res) => {
  const { version, row } = req.apiMatch!
  res.set('x-served', report(version, row.pattern, ran.get(req) ?? [])).json({})
}

runRequestLines({
  name: `Express ${'del' in express.application ? 4 : 5}`,
  async serve(apis) {
    const app = express().disable('etag')
    for (const { mount, guards, routes, controllers } of apis) {
      const inner = Router()
      for (const path of guards) inner.use(path, guard(path))
      const router = createRouter(routes, controllers(handler) as never)
      // Half of the requests are matched ahead of the router.
      app.use(
        mount || '/',
        inner.use(
          (req, res, next) => (req.headers.accept ? router.match(req, res, next) : next()),
          router,
        ),
      )
    }
    const server = createServer((req, res) => {
      try {
        app(req, res)
      } catch {
        res.writeHead(400).end() // Express 4 throws for a URL that Node can't parse, such as file://[::1/
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  },
})
