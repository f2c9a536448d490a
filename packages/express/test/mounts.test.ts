import { type Api, api, get, version } from '@hv/router'
import express, { type Express, type RequestHandler } from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ApiRouter, createRouter } from '../src/index.ts'
import { jsonOf, listen, send } from './listen.ts'

const apiOf = (vendorString: string, path?: string) =>
  api(
    { vendorString, ...(path !== undefined && { path }) },
    version(1, get('users', { to: 'users#index' })),
  )

/** A router that responds with its vendor. */
const routerOf = (vendor: string, path?: string): ApiRouter =>
  createRouter(
    apiOf(vendor, path) as Api,
    { 1: { users: { index: ((_req, res) => res.json(vendor)) as RequestHandler } } } as never,
  )

const typeOf = (vendor: string): string => `application/vnd.${vendor}+json;version=1`

async function ask(app: Express, path: string, vendor: string) {
  const answer = await send(await listen(app), {
    path,
    headers: { accept: typeOf(vendor) },
  })
  return answer.status === 200 ? jsonOf(answer) : answer.status
}

it('two routers on one app: the first that has the path responds', async () => {
  const teams = createRouter(
    api({ vendorString: 'two' }, version(1, get('teams', { to: 'users#index' }))),
    { 1: { users: { index: (_req, res) => res.json('two') } } },
  )
  const app = express().use(routerOf('one')).use(routerOf('two')).use(teams)
  expect(await ask(app, '/api/users', 'one')).toBe('one')
  expect(await ask(app, '/api/users', 'two')).toBe(406)
  expect(await ask(app, '/api/teams', 'two')).toBe('two')
})

it('says so in an app of a different framework', () => {
  // Fastify calls its plugins with the app, their options and a callback.
  expect(() => routerOf('one')({} as never, {} as never, () => {})).toThrow(
    'HV_OPTION: @hv/router-express requires the app to be an Express app.',
  )
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
  ])("doesn't warn %s", async (_where, appOf, paths) => {
    const warn = watchWarnings()
    const port = await listen(appOf())
    for (const path of paths) await send(port, { path })
    expect(warn).not.toHaveBeenCalled()
  })
})
