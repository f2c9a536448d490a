// The runbook's backups and restores, command for command, on a service that serves meanwhile.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { createConnection } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { some } from '../../../tools/test-all.ts'
import { openMysqlStore, openSqliteStore } from '../src/store/open-store.ts'
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

/** The code block of the runbook that has this title. */
function scriptOf(title: string): string {
  const block = new RegExp(`^( *)\`\`\`\\w+ title=${title}\n([^]*?)\n *\`\`\``, 'm').exec(runbook)
  return `${block![2]!.replaceAll(/^ {3}/gm, '')}\n`
}

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
  let script = scriptOf(title)
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

const { scripts } = JSON.parse(readFileSync(join(users, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Runs what npm would run for a line such as `set-role ann admin`, without npm's own start-up time. */
function command(
  service: string,
  line: string,
  environment: Record<string, string> = {},
): SpawnSyncReturns<string> {
  const { PATH = '', HOME = '' } = process.env
  const [script = '', ...args] = line.split(' ').filter((word) => word !== '--')
  const [, program = '', first] = / tsx (\S+)(?: (\S+))?$/.exec(scripts[script]!)!
  return spawnSync(
    process.execPath,
    [bundle(service, program, users), ...(first === undefined ? [] : [first]), ...args],
    { cwd: service, encoding: 'utf8', env: { PATH, HOME, PORT: '0', ...environment } },
  )
}

async function serve(environment: Record<string, string>) {
  const { child, origin } = await startInstance(environment)
  clean.push(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { origin, output: () => output, stop: () => child.kill('SIGKILL') }
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
  // The killed service has left its latest writes in a second file. SQLite would add them to a
  // database that gets the old name.
  rmSync(file)
  const names = { [exampleBackup]: join(folder, backup!), 'data/restored.db': file }
  expect(attempt('embedded-restore', {}, names).stderr).toMatch(
    /users\.db-wal already exists\. Choose another name\.$/m,
  )
  // With the old key, both tokens come back to life. That's why the runbook has a step for it.
  expect(await acceptedBy(restore('old-key.db'), lived)).toEqual([200, 200])
  expect(await acceptedBy({ ...restore('new-key.db'), ...newKey }, lived)).toEqual([401, 401])
})

it('what was changed after a backup is listed and repeated', async () => {
  const service = copyService()
  const admin = (line: string): string => {
    const { status, stdout, stderr } = command(service, line)
    expect([line, status, stderr]).toEqual([line, 0, expect.anything()])
    return stdout
  }
  admin('migrate')
  const [, firstPassword = ''] = /password (\S+)/.exec(admin('create-admin boss'))!
  for (const name of ['demoted', 'promoted']) admin(`create-admin ${name}`)
  admin('set-role promoted user')
  const before = await serve({ DATABASE_FILE: join(service, 'data/users.db') })
  await put(
    before.origin,
    1,
    await login(before.origin, 'boss', firstPassword),
    firstPassword,
    second,
  )
  const deleted = await register(before.origin, 'deleted')
  const time = /its time: (\S+)/.exec(admin('backup data/backup.db'))![1]!
  admin('set-role demoted user')
  admin('set-role promoted admin')
  const remove = (origin: string, jwt: string) =>
    send(origin, 'DELETE', `/users/${deleted.id}`, undefined, bearer(jwt))
  expect((await remove(before.origin, deleted.jwt)).status).toBe(200)
  expect(Object.keys(rolesIn(join(service, 'data/users.db')))).not.toContain('deleted')
  await expect.poll(before.output).toContain('user.deleted')
  before.stop()
  writeFileSync(join(service, 'users.log'), `starting\n${before.output()}{"time":1`)

  admin('restore data/backup.db data/restored.db')
  writeFileSync(join(service, '.env'), 'DATABASE_FILE=data/restored.db\n')
  const listed = admin(`audit-since ${time} users.log data/audit.log`)
  expect(listed.replaceAll(/^20\S+Z /gm, '')).toBe(
    `role.changed 2 demoted user\nrole.changed 3 promoted admin\nuser.deleted ${deleted.id}\n3 changes since ${time}\n`,
  )
  for (const [, name, role] of listed.matchAll(/role\.changed \d+ (\S+) (\S+)/g))
    admin(`set-role ${name} ${role}`)
  const restored = join(service, 'data/restored.db')
  const roles = { boss: 'admin', demoted: 'user', promoted: 'admin' }
  expect(rolesIn(restored)).toEqual({ ...roles, deleted: 'user' }) // until somebody deletes the user again
  const after = await serve({ DATABASE_FILE: restored, ...newKey })
  expect((await remove(after.origin, deleted.jwt)).status).toBe(401)
  expect((await remove(after.origin, await login(after.origin, 'boss', second))).status).toBe(200)
  after.stop()
  expect(rolesIn(restored)).toEqual(roles)
})

const rolesIn = (file: string): Record<string, unknown> => {
  const db = new DatabaseSync(file)
  const rows = db.prepare('SELECT username, role FROM users').all()
  db.close()
  return Object.fromEntries(rows.map(({ username, role }) => [username, role]))
}

const accounts = [
  ['backup.cnf', 'backup'],
  ['restored.cnf', 'restore'],
] as const
const dumps: Record<string, string | undefined> = {
  MariaDB: findProgram('mariadb-dump'),
  MySQL: findProgram('mysqldump'),
}

/** Starts a database that writes a binary log, and has the accounts of the runbook. */
async function open(start: StartDatabase, product: string) {
  const database: TestDatabase = await start({ serverOptions: ['--log-bin'] })
  clean.push(() => database.crash())
  return prepare(await database.createSchema(), product)
}

async function prepare(url: string, product: string) {
  const connection = await createConnection(url)
  clean.push(() => connection.destroy())
  const DATABASE = new URL(url).pathname.slice(1)
  for (const title of ['backup-account', 'restore-account'])
    for (const [, statement, comment] of scriptOf(title).matchAll(/^(.*);(.*)$/gm)) {
      if (product === 'MySQL' && comment!.includes('MariaDB')) continue
      const named = statement!.replaceAll('users.*', `${DATABASE}.*`).replace('…', '#1 of 2')
      await connection.query(named)
    }
  return { url, connection, DATABASE }
}

/** The lines of an option file: a server's account. */
function accountOf(url: string, user: string): string {
  const { hostname: host, port } = new URL(url)
  const lines = Object.entries({ host, port, user, password: '"#1 of 2"' })
  return `[client]\n${lines.map(([key, value]) => `${key} = ${value}`).join('\n')}\n`
}

describeServers('a dump', (start, product) => {
  it('is restored with a new key', async () => {
    const { url, connection, DATABASE } = await open(start, product)
    if (dumps[product] === undefined) throw new Error(`no program that dumps ${product}`)
    for (const [file, user] of accounts) writeFileSync(join(folder, file), accountOf(url, user))
    const client = product.toLowerCase()
    const lived = await live({ DATABASE_URL: url }, () => run(`${client}-backup`, { DATABASE }))
    const restore = async () => {
      await connection.query(`DROP DATABASE ${DATABASE}`) // as if it was a new server
      expect(run(`${client}-restore`, { DATABASE })).toContain('-- Dump completed')
      run(`${client}-forget-attempts`, { DATABASE })
    }
    await restore()
    expect(await acceptedBy({ DATABASE_URL: url }, lived)).toEqual([200, 200])
    await restore()
    expect(await acceptedBy({ DATABASE_URL: url, ...newKey }, lived)).toEqual([401, 401])
  })

  it.skipIf(product === 'MySQL')('is followed by the binary log, until the accident', async () => {
    const { url, connection, DATABASE } = await open(start, product)
    writeFileSync(join(folder, 'backup.cnf'), accountOf(url, 'backup'))
    const { origin, stop } = await serve({ DATABASE_URL: url })
    const ann = await register(origin, 'ann')
    const name = "-- CHANGE MASTER TO MASTER_LOG_FILE='x', MASTER_LOG_POS=4;"
    await send(origin, 'PUT', `/users/${ann.id}`, { name: `\n${name}` }, bearer(ann.jwt))
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

    const other = await open(start, product)
    writeFileSync(join(folder, 'restored.cnf'), accountOf(other.url, 'restore'))
    await other.connection.query(`GRANT ALL ON ${DATABASE}.* TO restore`)
    run('mariadb-restore', { DATABASE })
    run('mariadb-point-in-time', { DATABASE, UNTIL })
    const DATABASE_URL = Object.assign(new URL(other.url), { pathname: DATABASE }).href
    const restored = await serve({ DATABASE_URL, ...newKey })
    const jwt = await login(restored.origin, 'bob', second)
    expect(await show(restored.origin, bob.id, jwt)).toBe(200)
    expect(await login(restored.origin, 'ann', password)).toEqual(expect.any(String))
    expect(await show(restored.origin, bob.id, bob.jwt)).toBe(401)
  })
})

describe.skipIf(process.platform === 'win32')('a command refuses', () => {
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
    ['unlock nobody', {}, /^There's no user nobody\. Check the spelling; capitals don't matter\.$/],
    ['set-role', {}, /^Usage: npm run set-role/],
    ['set-role root king', {}, /^Usage: npm run set-role <name> <admin or user>\.$/],
    ['set-role nobody user', {}, /^There's no user nobody\./],
    ['create-admin', {}, /^Usage: npm run create-admin/],
    ['create-admin x', {}, /^Usage: npm run create-admin <name>, 3 to 32 letters/],
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
  it.each(some(cases, 6))('%s with %j', async (line, environment, expected) => {
    const databases = () =>
      readdirSync(join(service, 'data')).filter((name) => /\.(?:db|draft)$/.test(name))
    const before = databases()
    const { status, stdout, stderr } = command(service, line, environment)
    expect([status, stdout, stderr.trim()]).toEqual([1, '', expect.stringMatching(expected)])
    expect(stderr.trim()).not.toContain('\n')
    expect(databases()).toEqual(before)
  })

  const dumping = ['mariadb', 'mysql'].flatMap((client) =>
    ['backup', 'restore', 'forget-attempts'].map((step) => `${client}-${step}`),
  )
  it.each([...dumping, 'mariadb-point-in-time'])('%s without its variables', (title) => {
    const { status, stderr } = attempt(title)
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('DATABASE: set it to the database'),
    ])
  })
  // In a terminal, a line that fails doesn't keep the next one from running.
  const bash = findProgram('bash')
  it.skipIf(bash === undefined).each([...dumping, 'mariadb-point-in-time'])(
    '%s without its variables, pasted',
    (title) => {
      const options = { cwd: folder, input: scriptOf(title), encoding: 'utf8' } as const
      const { stderr } = spawnSync(bash!, ['--norc', '-i'], options)
      expect(stderr).toContain('DATABASE: set it to the database')
      expect(stderr).not.toMatch(/defaults file|users\.sql:/)
      expect(readdirSync(folder)).toEqual([])
    },
  )
})

interface Fault {
  /** The text of `backup.cnf` and of `restored.cnf`. Null if there's no such file. */
  readonly cnf?: string | null
  /** What's put in place of a part of that text. */
  readonly change?: readonly [string, string]
  /** The text of `users.sql`. Null if there's no such file. */
  readonly dump?: string | null
  readonly DATABASE?: string
  readonly UNTIL?: string
}

describeServers('a command refuses', (start, product) => {
  let server: Awaited<ReturnType<typeof open>>
  let stop: () => unknown
  let dump: string
  const client = product.toLowerCase()
  beforeAll(async () => {
    const database = await start({ serverOptions: ['--log-bin'] })
    stop = () => database.stop()
    const url = await database.createSchema()
    server = await prepare(url, product)
    clean.length = 0 // they serve all of these tests
    const store = openMysqlStore({ url })
    await store.migrate()
    await store.close()
    await server.connection.query('CREATE DATABASE notes')
    await server.connection.query('GRANT SELECT, LOCK TABLES ON notes.* TO backup')
    for (const name of ['notes', 'restored'])
      await server.connection.query(`GRANT ALL ON ${name}.* TO restore`)
    folder = mkdtempSync(join(tmpdir(), 'users-backup-'))
    writeFileSync(join(folder, 'backup.cnf'), accountOf(url, 'backup'))
    run(`${client}-backup`, { DATABASE: server.DATABASE })
    dump = readFileSync(join(folder, 'users.sql'), 'utf8')
    rmSync(folder, { recursive: true })
  })
  afterAll(async () => {
    server.connection.destroy()
    await stop()
  })

  const noFile = /defaults file|required defaults|No such file/
  const denied = /Access denied for user/
  const cases: readonly [step: string, what: string, fault: Fault, expected: RegExp][] = [
    ['backup', 'an account file', { cnf: null }, noFile],
    [
      'backup',
      'a group in the account file',
      { cnf: 'user = backup\n' },
      /without preceding group/,
    ],
    ['backup', 'a right option', { change: ['user =', 'usr ='] }, /unknown variable 'usr=backup'/],
    ['backup', 'a right password', { change: ['#1', '#2'] }, denied],
    ['backup', 'a server at the port', { change: ['port = ', 'port = 1\n#'] }, /Can't connect/],
    ['backup', 'a right name', { DATABASE: 'usres' }, /Unknown database|Access denied/],
    ['backup', "the service's tables", { DATABASE: 'notes' }, /Couldn't find table: "users"/],
    ['restore', 'an account file', { cnf: null }, noFile],
    ['restore', 'a right password', { change: ['#1', '#2'] }, denied],
    ['restore', 'a dump', { dump: null }, /users\.sql/],
    ['restore', 'the end of a dump', { dump: 'CREATE TABLE users (id INT);\n' }, /^$/],
    ['restore', 'a new name', { DATABASE: 'notes' }, /database exists/],
    ['point-in-time', 'an account file', { cnf: null }, noFile],
    ['point-in-time', 'a right password', { change: ['#1', '#2'] }, /Access denied/],
    ['point-in-time', 'a dump', { dump: null }, /users\.sql/],
    [
      'point-in-time',
      'a position',
      { dump: '-- Dump completed\n' },
      /FILE: users\.sql has no position/,
    ],
    ['point-in-time', 'a time', { UNTIL: 'yesterday' }, /Incorrect date and time argument/],
  ]
  const own = cases.filter(([step]) => product === 'MariaDB' || step !== 'point-in-time')
  it.each(some(own, 6))('%s without %s', async (step, _what, fault, expected) => {
    const before = fault.dump === undefined ? dump : fault.dump
    if (before !== null) writeFileSync(join(folder, 'users.sql'), before)
    for (const [file, user] of accounts) {
      const text = fault.cnf === undefined ? accountOf(server.url, user) : fault.cnf
      if (text !== null)
        writeFileSync(join(folder, file), text.replace(...(fault.change ?? ['', ''])))
    }
    const name = step === 'restore' ? 'restored' : server.DATABASE
    const { DATABASE = name, UNTIL = '2026-11-28 05:30:00' } = fault
    const { status, stdout, stderr } = attempt(`${client}-${step}`, { DATABASE, UNTIL })
    expect([status, stdout + stderr]).toEqual([expect.any(Number), expect.stringMatching(expected)])
    expect(status).not.toBe(0)
    if (before !== null) expect(readFileSync(join(folder, 'users.sql'), 'utf8')).toBe(before)
    expect((await server.connection.query("SHOW DATABASES LIKE 'restored'"))[0]).toEqual([])
  })
})
