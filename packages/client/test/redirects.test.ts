// Redirects between two servers, over real sockets.
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { api, resources, version } from '@hv/router'
import { expect, it, onTestFinished } from 'vitest'
import { ClientError, createClient } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, resources('users', { except: ['new', 'edit'] })),
)

async function listen(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that redirects /users to a URL and responds to everything else with the request. */
async function serve(status: number, locationOf: (origin: string) => string | undefined) {
  const seen: string[] = []
  const origin = await listen(async ({ method, url, headers, socket }, res) => {
    seen.push(`${method} ${url}`)
    const location = locationOf(`http://127.0.0.1:${socket.localPort}`)
    if (url === '/users' && location !== undefined)
      return void res.writeHead(status, { location }).end('moved')
    const body = await text(res.req)
    res.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        method,
        url,
        body,
        type: headers['content-type'],
        token: headers['x-api-key'],
        accept: headers.accept,
      }),
    )
  })
  const client = createClient(routes, {
    baseUrl: origin,
    version: 1,
    headers: { 'x-api-key': 'secret' },
  })
  return { seen, client }
}
const sent = { token: 'secret', accept: 'application/vnd.acme+json;version=1' }

it.each([301, 302, 303, 307, 308])(
  '%s to another origin is an error, and nothing is sent there',
  async (status) => {
    const stolen: string[] = []
    const other = await listen((req, res) => {
      stolen.push(`${req.method} ${req.url}`)
      res.end()
    })
    const { client } = await serve(status, () => `${other}/steal?a=1`)
    for (const call of [
      () => client.users.create({ body: { password: 'p' } }),
      () => client.users.index(),
    ]) {
      const error = await call().then(String, (reason: unknown) => reason)
      expect(error).toBeInstanceOf(ClientError)
      expect(error).toMatchObject({
        status,
        body: 'moved',
        message: expect.stringMatching(
          new RegExp(
            `^users\\.\\w+: ${status} redirects to ${other}\\. .* Set baseUrl to the new origin, or follow`,
          ),
        ) as unknown,
      })
      expect((error as ClientError).response.headers.get('location')).toBe(`${other}/steal?a=1`)
    }
    expect(stolen).toEqual([])
  },
)

it.each(['javascript:alert(1)', 'data:text/plain,a', 'https://127.0.0.1/'])(
  '%s is another origin',
  async (location) => {
    const { client } = await serve(302, () => location)
    await expect(client.users.index()).rejects.toThrow(
      `users.index: 302 redirects to ${location.split(':')[0]}:`,
    )
  },
)

it.each([
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', '{"name":"Ann"}'],
  [308, 'POST', '{"name":"Ann"}'],
])('%s within the origin makes %s of a POST', async (status, method, body) => {
  for (const locationOf of [() => '/moved?a=1', (origin: string) => `${origin}/moved?a=1`]) {
    const { client } = await serve(status, locationOf)
    const type = body === '' ? {} : { type: 'application/json' }
    expect(await client.users.create({ body: { name: 'Ann' } })).toEqual({
      ...sent,
      method,
      url: '/moved?a=1',
      body,
      ...type,
    })
  }
})

it('keeps the method of a GET', async () => {
  const { client, seen } = await serve(302, () => './moved')
  expect(await client.users.index()).toEqual({ ...sent, method: 'GET', url: '/moved', body: '' })
  expect(seen).toEqual(['GET /users', 'GET /moved'])
})

it('does not go in circles', async () => {
  const { client, seen } = await serve(307, () => '/users')
  const error: unknown = await client.users.index().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ClientError)
  expect((error as ClientError).message).toMatch(/^users\.index: 307 redirects too often/)
  expect(seen).toHaveLength(21)
})

it('does not send a stream twice', async () => {
  const { client, seen } = await serve(307, () => '/moved')
  const error: unknown = await client.users
    .create({ body: new Blob(['{}']).stream() })
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ClientError)
  expect(error).toMatchObject({
    body: 'moved',
    message: expect.stringContaining('for a stream') as string,
  })
  expect(seen).toEqual(['POST /users'])
  const other = await serve(303, () => '/moved') // a GET without a body
  expect(await other.client.users.create({ body: new Blob(['{}']).stream() })).toMatchObject({
    method: 'GET',
  })
})

it.each([undefined, 'http://['])('leaves a redirect to %j as it is', async (location) => {
  const origin = await listen(
    (_req, res) => void res.writeHead(302, location === undefined ? {} : { location }).end(),
  )
  const client = createClient(routes, { baseUrl: origin, version: 1 })
  await expect(client.users.index()).rejects.toThrow(/^users\.index: 302 Found$/)
})

it('does not follow a redirect to another origin for an unread response either', async () => {
  const origin = await listen(
    (_req, res) => void res.writeHead(302, { location: 'http://acme.example/' }).end(),
  )
  const response = await createClient(routes, {
    baseUrl: origin,
    version: 1,
  }).users.index.response()
  expect([response.status, response.headers.get('location')]).toEqual([302, 'http://acme.example/'])
})

it('leaves redirects to a fetch that follows them itself', async () => {
  const other = await listen(
    (_req, res) => void res.setHeader('content-type', 'application/json').end('{"id":7}'),
  )
  const origin = await listen((_req, res) => void res.writeHead(302, { location: other }).end())
  const follow = (request: Request) => fetch(request, { redirect: 'follow' })
  const client = createClient(routes, { baseUrl: origin, version: 1, fetch: follow })
  expect(await client.users.index()).toEqual({ id: 7 })
})

it('shows the text of a server in one line, without control characters', async () => {
  const detail = 'no\r\n2027-01-01 admin logged in\u001B[31m\u0085\u2028\u0000!'
  const origin = await listen((_req, res) => {
    res
      .writeHead(400, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ detail }))
  })
  const error: unknown = await createClient(routes, { baseUrl: origin, version: 1 })
    .users.index()
    .catch((e: unknown) => e)
  expect(error).toMatchObject({
    message: 'users.index: 400 no 2027-01-01 admin logged in [31m !',
    problem: { detail },
  })
})
