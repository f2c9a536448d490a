import { type Api, api, get, version } from '@hv/router'
import express, { type Express, type RequestHandler, Router } from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ApiRouter, type RouterOptions, createRouter } from '../src/index.ts'
import { jsonOf, listen, send } from './listen.ts'

const apiOf = (vendorString: string, path?: string) =>
  api(
    { vendorString, ...(path !== undefined && { path }) },
    version(1, get('users', { to: 'users#index' })),
  )

/** A router that responds with its vendor. */
const routerOf = (
  vendor: string,
  path?: string,
  fallback?: ApiRouter,
  options: RouterOptions = {},
): ApiRouter =>
  createRouter(
    apiOf(vendor, path) as Api,
    { 1: { users: { index: ((_req, res) => res.json(vendor)) as RequestHandler } } } as never,
    { ...options, ...(fallback && { fallback }) },
  )

const typeOf = (vendor: string): string => `application/vnd.${vendor}+json;version=1`

async function ask(app: Express, path: string, vendor: string) {
  const answer = await send(await listen(app), {
    path,
    headers: { accept: typeOf(vendor) },
  })
  return answer.status === 200 ? jsonOf(answer) : answer.status
}

describe('two APIs that share a path', () => {
  const apps: Record<string, (app: Express) => unknown> = {
    'on one app': (app) => app.use(routerOf('one', undefined, routerOf('two'))),
    'under a mount path': (app) => app.use('/api', routerOf('one', '', routerOf('two', ''))),
    'on a mounted Express router': (app) =>
      app.use('/api', Router().use(routerOf('one', '', routerOf('two', '')))),
    'on a mounted app': (app) =>
      app.use('/api', express().use(routerOf('one', '', routerOf('two', '')))),
    'inside a function': (app) => {
      const router = routerOf('one', undefined, routerOf('two'))
      app.use((req, res, next) => router(req, res, next))
    },
  }
  it.each(Object.entries(apps))('serve both vendors %s', async (_where, mount) => {
    const app = express()
    mount(app)
    expect(await ask(app, '/api/users', 'one')).toBe('one')
    expect(await ask(app, '/api/users', 'two')).toBe('two')
    expect(await ask(app, '/api/users', 'three')).toBe(406)
  })

  it('serve three vendors, and refuse as the first that has the path', async () => {
    const two = createRouter(
      api(
        { vendorString: 'two' },
        version(1, get('users', { to: 'users#index' }), get('teams', { to: 'users#index' })),
      ),
      { 1: { users: { index: (_req, res) => res.json('two') } } },
      { fallback: routerOf('three') },
    )
    const app = express().use(routerOf('one', undefined, two))
    expect(await ask(app, '/api/users', 'three')).toBe('three')
    expect(await ask(app, '/api/teams', 'two')).toBe('two')
    const refused = await send(await listen(app), {
      path: '/api/teams',
      headers: { accept: typeOf('three') },
    })
    expect(refused.status).toBe(406)
    expect(jsonOf(refused)).toMatchObject({
      detail: expect.stringContaining('vnd.two+json') as string,
    })
  })

  it('set req.apiMatch ahead of the router', async () => {
    const router = routerOf('one', undefined, routerOf('two'))
    const app = express().use(router.match, (req, res, next) =>
      next(void res.set('x-found', String(req.apiMatch?.kind))),
    )
    const answer = await send(await listen(app.use(router)), {
      path: '/api/users',
      headers: { accept: typeOf('two') },
    })
    expect(answer.headers['x-found']).toBe('match')
    expect(jsonOf(answer)).toBe('two')
  })

  it('hand a request that neither knows on to the app', async () => {
    const app = express().use(
      routerOf('one', undefined, routerOf('two')),
      (_req, res) => void res.json('the app'),
    )
    expect(await ask(app, '/api/nothing', 'two')).toBe('the app')
  })

  it('report a request to the router that responds', async () => {
    const events: string[] = []
    const onRouted = (vendor: string) => ({
      onRouted: ({ kind }: { kind: string }) => void events.push(`${vendor} ${kind}`),
    })
    const app = express().use(
      routerOf(
        'one',
        undefined,
        routerOf('two', undefined, undefined, onRouted('two')),
        onRouted('one'),
      ),
    )
    for (const vendor of ['one', 'two', 'three']) await ask(app, '/api/users', vendor)
    expect(events).toEqual(['one match', 'two match', 'one miss'])
  })

  it('are two routers in turn without a fallback: the first that has the path responds', async () => {
    const app = express().use(routerOf('one')).use(routerOf('two'))
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
    for (const path of ['/api/nothing', '/api/users', '/api/users?a=b', '/api/users'])
      await send(port, { path })
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/mounted at '\/api'.*path: ''/), {
      code: 'HV_MOUNT',
    })
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
    [
      'at the root',
      () => express().use(routerOf('one')),
      ['/users', '/api/nothing', '/api/api/users'],
    ],
    [
      'with an empty path',
      () => express().use('/api', routerOf('one', '')),
      ['/api/nothing', '/api/api/users'],
    ],
    ['under another path', () => express().use('/v', routerOf('one')), ['/v/users', '/v/nothing']],
    [
      'once it has matched',
      () => express().use('/api', routerOf('one')),
      ['/api/api/users', '/api/users'],
    ],
  ])('does not warn %s', async (_where, appOf, paths) => {
    const warn = watchWarnings()
    const port = await listen(appOf())
    for (const path of paths) await send(port, { path })
    expect(warn).not.toHaveBeenCalled()
  })
})
