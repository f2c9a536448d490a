// Compares what an older client gets from a derived version with what a handler sends that's written by hand for it.
import {
  createReadStream,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { type Step, api, change as changeOf, get, version } from '@hv/router'
import { before } from '@hv/router/adapter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { some } from '../../../../tools/test-all.ts'
import {
  type Cell,
  type Message,
  type Way,
  about,
  actionOf,
  changes,
  etag,
  hasNoBody,
  newerOf,
  newerUser,
  olderOf,
  olderUser,
  plainText,
  rows,
  statuses,
} from './cells.ts'
import { type Received, asVersion1, isDifferent } from './judge.ts'

/** A message, and where its body comes from. */
export interface Sent extends Message {
  /** An open file with the body. */
  openFile(): Readable
  openWeb(): ReadableStream<Uint8Array>
  /** The path of a file with the body. */
  readonly file: string
}
type Sender = (sent: Sent, ...native: any[]) => unknown

export interface DerivedUnderTest {
  readonly name: string
  /** How the framework's handlers send a message, or why they can't. */
  readonly senders: Readonly<Record<Way, Sender | string>>
  /** Returns a request header. */
  header(name: string, ...native: any[]): string
  /** Why the framework can't send such a message, or can't send it otherwise than we expect. */
  cannot?(message: Message, method: string): string | undefined
  /** Whether the router adds its headers. */
  addsHeaders?(message: Message): boolean
  /** What the framework's older handler would send, if that's not what the table says. */
  older?(cell: Cell, message: Message): Message
  /** Why the router can't know the body, and which status the older response has. */
  dropped?(cell: Cell): { readonly why: string; readonly status: number } | undefined
  /** Why the framework leaves a stream open if a native handler sends this. */
  leaks?(cell: Cell): string | undefined
  /**
   * Whether the router reads a stream to convert it, and the server decides how a body is framed,
   * as on fetch.
   */
  readonly isFetch?: true
  /** The older and the newer schema of a user. */
  readonly schemas?: readonly [older: any, newer: any]
  /**
   * Serves the versions' routes, and `handler` at `/native`. The app's error handler sends what
   * {@link answerError} returns.
   */
  serve(app: DerivedApp): Promise<{ readonly origin: string; close(): Promise<void> }>
}
export interface DerivedApp {
  readonly routes: any
  /** Whether each action's responses are users. */
  readonly actions: Readonly<Record<string, boolean>>
  readonly steps: readonly Step[]
  readonly controllers: any
  readonly handler: (...native: any[]) => unknown
}

/** What a failed handler wanted to send. */
export class Failure extends Error {
  readonly sent: Sent
  constructor(sent: Sent) {
    super('thrown')
    this.sent = sent
  }
}
/** What an app's error handler sends. */
export const answerError = (error: unknown): Pick<Sent, 'status' | 'headers' | 'text'> =>
  error instanceof Failure
    ? error.sent
    : { status: 500, headers: {}, text: JSON.stringify({ message: (error as Error).message }) }

const schemaOf = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
})

/** Runs the table on an adapter: all of it with `TEST_ALL=1`, otherwise one cell of each row. */
// oxlint-disable-next-line max-lines-per-function -- its functions share what the tests open
export function runDerived(adapter: DerivedUnderTest): void {
  // oxlint-disable-next-line max-lines-per-function -- see above
  describe(`derived responses on ${adapter.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'derived-'))
    const files = new Map(
      [newerUser, olderUser, plainText, ''].map((text, n) => [
        text,
        join(folder, `${n}.${text.startsWith('{') ? 'json' : 'txt'}`),
      ]),
    )
    for (const [text, path] of files) writeFileSync(path, text)
    const sources = new Set<{ destroy(): unknown }>()
    const rejections: unknown[] = []
    const onRejection = (reason: unknown) => void rejections.push(reason)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let app: Awaited<ReturnType<DerivedUnderTest['serve']>>

    beforeAll(async () => {
      process.on('unhandledRejection', onRejection)
      app = await adapter.serve(describeApp(adapter, handler))
    })
    afterAll(async () => {
      agent.destroy()
      await app.close()
      process.off('unhandledRejection', onRejection)
      await waitUntil(() => openFilesIn(folder) === 0)
      rmSync(folder, { recursive: true })
      expect(openFilesIn(folder)).toBe(0)
    })

    it.for(rows.map((cells) => ({ title: titleOf(cells[0]!), cells })))(
      '$title',
      async ({ cells }, { skip }) => {
        const sender = adapter.senders[cells[0]!.way]
        if (typeof sender === 'string') return skip(sender)
        const possible = cells.filter(
          (cell) => adapter.cannot?.(newerOf(cell), cell.method) === undefined,
        )
        const at = rows.indexOf(cells) % possible.length
        const differences: unknown[] = []
        for (const cell of some([...possible.slice(at), ...possible.slice(0, at)], 1)) {
          const difference = await compare(cell)
          if (difference !== null) differences.push({ ...cell, ...difference })
        }
        expect(differences).toEqual([])
        expect(rejections.splice(0)).toEqual([])
      },
    )

    /** The only handler. The request says what it sends. */
    function handler(...native: any[]): unknown {
      const message = JSON.parse(adapter.header('x-send', ...native)) as Message
      const send = adapter.senders[message.way] as Sender
      const file = files.get(message.text)!
      const openFile = () => {
        const stream = createReadStream(file)
        sources.add(stream)
        return stream.on('close', () => sources.delete(stream))
      }
      const openWeb = () => {
        const source = { destroy: () => sources.delete(source) }
        sources.add(source)
        return new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              controller.enqueue(Buffer.from(message.text))
              controller.close()
              source.destroy()
            },
            cancel: () => void source.destroy(),
          },
          { highWaterMark: 0 },
        )
      }
      return send({ ...message, file, openFile, openWeb }, ...native)
    }

    /** Returns how a derived version's response differs from a native one, or null. */
    async function compare(cell: Cell): Promise<object | null> {
      const newer = newerOf(cell)
      const expected = olderOf(cell, adapter.isFetch === true)
      const derived = await ask(cell.method, `/${actionOf(cell.change)}`, newer)
      const leak = adapter.leaks?.(cell)
      if (leak === undefined) await waitUntil(() => sources.size === 0)
      const open = sources.size
      closeAll()
      if (leak === undefined && open > 0) return { open }
      const dropped = adapter.dropped?.(cell)
      if (dropped !== undefined)
        return derived.status === dropped.status && derived.text === '' && derived.isKept
          ? null
          : { derived, dropped }
      if (expected === 'refused') {
        const isRefusal =
          derived.status === 500 &&
          (cell.method === 'HEAD' || derived.text.includes(about)) &&
          derived.headers['etag'] !== etag // it's the newer body's
        return isRefusal ? null : { derived, expected }
      }
      const older = adapter.older?.(cell, expected) ?? expected
      if (adapter.cannot?.(older, cell.method) !== undefined) return null
      const sent = await ask(cell.method, '/native', older)
      const native = adapter.addsHeaders?.(newer) === false ? sent : asVersion1(sent, older)
      closeAll()
      const isFramed = adapter.isFetch !== true
      return isDifferent(cell, older, [derived, native], isFramed) ? { derived, native } : null
    }

    function closeAll(): void {
      for (const source of sources) source.destroy()
      sources.clear()
    }

    const ask = (method: string, path: string, message: Message): Promise<Received> =>
      new Promise((resolve, reject) => {
        const headers = { 'x-send': JSON.stringify(message) }
        const sent = request(app.origin + path, { agent, method, headers }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
          response.on('end', () => {
            const {
              date: _date,
              'keep-alive': _alive,
              ...kept
            } = response.headers as Record<string, string>
            resolve({
              status: response.statusCode!,
              reason: response.statusMessage!,
              headers: kept,
              text: Buffer.concat(chunks).toString(),
              isKept: method === 'HEAD' || sent.shouldKeepAlive,
            })
          })
        })
        sent.setTimeout(300_000, () => sent.destroy(new Error(`no end: ${method} ${path}`)))
        sent.on('error', reject).end()
      })
  })
}

const titleOf = ({ way, isJson, change }: Cell): string =>
  `${isJson ? 'JSON as ' : ''}${way}: ${change}`

function describeApp(
  adapter: DerivedUnderTest,
  handler: (...native: any[]) => unknown,
): DerivedApp {
  const [older, newer] = adapter.schemas ?? [schemaOf('name'), schemaOf('fullName')]
  const actions = Object.fromEntries(
    Object.keys(changes).map((name) => [actionOf(name), name.startsWith('the user')]),
  )
  const nodes = Object.keys(actions).map((action) => get(action, { to: `cells#${action}` }))
  const routes = api(
    { vendorString: 'acme', path: '', defaultVersion: 1 },
    version(1, ...(nodes as any)),
    version(2, ...(nodes as any)),
  )
  const response = Object.fromEntries(
    statuses.filter((status) => !hasNoBody(status)).map((status) => [status, newer]),
  )
  const cells = Object.fromEntries(
    Object.entries(actions).map(([action, isUser]) => [
      action,
      isUser ? { schema: { response }, handler } : handler,
    ]),
  )
  const steps = Object.entries(changes).flatMap(([name, row]) =>
    row.steps([`cells.${actionOf(name)}`], older, newer),
  )
  const v2 = { cells }
  const v1 = adapter.schemas ? v2 : before(v2 as never, changeOf(about, ...steps))
  return { routes, actions, steps, controllers: { 1: v1, 2: v2 }, handler }
}

async function waitUntil(isDone: () => boolean): Promise<void> {
  for (let round = 0; round < 5000 && !isDone(); round++) await setTimeout(round < 20 ? 1 : 10)
}

/** How many descriptors of files in a folder this process has. 0 where nobody knows. */
function openFilesIn(folder: string): number {
  try {
    return readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
      } catch {
        return false // closed by now
      }
    }).length
  } catch {
    return 0
  }
}
