import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { type Receivers, startReceivers, verify } from './receivers.ts'
import { startExample } from './start-example.ts'

const annV1 = { id: 1, name: 'Ann Lee' }
const annV2 = { id: 1, first: 'Ann', last: 'Lee' }
const created = (api_version: number, data: object) => ({ type: 'user.created', api_version, data })

/** Whether the receivers are available. */
let isUp = true
let receivers: Receivers
let example: Awaited<ReturnType<typeof startExample>>
beforeAll(async () => {
  example = await startExample()
})
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  isUp = true
  receivers = await startReceivers((response, { path }) => {
    if (path === '/silent') return
    if (path === '/redirect') response.setHeader('location', '/two').writeHead(307).end()
    else response.writeHead(isUp ? 204 : 503).end()
  })
  example.db.exec(
    'DELETE FROM users; DELETE FROM endpoints; DELETE FROM outbox; DELETE FROM sqlite_sequence',
  )
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await receivers.close()
})
afterAll(() => example.close())

const add = (version: number, path: string) =>
  example.addEndpoint(version, receivers.origin + path) as Promise<{ id: number; secret: string }>
const signUp = () => example.send(1, 'POST', '/users', { name: 'Ann Lee' })
const waiting = () => example.db.prepare('SELECT attempts, dueAt FROM deliveries').all()

describe('a delivery', () => {
  it("is in its endpoint's version, whatever version made the change", async () => {
    const one = await add(1, '/one')
    const two = await add(2, '/two')
    await signUp()
    await example.deliver()
    const payloads = receivers.received.map((delivery) => [
      delivery.path,
      verify((delivery.path === '/one' ? one : two).secret, delivery),
    ])
    expect(Object.fromEntries(payloads)).toEqual({
      '/one': created(1, annV1),
      '/two': created(2, annV2),
    })
    expect(new Set(receivers.received.map(({ id }) => id)).size).toBe(1)
    expect(waiting()).toEqual([])
  })

  it("is left out if the version doesn't have the event", async () => {
    await add(1, '/one')
    await add(2, '/two')
    await signUp()
    await example.send(2, 'PUT', '/users/1', { first: 'Ann', last: 'Ray' })
    await example.deliver()
    const types = receivers.received.map(({ path, body }) => `${path} ${JSON.parse(body).type}`)
    expect(types.toSorted()).toEqual([
      '/one user.created',
      '/two user.created',
      '/two user.renamed',
    ])
  })

  it('has no event for a change that fails', async () => {
    await add(2, '/two')
    expect(await example.send(2, 'PUT', '/users/9', annV2)).toMatchObject({ statusCode: 404 })
    await example.deliver()
    expect(receivers.received).toEqual([])
  })

  it('is made once per version', async () => {
    const make = vi.spyOn(example.events.webhooks, 'userCreated')
    for (const version of [1, 2, 2, 2]) await add(version, '/')
    await signUp()
    await example.deliver()
    expect(make).toHaveBeenCalledTimes(2)
    expect(receivers.received).toHaveLength(4)
  })

  it("waits in the outbox while an endpoint has a version that isn't declared", async () => {
    await add(2, '/two')
    await signUp()
    example.db.exec('UPDATE endpoints SET version = 9')
    expect(example.fanOut).toThrow('HV_UNKNOWN_VERSION')
    example.db.exec('UPDATE endpoints SET version = 2')
    await example.deliver()
    expect(receivers.received).toHaveLength(1)
  })
})

describe('a retry', () => {
  it('has the same id and body, and a fresh timestamp and signature', async () => {
    const { secret } = await add(1, '/one')
    await signUp()
    vi.useFakeTimers({ toFake: ['Date'] })
    isUp = false
    await example.deliver()
    isUp = true
    vi.setSystemTime(Date.now() + 10 * 60_000)
    await example.deliver()
    const [first, retry] = receivers.received
    expect([retry!.id, retry!.body]).toEqual([first!.id, first!.body])
    expect(() => verify(secret, first!)).toThrow('Message timestamp too old')
    expect(verify(secret, retry!)).toEqual(created(1, annV1))
    expect(waiting()).toEqual([])
  })

  it('comes later each time, at most half a day later, and not for ever', async () => {
    await add(1, '/one')
    await signUp()
    isUp = false
    vi.useFakeTimers({ toFake: ['Date'] })
    const seconds: number[] = []
    for (;;) {
      await example.deliver()
      const [{ dueAt }] = waiting()
      if (dueAt === null) break
      seconds.push((dueAt - Date.now()) / 1000)
      vi.setSystemTime(dueAt - 1)
      await example.deliver() // too early
      vi.setSystemTime(dueAt)
    }
    const doubled = Array.from({ length: 12 }, (_, i) => 15 * 2 ** i)
    expect(seconds).toEqual([...doubled, 43_200, 43_200])
    expect(receivers.received).toHaveLength(15)
  })

  it.each([
    ['redirects', '/redirect'],
    ["doesn't respond", '/silent'],
  ])('follows if the receiver %s', async (_what, path) => {
    const timeout = new AbortController()
    const spy = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
    await add(1, path)
    await signUp()
    const delivered = example.deliver()
    await expect.poll(() => receivers.received).toHaveLength(1)
    if (path === '/silent') timeout.abort()
    await delivered
    expect(spy).toHaveBeenCalledWith(10_000)
    expect(receivers.received).toHaveLength(1)
    expect(waiting()).toMatchObject([{ attempts: 1 }])
  })

  it('follows if the receiver is down', async () => {
    await example.addEndpoint(1, 'http://127.0.0.1:1/')
    await signUp()
    await example.deliver()
    expect(waiting()).toMatchObject([{ attempts: 1 }])
  })
})

describe('a secret', () => {
  it('also signs until the second rotation after its own', async () => {
    const { id, secret: first } = await add(1, '/one')
    const rotate = async () => (await example.send(1, 'POST', `/endpoints/${id}/rotate`)).secret
    const second: string = await rotate()
    await signUp()
    await example.deliver()
    const third: string = await rotate()
    await signUp()
    await example.deliver()
    const accepted = receivers.received.map((delivery) =>
      [first, second, third].map((secret) => {
        try {
          return verify(secret, delivery) !== undefined
        } catch {
          return false
        }
      }),
    )
    expect(accepted).toEqual([
      [true, true, false],
      [false, true, true],
    ])
  })
})

describe('a removed endpoint', () => {
  it('gets nothing more, before and after its deliveries are taken', async () => {
    const { id } = await add(1, '/one')
    await signUp()
    example.fanOut()
    const taken = example.claim()
    await signUp()
    example.fanOut()
    await example.send(1, 'DELETE', `/endpoints/${id}`)
    await Promise.all([...taken, ...example.claim()].map(example.attempt))
    expect(taken).toHaveLength(1)
    expect(receivers.received).toEqual([])
    expect(waiting()).toEqual([])
  })

  it('leaves its id to no later endpoint', async () => {
    const { id } = await add(1, '/one')
    await example.send(1, 'DELETE', `/endpoints/${id}`)
    expect((await add(1, '/one')).id).not.toBe(id)
  })
})

describe('workers', () => {
  it('share the deliveries', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'webhooks-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [one, other] = [
      await startExample(join(folder, 'db')),
      await startExample(join(folder, 'db')),
    ]
    await one.addEndpoint(1, receivers.origin)
    await one.send(1, 'POST', '/users', { name: 'Ann Lee' })
    await other.send(1, 'POST', '/users', { name: 'Bob Ray' })
    await Promise.all([one.deliver(), other.deliver()])
    const names = receivers.received.map(({ body }) => JSON.parse(body).data.name)
    expect(names.toSorted()).toEqual(['Ann Lee', 'Bob Ray'])
    await one.close()
    await other.close()
  })

  it('finish their attempts before they stop, and survive an error', async () => {
    await add(1, '/one')
    await signUp()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    example.db.exec('UPDATE endpoints SET version = 9')
    const stopping = new AbortController()
    const worker = example.runWorker(stopping.signal)
    expect(log).toHaveBeenCalledTimes(1)
    example.db.exec('UPDATE endpoints SET version = 1')
    await expect.poll(() => receivers.received.length).toBe(1)
    stopping.abort()
    await worker
    expect(waiting()).toEqual([])
  })
})

describe('the stream', () => {
  /** Reads a subscriber's messages until there are enough. */
  async function read(origin: string, version: number, count: number, lastEventId?: number) {
    const headers: Record<string, string> = {
      accept: `application/vnd.acme+json;version=${version}`,
    }
    if (lastEventId !== undefined) headers['last-event-id'] = `${lastEventId}`
    const response = await fetch(`${origin}/api/stream`, { headers })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      const messages = [...text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)]
      if (messages.length >= count)
        return messages.map(([, id, data]) => ({ id: Number(id), ...JSON.parse(data!) }))
    }
    throw new Error(`The stream ended early: ${text}`)
  }

  it('sends each subscriber its version, from where it left off', async () => {
    const origin = await example.app.listen({ port: 0, host: '127.0.0.1' })
    await signUp()
    const subscribers = [read(origin, 1, 2), read(origin, 2, 3), read(origin, 2, 1, 2)]
    await example.send(2, 'PUT', '/users/1', { first: 'Ann', last: 'Ray' })
    await example.send(2, 'POST', '/users', { first: 'Bob', last: 'Ray' })
    const rename = { type: 'user.renamed', api_version: 2, data: { ...annV2, last: 'Ray' } }
    const bob = { id: 2, first: 'Bob', last: 'Ray' }
    expect(await Promise.all(subscribers)).toEqual([
      [
        { id: 1, ...created(1, annV1) },
        { id: 3, ...created(1, { id: 2, name: 'Bob Ray' }) },
      ],
      [
        { id: 1, ...created(2, annV2) },
        { id: 2, ...rename },
        { id: 3, ...created(2, bob) },
      ],
      [{ id: 3, ...created(2, bob) }],
    ])
  })
})
