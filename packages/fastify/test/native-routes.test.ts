// A versioned route beside the same route written natively, on every release: what's the same, and what the page
// "What's different from a native route" says isn't.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { api, get, post, version } from '@hv/router'
import files from '@fastify/static'
import type { FastifyInstance, FastifyServerOptions, HTTPMethods, InjectOptions } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'
import { latest, releases } from './releases.ts'
import { createApps } from './setup.ts'

type Options = Record<string, unknown> & { handler: (...args: any[]) => unknown }
const ok: Options = { handler: () => 'ok' }

/** Registers a route in a plugin of its own: natively, or as one of a versioned API. */
function register(
  app: FastifyInstance,
  isNative: boolean,
  url: string,
  options: Options = ok,
  method: 'GET' | 'POST' = 'GET',
): void {
  const declare = { GET: get, POST: post }[method]
  const routes = api({ vendorString: 'acme', path: '' }, version(1, declare(url, { to: 'x#a' })))
  app.register(
    isNative
      ? async (child) => void child.route({ method: method as HTTPMethods, url, ...options })
      : createRouter(routes, { 1: { x: { a: options } } }),
  )
}

const preflight = {
  origin: 'https://a.example',
  'access-control-request-method': 'GET',
}

describe.each(releases)('on Fastify $version', (release) => {
  const createApp = createApps(release)

  /** What a client sees of the native route, and of the versioned one. */
  async function compare(
    request: InjectOptions,
    setUp: (app: FastifyInstance, isNative: boolean) => unknown,
    serverOptions: FastifyServerOptions = {},
  ) {
    const seen = []
    for (const isNative of [true, false]) {
      const lines: string[] = []
      const stream = { write: (line: string) => void lines.push(JSON.parse(line).msg) }
      const app = createApp({ logger: { stream }, ...serverOptions })
      await setUp(app, isNative)
      const { statusCode, body, headers } = await app.inject(request)
      const origin = headers['access-control-allow-origin']
      seen.push({ statusCode, body, origin, location: headers.location, lines })
    }
    return { native: seen[0]!, versioned: seen[1]! }
  }

  describe.each([
    ['a preflight', preflight],
    ['a plain request', {}],
  ])('OPTIONS: %s', (_what, headers) => {
    const request = { method: 'OPTIONS', url: '/api/users?a=1', headers } as const

    it.each(['*', '/*', '/api/*', '/:a/:b', '/api/:b', '/api/users'])(
      "reaches the app's own route %s, registered before and after the router",
      async (path) => {
        const options = { logLevel: 'silent', config: { own: true } } as const
        const add = (app: FastifyInstance) =>
          app.options(path, options, (incoming, reply) =>
            reply
              .header('access-control-allow-origin', '*')
              .send({ own: (incoming.routeOptions.config as { own?: true }).own }),
          )
        const before = await compare(request, (app, isNative) => {
          add(app)
          register(app, isNative, '/api/users')
        })
        const after = await compare(request, (app, isNative) => {
          register(app, isNative, '/api/users')
          add(app)
        })
        expect(before.native).toMatchObject({ statusCode: 200, body: '{"own":true}', origin: '*' })
        expect([before.versioned, after.versioned]).toEqual([before.native, after.native])
      },
    )

    it('reaches one within a prefix, and one outside of it', async () => {
      for (const path of ['/*', '/p/*']) {
        const { native, versioned } = await compare(
          { ...request, url: '/p/api/users' },
          (app, isNative) => {
            app.options(path, (_request, reply) => reply.send('own'))
            app.register(async (child) => register(child, isNative, '/api/users'), { prefix: '/p' })
          },
        )
        expect(native.body).toBe('own')
        expect(versioned).toEqual(native)
      }
    })

    it.each<[string, object]>([
      ['its defaults', {}],
      ['logLevel', { logLevel: 'silent' }],
      ['an origin that is off, so its route calls callNotFound()', { origin: false }],
      ['strictPreflight: false', { strictPreflight: false }],
    ])('is left to @fastify/cors with %s', async (_options, options) => {
      const { native, versioned } = await compare(request, async (app, isNative) => {
        await app.register(release.cors, options)
        register(app, isNative, '/api/users')
      })
      expect(versioned).toEqual(native)
    })
  })

  it('OPTIONS gets a 204 response with Allow if the app has no such route', async () => {
    const app = createApp()
    app.options('/elsewhere/*', () => 'own')
    app.get('/*', () => 'wild')
    register(app, false, '/api/users')
    const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url: '/api/users' })
    expect([statusCode, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  it.each<[option: string, value: unknown, expected: string]>([
    ['constraints', { host: 'admin.example' }, 'left out. Check the host or the header in an onRequest hook instead. Received'], // prettier-ignore
    ['method', 'POST', "left out. Declare it in the route file. Received: 'POST'."],
    ['url', '/other', "left out. Declare it in the route file. Received: '/other'."],
    ['exposeHeadRoute', false, 'left out. To reject HEAD requests, use an onRequest hook. Received: false.'], // prettier-ignore
    ['prefixTrailingSlash', 'both', "left out. Paths are served with and without a trailing slash. Received: 'both'."], // prettier-ignore
  ])("rejects the option %s, which the router can't follow", (option, value, expected) => {
    const app = createApp()
    const wrong = { [option]: value, ...ok }
    const right = { [option]: undefined, ...ok }
    expect(() => register(app, false, '/users', wrong)).toThrow(
      `HV_OPTION: api/v1/x#a in version 1 requires ${option} to be ${expected}`,
    )
    expect(() => register(app, false, '/users', right)).not.toThrow()
  })

  it.each(['body', 'querystring', 'params', 'headers'])(
    'warns if schema.%s is undefined',
    async (part) => {
      const warnings: string[] = []
      const note = (warning: Error & { code?: string }) => void warnings.push(`${warning.code}`)
      process.on('warning', note)
      const url = `/${part}/${release.version.replaceAll(/\W/g, '')}` // it warns once per text
      const counts = []
      for (const isNative of [true, false]) {
        const app = createApp()
        const options = { ...ok, schema: { [part]: undefined } }
        register(app, isNative, `${url}${isNative}`, options, 'POST')
        await app.ready()
        await sleep(5)
        counts.push(warnings.splice(0).filter((code) => code === 'FSTWRN001').length)
      }
      process.off('warning', note)
      expect(counts[1]).toBe(counts[0])
    },
  )

  describe('differs, as its page says', () => {
    it('an empty parameter is no value', async () => {
      const options: Options = { handler: ({ params }) => params }
      const { native, versioned } = await compare(
        { method: 'POST', url: '/langs/' },
        (app, isNative) => register(app, isNative, '/langs/:lang', options, 'POST'),
      )
      expect(native).toMatchObject({ statusCode: 200, body: '{"lang":""}' })
      expect(versioned.statusCode).toBe(404)
    })

    it('a trailing slash is accepted', async () => {
      const { native, versioned } = await compare({ url: '/users/' }, (app, isNative) =>
        register(app, isNative, '/users'),
      )
      expect([native.statusCode, versioned.statusCode]).toEqual([404, 200])
    })

    it('a rare method gets a 404, and others a 405', async () => {
      for (const [method, expected] of [
        ['PROPFIND', 404],
        ['PUT', 405],
      ] as const) {
        const request = { method: method as 'PUT', url: '/users' }
        const { native, versioned } = await compare(request, (app, isNative) =>
          register(app, isNative, '/users'),
        )
        expect([native.statusCode, versioned.statusCode]).toEqual([404, expected])
      }
    })

    it("the router's 400 takes the place of onBadUrl", async () => {
      const onBadUrl = (_path: string, _request: unknown, response: any) => {
        response.statusCode = 422
        response.end('mine')
      }
      const options = { routerOptions: { onBadUrl } }
      const { native, versioned } = await compare(
        { url: '/hello/%world' },
        (app, isNative) => register(app, isNative, '/hello/:id'),
        options as FastifyServerOptions,
      )
      // Older releases have no such option.
      expect(native.statusCode).toBe(release === latest ? 422 : 400)
      expect(versioned.statusCode).toBe(400)
    })

    // An older release leaves the native request with such a hook without a response.
    it.runIf(release === latest)(
      "reply.send() doesn't throw into the handler, as with any onSend hook",
      async () => {
        const options: Options = {
          handler(_request, reply) {
            try {
              return reply.type('text/html').send({})
            } catch (error) {
              return reply
                .code(418)
                .type('text/plain')
                .send((error as { code: string }).code)
            }
          },
        }
        const plain = await compare({ url: '/a' }, (app, isNative) =>
          register(app, isNative, '/a', options),
        )
        expect([plain.native.statusCode, plain.versioned.statusCode]).toEqual([418, 500])
        const hooked = await compare({ url: '/a' }, (app, isNative) => {
          app.addHook('onSend', async () => {})
          register(app, isNative, '/a', options)
        })
        expect(hooked.versioned).toEqual(hooked.native)
      },
    )
  })
})

describe('@fastify/static', () => {
  const root = mkdtempSync(join(tmpdir(), 'hv-static-'))
  afterAll(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'docs'))
  writeFileSync(join(root, 'docs', 'index.html'), '<p>docs</p>')
  const createApp = createApps(latest)

  it('redirects to a folder once, beside a router whose paths accept a trailing slash', async () => {
    for (const isNative of [true, false]) {
      const app = createApp()
      register(app, isNative, '/api/users')
      await app.register(files, { root, redirect: true })
      const redirect = await app.inject('/docs')
      expect([redirect.statusCode, redirect.headers.location]).toEqual([301, '/docs/'])
      expect((await app.inject('/docs/')).body).toBe('<p>docs</p>')
    }
  })
})
