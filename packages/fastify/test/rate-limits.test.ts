// A limiter for all routes counts the requests that no action serves.
import { api, cache, inherit, resources, version } from '@hv/router'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'
import { releases } from './releases.ts'
import { accept, createApps } from './setup.ts'

const routes = api(
  { vendorString: 'acme', formats: ['json'] },
  version(1, { sunset: '2020-01-01' }, resources('users', { only: ['index', 'destroy'] })),
  version(2, cache({ as: 'v2' }, resources('users', { only: 'index' }))),
  version(3, inherit({ from: 'v2' }), resources('teams', { only: 'index' })),
)
const index = () => []
const controllers = {
  1: { users: { index, destroy: index } },
  2: { users: { index } },
  3: { users: { index }, teams: { index } },
}
const request = (url: string, n: number, method: 'GET' | 'PUT' | 'HEAD' | 'OPTIONS' = 'GET') => ({
  method,
  url,
  headers: { accept: accept(n) },
})

describe.each(releases)('a global limiter on Fastify $version', (release) => {
  const createApp = createApps(release)
  const start = async (max: number, hooks: { onRequest?: unknown } = {}) => {
    const app = createApp()
    await app.register(release.rateLimit, { global: true, max })
    const action = { ...hooks, handler: index } as never
    await app.register(createRouter(routes, { ...controllers, 2: { users: { index: action } } }))
    app.get('/health', () => ({ ok: true }))
    return {
      /** The status, and how many requests the limiter leaves. */
      async send(...sent: Parameters<typeof request>) {
        const { statusCode, headers } = await app.inject(request(...sent))
        return `${statusCode} ${String(headers['x-ratelimit-remaining'])}`
      },
      app,
    }
  }

  it.each<[why: string, status: number, ...Parameters<typeof request>]>([
    ['an undeclared version', 406, '/api/users', 9],
    ['another version', 404, '/api/teams', 2],
    ['another method', 405, '/api/users', 2, 'PUT'],
    ['another method of HEAD', 404, '/api/teams', 2, 'HEAD'],
    ['a retired version', 410, '/api/users', 1],
    ['OPTIONS', 204, '/api/users', 2, 'OPTIONS'],
  ])('counts %s once, with the other requests', async (_why, status, ...sent) => {
    const { send, app } = await start(3)
    expect(await send(...sent)).toBe(`${status} 2`)
    expect(await send('/api/users', 2)).toBe('200 1')
    expect(await send(...sent)).toBe(`${status} 0`)
    expect(await send(...sent)).toBe('429 0')
    expect(await send('/api/users', 2)).toBe('429 0')
    const limited = await app.inject(request(...sent))
    expect([limited.statusCode, limited.headers['vary']]).toEqual([429, 'Accept'])
    expect((await app.inject('/health')).statusCode).toBe(429)
  })

  it('counts a served request once, HEAD included, with hooks of its own', async () => {
    const noop = (_request: FastifyRequest, _reply: FastifyReply, done: () => void) => done()
    for (const onRequest of [noop, [noop]]) {
      const { send } = await start(3, { onRequest })
      expect(await send('/api/users', 2, 'HEAD')).toBe('200 2')
      expect(await send('/api/users', 2)).toBe('200 1')
    }
  })

  it('runs hooks that a plugin adds to every route before it refuses', async () => {
    const app = createApp()
    const seen: string[] = []
    app.addHook('onRequest', async () => void seen.push('app'))
    app.addHook('onRoute', (route) => {
      const hook = async (): Promise<void> => void seen.push('plugin')
      route.onRequest = [...((route.onRequest as never[]) ?? []), hook as never]
    })
    await app.register(
      createRouter(routes, controllers, { onRouted: ({ kind }) => void seen.push(kind) }),
    )
    expect((await app.inject(request('/api/users', 9))).statusCode).toBe(406)
    expect(seen).toEqual(['app', 'miss', 'plugin'])
  })
})
