// Middleware such as express-openapi-validator redefines `req.query`, which is a getter in Express 5.
import { api, get, version } from '@hv/router'
import express from 'express'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { action, createRouter } from '../src/index.ts'
import { jsonOf, listen, send } from './listen.ts'

const show = action({
  schema: { querystring: z.object({ n: z.coerce.number() }) },
  handler: (req, res) => void res.json(req.query),
})
const routes = api({ vendorString: 'acme' }, version(1, get('things', { to: 'things#show' })))

it.each([{}, { writable: true }, { writable: true, configurable: true }])(
  'validates a query that middleware has redefined as %j',
  async (descriptor) => {
    const app = express()
    app.use((req, _res, next) => {
      const isRedefined = Object.keys(descriptor).length > 0
      if (isRedefined) Object.defineProperty(req, 'query', { value: { n: '5' }, ...descriptor })
      next()
    })
    app.use(createRouter(routes, { 1: { things: { show } } }))
    const received = await send(await listen(app), { path: '/api/things?n=5' })
    expect([received.status, jsonOf(received)]).toEqual([200, { n: 5 }])
  },
)
