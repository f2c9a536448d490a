import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { api, became, change, resources, version } from '@hv/router'
import { type Sent, runAwkwardBodies } from '@hv/router-contract'
import compression from 'compression'
import express, { type NextFunction, type Request, type Response } from 'express'
import { expect, it } from 'vitest'
import { before, createRouter } from '../src/index.ts'

const head = (res: Response, { status, headers }: Sent): Response => res.status(status).set(headers)
const pieces = ({ body }: Sent): Readable => {
  const bytes = Buffer.from(body)
  return Readable.from([bytes.subarray(0, 5), bytes.subarray(5)])
}

const endless = (): Readable =>
  new Readable({
    read(size) {
      this.push(' '.repeat(size))
    },
  })

runAwkwardBodies({
  name: 'Express',
  header: (name, req: Request) => req.get(name)!,
  body: (req: Request) => req.body as unknown,
  ways: {
    value: (sent, _req, res: Response) => head(res, sent).json(JSON.parse(String(sent.body))),
    text: (sent, _req, res: Response) => head(res, sent).send(sent.body),
    bytes: (sent, _req, res: Response) => head(res, sent).send(Buffer.from(sent.body)),
    end: (sent, _req, res: Response) => head(res, sent).end(sent.body),
    writeHead: (sent, _req, res: Response) =>
      res.writeHead(sent.status, sent.headers).end(sent.body),
    write: (sent, _req, res: Response) => {
      const bytes = Buffer.from(sent.body)
      head(res, sent).write(bytes.subarray(0, 5))
      res.end(bytes.subarray(5)) // compression doesn't call write's callback
    },
    pipeline: (sent, _req, res: Response) => pipeline(pieces(sent), head(res, sent)),
    flush: (sent, _req, res: Response) => {
      head(res, sent).flushHeaders()
      res.end(sent.body)
    },
  },
  misuses: {
    'pipes without an end': (_req, res: Response) => endless().pipe(res.type('json')),
    'waits for the end of an endless pipeline': (_req, res: Response) =>
      pipeline(endless(), res.type('json')),
    "writes, and doesn't end": (_req, res: Response) => res.type('json').write('['),
    'writes again and again': async (_req, res: Response) => {
      res.type('json')
      for (let at = 0; at < 5; at++) {
        await new Promise((resolve) => res.write(' ', resolve))
        await setTimeout(2)
      }
      res.end('{"fullName":"Dora"}')
    },
    'sends the head after a write': (_req, res: Response) => {
      res.type('json').write('[')
      res.writeHead(201, { 'x-late': 'yes' })
    },
    'flushes the head after a write': (_req, res: Response) => {
      res.type('json').write('[')
      res.flushHeaders()
    },
    'sends a value after a write': (_req, res: Response) => {
      res.type('json').write('[')
      res.json({ fullName: 'Dora' })
    },
    'ends twice': (_req, res: Response) => {
      res.type('json').end('{"fullName":')
      res.end('{"fullName":"Dora"}')
    },
    'sends the head, and then pieces': (_req, res: Response) => {
      res.writeHead(200, 'OK', ['Content-Type', 'application/json']).write('{')
      res.end('}')
    },
  },
  async serve(routes, controllers, validator, compress) {
    if (compress === 'hook') return null
    const app = express()
    const compressAll = compression({ threshold: 0 })
    if (compress === 'before') app.use(compressAll)
    app.use(express.json())
    // Middleware of the router runs around its actions, as if it were registered after it.
    const use = compress === 'after' ? [compressAll] : []
    app.use(createRouter(routes as never, controllers as never, { validator, use } as never))
    app.use(
      async (
        error: Error & { status?: number },
        _req: Request,
        res: Response,
        _next: NextFunction,
      ) => {
        await setTimeout(1) // it may take its time, while the handler goes on
        res.status(error.status ?? 500).json({ caught: error.message })
      },
    )
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      request: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
      close: async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  },
})

it('keeps the headers that writeHead() gets, whatever their form is', async () => {
  const schemaOf = (name: string) => ({ type: 'object', properties: { [name]: {} } })
  const [older, newer] = [schemaOf('name'), schemaOf('fullName')]
  const down = ({ fullName }: any) => ({ name: fullName })
  const fullName = change('A full name.', became(older, newer, { down }))
  const flat = ['Set-Cookie', 'a=1', 'Content-Type', 'application/json', 'Set-Cookie', 'b=2']
  const pairs = [flat.slice(0, 2), flat.slice(2, 4), flat.slice(4)]
  const named = { 'Set-Cookie': ['a=1', 'b=2'], 'Content-Type': 'application/json' }
  const forms = [flat, pairs, named]
  const index = {
    schema: { response: { 200: newer } },
    handler: (req: Request, res: Response) =>
      res
        .set('Set-Cookie', 'replaced=1')
        .writeHead(200, 'Fine', forms[Number(req.query['form'])] as never)
        .end('{"fullName":"Dora"}'),
  }
  const v2 = { users: { index } }
  const routes = api(
    { vendorString: 'acme', path: '' },
    version(1, resources('users', { only: ['index'] })),
    version(2, resources('users', { only: ['index'] })),
  )
  const app = express()
  app.use(createRouter(routes, { 1: before(v2, fullName) as never, 2: v2 as never }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    for (const [form] of forms.entries()) {
      const headers = { accept: 'application/vnd.acme+json;version=1' }
      const response = await fetch(`http://127.0.0.1:${port}/users?form=${form}`, { headers })
      expect(await response.text()).toBe('{"name":"Dora"}')
      expect([response.statusText, response.headers.getSetCookie()]).toEqual([
        'Fine',
        ['a=1', 'b=2'],
      ])
    }
  } finally {
    server.close()
  }
})

it.each([200, 204])('ends a response with a callback alone as without one: %i', async (status) => {
  let endedCount = 0
  const index = {
    schema: { response: { 200: { type: 'object', properties: { fullName: {} } } } },
    async handler({ query }: Request, res: Response) {
      res.status(status).type('json')
      if (query['callback'] === undefined) return void res.end()
      await promisify((done: () => void) => void res.end(done))()
      endedCount++
    },
  }
  const older = { type: 'object', properties: { name: {} } }
  const v2 = { users: { index } }
  const down = ({ fullName }: any) => ({ name: fullName })
  const fullName = change('A full name.', became(older, index.schema.response[200], { down }))
  const routes = api(
    { vendorString: 'acme', path: '' },
    version(1, resources('users', { only: ['index'] })),
    version(2, resources('users', { only: ['index'] })),
  )
  const app = express().use(createRouter(routes, { 1: before(v2, fullName), 2: v2 }))
  app.use((error: Error, _req: Request, res: Response, _next: NextFunction) =>
    res.status(500).json({ caught: error.message }),
  )
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const ask = async (query: string) => {
      const headers = { accept: 'application/vnd.acme+json;version=1' }
      const response = await fetch(`http://127.0.0.1:${port}/users${query}`, { headers })
      return [response.status, await response.text()]
    }
    expect(await ask('?callback')).toEqual(await ask(''))
    expect(endedCount).toBe(1)
  } finally {
    server.close()
  }
})

it("refuses what the action's own middleware has compressed", async () => {
  const schemaOf = (name: string) => ({ type: 'object', properties: { [name]: {} } })
  const [older, newer] = [schemaOf('name'), schemaOf('fullName')]
  const down = ({ fullName }: any) => ({ name: fullName })
  const index = {
    schema: { response: { 200: newer } },
    use: [compression({ threshold: 0 })],
    handler: (_req: Request, res: Response) => void res.type('json').end('{"fullName":"Dora"}'),
  }
  const v2 = { users: { index } }
  const routes = api(
    { vendorString: 'acme', path: '' },
    version(1, resources('users', { only: ['index'] })),
    version(2, resources('users', { only: ['index'] })),
  )
  const v1 = before(v2, change('A full name.', became(older, newer, { down })))
  const app = express().use(createRouter(routes, { 1: v1, 2: v2 }))
  app.use((error: Error, _req: Request, res: Response, _next: NextFunction) =>
    res.status(500).json({ caught: error.message }),
  )
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/users`, {
    headers: { accept: 'application/vnd.acme+json;version=1' },
    signal: AbortSignal.timeout(300_000),
  })
  expect([response.status, await response.text()]).toEqual([
    500,
    expect.stringContaining("the change 'A full name.' can't convert"),
  ])
  server.closeAllConnections()
  server.close()
})
