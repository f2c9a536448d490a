// No handler runs for a path with an extension, so middleware on a path can't be gone around.
import { type Api, api, get, resources, version } from '@hv/router'
import express, { type Express, type RequestHandler, Router } from 'express'
import { describe, expect, it } from 'vitest'
import { type ApiRouter, createRouter } from '../src/index.ts'
import { listen, send } from './listen.ts'

const users = [
  get('/', { to: 'users#index' }),
  resources('users', { only: ['index', 'show'] }),
] as const

function routerOf(path = '/api', more: object = {}, options: object = {}): ApiRouter {
  const routes: Api = api({ vendorString: 'acme', path, ...more }, version(1, ...users)) as never
  const respond: RequestHandler = (req, res) => res.json(req.apiMatch!.format)
  return createRouter(routes, { 1: { users: { index: respond, show: respond } } } as never, options)
}

const authenticate: RequestHandler = (_req, res) => void res.sendStatus(401)
const rewrite =
  (from: string | RegExp, to: string): RequestHandler =>
  (req, _res, next) => {
    req.url = req.url.replace(from, to)
    next()
  }

describe('middleware on a path', () => {
  it.each<[string, (app: Express) => unknown, string]>([
    ['app.use()', (app) => app.use('/api/users', authenticate).use(routerOf()), '/api'],
    ['app.get()', (app) => app.get('/api/users', authenticate).use(routerOf()), '/api'],
    [
      'a function that reads req.path',
      (app) =>
        app
          .use((req, res, next) =>
            req.path === '/api/users' ? authenticate(req, res, next) : next(),
          )
          .use(routerOf()),
      '/api',
    ],
    [
      'a mounted router',
      (app) => app.use('/mounted/api/users', authenticate).use('/mounted', routerOf()),
      '/mounted/api',
    ],
    [
      'a router in a function',
      (app) => {
        const router = routerOf()
        app.use('/api/users', authenticate).use((req, res, next) => router(req, res, next))
      },
      '/api',
    ],
    [
      'a router in a router',
      (app) => app.use('/v', Router().use('/api/users', authenticate).use(routerOf())),
      '/v/api',
    ],
    [
      'an app in an app',
      (app) => app.use('/in', express().use('/api/users', authenticate).use(routerOf())),
      '/in/api',
    ],
    [
      'match ahead of the router',
      (app) => {
        const router = routerOf()
        app.use(router.match).use('/api/users', authenticate).use(router)
      },
      '/api',
    ],
    [
      'a rewritten URL',
      (app) =>
        app
          .use(rewrite(/^\/old/, '/api'))
          .use('/api/users', authenticate)
          .use(routerOf()),
      '/old',
    ],
    ['an API at the root', (app) => app.use('/users', authenticate).use(routerOf('')), ''],
  ])('of %s', async (_what, arrange, base) => {
    const app = express()
    arrange(app)
    const port = await listen(app)
    for (const extension of ['.json', '.JSON', '.json/', '.json?x=1']) {
      const { status, headers } = await send(port, { path: `${base}/users${extension}` })
      expect([status, headers['location']], extension).toEqual([
        308,
        `${extension.endsWith('/') ? '..' : '.'}/users${extension.includes('?') ? '?x=1' : ''}`,
      ])
    }
    expect((await send(port, { path: `${base}/users` })).status).toBe(401)
  })

  it('is gone around only if the API declares formats, as the README says', async () => {
    const app = express().use('/api/users', authenticate)
    const port = await listen(app.use(routerOf('/api', { formats: ['json'] })))
    expect((await send(port, { path: '/api/users.json' })).status).toBe(200)
    expect((await send(port, { path: '/api/users' })).status).toBe(401)
  })
})

it.each([
  ['/api/users.json', './users'],
  ['/api.json', './api'],
  ['/api.json/', '../api'],
  ['http://u@x/api/users.json?a=b', './users?a=b'],
  ['/api/users.json?a=b#c', './users?a=b'],
])('redirects %s to %s', async (path, location) => {
  const { status, headers } = await send(await listen(express().use(routerOf())), { path })
  expect([status, headers['location']]).toEqual([308, location])
})

it.each([
  ['a last segment', '/old.json', './old'],
  ['a last segment before a slash', '/old.json/?a=b', '../old?a=b'],
  ['a query', '/api/users.json?old.json', './users?old.json'],
  ["an extension that the client didn't send", '/new', './users'],
])(
  'redirects to what the client sent if middleware has rewritten %s',
  async (_what, path, location) => {
    const app = express().use(
      rewrite('/old', '/api/users'),
      rewrite('?old', '?'),
      rewrite('/new', '/api/users.json'),
      routerOf(),
    )
    const { status, headers } = await send(await listen(app), { path })
    expect([status, headers['location']]).toEqual([308, location])
  },
)

it('writes characters that no header may contain as escapes', async () => {
  const app = express().use(rewrite('/x', '/api/users/\u20ac\f.json'), routerOf())
  const answer = await send(await listen(app), { path: '/x' })
  expect([answer.status, answer.headers['location']]).toEqual([308, './%E2%82%AC%0C'])
  const odd = express().use(rewrite('/x', '/api/users/\ud800.json'), routerOf())
  expect((await send(await listen(odd), { path: '/x' })).status).toBe(400)
})

it('reports the redirect to onRouted under its own code', async () => {
  const found: unknown[] = []
  const onRouted = (result: object) => found.push(result)
  const port = await listen(express().use(routerOf('/api', {}, { onRouted })))
  const { status, bytes } = await send(port, { path: '/api/users/7.json?a' })
  expect([status, String(bytes)]).toEqual([308, ''])
  expect(found).toEqual([{ kind: 'miss', status: 308, code: 'extension', location: './7?a' }])
})
