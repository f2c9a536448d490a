// Databases that don't respond, lock, or lose connections: the store reports it in time and recovers.
import { spawn, spawnSync } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openMysqlStore, openSqliteStore } from '../src/store/open-store.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { bundle } from './bundle.ts'
import { freePort } from './database-server.ts'
import { type TestDatabase, describeDatabases } from './databases.ts'
import { secret } from './services.ts'
import { actorOf, userOf } from './stores.ts'

const unavailable = { name: 'StoreError', reason: 'unavailable' }
const ann = { username: 'ann', name: null, passwordHash: 'x' }

describe("a database that accepts connections and doesn't respond", () => {
  it('is unavailable within seconds', async () => {
    const silent: Server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const store = openMysqlStore({ url: `mysql://u:p@127.0.0.1:${port}/d` })
    try {
      await expect(store.ping()).rejects.toMatchObject(unavailable)
    } finally {
      await store.close().catch(() => {})
      silent.close()
    }
  })
})

it('connects to an IPv6 address of a URL', async () => {
  const away = openMysqlStore({ url: `mysql://app:pw@[::1]:${await freePort()}/users` })
  await expect(away.ping()).rejects.toMatchObject({ cause: { syscall: 'connect', address: '::1' } })
  await away.close()
})

describe('a host with several addresses', () => {
  it('is reported with the reason when it refuses connections', async () => {
    const port = await freePort()
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
    const lookup = vi
      .spyOn(dns, 'lookup')
      .mockImplementation(((...args: unknown[]) =>
        (args.at(-1) as (error: null, found: object) => void)(null, addresses)) as never)
    const away = openMysqlStore({ url: `mysql://app:pw@database:${port}/users` })
    await expect(away.ping()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('ECONNREFUSED') },
    })
    await away.close()
    lookup.mockRestore()
  })
})

describe('the embedded store', () => {
  const cwd = resolve(import.meta.dirname, '..')
  const service = [bundle(cwd, 'src/main.ts')]
  const environmentOf = (folder: string) => ({
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    ACCESS_TOKEN: secret,
    DATABASE_FILE: join(folder, 'users.db'),
  })

  it.skipIf(process.platform === 'win32')(
    'creates a folder that only its owner can read',
    async () => {
      const parent = mkdtempSync(join(tmpdir(), 'users-folder-'))
      const store = openSqliteStore(join(parent, 'data', 'users.db'))
      expect(statSync(join(parent, 'data')).mode & 0o077).toBe(0)
      await store.close()
      rmSync(parent, { recursive: true })
    },
  )

  it('refuses writes on a full disk, and keeps serving', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'users-full-'))
    // No file of this process grows over 240 KB: what a full disk looks like from inside.
    const script = `trap '' XFSZ; ulimit -f 480; exec "$0" "$@"`
    const child = spawn('sh', ['-c', script, process.execPath, ...service], {
      cwd,
      env: environmentOf(folder),
    })
    try {
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
      let origin: string | undefined
      for (let i = 0; i < 4000 && origin === undefined; i++) {
        await wait(50)
        origin = /on (http:\/\/[\d.]+:\d+)/.exec(output)?.[1]
      }
      expect(origin, output).toBeDefined()
      const create = async (i: number) => {
        const body = JSON.stringify({
          username: `user${i}`,
          password: 'correct horse',
          name: 'x'.repeat(200),
        })
        const answer = await fetch(`${origin}/users`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        return [answer.status, ((await answer.json()) as { error?: string }).error]
      }
      let created = 0
      let last: unknown[] = [201]
      while (last[0] === 201 && created < 500)
        if ((last = await create(created))[0] === 201) created++
      expect(last).toEqual([503, 'DATABASE_UNAVAILABLE'])
      expect(created).toBeGreaterThan(0)
      expect((await fetch(`${origin}/health/live`)).status).toBe(200)
      expect(child.exitCode).toBeNull()
    } finally {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  })

  // Root can write anywhere, so as root, somebody else has to start the service.
  const isRoot = process.getuid?.() === 0
  const nobody = isRoot ? { uid: 65534 } : {}
  const canRead =
    spawnSync(process.execPath, ['--check', ...service], { cwd, ...nobody }).status === 0
  const reason = canRead ? '' : " (skipped, because only root can enter the repository's folder)"
  it.skipIf(!canRead)(`doesn't start in a read-only folder, and prints one line${reason}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'users-readonly-'))
    try {
      if (isRoot) chownSync(folder, 0, 0)
      chmodSync(folder, 0o555)
      const { status, stderr } = spawnSync(process.execPath, service, {
        cwd,
        env: environmentOf(folder),
        encoding: 'utf8',
        ...nobody,
      })
      expect([status, stderr.trim()]).toEqual([
        1,
        expect.stringMatching(
          /^The store can't be opened: [^\n]+\. Check DATABASE_FILE or DATABASE_URL\.$/,
        ),
      ])
    } finally {
      chmodSync(folder, 0o755)
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describeDatabases('the store in trouble', (startDatabase) => {
  let database: TestDatabase
  let url: string
  let store: UserStore
  beforeAll(async () => {
    database = await startDatabase()
    url = await database.createSchema()
    store = openMysqlStore({ url })
    await store.migrate()
    await store.create(ann)
  })
  afterAll(async () => {
    await store.close()
    await database.stop()
  })

  it('gives up while the table is locked, and keeps no busy connection', async () => {
    const other = await createConnection(url)
    await other.query('LOCK TABLES users WRITE')
    const outcomes = await Promise.allSettled(Array.from({ length: 70 }, () => userOf(store, 1)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(0)
    for (const outcome of outcomes)
      expect((outcome as PromiseRejectedResult).reason).toMatchObject(unavailable)
    await store.ping() // a connection that still waits for the lock couldn't answer this
    await other.query('UNLOCK TABLES')
    await other.end()
    const found = await Promise.all(Array.from({ length: 40 }, () => userOf(store, 1)))
    expect(found.every((account) => account?.username === 'ann')).toBe(true)
  })

  it('retries a statement that waited too long for a locked row', async () => {
    const other = await createConnection(url)
    try {
      await other.beginTransaction()
      await other.query("UPDATE users SET name = 'held' WHERE id = 1")
      const writing = store.update(1, { name: 'written' }, { id: 1, role: 'user', tokenVersion: 0 })
      await wait(2500) // the session gives up after two seconds
      await other.commit()
      expect(await writing).toMatchObject({ affectedRows: 1, changedRows: 1 })
      expect((await userOf(store, 1))!.name).toBe('written')
    } finally {
      await other.end()
    }
  })

  it('leaves no statement behind that writes later', async () => {
    const other = await createConnection(url)
    await other.beginTransaction()
    await other.query("UPDATE users SET name = 'held' WHERE id = 1")
    const late = { name: 'late' }
    const writing = store.update(1, late, { id: 1, role: 'user', tokenVersion: 0 })
    await expect(writing).rejects.toMatchObject(unavailable)
    await other.commit()
    await wait(200)
    expect((await userOf(store, 1))!.name).toBe('held')
    await other.end()
  })

  it('keeps one of two admins who are demoted at once, on a server at READ COMMITTED', async () => {
    const other = await createConnection(url)
    await other.query('SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED')
    const fresh = openMysqlStore({ url })
    try {
      const admin = { name: null, passwordHash: 'x', role: 'admin' } as const
      const ids: number[] = []
      for (const username of ['admin1', 'admin2'])
        ids.push((await fresh.create({ ...admin, username })).insertId)
      // Both demotions have begun before either can finish.
      await other.beginTransaction()
      await other.query(`SELECT id FROM users WHERE id = ${ids[0]} FOR UPDATE`)
      const demotions = Promise.allSettled(ids.map((id) => fresh.setRole(id, 'user')))
      await wait(300)
      await other.commit()
      const outcomes = (await demotions).map(({ status }) => status)
      expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected'])
      const roles = await Promise.all(ids.map(async (id) => (await actorOf(fresh, id))!.role))
      expect(roles.toSorted()).toEqual(['admin', 'user'])
    } finally {
      await other.query('SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      await fresh.close()
      await other.end()
    }
  })

  it('commits each write, on a server without autocommit', async () => {
    const other = await createConnection(url)
    await other.query('SET GLOBAL autocommit = 0')
    const fresh = openMysqlStore({ url })
    try {
      const { insertId } = await fresh.create({ ...ann, username: 'committed' })
      expect((await userOf(store, insertId))?.username).toBe('committed')
    } finally {
      await other.query('SET GLOBAL autocommit = 1')
      await fresh.close()
      await other.end()
    }
  })

  it("shows none of the server's settings in a write's status", async () => {
    const other = await createConnection(url)
    const settings = ['sql_mode', 'long_query_time']
    const [[before]] = (await other.query(
      `SELECT ${settings.map((name) => `@@global.${name} AS ${name}`).join(', ')}`,
    )) as unknown as [[Record<string, string | number>]]
    await other.query(
      "SET GLOBAL sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES', GLOBAL long_query_time = 0",
    )
    const fresh = openMysqlStore({ url })
    try {
      const { insertId: id, serverStatus } = await fresh.create({ ...ann, username: 'ansi' })
      const actor = { id, role: 'user', tokenVersion: 0 } as const
      const updated = await fresh.update(id, { name: '\\ \' "' }, actor)
      const deleted = await fresh.delete(id, actor)
      expect([serverStatus, updated.serverStatus, deleted.serverStatus]).toEqual([2, 2, 2])
    } finally {
      for (const name of settings) await other.query('SET GLOBAL ?? = ?', [name, before![name]!])
      await fresh.close()
      await other.end()
    }
  })

  it('prepares one statement for pages of every size', async () => {
    const other = await createConnection(url)
    const prepared = async () => {
      const [rows] = await other.query("SHOW GLOBAL STATUS LIKE 'Com_stmt_prepare'")
      return Number((rows as { Value: string }[])[0]!.Value)
    }
    const { length } = await store.list({ after: 0, limit: 100 })
    const before = await prepared()
    for (let limit = 1; limit <= 20; limit++)
      expect(await store.list({ after: 0, limit })).toHaveLength(Math.min(limit, length))
    expect((await prepared()) - before).toBe(0)
    await other.end()
  })

  it('has indexes for expired attempts and for admins', async () => {
    const other = await createConnection(url)
    const columns = async (table: string) => {
      const [rows] = await other.query(`SHOW INDEX FROM ${table}`)
      return (rows as { Column_name: string }[]).map((row) => row.Column_name)
    }
    expect(await columns('login_attempts')).toContain('window_ends')
    expect(await columns('users')).toContain('role')
    await other.end()
  })

  it('replaces connections that the server has killed', async () => {
    await store.ping()
    const other = await createConnection(url)
    const [rows] = await other.query(
      'SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND db = DATABASE()',
    )
    // One of them may be a test's connection that's just closing.
    for (const { id } of rows as { id: number }[]) await other.query(`KILL ${id}`).catch(() => {})
    await other.end()
    await wait(100)
    for (let i = 0; i < 5; i++) expect((await userOf(store, 1))!.username).toBe('ann')
  })

  it('is unavailable while its database user has too many connections', async () => {
    const admin = await createConnection(url)
    await admin.query(
      "CREATE USER 'one'@'127.0.0.1' IDENTIFIED BY 'pw' WITH MAX_USER_CONNECTIONS 1",
    )
    await admin.query("GRANT ALL ON *.* TO 'one'@'127.0.0.1'")
    const limited = openMysqlStore({
      url: Object.assign(new URL(url), { username: 'one', password: 'pw' }).href,
    })
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => userOf(limited, 1)))
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const outcome of refused)
      expect((outcome as PromiseRejectedResult).reason).toMatchObject(unavailable)
    expect((await userOf(limited, 1))!.username).toBe('ann')
    await limited.close()
    await admin.query("DROP USER 'one'@'127.0.0.1'")
    await admin.end()
  })

  it('is unavailable for writes while the server is read-only', async () => {
    const admin = await createConnection(url)
    await admin.query("CREATE USER 'writer'@'127.0.0.1' IDENTIFIED BY 'pw'")
    await admin.query("GRANT SELECT, INSERT ON *.* TO 'writer'@'127.0.0.1'")
    const writer = openMysqlStore({
      url: Object.assign(new URL(url), { username: 'writer', password: 'pw' }).href,
    })
    await admin.query('SET GLOBAL read_only = 1')
    try {
      await expect(writer.create({ ...ann, username: 'bea' })).rejects.toMatchObject(unavailable)
      expect((await userOf(writer, 1))!.username).toBe('ann')
    } finally {
      await admin.query('SET GLOBAL read_only = 0')
      await writer.close()
      await admin.query("DROP USER 'writer'@'127.0.0.1'")
      await admin.end()
    }
  })

  it('is unavailable when the server ends a statement', async () => {
    const other = await createConnection(url)
    await other.query('LOCK TABLES users WRITE')
    const finding = userOf(store, 1).catch((error: unknown) => error)
    const waiting =
      "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'"
    await expect
      .poll(async () => {
        const [rows] = await other.query(waiting)
        for (const { id } of rows as { id: number }[]) await other.query(`KILL QUERY ${id}`)
        return (rows as unknown[]).length
      })
      .toBe(1)
    expect(await finding).toMatchObject(unavailable)
    await other.query('UNLOCK TABLES')
    await other.end()
  })

  it('gives up on a connection that stops responding before a statement is prepared', async () => {
    let frozen = false
    const sockets = new Set<Socket>()
    const proxy = createServer((client) => {
      const server = connect(Number(new URL(url).port), '127.0.0.1')
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        sockets.add(from)
        from.on('data', (bytes) => frozen || to.write(bytes))
        from.on('error', () => {}).on('close', () => to.destroy())
      }
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const slow = openMysqlStore({
      url: Object.assign(new URL(url), { port }).href,
      statementTime: 300,
    })
    await slow.ping()
    frozen = true
    await expect(userOf(slow, 1)).rejects.toMatchObject(unavailable)
    frozen = false
    expect((await userOf(slow, 1))!.username).toBe('ann')
    await slow.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
})
