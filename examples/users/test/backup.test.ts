// The runbook's backups and restores, command for command, on a service that serves meanwhile.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { bearer, password, register, send } from './client.ts'
import { type StartDatabase, type TestDatabase, describeServers } from './databases.ts'
import { startInstance } from './services.ts'

const users = resolve(import.meta.dirname, '..')
const runbook = readFileSync(join(users, 'operations/RUNBOOK.md'), 'utf8')
const clean: (() => unknown)[] = []
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'users-backup-'))
})
afterEach(async () => {
  for (const act of clean.splice(0).toReversed()) await act()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the code block of the runbook that has this title. */
function run(title: string, variables: Record<string, string> = {}, input = ''): string {
  const block = new RegExp(`^( *)\`\`\`sh title=${title}\n([^]*?)\n *\`\`\``, 'm').exec(runbook)
  const options = {
    cwd: folder,
    env: { ...process.env, ...variables },
    input,
    encoding: 'utf8',
  } as const
  const { status, stdout, stderr }: SpawnSyncReturns<string> = spawnSync(
    'sh',
    ['-euc', block![2]!.replaceAll(/^ {3}/gm, '')],
    options,
  )
  if (status !== 0) throw new Error(`${title}: ${stderr}`)
  return stdout
}

async function serve(environment: Record<string, string>) {
  const { child, origin } = await startInstance(environment)
  clean.push(() => child.kill('SIGKILL'))
  return { origin, stop: () => child.kill('SIGKILL') }
}

const put = (origin: string, id: number, jwt: string, currentPassword: string, next: string) =>
  send(origin, 'PUT', `/users/${id}`, { password: next, currentPassword }, bearer(jwt))
const login = async (origin: string, username: string, word: string): Promise<string> =>
  (await send(origin, 'POST', '/users/login', { username, password: word })).body.jwt
const show = async (origin: string, id: number, jwt: string): Promise<number> =>
  (await send(origin, 'GET', `/users/${id}`, undefined, bearer(jwt))).status

const [second, third] = ['a second password', 'a third password']
const newKey = { ACCESS_TOKEN: 'another secret, made for the restored data' }

/**
 * What happens before and after a backup: a token that's revoked twice, and a user who's created too late.
 *
 * @param backUp is called while the service serves
 */
async function live(environment: Record<string, string>, backUp: () => unknown) {
  const { origin, stop } = await serve(environment)
  const ann = await register(origin, 'ann')
  await backUp()
  await put(origin, ann.id, ann.jwt, password, second)
  const stolen = await login(origin, 'ann', second)
  await put(origin, ann.id, stolen, second, third)
  expect(await show(origin, ann.id, stolen)).toBe(401)
  const lost = await register(origin, 'lost')
  stop()
  return { ann: ann.id, stolen, lost }
}

/** Which of the two tokens are accepted by the restored service, once ann has changed her password and carol has come. */
async function acceptedBy(
  environment: Record<string, string>,
  { ann, stolen, lost }: Awaited<ReturnType<typeof live>>,
) {
  const { origin, stop } = await serve(environment)
  await put(origin, ann, await login(origin, 'ann', password), password, second)
  const carol = await register(origin, 'carol')
  expect(carol.id).toBe(lost.id)
  const accepted = [await show(origin, ann, stolen), await show(origin, lost.id, lost.jwt)]
  expect(await show(origin, carol.id, carol.jwt)).toBe(200)
  stop()
  return accepted
}

it('the embedded store is backed up while it serves, and restored under a new name and key', async () => {
  const [file, backup] = [join(folder, 'users.db'), join(folder, 'backup.db')]
  const libsql = { NODE_PATH: join(users, 'node_modules') }
  const lived = await live({ DATABASE_FILE: file }, () =>
    run('embedded-backup', { DATABASE_FILE: file, BACKUP_FILE: backup, ...libsql }),
  )
  const restore = (name: string) => {
    copyFileSync(backup, join(folder, name))
    return { DATABASE_FILE: join(folder, name) }
  }
  // With the old key, both tokens come back to life. That's why the runbook has a step for it.
  expect(await acceptedBy(restore('old-key.db'), lived)).toEqual([200, 200])
  expect(await acceptedBy({ ...restore('new-key.db'), ...newKey }, lived)).toEqual([401, 401])
}, 60_000)

const dumps = { MariaDB: findProgram('mariadb-dump'), MySQL: findProgram('mysqldump') }

/** Starts a database that writes a binary log. */
async function open(start: StartDatabase) {
  const database: TestDatabase = await start({ serverOptions: ['--log-bin'] })
  clean.push(() => database.crash())
  const url = await database.createSchema()
  const connection = await createConnection(url)
  clean.push(() => connection.destroy())
  const [[row]] = (await connection.query('SELECT VERSION() AS v')) as never as [[{ v: string }]]
  const product = row.v.includes('MariaDB') ? ('MariaDB' as const) : ('MySQL' as const)
  return { url, connection, product, DATABASE: new URL(url).pathname.slice(1) }
}

/** Writes the file with a server's account. */
function writeAccount(file: string, url: string): void {
  const { hostname: host, port, username: user, password: word } = new URL(url)
  const lines = Object.entries({ host, port, user, password: word })
  const text = lines.map(([key, value]) => `${key} = ${value}`).join('\n')
  writeFileSync(join(folder, file), `[client]\n${text}\n`)
}

describeServers('a dump', (start) => {
  it('is restored with a new key', async () => {
    const { url, connection, product, DATABASE } = await open(start)
    if (dumps[product] === undefined) throw new Error(`no program that dumps ${product}`)
    for (const file of ['backup.cnf', 'restored.cnf']) writeAccount(file, url)
    const command = product.toLowerCase()
    const lived = await live({ DATABASE_URL: url }, () => run(`${command}-backup`, { DATABASE }))
    const restore = async () => {
      await connection.query(`DROP DATABASE ${DATABASE}`) // as if it was a new server
      run(`${command}-restore`, { DATABASE })
    }
    await restore()
    expect(await acceptedBy({ DATABASE_URL: url }, lived)).toEqual([200, 200])
    await restore()
    expect(await acceptedBy({ DATABASE_URL: url, ...newKey }, lived)).toEqual([401, 401])
  }, 60_000)

  it('is followed by the binary log, until the accident', async (test) => {
    const { url, connection, product, DATABASE } = await open(start)
    if (product === 'MySQL') return test.skip()
    writeAccount('backup.cnf', url)
    const { origin, stop } = await serve({ DATABASE_URL: url })
    await register(origin, 'ann')
    run('mariadb-backup', { DATABASE })
    const bob = await register(origin, 'bob')
    await put(origin, bob.id, bob.jwt, password, second)
    await wait(1100)
    const now = new Date() // the server is on this machine
    const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
    const UNTIL = local.toISOString().slice(0, 19).replace('T', ' ')
    await wait(1100)
    await connection.query('DELETE FROM users')
    stop()

    const other = await open(start)
    writeAccount('restored.cnf', other.url)
    run('mariadb-restore', { DATABASE })
    run('mariadb-point-in-time', { DATABASE, UNTIL })
    const DATABASE_URL = Object.assign(new URL(other.url), { pathname: DATABASE }).href
    const restored = await serve({ DATABASE_URL, ...newKey })
    const jwt = await login(restored.origin, 'bob', second)
    expect(await show(restored.origin, bob.id, jwt)).toBe(200)
    expect(await login(restored.origin, 'ann', password)).toEqual(expect.any(String))
    expect(await show(restored.origin, bob.id, bob.jwt)).toBe(401)
  }, 60_000)
})

it('the audit log says whose password was changed since the backup', () => {
  const lines = [
    { time: 900, audit: 'password.changed', user: 1 },
    { time: 1100, audit: 'login.right', user: 2 },
    { time: 1200, audit: 'password.changed', user: 3, reqId: 'x' },
    { time: 1300, audit: 'user.deleted', user: 4, by: 5 },
  ]
  const log = ['users service on http://…', ...lines.map((line) => JSON.stringify(line)), ''].join(
    '\n',
  )
  writeFileSync(join(folder, 'users.log'), log)
  expect(run('audit-since', { SINCE: '1000' })).toBe('password.changed 3\nuser.deleted 4\n')
})
