// Another adapter's action() doesn't compile. Without types, it's an error at start-up.
import { api, event, resources, version } from '@hv/router'
import * as onExpress from '@hv/router-express'
import * as onFastify from '@hv/router-fastify'
import * as onFetch from '@hv/router-fetch'
import { it } from 'vitest'

const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'show' })))
const express = onExpress.action(routes, 'users', 'show', {
  handler: (req, res) => res.json({ id: req.params.id }),
})
const fastify = onFastify.action(routes, 'users', 'show', {
  handler: (request) => ({ id: request.params.id }),
})
const fetch = onFetch.action(routes, 'users', 'show', {
  handler: (_request, match) => Response.json({ id: match.params.id }),
})

it("createRouter takes its own adapter's action()s only", () => {
  onExpress.createRouter(routes, { 1: { users: { show: express } } })
  // @ts-expect-error -- Fastify's
  onExpress.createRouter(routes, { 1: { users: { show: fastify } } })
  // @ts-expect-error -- fetch's
  onExpress.createRouter(routes, { 1: { users: { show: fetch } } })

  onFastify.createRouter(routes, { 1: { users: { show: fastify } } })
  // @ts-expect-error -- Express's
  onFastify.createRouter(routes, { 1: { users: { show: express } } })
  // @ts-expect-error -- fetch's
  onFastify.createRouter(routes, { 1: { users: { show: fetch } } })

  onFetch.createRouter(routes, { 1: { users: { show: fetch } } })
  // @ts-expect-error -- Express's
  onFetch.createRouter(routes, { 1: { users: { show: express } } })
  // @ts-expect-error -- Fastify's
  onFetch.createRouter(routes, { 1: { users: { show: fastify } } })
})

const created = event({ type: 'object' })

it("createRouter takes events beside routes' actions in a const, and no event for a route", () => {
  const users = { show: fetch, created }
  const controllers = { 1: { users, webhooks: { created } } }
  onFetch.createRouter(routes, controllers)
  // @ts-expect-error -- no route leads to it
  onFetch.createRouter(routes, { 1: { users: { show: fetch, created } } })
  // @ts-expect-error -- a route leads to it
  onFetch.createRouter(routes, { 1: { users: { show: created } } })

  onExpress.createRouter(routes, { 1: { users: { ...users, show: express } } })
  // @ts-expect-error -- no route leads to it
  onExpress.createRouter(routes, { 1: { users: { show: express, created } } })
  // @ts-expect-error -- a route leads to it
  onExpress.createRouter(routes, { 1: { users: { show: created } } })

  onFastify.createRouter(routes, { 1: { users: { ...users, show: fastify } } })
  // @ts-expect-error -- no route leads to it
  onFastify.createRouter(routes, { 1: { users: { show: fastify, created } } })
  // @ts-expect-error -- a route leads to it
  onFastify.createRouter(routes, { 1: { users: { show: created } } })
})
