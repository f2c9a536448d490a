// Clients that note what the embedded store's service acknowledged, while its file is locked, its disk fills, its garbage is
// collected, and its process is killed. What they noted is compared with the file.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Expected, findDifference } from '../cluster/recorder.ts'
import { bundle } from './bundle.ts'
import { bearer, password, send } from './client.ts'
import { secret, tokens } from './services.ts'

export const disturbances = [
  'lock',
  'full disk',
  'collection',
  'lock and collection',
  'kill',
] as const
export type Disturbance = (typeof disturbances)[number]

interface User extends Expected {
  readonly id: number
  tokenVersion: number
  /** The highest version of a token whose end was acknowledged. */
  endedVersion: number
}

/** How long the service waits for the lock, in milliseconds. */
const patience = 50
const users = resolve(import.meta.dirname, '..')
const version2 = { accept: 'application/vnd.users+json;version=2' }
const upTo = (limit: number) => Math.floor(Math.random() * limit)

/**
 * Starts the service and its clients on a file in a folder.
 *
 * @param mount whether the folder may get a small disk of its own
 */
export async function startRecorder(folder: string, mount: boolean) {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const isMounted =
    mount &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'users-recorder', disk]).status === 0
  const file = join(disk, 'users.db')
  const program = bundle(users, 'test/embedded-process.ts')
  let service: ChildProcess
  let origin: string
  let started: Promise<void>
  const counts = { acknowledged: 0, refused: 0, ended: 0 }
  const lost: string[] = []
  const all: User[] = []

  async function start(): Promise<void> {
    // Without a disk of its own, it's a limit of its files' size that makes writes fail.
    const script = `trap '' XFSZ; exec "$0" "$@"`
    const command = ['-c', script, process.execPath, '--expose-gc', program, file]
    service = spawn('sh', [...command, String(patience), secret], {
      cwd: users,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const exited = once(service, 'exit').then(([code]) => {
      throw new Error(`the service ended with ${code}`)
    })
    origin = ((await Promise.race([once(service, 'message'), exited])) as [string])[0]
    exited.catch(() => {}) // it's killed later
  }

  /** Sends a write. Returns its status, or 0 if there was no response. */
  async function write(method: string, path: string, body?: object, user?: User) {
    const token = user && tokens.sign({ id: user.id, tokenVersion: user.tokenVersion })
    const headers = { ...version2, ...(token !== undefined && bearer(token)) }
    const response = await send(origin, method, path, body, headers).catch(() => undefined)
    const status = response?.status ?? 0
    if (status >= 200 && status < 300) counts.acknowledged++
    else counts.refused++
    if (status !== 0 && status !== 503 && status >= 300)
      lost.push(`${method} ${path}: ${status} ${response!.text}`)
    if (status === 503 && !response!.headers.has('retry-after')) lost.push('503, no Retry-After')
    if (status === 0) await started // until then, the file may be in between
    return { status, id: response?.body?.data?.insertId as number }
  }

  async function rename(user: User): Promise<void> {
    const name = randomBytes(6).toString('hex')
    const { status } = await write('PUT', `/users/${user.id}`, { name }, user)
    if (status === 200) user.names = new Set([name])
    else user.names.add(name)
  }

  async function endSessions(user: User): Promise<void> {
    const { status } = await write('DELETE', `/users/${user.id}/sessions`, undefined, user)
    if (status === 204) {
      user.endedVersion = user.tokenVersion++
      counts.ended++
    } else user.tokenVersion = rowsOf(file).get(user.id)?.tokenVersion ?? user.tokenVersion
  }

  /** Creates a user, and deletes it next time. */
  async function replace(user: User | undefined): Promise<User | undefined> {
    if (user !== undefined) {
      const { status } = await write('DELETE', `/users/${user.id}`, undefined, user)
      user.exists = status === 200 ? false : 'unsure'
      return undefined
    }
    const username = `n${randomBytes(8).toString('hex')}`
    const { status, id } = await write('POST', '/users', { username, password })
    if (status !== 201) return undefined
    const created = {
      id,
      names: new Set([null]),
      exists: true,
      tokenVersion: 0,
      endedVersion: -1,
    } as User
    all.push(created)
    return created
  }

  await (started = start())
  while (all.length < 12) await replace(undefined)

  /** Writes until so many writes have been acknowledged. Each client has users of its own. */
  async function writeUntil(acknowledged: number): Promise<void> {
    const clients = [0, 1, 2].map(async (client) => {
      const mine = all.slice(client * 4, client * 4 + 4)
      let extra: User | undefined
      while (counts.acknowledged < acknowledged || extra?.exists === true) {
        const choice = upTo(50)
        if (counts.acknowledged >= acknowledged || choice === 0) extra = await replace(extra)
        else if (choice < 6) await endSessions(mine[upTo(4)]!)
        else await rename(mine[upTo(4)]!)
      }
    })
    await Promise.all(clients)
  }

  const disturb: Record<Disturbance, () => Promise<void>> = {
    async lock() {
      const db = new DatabaseSync(file, { timeout: 1000 })
      db.exec('BEGIN IMMEDIATE')
      await wait(upTo(4 * patience))
      db.exec('ROLLBACK')
      db.close()
    },
    async 'full disk'() {
      const limit = (size: string) =>
        spawnSync('prlimit', [`--pid=${service.pid}`, `--fsize=${size}:`])
      if (isMounted) fill(join(disk, 'filler'))
      else limit('4096')
      await wait(upTo(100))
      if (isMounted) rmSync(join(disk, 'filler'))
      else limit('unlimited')
    },
    async collection() {
      service.send('collect')
      await once(service, 'message')
    },
    async 'lock and collection'() {
      await this.lock()
      await wait(upTo(20))
      await this.collection()
    },
    async kill() {
      started = once(service, 'exit').then(start)
      service.kill('SIGKILL')
      await started
    },
  }

  return {
    isMounted,
    counts,
    lost,
    /** Disturbs the service while clients write, then compares the file with what they noted. */
    async round(disturbance: Disturbance, writes: number): Promise<void> {
      const writing = writeUntil(counts.acknowledged + writes)
      await wait(upTo(30))
      await disturb[disturbance]()
      await writing
      const rows = rowsOf(file)
      for (const user of all) {
        const row = rows.get(user.id)
        const difference = findDifference(user, row?.name)
        if (difference !== undefined) lost.push(`${disturbance}: ${difference} ${user.id}`)
        if (row !== undefined && row.tokenVersion <= user.endedVersion)
          lost.push(`${disturbance}: the token ${user.endedVersion} of ${user.id} isn't ended`)
      }
      // The service itself has to know as well.
      const { id, endedVersion } = all[upTo(12)]!
      if (endedVersion < 0) return
      const ended = bearer(tokens.sign({ id, tokenVersion: endedVersion }))
      const { status } = await send(origin, 'GET', `/users/${id}`, undefined, ended)
      if (status !== 401) lost.push(`${disturbance}: ${status} for an ended token`)
    },
    stop() {
      service.kill('SIGKILL')
      if (isMounted) spawnSync('umount', ['-l', disk])
    },
  }
}

/**
 * What another process sees in the file. It's read without a prepared statement, because the driver
 * keeps a file open until its statements are collected. As long as it's open, SQLite doesn't look
 * for a write that was complete when the service was killed, but in nobody's index yet.
 */
function rowsOf(file: string) {
  const rows = new Map<number, { readonly name: string | null; readonly tokenVersion: number }>()
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  db.function('note', (id: number, name: string | null, tokenVersion: number) => {
    rows.set(id, { name, tokenVersion })
  })
  db.exec('SELECT note(id, name, token_version) FROM users')
  db.close()
  return rows
}

/** Writes until the disk is full. */
function fill(file: string): void {
  for (const size of [1 << 20, 4096])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
}
