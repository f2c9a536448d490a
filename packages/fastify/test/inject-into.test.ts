import { injectInto } from '@hv/router/testing'
import fastify from 'fastify'
import { expect, it } from 'vitest'

const app = fastify()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.all('/echo', ({ method, url, headers, body }, reply) =>
  reply
    .code(201)
    .headers({ 'set-cookie': ['a=1', 'b=2'], 'x-type': headers['content-type'] ?? 'none' })
    .send({ method, url, body: Buffer.isBuffer(body) ? [...body] : body }),
)
app.get('/empty', (_request, reply) => reply.code(204).send())
app.get('/host', { constraints: { host: 'acme.example:8080' } }, () => ({ ok: true }))
app.get('/slow', () => new Promise<never>(() => {}))
app.get('/bytes', (_request, reply) => reply.send(Buffer.from([0, 255])))
const send = injectInto(app)

it('sends a request to a Fastify app without a socket', async () => {
  const response = await send(
    new Request('http://localhost/echo?a=1', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"b":2}',
    }),
  )
  expect(response.status).toBe(201)
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(response.headers.get('x-type')).toBe('application/json')
  expect(await response.json()).toEqual({ method: 'PUT', url: '/echo?a=1', body: { b: 2 } })
})

it('keeps bytes in both directions', async () => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'image/png' },
    body: Uint8Array.from([0, 255]),
  }
  expect(await (await send(new Request('http://localhost/echo', init))).json()).toMatchObject({
    body: [0, 255],
  })
  expect([
    ...new Uint8Array(await (await send(new Request('http://localhost/bytes'))).arrayBuffer()),
  ]).toEqual([0, 255])
})

it('sends the host of the URL', async () => {
  expect((await send(new Request('http://acme.example:8080/host'))).status).toBe(200)
  expect((await send(new Request('http://localhost/host'))).status).toBe(404)
})

it("rejects when the request is aborted, before it's sent or later", async () => {
  const reason = new Error('the user left')
  const url = 'http://localhost/slow'
  await expect(send(new Request(url, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
  const controller = new AbortController()
  const sent = send(new Request(url, { signal: controller.signal }))
  setImmediate(() => controller.abort(reason))
  await expect(sent).rejects.toBe(reason)
})

it('accepts a response without a body', async () => {
  const response = await send(new Request('http://localhost/empty'))
  expect([response.status, await response.text()]).toEqual([204, ''])
})
