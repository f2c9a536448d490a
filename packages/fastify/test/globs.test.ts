import { api, get, inherit, cache, resources, version } from '@hv/router'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'
import { releases } from './releases.ts'
import { accept, createApps } from './setup.ts'

const routes = api(
  { vendorString: 'acme', formats: 'any' },
  version(
    1,
    cache(
      { as: 'v1' },
      get('files/*path', { to: 'files#show' }),
      resources('files', { only: 'show' }),
      resources('hosts', { only: 'show', constraints: { id: /[^/]+/ } }, get('enc')),
    ),
  ),
  version(2, inherit({ from: 'v1', except: 'files' }), get('Files/new', { to: 'files#new' })),
)

describe.each(releases)('globs and dots on Fastify $version', (release) => {
  const createApp = createApps(release)
  const seen = (name: string) => (request: FastifyRequest) => ({
    name,
    params: request.params,
    format: request.apiMatch?.format,
  })
  const files = { show: seen('files') }
  const hosts = { show: seen('host'), enc: { bodyLimit: 1000, handler: seen('enc') } }
  const controllers = { 1: { files, hosts }, 2: { files: { ...files, new: seen('new') }, hosts } }

  it.each([
    ['/api/files/7', 1, { name: 'files', params: { id: '7' } }],
    ['/api/files/a/b.c/d.txt', 1, { name: 'files', params: { path: 'a/b.c/d' }, format: 'txt' }],
    ['/api/files/a/b/', 1, { name: 'files', params: { path: 'a/b' } }],
    ['/api/files/a%2Fb/c?d=e', 1, { name: 'files', params: { path: 'a/b/c' } }],
    [
      `/api/files/${'long/'.repeat(60)}x`,
      1,
      { name: 'files', params: { path: `${'long/'.repeat(60)}x` } },
    ],
    ['/api/hosts/web1.example.com', 1, { name: 'host', params: { id: 'web1.example.com' } }],
    [
      '/api/hosts/web1.example.com/enc',
      2,
      { name: 'enc', params: { host_id: 'web1.example.com' } },
    ],
    ['/api/Files/new', 2, { name: 'new', params: {} }],
    ['/api/files/a/b', 2, { name: 'files', params: { path: 'a/b' } }],
  ])('%s in version %i', async (url, number, expected) => {
    const app = createApp()
    await app.register(createRouter(routes, controllers))
    const response = await app.inject({ url, headers: { accept: accept(number) } })
    expect(response.json()).toMatchObject(expected)
  })

  it('keeps the parameters of the prefix', async () => {
    const app = createApp()
    await app.register(createRouter(routes, controllers), { prefix: '/tenants/:tenant' })
    const response = await app.inject({
      url: '/tenants/acme/api/files/a/b',
      headers: { accept: accept(1) },
    })
    expect(response.json()).toMatchObject({ params: { tenant: 'acme', path: 'a/b' } })
  })

  it('keeps the letters of a glob where static segments may be of either case', async () => {
    const app = createApp({ caseSensitive: false } as object)
    await app.register(createRouter(routes, controllers))
    const response = await app.inject({ url: '/API/Files/A/b', headers: { accept: accept(1) } })
    expect(response.json()).toMatchObject({ params: { path: 'A/b' } })
  })
})
