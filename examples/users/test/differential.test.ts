// The same random requests to the service on the embedded store, MariaDB and MySQL: they get the same responses, and leave the
// same rows behind. A failure prints its seed and the shortest sequence that still differs.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import fc from '../../../tools/fast-check.ts'
import { isAll } from '../../../tools/test-all.ts'
import { buildApp } from '../src/app.ts'
import { accountSubject } from '../src/auth/throttle.ts'
import type { Database } from '../src/store/database.ts'
import { openMysqlDatabase } from '../src/store/mysql-database.ts'
import { openSqliteDatabase } from '../src/store/sqlite-database.ts'
import { type Role, type UserStore, createUserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { bearer } from './client.ts'
import { type PrivateServer, freePort, mariadb, mysql, startServer } from './database-server.ts'
import { type Operation, type Request, sequences } from './differential-sequences.ts'
import { tokens } from './services.ts'

/** Real hashes would take nearly all of the time. Like those, two of one password are different. */
const hashOf = (password: string, salt: string = randomUUID()) =>
  `${salt} ${createHash('sha256').update(password.normalize('NFKC')).digest('hex')}`
const passwords = {
  hash: async (password: string) => hashOf(password),
  verify: async (hash: string | null, password: string) =>
    hash !== null && hash === hashOf(password, hash.split(' ', 1)[0]),
}
const configs = {
  open: appConfig,
  limited: { ...appConfig, loginFailures: 3 },
  closed: { ...appConfig, closedRegistration: true },
}

/** One of the stores under comparison, with what a sequence has done there so far. */
interface Side {
  readonly name: string
  readonly db: Database
  readonly store: UserStore
  readonly apps: Readonly<Record<keyof typeof configs, FastifyInstance>>
  /** The users' ids, in the order of their creation. They differ between stores. */
  ids: number[]
  /** The tokens in the order of the logins, each with the index of its user. */
  sessions: { user: number; jwt: string }[]
  times: Map<string, string>
}

function createSide(name: string, db: Database): Side {
  const store = createUserStore(db)
  const build = (config: keyof typeof configs) =>
    buildApp(configs[config], { store, tokens, passwords })
  const apps = { open: build('open'), limited: build('limited'), closed: build('closed') }
  return { name, db, store, apps, ids: [], sessions: [], times: new Map() }
}

/** What clients know after the steps so far: the users' names and passwords. */
type Accounts = { username: string; password: string }[]

describe.skipIf(mariadb === undefined && mysql === undefined).each([
  ['with its defaults', []],
  [
    'at SERIALIZABLE, in ANSI mode and without autocommit',
    ['--transaction-isolation=SERIALIZABLE', '--sql-mode=ANSI', '--autocommit=0'],
  ],
])('the service on every database, %s,', (_title, serverOptions) => {
  const folder = mkdtempSync(join(tmpdir(), 'users-differential-'))
  const sides: Side[] = []
  const servers: PrivateServer[] = []

  beforeAll(async () => {
    sides.push(createSide('the embedded store', openSqliteDatabase(join(folder, 'users.db'))))
    for (const [name, program] of Object.entries({ MariaDB: mariadb, MySQL: mysql })) {
      if (program === undefined) continue
      const options = [...serverOptions, '--innodb-flush-log-at-trx-commit=0']
      const server = await startServer(program, await freePort(), options)
      servers.push(server)
      const connection = await createConnection(server.url)
      await connection.query('CREATE DATABASE differential')
      await connection.end()
      sides.push(createSide(name, openMysqlDatabase({ url: `${server.url}/differential` })))
    }
    for (const { store } of sides) await store.migrate()
  })
  afterAll(async () => {
    for (const { apps, store } of sides) {
      for (const app of Object.values(apps)) await app.close()
      await store.close()
    }
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true })
  })

  it('is the same service', async () => {
    const property = fc.asyncProperty(sequences, async ({ config, operations }) => {
      await Promise.all(sides.map(reset))
      const accounts: Accounts = [{ username: 'root', password: 'correct horse' }]
      for (const [step, operation] of operations.entries()) {
        const chosen = 'method' in operation ? fillIn(operation, accounts, sides[0]!) : operation
        await wait(2) // times have milliseconds, so each change gets one of its own
        const [expected, ...others] = await Promise.all(
          sides.map((side) => perform(side, config, chosen)),
        )
        for (const [i, actual] of others.entries())
          expect(actual, `step ${step} on ${sides[i + 1]!.name}`).toEqual(expected)
        if ('method' in chosen) learn(accounts, chosen, expected as Outcome, sides[0]!)
      }
      // Tries are taken back after the response, so the tables may need a moment.
      const areEqual = async () => {
        const [first, ...rest] = await Promise.all(sides.map(readTables))
        return rest.every((tables) => isDeepStrictEqual(tables, first))
      }
      for (let tries = 0; tries < 2000 && !(await areEqual()); tries++) await wait(50)
      const [expected, ...others] = await Promise.all(sides.map(readTables))
      for (const [i, actual] of others.entries())
        expect(actual, `the tables on ${sides[i + 1]!.name}`).toEqual(expected)
    })
    await fc.assert(property, { numRuns: isAll ? 1000 : 50 })
  }, 3_600_000)
})

async function reset(side: Side): Promise<void> {
  for (const table of ['users', 'login_attempts']) await side.db.run(`DELETE FROM ${table}`)
  const root = { username: 'root', name: null, passwordHash: hashOf('correct horse') }
  const { insertId: id } = await side.store.create({ ...root, role: 'admin' })
  side.ids = [id]
  side.sessions = [{ user: 0, jwt: tokens.sign({ id, tokenVersion: 0 }) }]
  side.times = new Map()
}

/** Most logins and changes carry the right password, else they'd hardly get anywhere. */
function fillIn(request: Request, accounts: Accounts, side: Side): Request {
  const { body, account, path } = request
  if (account === undefined || typeof body !== 'object') return request
  const isLogin = path === '/users/login'
  const known = isLogin
    ? accounts[account % accounts.length]
    : accounts[sessionOf(request, side)?.user ?? -1]
  if (known === undefined) return request
  return {
    ...request,
    body: isLogin
      ? { username: known.username, password: known.password }
      : { ...body, currentPassword: known.password },
  }
}

function learn(accounts: Accounts, request: Request, { status }: Outcome, side: Side): void {
  const body = request.body as Partial<Accounts[0]>
  if (request.method === 'POST' && status === 201)
    accounts.push({ username: body.username!, password: body.password! })
  const changed = accounts[indexOf(request, side)]
  if (request.method !== 'PUT' || status !== 200 || changed === undefined) return
  changed.username = body.username ?? changed.username
  changed.password = body.password ?? changed.password
}

const sessionOf = ({ as }: Request, { sessions }: Side) =>
  as === 'nobody' ? undefined : sessions.at(-1 - (as % sessions.length))

/** The index of the user in the path. */
function indexOf(request: Request, side: Side): number {
  const { user } = request
  if (user === 'self') return sessionOf(request, side)?.user ?? -1
  return typeof user === 'number' ? user : -1
}

interface Outcome {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, unknown>>
}

async function perform(
  side: Side,
  config: keyof typeof configs,
  operation: Operation,
): Promise<unknown> {
  if ('method' in operation) return exchange(side, side.apps[config], operation)
  const { store, db } = side
  const id = side.ids[operation.user] ?? 0
  const reasonOf = (error: unknown) => (error as { reason: string }).reason
  switch (operation.command) {
    case 'promote':
    case 'demote': {
      const role: Role = operation.command === 'promote' ? 'admin' : 'user'
      return store.setRole(id, role).catch(reasonOf)
    }
    case 'end all sessions':
      return store.endAllSessions()
    case 'unlock':
      return store.forgiveAll(accountSubject(id))
    case 'let the password expire':
      return void (await db.run(
        'UPDATE users SET password_expires = 1, updated_at = updated_at WHERE id = :id',
        { id },
      ))
    case 'renew':
      return store.renewAdmin('root', hashOf('another horse'))
  }
}

async function exchange(side: Side, app: FastifyInstance, sent: Request): Promise<Outcome> {
  const { method, path, user, query = '', after, version, body } = sent
  const index = indexOf(sent, side)
  const id = typeof user === 'string' && user !== 'self' ? user : (side.ids[index] ?? 999_999_999)
  const session = sessionOf(sent, side)
  const response = await app.inject({
    method,
    url: path.replace(':id', String(id)) + query.replace('@', String(side.ids[after] ?? 0)),
    headers: {
      accept: `application/vnd.users+json;version=${version}`,
      ...(session && bearer(session.jwt)),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { statusCode: status, headers, payload } = response
  if (status === 201) side.ids.push(response.json<{ data: { insertId: number } }>().data.insertId)
  if (path === '/users/login' && status === 200) {
    const login = response.json<{ id: number; jwt: string }>()
    side.sessions.push({ user: side.ids.indexOf(login.id), jwt: login.jwt })
  }
  const shown = ['content-type', 'location', 'link', 'www-authenticate', 'allow', 'api-version']
  return {
    status,
    body: payload === '' ? null : JSON.parse(payload, reviverOf(side)),
    headers: {
      ...Object.fromEntries(shown.map((name) => [name, withIndexes(side, headers[name])])),
      'retry-after': Number(headers['retry-after'] ?? 0) > 0,
    },
  }
}

/** Replaces what may differ: ids by the users' indexes, and times by how they compare with those before. */
function reviverOf(side: Side) {
  const format = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  return function revive(this: { id?: unknown }, key: string, value: unknown): unknown {
    if (key === 'id' || key === 'insertId') return `user ${side.ids.indexOf(value as number)}`
    if (key === 'jwt' || key === 'requestId') return typeof value
    if (key === 'next') return withIndexes(side, value)
    if (!/^(?:created|updated)At$/.test(key) || !format.test(String(value))) return value
    const name = `${key} ${String(this.id)}`
    const before = side.times.get(name)
    side.times.set(name, String(value))
    return before === undefined ? 'new' : before === value ? 'the same' : 'changed'
  }
}

/** Replaces the ids in a URL. */
const withIndexes = (side: Side, text: unknown): unknown =>
  typeof text === 'string'
    ? text.replace(/(?<=\/users\/|after=)\d+/g, (id) => `user ${side.ids.indexOf(Number(id))}`)
    : text

async function readTables({ db, ids }: Side): Promise<unknown> {
  const users = await db.all(
    'SELECT id, username, username_key, name, role, token_version, password_expires IS NULL AS chosen FROM users ORDER BY id',
  )
  const attempts = await db.all(
    // What has been taken back is marked, each try with a number of its own.
    "SELECT subject, attempts, blocked_until > 0 AS blocked FROM login_attempts WHERE subject NOT LIKE 'taken %'",
  )
  const subjects = attempts.map(({ subject, ...counted }) => {
    const known = String(subject).replace(
      /user (\d+)/,
      (_, id) => `user ${ids.indexOf(Number(id))}`,
    )
    return JSON.stringify({ subject: known, ...counted })
  })
  return {
    users: users.map((row) => ({ ...row, id: ids.indexOf(Number(row['id'])) })),
    attempts: subjects.toSorted(),
  }
}
