// The programs of the README, each on its runtime or in its framework.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import { api, resources, version } from '@hv/router'
import { Hono, type MiddlewareHandler } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installRuntimes } from '../../../tools/runtimes.ts'
import { isAll, some } from '../../../tools/test-all.ts'
import { createRouter } from '../src/index.ts'
import { bundle } from './runtimes/programs.ts'
import {
  type Running,
  createFolder,
  freePort,
  start,
  startWorkers,
  writeBlocks,
} from './runtimes/run.ts'

const { folder, remove } = createFolder()
const type = 'application/vnd.acme+json'
type Handler = (request: Request, ...context: unknown[]) => Response | Promise<Response>
let programs: Awaited<ReturnType<typeof installRuntimes>>

beforeAll(async () => {
  if (isAll) programs = await installRuntimes()
  writeBlocks('packages/fetch/README.md', folder)
  for (const file of ['worker.ts', 'bun.js', 'deno.js', 'hono.ts', 'route.ts', 'api.ts'])
    await bundle(join(folder, file), join(folder, `${file.slice(0, -3)}.bundle.mjs`))
  await bundle(join(folder, 'node.js'), join(folder, 'node.bundle.mjs'), 'node')
})
afterAll(remove)

/** Expects the responses of the API of the README. */
async function expectApi(send: Handler): Promise<void> {
  for (const [version, body] of [
    [1, { user: '7' }],
    [2, { id: '7', version: 2 }],
  ] as const) {
    const url = 'http://localhost/api/users/7'
    const response = await send(
      new Request(url, { headers: { accept: `${type};version=${version}` } }),
    )
    expect(await response.json()).toEqual(body)
    expect(response.headers.get('content-type')).toBe(`${type}; version=${version}; charset=utf-8`)
    expect(response.headers.get('api-version')).toBe(String(version))
  }
  const deleted = await send(new Request('http://localhost/api/users/7', { method: 'DELETE' }))
  expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  const head = await send(new Request('http://localhost/api/users/7', { method: 'HEAD' }))
  expect([head.status, await head.text()]).toEqual([200, ''])
}

const sendTo =
  (port: number): Handler =>
  (request) =>
    fetch(request.url.replace('localhost', `127.0.0.1:${port}`), request)

/** Waits until a program serves. */
async function untilServing(port: number): Promise<void> {
  for (let i = 0; i < 4000; i++) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) return
    await wait(25)
  }
  throw new Error("The program doesn't serve.")
}

const importBundle = (name: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(join(folder, `${name}.bundle.mjs`)).href) as Promise<Record<string, unknown>>

describe('the programs of the README', () => {
  const runtimes: readonly [name: string, run: (port: number) => Running][] = [
    [
      'Node',
      (port) => start(process.execPath, [join(folder, 'node.bundle.mjs')], { PORT: String(port) }),
    ],
    [
      'Bun',
      (port) => start(programs.bun, [join(folder, 'bun.bundle.mjs')], { BUN_PORT: String(port) }),
    ],
    [
      'Bun, from the module of a worker',
      (port) =>
        start(programs.bun, [join(folder, 'worker.bundle.mjs')], { BUN_PORT: String(port) }),
    ],
    [
      'Deno',
      (port) =>
        start(
          programs.deno,
          ['run', '--no-config', '--allow-net', join(folder, 'deno.bundle.mjs')],
          {
            DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
          },
        ),
    ],
    [
      'Deno, from the module of a worker',
      (port) =>
        start(programs.deno, [
          'serve',
          '--no-config',
          '--host=127.0.0.1',
          `--port=${port}`,
          join(folder, 'worker.bundle.mjs'),
        ]),
    ],
  ]
  it.each(some(runtimes, 1))('serve on %s', async (_runtime, run) => {
    const port = await freePort()
    const running = run(port)
    try {
      await untilServing(port)
      await expectApi(sendTo(port))
    } finally {
      await running.stop()
    }
  })

  it.runIf(isAll)('serve on Workers', async () => {
    const { ports, running } = await startWorkers(programs.workerd, folder, [
      { name: 'worker', file: 'worker.bundle.mjs' },
    ])
    try {
      await expectApi(sendTo(ports.get('worker')!))
    } finally {
      await running.stop()
    }
  })

  it('serve in Hono', async () => {
    const { app } = (await importBundle('hono')) as { app: { fetch: Handler } }
    await expectApi((request) => app.fetch(request))
    expect(await (await app.fetch(new Request('http://localhost/'))).text()).toBe('home')
  })

  it.each([
    ['/api/users/7', 200, ['exact', 'below', 'id 7', 'all']],
    ['/api/users/7/', 200, ['below', 'all']],
    ['/api/users/7.json', 308, ['id 7.json', 'all']],
  ])(
    'serve %s in Hono behind the middleware that the README says',
    async (path, status, expected) => {
      const { handler } = (await importBundle('api')) as { handler: Handler }
      const ran: string[] = []
      const note =
        (name: string): MiddlewareHandler =>
        async ({ req }, next) => {
          ran.push([name, req.param('id') ?? []].flat().join(' '))
          await next()
        }
      const app = new Hono()
      app.use('/api/users/7', note('exact'))
      app.use('/api/users/7/*', note('below'))
      app.use('/api/users/:id', note('id'))
      app.use('/api/*', note('all'))
      app.all('/api/*', (c) => handler(c.req.raw))
      const response = await app.request(path)
      expect(response.status).toBe(status)
      expect(response.headers.get('location')).toBe(status === 308 ? './7' : null)
      expect(ran).toEqual(expected)
    },
  )
  it('serve in Hono below a prefix that mount() cuts off', async () => {
    const routes = api(
      { vendorString: 'acme', path: '' },
      version(1, resources('users', { only: 'show' })),
    )
    const handler = createRouter(routes, {
      1: { users: { show: (_request, { params }) => Response.json(params.id) } },
    })
    const app = new Hono().mount('/api', handler)
    expect(await (await app.request('/api/users/7')).json()).toBe('7')
  })

  it('serve in Next.js', async () => {
    const methods = (await importBundle('route')) as Record<string, Handler>
    expect(Object.keys(methods).toSorted()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'PATCH',
      'POST',
      'PUT',
    ])
    const context = { params: Promise.resolve({ path: ['users', '7'] }) }
    await expectApi((request) => methods[request.method]!(request, context))
  })
})
