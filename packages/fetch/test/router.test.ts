import { api, cache, get, inherit, resources, version } from '@hv/router'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ProblemContent, type RouteMatch, createRouter } from '../src/index.ts'

const type = 'application/vnd.acme+json'
const jsonOf = async (response: Response): Promise<unknown> => response.json()

const ask = (path: string, accept?: string, method = 'GET'): Request =>
  new Request(`http://localhost${path}`, {
    method,
    headers: accept === undefined ? {} : { accept },
  })

/** A router with one route, GET /api/thing. */
const routes = api({ vendorString: 'acme' }, version(1, get('thing', { to: 'things#show' })))
const routerOf = (
  show: (request: Request, match: RouteMatch) => Response | Promise<Response>,
  options: Parameters<typeof createRouter<typeof routes>>[2] = {},
) => createRouter(routes, { 1: { things: { show } } }, options)

describe('createRouter', () => {
  const users = api(
    { vendorString: 'acme', formats: ['json'] },
    version(1, cache({ as: 'v1' }, resources('users', { only: 'show' }))),
    version(2, inherit({ from: 'v1' })),
  )

  it('passes the match and what the runtime passes', async () => {
    class Users {
      greeting = 'hello'
      show(
        _request: Request,
        { params, version: served, format, row }: RouteMatch<{ id: string }>,
        env: object,
      ) {
        return Response.json([this.greeting, params.id, served, format, row.pattern, env])
      }
    }
    const handler = createRouter(users, {
      1: { users: new Users() },
      2: {
        users: { show: { schema: { summary: 'Shows a user' }, handler: () => Response.json(2) } },
      },
    })
    const response = await handler(ask('/api/users/7.json?x', `${type};version=1`), {
      key: 'value',
    })
    expect(await jsonOf(response)).toEqual([
      'hello',
      '7',
      1,
      'json',
      '/api/users/:id',
      { key: 'value' },
    ])
    expect(await jsonOf(await handler(ask('/api/users/7', `${type};version=2`)))).toBe(2)
  })

  it('throws when the controllers lack an action', () => {
    const controllers = { 1: { users: {} }, 2: {} } as never
    expect(() => createRouter(users, controllers)).toThrow(
      expect.objectContaining({
        code: 'HV_MISSING_ACTIONS',
        details: { missing: ['controllers[1].users.show', 'controllers[2].users'] },
      }) as Error,
    )
  })

  it('serves an API without a path', async () => {
    const bare = api(
      { vendorString: 'acme', path: '' },
      version(1, get('thing', { to: 'things#show' })),
    )
    const handler = createRouter(bare, { 1: { things: { show: () => Response.json(1) } } })
    expect((await handler(ask('/thing'))).status).toBe(200)
    expect((await handler(ask('/'))).status).toBe(404)
  })

  it("serves an API without a path below Hono's mount path", async () => {
    const bare = api(
      { vendorString: 'acme', path: '' },
      version(1, get('thing', { to: 'things#show' })),
    )
    const show = (_request: Request, _match: RouteMatch, env: unknown) => Response.json(env)
    const app = new Hono().mount('/api', createRouter(bare, { 1: { things: { show } } }))
    const response = await app.fetch(ask('/api/thing', `${type};version=1`), { key: 'value' })
    expect([response.status, await jsonOf(response)]).toEqual([200, { key: 'value' }])
  })
})

describe('the life of a version', () => {
  const aging = api(
    { vendorString: 'acme', defaultVersion: 2 },
    version(1, { sunset: '2021-01-01' }, cache({ as: 'v1' }, get('thing', { to: 'things#show' }))),
    version(2, { deprecated: '2021-01-01' }, inherit({ from: 'v1' })),
  )
  const things = { show: () => Response.json(1) }
  const handler = createRouter(aging, { 1: { things }, 2: { things } })

  it('announces the end of a version', async () => {
    const { status, headers } = await handler(ask('/api/thing'))
    expect([status, headers.get('deprecation')]).toEqual([200, '@1609459200'])
  })
  it('refuses a version that has ended', async () => {
    const response = await handler(ask('/api/thing', `${type};version=1`))
    expect([response.status, response.headers.get('sunset')]).toEqual([
      410,
      'Fri, 01 Jan 2021 00:00:00 GMT',
    ])
    expect(await jsonOf(response)).toMatchObject({
      type: 'urn:hv-router:version-retired',
      retired: [1],
    })
  })
})

describe("a handler's response", () => {
  it.each<
    [what: string, response: () => Response, accept: string | undefined, expected: string | null]
  >([
    ['JSON', () => Response.json(1), `${type};version=1`, `${type}; version=1; charset=utf-8`],
    [
      'JSON for a client without a version',
      () => Response.json(1),
      undefined,
      'application/json; charset=utf-8',
    ],
    ['nothing', () => new Response(null, { status: 204 }), `${type};version=1`, null],
    [
      'JSON with a type of its own',
      () => Response.json(1, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
      `${type};version=1`,
      'application/json; charset=utf-8',
    ],
  ])('has the right type: %s', async (_what, respond, accept, expected) => {
    const response = await routerOf(respond)(ask('/api/thing', accept))
    expect(response.headers.get('content-type')).toBe(expected)
    expect([response.headers.get('vary'), response.headers.get('api-version')]).toEqual([
      'Accept',
      '1',
    ])
  })

  it.each<[what: string, response: () => Response]>([
    ['text', () => new Response('text')],
    ['bytes', () => new Response(new Uint8Array(2))],
  ])('keeps the type that the runtime gives: %s', async (_what, respond) => {
    const { headers } = await routerOf(respond)(ask('/api/thing', `${type};version=1`))
    expect(headers.get('content-type')).toBe(respond().headers.get('content-type'))
  })

  it.each<
    [what: string, respond: () => Response | Promise<Response>, status: number, body: string]
  >([
    ['a redirect', () => Response.redirect('https://acme.example/', 307), 307, ''],
    ['a fetched response', () => fetch('data:application/json,[1]'), 200, '[1]'],
  ])('may have immutable headers: %s', async (_what, respond, status, body) => {
    const response = await routerOf(respond)(ask('/api/thing', `${type};version=1`))
    expect([response.status, await response.text()]).toEqual([status, body])
    expect([response.headers.get('vary'), response.headers.get('api-version')]).toEqual([
      'Accept',
      '1',
    ])
    if (status === 307) expect(response.headers.get('location')).toBe('https://acme.example/')
  })

  it('loses its body for HEAD, and the source of the body ends', async () => {
    const cancel = vi.fn<() => void>()
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(9)),
      cancel,
    })
    const headers = { 'content-length': '900', etag: '"1"' }
    const response = await routerOf(() => new Response(body, { headers }))(
      ask('/api/thing', undefined, 'HEAD'),
    )
    expect([response.status, response.body]).toEqual([200, null])
    expect(Object.fromEntries(response.headers)).toEqual({
      ...headers,
      vary: 'Accept',
      'api-version': '1',
    })
    expect(cancel).toHaveBeenCalledOnce()
  })

  it('may fail to end its body for HEAD', async () => {
    const unhandled = vi.fn<() => void>()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    const body = new ReadableStream({
      cancel: () => Promise.reject(new Error('the source failed')),
    })
    expect(
      (await routerOf(() => new Response(body))(ask('/api/thing', undefined, 'HEAD'))).status,
    ).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(unhandled).not.toHaveBeenCalled()
  })

  it("isn't required of a handler that upgrades the connection", async () => {
    const handler = routerOf(() => undefined as never)
    const headers = { upgrade: 'websocket', connection: 'Upgrade' }
    expect(await handler(new Request('http://localhost/api/thing', { headers }))).toBe(undefined)
  })

  it('is required', async () => {
    const handler = routerOf(() => undefined as never)
    await expect(handler(ask('/api/thing'))).rejects.toThrow(
      "The handler of GET http://localhost/api/thing didn't return a Response.",
    )
  })
})

describe('options', () => {
  it("pinVersion: a version that's not declared is an error", async () => {
    const show = () => Response.json(1)
    const pinVersion = () => 9 as 1
    await expect(routerOf(show, { pinVersion })(ask('/api/thing'))).rejects.toThrow(
      "HV_DEFAULT_VERSION: pinVersion returned 9, which isn't declared. Use one of: 1.",
    )
    const fallback = routerOf(show, { pinVersion })
    const caught = await routerOf(show, {
      error: (error) => new Response(String(error), { status: 500 }),
      fallback,
    })(ask('/api/thing', `${type};version=9`))
    expect(caught.status).toBe(406)
  })

  it("onRouted: isn't called for paths that no version has", async () => {
    const events: string[] = []
    const onRouted = (found: { kind: string }) => void events.push(found.kind)
    const handler = routerOf(() => Response.json(1), { onRouted })
    for (const [path, accept] of [
      ['/api/thing', `${type};version=1`],
      ['/api/thing', 'application/vnd.crm+json;version=1'],
      ['/api/nothing', ''],
    ] as const)
      await handler(ask(path, accept))
    expect(events).toEqual(['match', 'miss'])
  })

  const failing = (): Promise<Response> => Promise.reject(new Error('failed'))

  it('error: responds to the error of a handler; without it the promise rejects', async () => {
    await expect(routerOf(failing)(ask('/api/thing'))).rejects.toThrow('failed')
    const error = (reason: unknown) =>
      Response.json({ caught: (reason as Error).message }, { status: 500 })
    const response = await routerOf(failing, { error })(ask('/api/thing', `${type};version=1`))
    expect([response.status, await jsonOf(response)]).toEqual([500, { caught: 'failed' }])
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('vary')).toBe('Accept')
  })

  it('fallback: responds to paths that no version has; without it a problem document does', async () => {
    const response = await routerOf(failing)(ask('/nothing'))
    expect([response.status, await jsonOf(response)]).toEqual([
      404,
      expect.objectContaining({ type: 'urn:hv-router:unknown-path' }),
    ])
    const fallback = (request: Request, env: unknown) =>
      Response.json([request.url, env], { status: 418 })
    const left = await routerOf(failing, { fallback })(ask('/nothing'), 'env')
    expect([left.status, await jsonOf(left), left.headers.has('vary')]).toEqual([
      418,
      ['http://localhost/nothing', 'env'],
      false,
    ])
  })

  it('fallback: another router serves what only it has', async () => {
    const crm = createRouter(
      api({ vendorString: 'crm' }, version(1, get('deal', { to: 'deals#show' }))),
      { 1: { deals: { show: () => new Response('crm') } } },
    )
    const handler = routerOf(() => new Response('acme'), { fallback: crm })
    const statusOf = async (path: string, vendor: string) =>
      (await handler(ask(path, `application/vnd.${vendor}+json;version=1`))).status
    expect(await statusOf('/api/deal', 'crm')).toBe(200)
    expect(await statusOf('/api/thing', 'crm')).toBe(406)
    expect(await statusOf('/api/nothing', 'crm')).toBe(404)
  })

  it('problem: replaces the body and the headers, not the status', async () => {
    const handler = routerOf(failing, {
      problem: ({ status }, _request, env) => ({
        body: `${status} ${String(env)}`,
        headers: { 'x-a': 'b' },
      }),
    })
    const response = await handler(ask('/api/thing', `${type};version=9`), 'env')
    expect([response.status, await response.text(), response.headers.get('x-a')]).toEqual([
      406,
      '406 env',
      'b',
    ])
    expect(response.headers.get('vary')).toBe('Accept')
  })
  it.each<[what: string, content: ProblemContent, sent: string, contentType: string]>([
    ['a value', { body: { error: 1 } }, '{"error":1}', 'application/problem+json; charset=utf-8'],
    ['null', { body: null }, 'null', 'application/problem+json; charset=utf-8'],
    [
      'a value with a type',
      { body: [1], headers: { 'Content-Type': 'application/json' } },
      '[1]',
      'application/json',
    ],
    [
      'a whole response',
      new Response('x', { status: 200, headers: { 'content-type': 'text/x' } }),
      'x',
      'text/x',
    ],
  ])('problem: sends %s', async (_what, content, sent, contentType) => {
    const response = await routerOf(failing, { problem: () => content })(
      ask('/api/thing', `${type};version=9`),
    )
    expect([response.status, await response.text()]).toEqual([406, sent])
    expect(response.headers.get('content-type')).toBe(contentType)
  })

  it.each([{ error: 1 }, undefined, 'a text'])('problem: refuses a body alone: %o', async (own) => {
    const handler = routerOf(failing, { problem: () => own as never })
    await expect(handler(ask('/api/thing', `${type};version=9`))).rejects.toThrow(
      'The `problem` hook returned no body. Return { body, headers }, in which the headers are optional.',
    )
  })
})
