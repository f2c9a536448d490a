// The runbook's backups and restores, command for command, on a service that serves meanwhile.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { createConnection } from 'mysql2/promise'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { some } from '../../../tools/test-all.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { bundle } from './bundle.ts'
import { bearer, password, register, send } from './client.ts'
import { type StartDatabase, type TestDatabase, describeServers } from './databases.ts'
import { copyService } from './service-copy.ts'
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

/**
 * Runs the code block of the runbook that has this title. A block that runs a command of the service does so in its folder.
 *
 * @param names what to put in place of the block's file names and times
 */
function run(
  title: string,
  variables: Record<string, string> = {},
  names: Record<string, string> = {},
): string {
  const { status, stdout, stderr } = attempt(title, variables, names)
  if (status !== 0) throw new Error(`${title}: ${stderr}`)
  return stdout
}

function attempt(
  title: string,
  variables: Record<string, string> = {},
  names: Record<string, string> = {},
): SpawnSyncReturns<string> {
  const block = new RegExp(`^( *)\`\`\`sh title=${title}\n([^]*?)\n *\`\`\``, 'm').exec(runbook)
  let script = block![2]!.replaceAll(/^ {3}/gm, '')
  for (const [name, other] of Object.entries(names)) {
    expect(script).toContain(name)
    script = script.replaceAll(name, other)
  }
  return spawnSync('sh', ['-euc', script], {
    cwd: script.includes('npm run') ? users : folder,
    env: { ...process.env, ...variables },
    encoding: 'utf8',
  })
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

const exampleBackup = 'data/backup-2026-11-28T05-30-00.000Z.db'

it('the embedded store is backed up while it serves, and restored under a new name and key', async () => {
  const file = join(folder, 'users.db')
  const lived = await live({ DATABASE_FILE: file }, () =>
    expect(run('embedded-backup', { DATABASE_FILE: file })).toMatch(
      /^Wrote .* and checked it: 1 admin_removals, .*\b1 users\.\nTo restore it, .*: 20\d\d-.*Z\n/m,
    ),
  )
  const [backup, ...others] = readdirSync(folder).filter((name) => name.startsWith('backup-'))
  expect(others).toEqual([])
  expect(statSync(join(folder, backup!)).mode & 0o777).toBe(0o600)
  const restore = (name: string) => {
    run(
      'embedded-restore',
      {},
      {
        [exampleBackup]: join(folder, backup!),
        'data/restored.db': join(folder, name),
      },
    )
    return { DATABASE_FILE: join(folder, name) }
  }
  // With the old key, both tokens come back to life. That's why the runbook has a step for it.
  expect(await acceptedBy(restore('old-key.db'), lived)).toEqual([200, 200])
  expect(await acceptedBy({ ...restore('new-key.db'), ...newKey }, lived)).toEqual([401, 401])
}, 60_000)

it('the roles that were changed after a backup are restored before the service starts', async () => {
  const service = copyService()
  const npm = (...args: string[]) =>
    spawnSync('npm', ['run', '-s', ...args], { cwd: service, encoding: 'utf8' })
  const admin = (...args: string[]) => {
    const { status, stderr } = npm(...args)
    expect([args, status, stderr]).toEqual([args, 0, expect.anything()])
  }
  admin('migrate')
  for (const name of ['boss', 'demoted', 'deleted']) admin('create-admin', name)
  admin('create-admin', 'promoted')
  admin('set-role', 'promoted', 'user')
  const time = /its time: (\S+)/.exec(npm('backup', 'data/backup.db').stdout)![1]!
  admin('set-role', 'demoted', 'user')
  admin('set-role', 'promoted', 'admin')
  writeFileSync(
    join(service, 'users.log'),
    `starting\n{"time":${Date.now()},"audit":"user.deleted","user":3,"by":1}\n{"time":1`,
  )
  admin('restore', 'data/backup.db', 'data/restored.db')
  writeFileSync(join(service, '.env'), 'DATABASE_FILE=data/restored.db\n')
  const { stdout } = npm('audit-since', time, 'users.log', 'data/audit.log')
  expect(stdout.replaceAll(/^20\S+Z /gm, '')).toBe(
    `role.changed 2 demoted user\nrole.changed 4 promoted admin\nuser.deleted 3\n3 changes since ${time}\n`,
  )
  for (const [, name, role] of stdout.matchAll(/role\.changed \d+ (\S+) (\S+)/g))
    admin('set-role', name!, role!)
  const roles = new DatabaseSync(join(service, 'data/restored.db')).prepare(
    'SELECT username, role FROM users',
  )
  expect(Object.fromEntries(roles.all().map(({ username, role }) => [username, role]))).toEqual({
    boss: 'admin',
    demoted: 'user',
    deleted: 'admin', // until somebody deletes the user again
    promoted: 'admin',
  })
}, 120_000)

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

describe.skipIf(process.platform === 'win32')('a command refuses', { timeout: 60_000 }, () => {
  let service: string
  beforeAll(async () => {
    service = copyService()
    const db = openSqliteStore(join(service, 'data/users.db'))
    await db.migrate()
    await db.close()
    new DatabaseSync(join(service, 'data/other.db')).exec('CREATE TABLE notes (text)')
    writeFileSync(join(service, 'data/text.db'), 'x'.repeat(8192))
    writeFileSync(join(service, 'data/empty.db'), '')
  })
  const missing = { DATABASE_FILE: 'data/usres.db' }
  const other = { DATABASE_FILE: 'data/other.db' }
  const text = { DATABASE_FILE: 'data/text.db' }
  const mysql = { DATABASE_URL: 'mysql://u:p@127.0.0.1:1/users' }
  const noDatabase = /^There's no database in \S+usres\.db\. Check DATABASE_FILE\. If the service/
  const foreign = /^The store can't be opened: \S+other\.db is another program's database\. Check/

  const cases: readonly [string, Record<string, string>, RegExp][] = [
    ['create-admin root', missing, noDatabase],
    ['set-role root user', missing, noDatabase],
    ['unlock root', missing, noDatabase],
    ['end-sessions -- --all', missing, noDatabase],
    [
      'end-sessions -- --all',
      { DATABASE_FILE: 'data/empty.db' },
      /^The database lacks 001_.*npm run migrate$/,
    ],
    ['end-sessions -- --all', other, foreign],
    ['end-sessions', {}, /^There's no user \. Check the spelling/],
    ['unlock nobody', {}, /^There's no user nobody\./],
    ['set-role', {}, /^Usage: npm run set-role/],
    ['create-admin', {}, /^Usage: npm run create-admin/],
    ['migrate', other, foreign],
    ['migrate', text, /^The store can't be opened: file is not a database\. Check DATABASE_FILE/],
    [
      'migrate',
      { DATABASE_FILE: 'data' },
      /^The store can't be opened: .*unable to open database file\. Check/,
    ],
    [
      'migrate',
      { DATABASE_URL: 'users' },
      /^The configuration is wrong: DATABASE_URL must be mysql:/,
    ],
    ['migrate', { DATABASE_URL_FILE: 'nope' }, /^DATABASE_URL_FILE can't be read: ENOENT/],
    ['start', other, foreign],
    [
      'backup',
      missing,
      /^\S+usres\.db can't be opened: .*unable to open database file\. Check its name\.$/,
    ],
    ['backup', other, /^\S+other\.db isn't the service's database\. Check its name\.$/],
    ['backup', { DATABASE_FILE: 'data/empty.db' }, /^\S+empty\.db isn't the service's database\./],
    ['backup', text, /^\S+text\.db can't be opened: file is not a database\. Check its name\.$/],
    ['backup', mysql, /^This copies the embedded store, but DATABASE_URL is set\./],
    ['backup data/other.db', {}, /^\S+other\.db already exists\. Choose another name\.$/],
    [
      'backup nope/x.db',
      {},
      /^\S+x\.db\.draft can't be written: .*\. Check the path and the disk\.$/,
    ],
    ['restore', {}, /^Usage: npm run restore <backup> <new file>\.$/],
    ['restore nope.db data/new.db', {}, /^\S+nope\.db can't be opened: .*\. Check its name\.$/],
    ['restore data/users.db data/other.db', {}, /^\S+other\.db already exists\./],
    ['audit-since', {}, /^Usage: npm run audit-since/],
    ['audit-since yesterday package.json', {}, /^Usage: npm run audit-since/],
    ['audit-since 2026-11-28', {}, /^Usage: npm run audit-since/],
    [
      'audit-since 2026-11-28 usres.log',
      {},
      /^ENOENT: no such file or directory, open 'usres\.log'/,
    ],
    ['audit-since 2026-11-28 package.json', {}, /^package\.json has no audit lines\./],
  ]
  it.each(some(cases, 12))('%s with %j', async (command, environment, expected) => {
    const databases = () =>
      readdirSync(join(service, 'data')).filter((name) => /\.(?:db|draft)$/.test(name))
    const before = databases()
    const { PATH = '', HOME = '' } = process.env
    const [script = '', ...args] = command.split(' ').filter((word) => word !== '--')
    const { scripts } = JSON.parse(readFileSync(join(users, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    // What npm would run, without npm's own start-up time.
    const [, program = '', first] = / tsx (\S+)(?: (\S+))?$/.exec(scripts[script]!)!
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [bundle(service, program, users), ...(first === undefined ? [] : [first]), ...args],
      { cwd: service, encoding: 'utf8', env: { PATH, HOME, PORT: '0', ...environment } },
    )
    expect([status, stdout, stderr.trim()]).toEqual([1, '', expect.stringMatching(expected)])
    expect(stderr.trim()).not.toContain('\n')
    expect(databases()).toEqual(before)
  })

  const dumping = ['mariadb-backup', 'mysql-backup', 'mariadb-restore', 'mysql-restore']
  it.each([...dumping, 'mariadb-point-in-time'])('%s without its variables', (title) => {
    const { status, stderr } = attempt(title)
    expect([status, stderr]).toEqual([2, expect.stringContaining('DATABASE: set it to the name')])
    expect(existsSync(join(folder, 'users.sql'))).toBe(false)
  })
})
