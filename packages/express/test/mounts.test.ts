import { type Api, api, createMatcher, get, version } from '@hv/router'
import express, { type Express, type RequestHandler, Router } from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRouter } from '../src/index.ts'
import { jsonOf, listen, send } from './listen.ts'

const apiOf = (vendorString: string, path?: string) =>
  api({ vendorString, ...(path !== undefined && { path }) }, version(1, get('users', { to: 'users#index' })))

/** A router that responds with its vendor. */
const routerOf = (vendor: string, path?: string) =>
  createRouter(
    apiOf(vendor, path) as Api,
    { 1: { users: { index: ((_req, res) => res.json(vendor)) as RequestHandler } } } as never,
  )

async function ask(app: Express, path: string, vendor: string) {
  const answer = await send(await listen(app), {
    path,
    headers: { accept: `application/vnd.${vendor}+json;version=1` },
  })
  return answer.status === 200 ? jsonOf(answer) : answer.status
}

describe('two APIs that share a path', () => {
  const apps: Record<string, (app: Express) => unknown> = {
    'on one app': (app) => app.use(routerOf('one')).use(routerOf('two')),
    'with other middleware between them': (app) =>
      app.use(routerOf('one'), (_req, res, next) => next(void res.set('x-between', 'yes')), routerOf('two')),
    'under one mount path': (app) => app.use('/api', routerOf('one', '')).use('/api', routerOf('two', '')),
    'under different mount paths': (app) => app.use('/api', routerOf('one', '')).use(routerOf('two')),
    'under different mount paths, the other way round': (app) =>
      app.use(routerOf('one')).use('/api', routerOf('two', '')),
    'on an Express router': (app) => app.use(Router().use(routerOf('one')).use(routerOf('two'))),
    'on a mounted Express router': (app) => app.use('/api', Router().use(routerOf('one', '')).use(routerOf('two', ''))),
    'on a mounted Express router, under a mount path': (app) =>
      app.use('/api', Router().use('/', routerOf('one', '')).use('/', routerOf('two', ''))),
    'on a mounted app': (app) => app.use('/api', express().use(routerOf('one', '')).use(routerOf('two', ''))),
  }
  it.each(Object.entries(apps))('serve both vendors %s', async (_where, mount) => {
    const app = express()
    mount(app)
    expect(await ask(app, '/api/users', 'one')).toBe('one')
    expect(await ask(app, '/api/users', 'two')).toBe('two')
    expect(await ask(app, '/api/users', 'three')).toBe(406)
  })

  it('serve both vendors with routers of two copies of the package', async () => {
    const copy = (await import(
      /* @vite-ignore */ `../src/${'later-router.ts?copy'}`
    )) as typeof import('../src/later-router.ts')
    const router = routerOf('two')
    const two: RequestHandler = (req, res, next) => router(req, res, next)
    copy.addRouter(two, createMatcher(apiOf('two') as Api).match)
    const app = express()
    app.use(routerOf('one')).use(two)
    expect(await ask(app, '/api/users', 'one')).toBe('one')
    expect(await ask(app, '/api/users', 'two')).toBe('two')
  })

  it('are asked at the path where they are mounted', async () => {
    const app = express()
    app.use(routerOf('one')).use('/elsewhere', routerOf('two'))
    expect(await ask(app, '/api/users', 'two')).toBe(406)
    expect(await ask(app, '/elsewhere/api/users', 'two')).toBe('two')
  })

  it('respond themselves when a router is wrapped in a function', async () => {
    const one = routerOf('one')
    const app = express()
    app.use((req, res, next) => one(req, res, next)).use(routerOf('two'))
    expect(await ask(app, '/api/users', 'two')).toBe(406)
  })
})

it.each(['file:///api?x', 'file:///api/?x', 'http://u@/api?x'])(
  'a mounted router leaves %s to the app: Express reads no path in it',
  async (path) => {
    const port = await listen(express().use('/api', routerOf('one', '')))
    expect((await send(port, { path })).status).toBe(404)
  },
)

describe('a router mounted under the path that its API has already', () => {
  function watchWarnings() {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    return warn
  }

  it('warns once, and says what to set', async () => {
    const warn = watchWarnings()
    const app = express().use('/api', routerOf('one'))
    const port = await listen(app)
    for (const path of ['/api/nothing', '/api/users', '/api/users?a=b', '/api/users']) await send(port, { path })
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/mounted at '\/api'.*path: ''/), { code: 'HV_MOUNT' })
  })

  it('warns inside a function too, as NestJS mounts middleware', async () => {
    const warn = watchWarnings()
    const router = routerOf('one')
    await ask(
      express().use('/api', (req, res, next) => router(req, res, next)),
      '/api/users',
      'one',
    )
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it('warns with a mount path that matches the whole path', async () => {
    const warn = watchWarnings()
    await ask(express().use(/\/api\/users/, routerOf('one')), '/api/users', 'one')
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it.each<[string, () => Express, readonly string[]]>([
    ['at the root', () => express().use(routerOf('one')), ['/users', '/api/nothing', '/api/api/users']],
    ['with an empty path', () => express().use('/api', routerOf('one', '')), ['/api/nothing', '/api/api/users']],
    ['under another path', () => express().use('/v', routerOf('one')), ['/v/users', '/v/nothing']],
    ['once it has matched', () => express().use('/api', routerOf('one')), ['/api/api/users', '/api/users']],
  ])('does not warn %s', async (_where, appOf, paths) => {
    const warn = watchWarnings()
    const port = await listen(appOf())
    for (const path of paths) await send(port, { path })
    expect(warn).not.toHaveBeenCalled()
  })
})
