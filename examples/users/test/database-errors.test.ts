// Errors that MySQL, MariaDB and proxies really report: the temporary ones are a 503 with Retry-After, and none of them is
// held against somebody who knows the password.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type Connection, createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { openMysqlDatabase } from '../src/store/mysql-database.ts'
import { errorClasses } from '../src/store/mysql-errors.ts'
import { openMysqlStore } from '../src/store/open-store.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { bearer, password } from './client.ts'
import { type Relaying, commands, startRelay } from './database-relay.ts'
import { type TestDatabase, describeServers } from './databases.ts'
import { tokens } from './services.ts'

describe("the list of the database's errors", () => {
  const require = createRequire(import.meta.url)
  const constants = join(dirname(require.resolve('mysql2')), 'lib/constants/errors.js')
  const names = require(constants) as Record<number, string | undefined>
  const entries = Object.values(errorClasses).flatMap(({ errors }) =>
    Object.entries<number | RegExp>(errors),
  )
  it.each(entries)('calls %s what MySQL calls it', (name, pattern) => {
    const number = typeof pattern === 'number' ? pattern : Number(/\d+/.exec(pattern.source)![0])
    expect(names[number] ?? name).toBe(name)
  })
  it('has each number once, unless the message decides', () => {
    const numbers = entries.map(([, pattern]) => pattern).filter(Number.isInteger)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})

/** A disk of two megabytes for temporary files, or null where we may not mount one. */
function mountDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'users-disk-'))
  try {
    const options = ['-t', 'tmpfs', '-o', 'size=2m,mode=1777', 'tmpfs', folder]
    execFileSync('mount', options, { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
}

describeServers('an error of the database', (start) => {
  const disk = mountDisk()
  let database: TestDatabase
  let url: string
  let admin: Connection
  let isMysql: boolean
  let nextClient = 10
  const opened: { close(): Promise<unknown> }[] = []

  beforeAll(async () => {
    database = await start({
      serverOptions: [
        '--log-bin=bin',
        '--server-id=1',
        '--binlog-format=ROW',
        '--binlog-cache-size=4096',
        '--loose-tmp-memory-table-size=0', // MariaDB then keeps temporary tables on the disk
        ...(disk === null ? [] : [`--tmpdir=${disk}`]),
      ],
    })
    url = await database.createSchema()
    admin = await createConnection(url)
    const [[row]] = (await admin.query('SELECT VERSION() AS version')) as unknown as [
      [{ version: string }],
    ]
    isMysql = !row.version.includes('MariaDB')
    const store = openStore(url)
    await store.migrate()
    const passwordHash = await hashOf(store)
    for (let i = 0; i < 80; i++) {
      const role = i < 10 ? 'admin' : 'user'
      const name = 'x'.repeat(200)
      await store.create({ username: `user${i}`, name, passwordHash, role })
    }
  })
  afterAll(async () => {
    for (const resource of opened) await resource.close()
    await admin.end()
    await database.stop()
    if (disk === null) return
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })

  function openStore(at: string): UserStore {
    const store = openMysqlStore({ url: at })
    opened.unshift(store)
    return store
  }

  /** The hash of the tests' password, from a user who registers. */
  async function hashOf(store: UserStore): Promise<string> {
    const { app } = serve(store)
    await app.inject({ method: 'POST', url: '/users', payload: { username: 'owner', password } })
    return (await store.findCredentials({ username: 'owner' }))!.passwordHash!
  }

  /** An app that allows two failed logins, and the numbers of the database's errors in its log. */
  function serve(store: UserStore): { app: FastifyInstance; numbers: Set<number> } {
    const numbers = new Set<number>()
    const log = new Writable({
      write(line, _encoding, done) {
        const errno = /"errno":(\d+)/.exec(String(line))?.[1]
        if (errno !== undefined) numbers.add(Number(errno))
        done()
      },
    })
    const config = { ...appConfig, loginFailures: 2, logLevel: 'error' }
    const app = buildApp(config, { store, tokens }, undefined, log)
    opened.unshift(app)
    return { app, numbers }
  }

  const token = (id: number) => bearer(tokens.sign({ id, tokenVersion: 0 }))
  const login = (app: FastifyInstance, username = 'owner') =>
    app.inject({ method: 'POST', url: '/users/login', payload: { username, password } })
  const list = (app: FastifyInstance) => app.inject({ url: '/users', headers: token(1) })
  const ready = async (app: FastifyInstance) => (await app.inject('/health/ready')).statusCode

  type Answer = Awaited<ReturnType<typeof list>>
  /** Each response is right or a 503 with Retry-After, and some are the latter. */
  function expectUnavailable(answers: readonly Answer[]): void {
    const statuses = answers.map(({ statusCode, headers }) =>
      statusCode === 503 && headers['retry-after'] === '5' ? '503, again in 5 s' : statusCode,
    )
    expect(new Set([200, ...statuses])).toEqual(new Set([200, '503, again in 5 s']))
  }
  /** What was counted during an outage is taken back after it, and a right password works. */
  const expectRightLogins = async (app: FastifyInstance) => {
    await expect.poll(async () => (await login(app)).statusCode).toBe(200)
    for (let i = 0; i < 4; i++) expect((await login(app)).statusCode).toBe(200)
  }

  it.each([0, 4, 8, 12, 16, 24])(
    'is a 503: %s prepared statements are left (1461)',
    async (left) => {
      const store = openStore(url)
      const { app, numbers } = serve(store)
      const [[row]] = (await admin.query(
        "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'",
      )) as unknown as [[{ Value: string }]]
      const [[before]] = (await admin.query(
        'SELECT @@global.max_prepared_stmt_count AS count',
      )) as unknown as [[{ count: number }]]
      await admin.query(`SET GLOBAL max_prepared_stmt_count = ${Number(row.Value) + left}`)
      try {
        const answers: Answer[] = []
        const clients = Array.from({ length: 8 }, async () => {
          const id = nextClient++ // the instance before may still have to take its tries back
          for (let i = 0; i < 6; i++) answers.push(await login(app, `user${id}`), await list(app))
        })
        await Promise.all(clients)
        expectUnavailable(answers)
        expect([...numbers]).toEqual([1461])
        if (left === 0) expect(await ready(app)).toBe(503)
      } finally {
        await admin.query(`SET GLOBAL max_prepared_stmt_count = ${before.count}`)
      }
      await expectRightLogins(app)
      expect(await ready(app)).toBe(200)
    },
  )

  it("is a 503: a statement reached the server's time limit (3024, in MariaDB 1969)", async () => {
    const limit = isMysql ? 'max_execution_time' : 'max_statement_time'
    const { app, numbers } = serve(openStore(url))
    await admin.query(`SET GLOBAL ${limit} = ${isMysql ? 100 : 0.1}`)
    await admin.query('LOCK TABLES users WRITE')
    try {
      expectUnavailable([await list(app), await login(app), await login(app), await login(app)])
      expect([...numbers]).toEqual([isMysql ? 3024 : 1969])
    } finally {
      await admin.query('UNLOCK TABLES')
      await admin.query(`SET GLOBAL ${limit} = 0`)
    }
    await expectRightLogins(app)
  })

  it('is a 503: the account has used up its statements for this hour (1226)', async () => {
    await admin.query(
      "CREATE USER 'few'@'127.0.0.1' IDENTIFIED BY 'pw' WITH MAX_QUERIES_PER_HOUR 1",
    )
    await admin.query("GRANT ALL ON *.* TO 'few'@'127.0.0.1'")
    const few = Object.assign(new URL(url), { username: 'few', password: 'pw' }).href
    const { app, numbers } = serve(openStore(few))
    const removed = await app.inject({ method: 'DELETE', url: '/users/3', headers: token(3) })
    expectUnavailable([removed])
    expect([...numbers]).toEqual([1226])
    await admin.query("DROP USER 'few'@'127.0.0.1'")
  })

  const skipped = disk === null ? ' (skipped, because only root can mount a small disk)' : ''
  it.skipIf(disk === null)(
    `is a 503: the disk for temporary files is full (3, 1021, 1030)${skipped}`,
    async () => {
      const store = openStore(url)
      const { app, numbers } = serve(store)
      const filler = join(disk!, 'filler')
      try {
        for (const left of [0, 4096, 8192, 16_384]) {
          rmSync(filler, { force: true })
          const { bavail, bsize } = statfsSync(disk!)
          writeFileSync(filler, Buffer.alloc(bavail * bsize - left))
          // The transaction is larger than the server's buffer for its binary log.
          const error = await store.endAllSessions().then(
            () => null,
            (reason: unknown) => reason,
          )
          expect(error).toMatchObject({ reason: 'unavailable' })
          numbers.add((error as { cause: { errno: number } }).cause.errno)
          if (isMysql) continue
          const headers = token(4 + left / 4096)
          const path = `/users/${4 + left / 4096}`
          expectUnavailable([await app.inject({ method: 'DELETE', url: path, headers })])
        }
        expect(new Set([...numbers, 3, 1021, 1030])).toEqual(new Set([3, 1021, 1030]))
      } finally {
        rmSync(filler)
      }
      await expectRightLogins(app)
    },
  )

  it('is repeated: a table has changed since the transaction began (1412)', async () => {
    const db = openMysqlDatabase({ url })
    opened.unshift(db)
    await admin.query('CREATE TABLE other (id INT)')
    const select = (sql: string) => ({ sql, values: {} })
    const together = db.runTogether([
      select('SELECT COUNT(*) FROM users'),
      select('SELECT SLEEP(1)'),
      select('SELECT * FROM other'),
    ])
    const sleeping = "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'"
    await expect.poll(async () => ((await admin.query(sleeping))[0] as unknown[]).length).toBe(1)
    await admin.query('ALTER TABLE other ADD COLUMN name INT, ALGORITHM = COPY')
    expect(await together).toHaveLength(3)
  })

  it('is repeated: a proxy has moved the connection to another server (1243)', async () => {
    const relay = await startRelay(url)
    const { app, numbers } = serve(openStore(relay.url))
    expect((await list(app)).statusCode).toBe(200)
    const forget: Relaying = (command, packet) => {
      if (command === commands.execute) packet.writeUInt32LE(0xffff, 5) // a statement that it hasn't
      return packet
    }
    const once: Relaying = (command, packet) => {
      if (command === commands.execute) relay.relaying = (_command, next) => next
      return forget(command, packet)
    }
    relay.relaying = once
    expect((await list(app)).statusCode).toBe(200)
    relay.relaying = forget
    expectUnavailable([await list(app), await login(app), await login(app), await login(app)])
    expect([await ready(app), ...numbers]).toEqual([503, 1243])
    relay.relaying = (_command, packet) => packet
    await expectRightLogins(app)
    relay.stop()
  })

  it.each([
    [9001, 'Max connect timeout reached while reaching hostgroup 0 after 10000ms'],
    [1026, "Error writing file 'binlog' (errno: 28 - No space left on device)"],
    [1030, 'Got error 28 - "No space left on device" from storage engine'],
  ])('is a 503: %s, as a proxy reports it', async (errno, text) => {
    const relay = await startRelay(url)
    const { app, numbers } = serve(openStore(relay.url))
    relay.relaying = (command, packet) =>
      command === commands.execute || command === commands.prepare ? { errno, text } : packet
    expectUnavailable([await list(app), await login(app), await login(app), await login(app)])
    expect([await ready(app), ...numbers]).toEqual([503, errno])
    relay.relaying = (_command, packet) => packet
    await expectRightLogins(app)
    relay.stop()
  })
})
