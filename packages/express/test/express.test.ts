import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { api, cache, inherit, resources, version } from '@hv/router'
import express, { type Express, type Request, type Response } from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['show', 'create'] }))),
  version(2, inherit({ from: 'v1' })),
)

let close = async (): Promise<void> => {}
afterEach(() => close())

async function listen(app: Express): Promise<string> {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('Express', () => {
  const show = (req: Request, res: Response) => void res.json({ params: req.params, body: req.body as unknown })
  const controllers = { 1: { users: { show, create: show } }, 2: { users: { show, create: show } } }

  it('keeps the params of a mount path', async () => {
    const app = express()
    app.use('/tenants/:tenant', createRouter(routes, controllers))
    const origin = await listen(app)
    // Express hides a mount's params from a plain middleware, as from any Router without mergeParams.
    expect(await (await fetch(`${origin}/tenants/t1/api/users/7`)).json()).toMatchObject({ params: { id: '7' } })
  })

  it('leaves a vendor body alone that the app has parsed', async () => {
    const app = express()
    app.use(express.json({ type: '*/*', reviver: (_key, value: unknown) => (value === 1 ? 'one' : value) }))
    app.use(createRouter(routes, controllers))
    const origin = await listen(app)
    const headers = { 'content-type': 'application/vnd.acme+json' }
    const answer = await fetch(`${origin}/api/users`, { method: 'POST', headers, body: '{"a":1}' })
    expect(await answer.json()).toMatchObject({ body: { a: 'one' } })
  })

  it('hands a broken vendor body to the error handling of the app', async () => {
    const app = express()
    app.use(createRouter(routes, controllers))
    app.use(
      (error: { status: number }, _req: Request, res: Response, _next: unknown) =>
        void res.status(error.status).json({ caught: true }),
    )
    const origin = await listen(app)
    const answer = await fetch(`${origin}/api/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.acme+json' },
      body: '{',
    })
    expect([answer.status, await answer.json()]).toEqual([400, { caught: true }])
  })

  it('keeps a Vary that is there', async () => {
    const app = express()
    app.use((_req, res, next) => next(void res.vary('Origin')))
    app.use(createRouter(routes, controllers))
    const origin = await listen(app)
    expect((await fetch(`${origin}/api/users/7`)).headers.get('vary')).toBe('Origin, Accept')
  })

  it('lets a handler hand on with next()', async () => {
    const app = express()
    const handOn = (_req: Request, _res: Response, next: () => void) => next()
    app.use(createRouter(routes, { 1: { users: { show: handOn, create: handOn } }, 2: controllers[2] }))
    app.use((_req, res) => void res.json({ after: true }))
    const origin = await listen(app)
    expect(await (await fetch(`${origin}/api/users/7`)).json()).toEqual({ after: true })
  })

  it('refuses controllers that lack what the routes reach, at start', () => {
    expect(() => createRouter(routes, { 1: controllers[1] } as never)).toThrow('controllers[2].users')
  })
})
