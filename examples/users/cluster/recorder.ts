// Clients that note what the service acknowledged, and compare it with every database server in the end.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { tokens } from '../test/services.ts'
import type { Node } from './node.ts'

const password = 'correct horse'
const json = { 'content-type': 'application/json' }
/** Milliseconds after which a request hangs. */
const patience = 20_000

/** What the clients know of a user. */
export interface Expected {
  /** The last acknowledged name, and those that may have been written since. */
  names: Set<string | null>
  /** `unsure`: the response to the deletion was lost, or a 503; `refused`: it was a 401, as if there were no such user. */
  exists: boolean | 'unsure' | 'refused'
}

export interface Response {
  /** Milliseconds since the start of the recording, when it arrived. */
  readonly at: number
  readonly took: number
  readonly what: string
  /** 0 when the connection failed. */
  readonly status: number
  readonly retryAfter: string | null
  readonly isWrite: boolean
}

export interface Recorder {
  readonly responses: readonly Response[]
  /** Responses that contradict what was acknowledged before. */
  readonly anomalies: readonly string[]
  now(): number
  stop(): Promise<void>
  /** Compares the acknowledged users with those of a server; returns what it lacks or has wrong. */
  compare(node: Node): Promise<{ readonly checked: number; readonly lost: readonly string[] }>
}

type Send = (
  what: string,
  method: string,
  path: string,
  body?: object,
  token?: string,
) => Promise<{ status: number; answer: { data?: { insertId: number }; name?: string | null } }>

/** What all clients note. */
interface Journal {
  readonly responses: Response[]
  readonly anomalies: string[]
  readonly users: Map<number, Expected>
  readonly now: () => number
  running: boolean
}

/** Starts clients, each with users of its own, on instances that they choose at random. */
export function startRecorder(origins: readonly string[], clients: number): Recorder {
  const start = performance.now()
  const journal: Journal = {
    responses: [],
    anomalies: [],
    users: new Map(),
    now: () => performance.now() - start,
    running: true,
  }
  const work = Array.from({ length: clients }, (_, client) =>
    runClient(createSend(origins, `10.0.0.${client}`, journal), journal),
  )
  return {
    ...journal,
    async stop() {
      journal.running = false
      await Promise.all(work)
    },
    compare: async (node) => ({
      checked: journal.users.size,
      lost: await findLost(node, journal.users),
    }),
  }
}

const isFailure = (status: number): boolean => status === 0 || status >= 500

/** Logins are limited by network, so each client has one of its own. */
function createSend(
  origins: readonly string[],
  network: string,
  { responses, now }: Journal,
): Send {
  return async (what, method, path, body, token) => {
    const begin = now()
    const origin = origins[Math.floor(Math.random() * origins.length)]!
    const response = await fetch(origin + path, {
      method,
      headers: {
        'x-forwarded-for': network,
        ...(body && json),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(patience),
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    const answer = await response?.json().catch(() => undefined)
    const status = response?.status ?? 0
    const retryAfter = response?.headers.get('retry-after') ?? null
    responses.push({
      at: now(),
      took: now() - begin,
      what,
      status,
      retryAfter,
      isWrite: method !== 'GET' && what !== 'login',
    })
    if (isFailure(status)) await wait(100 + Math.random() * 250)
    return { status, answer: (answer ?? {}) as object }
  }
}

/** Registers users, renames and reads each of them some times, logs in now and then, and deletes half of them. */
async function runClient(send: Send, journal: Journal): Promise<void> {
  while (journal.running) {
    const username = `u${randomBytes(8).toString('hex')}`
    const id = await register(send, journal, username)
    if (id === undefined) continue
    const token = tokens.sign({ id, tokenVersion: 0 }) // what a login returns; hashing would take all processor time
    for (let i = 0; journal.running && i < 40; i++) {
      if (i % 20 === 0) await logIn(send, journal, username)
      await (Math.random() < 0.6 ? rename : show)(send, journal, id, token)
      await wait(10)
    }
    if (journal.running && Math.random() < 0.5) await remove(send, journal, id, token)
  }
}

async function register(
  send: Send,
  journal: Journal,
  username: string,
): Promise<number | undefined> {
  const { users, anomalies } = journal
  for (let attempt = 1; journal.running; attempt++) {
    const { status, answer } = await send('register', 'POST', '/users', { username, password })
    if (status === 201) {
      const id = answer.data!.insertId
      if (users.has(id)) anomalies.push('201 twice for one id')
      users.set(id, { names: new Set([null]), exists: true })
      return id
    }
    if (status === 409 && attempt === 1) anomalies.push('409 for a new name')
    if (status === 409) return undefined // an attempt before had an effect, as its 503 allows
  }
  return undefined
}

/** Tries again until it works, as people do. An outage may not count against the account. */
async function logIn(send: Send, journal: Journal, username: string): Promise<void> {
  while (journal.running) {
    const { status } = await send('login', 'POST', '/users/login', { username, password })
    if (status === 200) return
    if (isFailure(status)) continue
    return void journal.anomalies.push(`${status} for a right password`)
  }
}

async function rename(
  send: Send,
  { users, anomalies }: Journal,
  id: number,
  token: string,
): Promise<void> {
  const user = users.get(id)!
  const name = randomBytes(6).toString('hex')
  user.names.add(name)
  const { status } = await send('update', 'PUT', `/users/${id}`, { name }, token)
  if (status === 200) user.names = new Set([name])
  else if (!isFailure(status)) anomalies.push(`${status} for an update`)
}

async function show(
  send: Send,
  { users, anomalies }: Journal,
  id: number,
  token: string,
): Promise<void> {
  const { names } = users.get(id)!
  const { status, answer } = await send('show', 'GET', `/users/${id}`, undefined, token)
  if (status === 200 && !names.has(answer.name ?? null)) anomalies.push('200 with an old name')
  if (status !== 200 && !isFailure(status)) anomalies.push(`${status} for a user that exists`)
}

async function remove(
  send: Send,
  { users, anomalies }: Journal,
  id: number,
  token: string,
): Promise<void> {
  const user = users.get(id)!
  const { status } = await send('delete', 'DELETE', `/users/${id}`, undefined, token)
  user.exists = afterDeletion(status)
  if (user.exists === true) anomalies.push(`${status} for a deletion`)
  if (user.exists !== false) return
  const again = await send('deleted', 'GET', `/users/${id}`, undefined, token)
  if (again.status === 200) anomalies.push('200 for the token of a deleted user')
}

/** What a server lacks or has wrong of the acknowledged users. */
async function findLost(
  node: Node,
  users: ReadonlyMap<number, Expected>,
): Promise<readonly string[]> {
  const rows = await node.query('SELECT id, name FROM users.users', 20_000)
  const names = new Map(rows.map(({ id, name }) => [Number(id), name as string | null]))
  return [...users].flatMap(
    ([id, expected]) => findDifference(expected, names.get(id))?.concat(` ${id}`) ?? [],
  )
}

/** What the response to a user's only deletion says of the user. */
export function afterDeletion(status: number): Expected['exists'] {
  if (isFailure(status)) return 'unsure'
  return status === 401 ? 'refused' : status !== 200
}

/**
 * How a server contradicts what the clients know of a user, if it does.
 *
 * @param name of its row; undefined if it has none
 */
export function findDifference(
  { names, exists }: Expected,
  name: string | null | undefined,
): string | undefined {
  const hasRow = name !== undefined
  // The two cases look alike to the client. Only the first is a stale read; in the second, the service repeated the deletion.
  if (exists === 'refused')
    return hasRow ? '401 although it has the user' : '401 for the deletion that removed the user'
  if (exists === 'unsure') return undefined
  if (exists !== hasRow) return exists ? 'it lacks the user' : 'it still has the user'
  return hasRow && !names.has(name) ? 'it has an old name of the user' : undefined
}
