// The caches of the guide "Caches and CDNs": nginx and a Worker give the responses of the API itself, for any header.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type Server, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { accepts } from '@hv/router-contract/requests'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { installRuntimes } from '../../../tools/runtimes.ts'
import { isAll } from '../../../tools/test-all.ts'
import { bundle } from './runtimes/programs.ts'
import { createFolder, freePort, startWorkers, writeBlocks } from './runtimes/run.ts'

const { folder, remove } = createFolder()
const type = 'application/vnd.acme+json'
/** Headers that mean version 2. */
const spellings = [
  `${type};version=2`,
  `${type}; version=2`,
  'application/vnd.ACME+json ; Version=2',
]
let handler: (request: Request) => Promise<Response>

beforeAll(async () => {
  writeBlocks('docs/guide/caching.md', folder)
  await bundle(join(folder, 'api.ts'), join(folder, 'api.mjs'))
  ;({ handler } = (await import(pathToFileURL(join(folder, 'api.mjs')).href)) as {
    handler: typeof handler
  })
})
afterAll(remove)

interface Sent {
  readonly status: number
  readonly shown: readonly (string | null)[]
}

/** Everything in a response that depends on the version. */
async function read(response: Response): Promise<Sent> {
  const names = ['content-type', 'api-version', 'vary', 'allow', 'cache-control']
  const shown = [...names.map((name) => response.headers.get(name)), await response.text()]
  return { status: response.status, shown }
}
const requestOf = (url: string, accept: string): Request =>
  new Request(url, { headers: { accept } })

/** Sends every header twice: the second response may come from the cache. */
async function expectSameResponses(origin: string): Promise<void> {
  for (const accept of accepts)
    for (const path of ['/api/users/7', '/api/users/7', '/api/nothing', '/api/users']) {
      const direct = await read(await handler(requestOf(`http://localhost${path}`, accept)))
      expect(
        await read(await fetch(requestOf(origin + path, accept))),
        `${path} ${accept}`,
      ).toEqual(direct)
    }
}

const listen = async (server: Server): Promise<number> => {
  if (!server.listening) await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const nginx = findProgram('nginx')
const hasNginx = nginx !== undefined || process.env['REQUIRE_NGINX'] === '1'

describe.skipIf(!hasNginx)('nginx', () => {
  let origin: string
  let served = 0
  let stop: () => Promise<unknown>

  beforeAll(async () => {
    const count = (request: Request) => {
      served++
      return handler(request)
    }
    const upstream = serve({ fetch: count, hostname: '127.0.0.1', port: 0 }) as Server
    const [api, port] = [await listen(upstream), await freePort()]
    origin = `http://127.0.0.1:${port}`
    const guide = readFileSync(join(folder, 'api.conf'), 'utf8')
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('127.0.0.1:3000', `127.0.0.1:${api}`)
      .replace('/var/cache/nginx/api', join(folder, 'cache'))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const file = join(folder, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${temporary.join(' ')} ${guide} }`,
    )
    const child = spawn(nginx!, ['-c', file, '-p', folder, '-e', 'stderr'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    stop = async () => {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      upstream.closeAllConnections()
      upstream.close()
    }
    for (let i = 0; i < 4000; i++) {
      if (await fetch(`${origin}/api/nothing`).catch(() => null)) return
      await wait(25)
    }
    throw new Error("nginx doesn't serve.")
  })
  afterAll(() => stop())

  it.each([
    ['version 2', '/api/users/1', spellings],
    [
      'the default version',
      '/api/users/1',
      ['', '*/*', 'application/json', 'application/json, text/plain, */*'],
    ],
  ])('keeps one entry for %s', async (_what, path, headers) => {
    const before = served
    const responses = []
    for (const accept of headers) responses.push(await fetch(requestOf(origin + path, accept)))
    expect(responses.map((response) => response.headers.get('x-cache'))).toEqual([
      'MISS',
      ...headers.slice(1).map(() => 'HIT'),
    ])
    expect(served).toBe(before + 1)
  })

  it('stores no response to a request with credentials', async () => {
    const headers = { accept: spellings[0]!, authorization: 'Bearer secret' }
    for (let i = 0; i < 2; i++) {
      const response = await fetch(`${origin}/api/users/2`, { headers })
      expect(response.headers.get('x-cache')).toBe('BYPASS')
    }
    expect(
      (await fetch(requestOf(`${origin}/api/users/2`, spellings[0]!))).headers.get('x-cache'),
    ).toBe('MISS')
  })

  it('gives the responses of the API, whatever the header is', () => expectSameResponses(origin))
})

describe.runIf(isAll)('a Worker with the Cache API', () => {
  /** What the Cache API stores: HTTP responses by URL. */
  const stored = new Map<string, string>()
  let hits = 0
  let origin: string
  let stop: () => Promise<unknown>

  beforeAll(async () => {
    const { workerd } = await installRuntimes()
    await bundle(join(folder, 'worker.js'), join(folder, 'worker.bundle.mjs'))
    // workerd sends the calls of the Cache API to a server: PUT stores the response in the body, GET reads it.
    const server = createServer(async (request, response) => {
      const key = request.headers.host! + request.url!
      if (request.method === 'PUT') {
        stored.set(key, await text(request))
        return void response.writeHead(204).end()
      }
      const found = stored.get(key)
      if (found === undefined)
        return void response.writeHead(504, { 'cf-cache-status': 'MISS' }).end()
      hits++
      const [head, body] = [
        found.slice(0, found.indexOf('\r\n\r\n')),
        found.slice(found.indexOf('\r\n\r\n') + 4),
      ]
      for (const line of head.split('\r\n').slice(1)) {
        const [name, value] = [
          line.slice(0, line.indexOf(':')),
          line.slice(line.indexOf(':') + 1).trim(),
        ]
        if (!/^(?:transfer-encoding|connection|content-length)$/i.test(name))
          response.setHeader(name, value)
      }
      response.writeHead(200, { 'cf-cache-status': 'HIT' }).end(body)
    }).listen(0, '127.0.0.1')
    const cache = `127.0.0.1:${await listen(server)}`
    const worker = { name: 'worker', file: 'worker.bundle.mjs', cache }
    const { ports, running } = await startWorkers(workerd, folder, [worker])
    origin = `http://127.0.0.1:${ports.get('worker')}`
    stop = async () => {
      await running.stop()
      server.closeAllConnections()
      server.close()
    }
  })
  afterAll(() => stop())

  it.each([
    ['version 2', '/api/users/1', spellings],
    [
      'the default version',
      '/api/users/1',
      ['', '*/*', 'application/json, text/plain, */*', 'text/html'],
    ],
    ['the default version under the vendor type', '/api/users/1', [type, `${type};q=0.5`]],
  ])('keeps one entry for %s', async (_what, path, headers) => {
    const [entries, before] = [stored.size, hits]
    for (const accept of headers) {
      await (await fetch(requestOf(origin + path, accept))).text()
      await expect.poll(() => stored.size).toBe(entries + 1)
    }
    expect(hits).toBe(before + headers.length - 1)
  })

  it('stores no response to a request with credentials', async () => {
    const entries = stored.size
    const headers = { accept: spellings[0]!, authorization: 'Bearer secret' }
    expect((await fetch(`${origin}/api/users/2`, { headers })).status).toBe(200)
    expect(stored.size).toBe(entries)
  })

  it('stores no response under the URL of another resource', async () => {
    const entries = stored.size
    // fetch() would resolve the dot segment.
    const [response] = (await once(get(`${origin}/`, { path: '/api/users/..' }), 'response')) as [
      IncomingMessage,
    ]
    expect([response.statusCode, stored.size]).toEqual([404, entries])
    response.resume()
    expect((await fetch(`${origin}/api/`)).status).toBe(404)
  })

  it('gives the responses of the API, and keeps few entries, whatever the header is', async () => {
    await expectSameResponses(origin)
    expect(stored.size).toBeLessThan(accepts.length / 2)
  })
})
