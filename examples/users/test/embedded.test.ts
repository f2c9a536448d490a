// The embedded store keeps what it acknowledged, whatever happens to its file, its disk and its process.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAll, some } from '../../../tools/test-all.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { bundle } from './bundle.ts'
import { bearer, password, register, send } from './client.ts'
import { disturbances, startRecorder } from './embedded-recorder.ts'
import { copyService } from './service-copy.ts'
import { secret, startInstance, tokens } from './services.ts'

const users = resolve(import.meta.dirname, '..')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'users-embedded-'))
})
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const isWindows = process.platform === 'win32'
const unavailable = { name: 'StoreError', reason: 'unavailable' }
const row = { username: 'ann', name: null, passwordHash: 'x' }
const rule = { limit: 5, window: 60_000, delay: 1000, doublings: 0 }

async function open(patience = 50): Promise<{ file: string; store: UserStore }> {
  const file = join(folder, 'users.db')
  const store = openSqliteStore(file, { patience })
  await store.migrate()
  await store.create(row)
  return { file, store }
}

/** Every kind of write, on the user with id 1. */
const writes: readonly [what: string, (store: UserStore) => Promise<unknown>][] = [
  ['a new user', (store) => store.create({ ...row, username: `user${randomUUID().slice(0, 8)}` })],
  ['a new name', (store) => store.update(1, { name: randomUUID() }, actor)],
  ['the end of sessions', (store) => store.endSessions(1)],
  ['a role', (store) => store.setRole(1, 'user')],
  ['a counted try', (store) => store.admit('somebody', rule)],
  [
    'a try that is taken back',
    async (store) => store.takeBack({ subject: 'x', wait: 0, mark: 1 }, randomUUID()),
  ],
]
const actor = { id: 1, role: 'user', tokenVersion: 0 } as const

describe('a store whose file another process has locked', () => {
  it.each(writes)(
    'refuses %s, and loses nothing that it acknowledges afterwards',
    async (_what, write) => {
      const { file, store } = await open()
      const other = new DatabaseSync(file)
      other.exec('BEGIN IMMEDIATE')
      await expect(write(store)).rejects.toMatchObject(unavailable)
      other.exec('ROLLBACK')
      for (const [username, id] of [
        ['bea', 2],
        ['cem', 3],
      ] as const) {
        expect((await store.create({ ...row, username })).insertId).toBe(id)
        expect(other.prepare('SELECT username FROM users WHERE id = ?').all(id)).toMatchObject([
          { username },
        ])
      }
      await store.endSessions(1)
      expect(
        other.prepare('SELECT token_version AS v FROM users WHERE id = 1').all(),
      ).toMatchObject([{ v: 1 }])
      other.exec('BEGIN IMMEDIATE; ROLLBACK') // nobody holds the lock
      other.close()
      await store.close()
    },
  )
})

describe.skipIf(isWindows)('a store whose file', () => {
  const moved = /was removed or replaced, so writes would be lost/
  it.each(['', '-wal', '-shm'])(
    "users.db%s is removed isn't ready, and acknowledges nothing",
    async (suffix) => {
      const { file, store } = await open()
      await store.ping()
      renameSync(file + suffix, join(folder, 'elsewhere'))
      for (const [, act] of [...writes, ['', () => store.ping()] as const])
        await expect(act(store)).rejects.toMatchObject({
          ...unavailable,
          cause: { message: expect.stringMatching(moved) as string },
        })
      await expect(store.findActorAndUser(1, 1)).rejects.toMatchObject(unavailable)
      renameSync(join(folder, 'elsewhere'), file + suffix)
      await store.ping()
      await store.create({ ...row, username: 'bea' })
      await store.close()
    },
  )

  it("is replaced isn't ready", async () => {
    const { file, store } = await open()
    copyFileSync(file, join(folder, 'copy'))
    renameSync(join(folder, 'copy'), file)
    await expect(store.ping()).rejects.toMatchObject(unavailable)
    await store.close()
  })

  it("is in a folder that everybody can read isn't readable for others", async () => {
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'users.db'), '', { mode: 0o644 }) // what an earlier release created
    const store = openSqliteStore(join(folder, 'users.db'), { exclusive: true })
    await store.migrate()
    const modes = readdirSync(folder).map((name) => [
      name,
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    ])
    expect(Object.fromEntries(modes)).toEqual({
      'users.db': '600',
      'users.db-lock': '600',
      'users.db-lock-journal': '600',
      'users.db-wal': '600',
      'users.db-shm': '600',
    })
    await store.close()
  })
})

describe.skipIf(isWindows)('a second service', () => {
  it('on the same file is refused until the first one is gone, while commands work beside it', async () => {
    const DATABASE_FILE = join(folder, 'users.db')
    const service = copyService()
    const command = (program: string, ...args: string[]) =>
      spawnSync(process.execPath, [bundle(service, program, users), ...args], {
        cwd: service,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], DATABASE_FILE, PORT: '0' },
      })
    const { child, origin } = await startInstance({ DATABASE_FILE })
    children.push(child)
    const dora = await register(origin, 'dora')
    const link = join(folder, 'link.db')
    symlinkSync(DATABASE_FILE, link)
    for (const file of [DATABASE_FILE, link]) {
      const second = spawnSync(process.execPath, [bundle(users, 'src/main.ts')], {
        cwd: users,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], DATABASE_FILE: file, PORT: '0', ACCESS_TOKEN: secret },
      })
      expect([second.status, second.stderr.trim()]).toEqual([
        1,
        `The store can't be opened: another instance of the service is using ${file}. Check DATABASE_FILE or DATABASE_URL.`,
      ])
    }

    const commands = [
      'create-admin root',
      'set-role dora admin',
      'end-sessions dora',
      'unlock dora',
    ]
    for (const line of some(commands, 2))
      expect(command('src/ops/admin.ts', ...line.split(' ')), line).toMatchObject({ status: 0 })
    expect(command('operations/backup.ts')).toMatchObject({ status: 0, stderr: '' })
    expect((await send(origin, 'GET', '/users/1', undefined, bearer(dora.jwt))).status).toBe(401)
    const again = await register(origin, 'emil')
    const renamed = await send(
      origin,
      'PUT',
      `/users/${again.id}`,
      { name: 'E' },
      bearer(again.jwt),
    )
    expect(renamed.status).toBe(200)
    expect((await send(origin, 'GET', '/health/ready')).status).toBe(200)
    const other = new DatabaseSync(DATABASE_FILE, { readOnly: true })
    expect(other.prepare('SELECT username, name FROM users ORDER BY id').all()).toMatchObject([
      { username: 'dora' },
      { username: 'root' },
      { username: 'emil', name: 'E' },
    ])
    other.close()

    child.kill('SIGKILL')
    await once(child, 'exit')
    const next = await startInstance({ DATABASE_FILE })
    children.push(next.child)
    expect(
      (await send(next.origin, 'GET', `/users/${again.id}`, undefined, bearer(again.jwt))).status,
    ).toBe(200)
  })
})

describe.skipIf(isWindows)('on a full disk', () => {
  it('each kind of write gets a 503 response with Retry-After, and its cause is logged', async () => {
    const DATABASE_FILE = join(folder, 'users.db')
    const store = openSqliteStore(DATABASE_FILE)
    await store.migrate()
    for (const username of ['root', 'second', 'dora', 'emil'])
      await store.create({ ...row, username, role: username.length < 5 ? 'user' : 'admin' })
    await store.setRole(1, 'admin')
    await store.close()
    // No file of this process grows over 240 KB: what a full disk looks like from inside.
    const script = `trap '' XFSZ; ulimit -f 480; exec "$0" "$@"`
    const child = spawn('sh', ['-c', script, process.execPath, bundle(users, 'src/main.ts')], {
      cwd: users,
      env: {
        PATH: process.env['PATH'],
        DATABASE_FILE,
        PORT: '0',
        HOST: '127.0.0.1',
        ACCESS_TOKEN: secret,
      },
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    try {
      await expect.poll(() => output).toMatch(/ on http:\S+\d/)
      const origin = / on (http:[^ ,]+)/.exec(output)![1]!
      const headers = (id: number) => ({
        ...bearer(tokens.sign({ id, tokenVersion: 0 })),
        accept: 'application/vnd.users+json;version=2',
      })
      const fill = () =>
        send(origin, 'PUT', '/users/3', { name: `${Math.random()}`.padEnd(200, 'x') }, headers(3))
      while ((await fill()).status === 200);
      const requests: readonly [string, string, object | undefined, number][] = [
        ['POST', '/users', { username: 'new', password }, 0],
        ['POST', '/users/login', { username: 'dora', password }, 0],
        ['PUT', '/users/3', { name: 'Dora' }, 3],
        ['DELETE', '/users/3', undefined, 3],
        ['DELETE', '/users/2', undefined, 1], // an admin
        ['DELETE', '/users/4/sessions', undefined, 4],
      ]
      for (const [method, path, body, id] of requests) {
        const response = await send(origin, method, path, body, id === 0 ? {} : headers(id))
        const reqId = response.headers.get('x-request-id')!
        expect([
          method,
          path,
          response.status,
          response.headers.get('retry-after'),
          response.body.error,
        ]).toEqual([method, path, 503, '5', 'DATABASE_UNAVAILABLE'])
        const logged = new RegExp(
          `"reqId":"${reqId}".*"cause":\\{[^}]*"message":"(?:disk I/O error|database or disk is full)"`,
        )
        await expect.poll(() => output).toMatch(logged)
      }
      expect((await send(origin, 'GET', '/users/3', undefined, headers(3))).status).toBe(200)
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe.skipIf(isWindows)('an acknowledged write', () => {
  it('stays, and an ended session stays ended', async () => {
    const rounds = isAll ? 200 : 10
    const recorder = await startRecorder(folder, true)
    try {
      for (let i = 0; i < rounds; i++) await recorder.round(disturbances[i % 5]!, isAll ? 105 : 25)
    } finally {
      recorder.stop()
    }
    const { counts, lost, isMounted } = recorder
    console.log(
      `${lost.length} lost of ${counts.acknowledged} acknowledged writes and ${counts.ended} ended sessions, over ${rounds} disturbances; ${counts.refused} writes were refused${isMounted ? ', some by a full disk' : ''}`,
    )
    expect(lost).toEqual([])
    expect(counts.acknowledged).toBeGreaterThanOrEqual((isAll ? 100 : 25) * rounds)
    expect(counts.refused).toBeGreaterThan(0)
  }, 3_600_000)
})
