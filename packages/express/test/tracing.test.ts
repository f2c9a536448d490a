// Datadog and Sentry wrap the method with which Express runs a layer, to name a request after its route.
import { api, get, version } from '@hv/router'
import express, { type RequestHandler } from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { createRouter } from '../src/index.ts'
import { listen, send } from './listen.ts'

type Layer = Record<string, RequestHandler> & { readonly route?: { readonly path: string } }

/** Records the route of each layer that Express runs, until the test has finished. */
function recordRoutes(): readonly string[] {
  const routes: string[] = []
  const router = express.Router().get('/', () => {})
  const prototype = Object.getPrototypeOf(router.stack[0]) as Layer
  const method = 'handleRequest' in prototype ? 'handleRequest' : 'handle_request'
  const original = prototype[method]!
  prototype[method] = function handle(this: Layer, ...args) {
    if (this.route) routes.push(this.route.path)
    return original.apply(this, args)
  }
  onTestFinished(() => void (prototype[method] = original))
  return routes
}

it('runs a route through the method that tracing tools wrap', async () => {
  const routes = recordRoutes()
  const things = api({ vendorString: 'acme' }, version(1, get('things/:id', { to: 'things#show' })))
  const show: RequestHandler = (_req, res) => void res.json({})
  const app = express().get('/native/:id', show)
  app.use(createRouter(things, { 1: { things: { show } } }))
  const port = await listen(app)
  await send(port, { path: '/native/7' })
  await send(port, { path: '/api/things/7' })
  expect(routes).toEqual(['/native/:id', '/api/things/:id'])
})
