// Redirects between two servers, over real sockets. The client sends nothing to a redirect's target.
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

/** A client of a server that redirects everything. */
async function clientOf(status: number, location: string | undefined, send?: typeof fetch) {
  const origin = await listen(
    (_req, res) =>
      void res.writeHead(status, location === undefined ? {} : { location }).end('moved'),
  )
  const headers = { 'x-api-key': 'secret' }
  const options = { baseUrl: origin, version: 1, headers, ...(send && { fetch: send }) } as const
  return createClient(routes, options)
}

/** A server that notes the requests it gets. */
async function target() {
  const requests: string[] = []
  const origin = await listen(({ method, url }, res) => {
    requests.push(`${method} ${url}`)
    res.setHeader('content-type', 'application/json').end('{"id":7}')
  })
  return { origin, requests }
}

it.each([301, 302, 303, 307, 308])('%i is an error that names the target', async (status) => {
  const { origin, requests } = await target()
  const client = await clientOf(status, `${origin}/new?token=a#b`)
  for (const call of [
    () => client.users.create({ body: { password: 'p' } }),
    () => client.users.create({ body: new Blob(['{}']).stream() }),
    () => client.users.index(),
  ]) {
    const error: unknown = await call().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({ status, body: 'moved' })
    expect((error as ClientError).message).toMatch(/^users\.\w+: \d+ redirects to /)
    expect((error as ClientError).message).toContain(
      `redirects to ${origin}/new, and redirects aren't followed, because the target would get your headers and body. ` +
        "Update baseUrl, or follow redirects with { fetch: (request) => fetch(request, { redirect: 'follow' }) }.",
    )
    expect((error as ClientError).response.headers.get('location')).toBe(`${origin}/new?token=a#b`)
  }
  expect(requests).toEqual([])
})

it.each(['/users/7', 'javascript:alert(1)', '//acme.example', 'http://['])(
  "a redirect to %s isn't followed either",
  async (location) => {
    const client = await clientOf(302, location)
    await expect(client.users.index()).rejects.toThrow(
      `users.index: 302 redirects to ${location}, and redirects aren't followed`,
    )
    const response = await client.users.index.response()
    expect([response.status, response.headers.get('location')]).toEqual([302, location])
  },
)

it.each([
  [302, undefined, 'users.index: 302 Found'],
  [304, '/users', 'users.index: 304 Not Modified'],
])('%i with the location %j is no redirect', async (status, location, message) => {
  const client = await clientOf(status, location)
  const error: unknown = await client.users.index().catch((reason: unknown) => reason)
  expect((error as ClientError).message).toBe(message)
})

it('says so where the runtime hides the target, as browsers do', async () => {
  const hidden = Object.defineProperties(new Response(null), {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  })
  const client = await clientOf(302, '/', () => Promise.resolve(hidden))
  await expect(client.users.index()).rejects.toThrow(
    'users.index: 0 redirects to an address that the browser hides, and',
  )
})

it('leaves redirects to a fetch that follows them', async () => {
  const { origin, requests } = await target()
  const follow = (request: Request) => fetch(request, { redirect: 'follow' })
  const client = await clientOf(302, `${origin}/new`, follow as typeof fetch)
  expect(await client.users.index()).toEqual({ id: 7 })
  expect(requests).toEqual(['GET /new'])
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
