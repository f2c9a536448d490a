// What a cluster's errors do to statements and connections. Triggers raise them, as the server would.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/store/database.ts'
import { buildApp } from '../src/app.ts'
import { migrate } from '../src/store/migrations.ts'
import { openMysqlDatabase } from '../src/store/mysql-database.ts'
import { createUserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { type TestDatabase, describeDatabases } from './databases.ts'
import { tokens } from './services.ts'

const unavailable = { name: 'StoreError', reason: 'unavailable' }
const readOnly =
  'The MySQL server is running with the --super-read-only option so it cannot execute this statement'

describeDatabases('a failover', (start) => {
  let server: TestDatabase
  let url: string
  let db: Database
  let other: Connection
  beforeAll(async () => {
    server = await start()
    url = await server.createSchema()
    db = openMysqlDatabase({ url })
    await migrate(db)
    await createUserStore(db).create({ username: 'ann', name: null, passwordHash: 'x' })
    other = await createConnection(url)
    // A table without transactions: its rows stay when a statement fails.
    await other.query(
      'CREATE TABLE faults (remaining INT, number INT, text VARCHAR(200)) ENGINE = MyISAM',
    )
    await other.query(`CREATE TRIGGER fail BEFORE UPDATE ON users FOR EACH ROW
      BEGIN
        DECLARE fault INT;
        DECLARE reason VARCHAR(200);
        SELECT number, text INTO fault, reason FROM faults WHERE remaining > 0 LIMIT 1;
        IF fault IS NOT NULL THEN
          UPDATE faults SET remaining = remaining - 1;
          SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = fault, MESSAGE_TEXT = reason;
        END IF;
      END`)
  })
  afterAll(async () => {
    await other.end()
    await db.close()
    await server.stop()
  })

  /** The next updates of users fail with this error. */
  const failUpdates = async (times: number, number: number, text: string) => {
    await other.query('DELETE FROM faults')
    await other.query('INSERT INTO faults VALUES (?, ?, ?)', [times, number, text])
  }
  const rename = (name: string) => db.updateUsers({ name }, { sql: 'id = :id', values: { id: 1 } })
  /** The ids of several connections of the pool. */
  const connectionIds = async () => {
    const asking = [1, 2, 3].map(() => db.all('SELECT CONNECTION_ID() AS id, SLEEP(0.1) AS pause'))
    return (await Promise.all(asking)).map(([row]) => Number(row!['id']))
  }
  const shared = (before: readonly number[], after: readonly number[]) =>
    before.filter((id) => after.includes(id))

  describe('repeats a write', () => {
    it.each([
      [
        'another server was faster with',
        3101,
        'Plugin instructed the server to rollback the current transaction.',
      ],
      [
        'lost at its commit',
        1180,
        "Got error 149 - 'Lock deadlock; Retry transaction, transaction rollback was requested' during COMMIT",
      ],
      [
        'was a deadlock',
        1213,
        'Deadlock found when trying to get lock; try restarting transaction',
      ],
      [
        'read a row that changed',
        1020,
        "Record has changed since last read in table 'users'; try restarting",
      ],
      ['met a server that became read-only', 1290, readOnly],
      ['met a read-only transaction', 1792, 'Cannot execute statement in a READ ONLY transaction.'],
      ['met a server in read-only mode', 1836, 'Running in read-only mode'],
      ['met a server that is offline', 3032, 'The server is currently in offline mode'],
      [
        'met a server that left its group',
        3098,
        'The table does not comply with the requirements by an external plugin.',
      ],
      [
        'met a server without its cluster',
        1047,
        'WSREP has not yet prepared node for application use',
      ],
    ])('that %s', async (what, number, text) => {
      await failUpdates(2, number, text)
      expect(await rename(what)).toMatchObject({ affectedRows: 1, changedRows: 1 })
    })

    it('more often than a row on which thirty clients write makes it fail', async () => {
      await failUpdates(
        8,
        3101,
        'Plugin instructed the server to rollback the current transaction.',
      )
      expect(await rename('the ninth')).toMatchObject({ affectedRows: 1 })
    })
  })

  describe('makes a write unavailable, which clients may repeat,', () => {
    it.each([
      [
        'the group did not agree',
        3100,
        "Error on observer while running replication hook 'before_commit'.",
      ],
      ['the commit failed', 1180, "Got error 5 - 'Input/output error' during COMMIT"],
      [
        'the server waits for its group',
        3797,
        'Error while waiting for transactions with consistency BEFORE',
      ],
    ])('when %s', async (_what, number, text) => {
      await failUpdates(1, number, text)
      await expect(rename('never')).rejects.toMatchObject(unavailable)
    })
  })

  describe('replaces every connection of the pool', () => {
    it.each([
      ['a server that became read-only', 1290, readOnly],
      [
        'a server whose group did not agree',
        3100,
        "Error on observer while running replication hook 'before_commit'.",
      ],
    ])('after a write on %s', async (what, number, text) => {
      await wait(1000) // it replaces them once per second
      const before = await connectionIds()
      await failUpdates(1, number, text)
      await rename(what).catch(() => {})
      expect(shared(before, await connectionIds())).toEqual([])
    })

    it('when readiness finds the server read-only, and is ready again with it', async () => {
      await wait(1000)
      await db.ping()
      const before = await connectionIds()
      await other.query('SET GLOBAL read_only = 1')
      try {
        await expect(db.ping()).rejects.toMatchObject(unavailable)
      } finally {
        await other.query('SET GLOBAL read_only = 0')
      }
      await db.ping()
      expect(shared(before, await connectionIds())).toEqual([])
    })

    it("when a token seems to be invalid on a server that doesn't take writes", async () => {
      await wait(1000)
      const app = buildApp(appConfig, { store: createUserStore(db), tokens })
      const headers = { authorization: `Bearer ${tokens.sign({ id: 4711, tokenVersion: 0 })}` }
      const ask = async (method: 'GET' | 'DELETE') =>
        (await app.inject({ method, url: '/users/4711', headers })).statusCode
      const before = await connectionIds()
      await other.query('SET GLOBAL read_only = 1')
      try {
        expect([await ask('GET'), await ask('DELETE')]).toEqual([503, 503])
      } finally {
        await other.query('SET GLOBAL read_only = 0')
      }
      expect([await ask('GET'), await ask('DELETE')]).toEqual([401, 401])
      expect(shared(before, await connectionIds())).toEqual([])
    })

    it("when they're old", async () => {
      const aging = openMysqlDatabase({ url, connectionTime: 200 })
      const id = async () => Number((await aging.all('SELECT CONNECTION_ID() AS id'))[0]!['id'])
      const first = await id()
      expect(await id()).toBe(first)
      await wait(250)
      expect(await id()).not.toBe(first)
      await aging.close()
    })
  })

  it('keeps an admin, because removals of admins write the same row', async () => {
    const store = createUserStore(db)
    const admin = { name: null, passwordHash: 'x', role: 'admin' } as const
    const ids: number[] = []
    for (const username of ['admin1', 'admin2'])
      ids.push((await store.create({ ...admin, username })).insertId)
    await other.beginTransaction()
    await other.query('UPDATE admin_removals SET total = total + 1')
    let settled = 0
    const removals = Promise.allSettled([
      store
        .delete(ids[0]!, { id: ids[0]!, role: 'admin', tokenVersion: 0 })
        .finally(() => settled++),
      store.setRole(ids[1]!, 'user').finally(() => settled++),
    ])
    await wait(300)
    expect(settled).toBe(0)
    await other.commit()
    const outcomes = await removals
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { reason: 'last-admin' },
    })
    expect(await db.all("SELECT COUNT(*) AS admins FROM users WHERE role = 'admin'")).toEqual([
      { admins: 1 },
    ])
  })

  it('sends whole numbers as such: TiDB takes neither strings nor other numbers as a limit', async () => {
    const sent: Buffer[] = []
    const proxy = createServer((client) => {
      const connection = connect(Number(new URL(url).port), '127.0.0.1')
      client.on('data', (bytes) => sent.push(bytes)).on('error', () => {})
      connection.on('error', () => {})
      client.pipe(connection).pipe(client)
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const proxied = createUserStore(
      openMysqlDatabase({ url: Object.assign(new URL(url), { port }).href }),
    )
    await proxied.list({ after: 4321, limit: 17 })
    await proxied.close()
    proxy.close()
    const numbers = Buffer.alloc(16)
    numbers.writeBigInt64LE(4321n, 0)
    numbers.writeBigInt64LE(17n, 8)
    expect(Buffer.concat(sent).includes(numbers)).toBe(true)
  })
})
