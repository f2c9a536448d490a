// The real process: starting, refusing to start, stopping, being killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { isAll, some } from '../../../tools/test-all.ts'
import { bundle } from './bundle.ts'
import { freePort } from './database-server.ts'
import { describeDatabases, describeServers } from './databases.ts'
import { copyService } from './service-copy.ts'

const users = resolve(import.meta.dirname, '..')
const migrations = readdirSync(join(users, 'migrations', 'mysql'))
const workspace = mkdtempSync(join(tmpdir(), 'users-start-'))
const running = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(() => rmSync(workspace, { recursive: true, force: true }))

interface Run {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

function run(
  folder: string,
  environment: Record<string, string> = {},
  program = 'src/main.ts',
  args: readonly string[] = [],
  command: readonly string[] = [bundle(folder, program, users)],
): Run {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: folder,
    env: { PATH, HOME, LOG_LEVEL: 'warn', DRAIN_TIME: '0', ...environment },
  })
  running.add(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((done) =>
    child.once('close', (code) => {
      running.delete(child)
      done(code)
    }),
  )
  return { child, output: () => output, ended }
}

async function untilServing({ output, child }: Run): Promise<string> {
  for (let i = 0; i < 4000; i++) {
    const origin = /on (http:\/\/(?:localhost|\[::\]):\d+)/.exec(output())?.[1]
    if (origin !== undefined) return origin
    if (child.exitCode !== null) break
    await wait(50)
  }
  throw new Error(`it doesn't serve: ${output()}`)
}

const create = (origin: string, username: string) =>
  fetch(`${origin}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'correct horse' }),
  })
const login = async (origin: string, username: string) =>
  (
    await fetch(`${origin}/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'correct horse' }),
    })
  ).status

describe('a start that fails', () => {
  const routes = (declaration: string) => ({
    'src/routes.ts': `import { api, cache, collection, hrefs, inherit, post, resources, version } from '@hv/router'\nexport const routes: any = (api as any)(${declaration})\nexport const href: any = hrefs(routes)\n`,
  })
  const v1 =
    "version(1, cache({ as: 'v1' }, resources('users', { except: ['new', 'edit'] }, collection(post('login')))))"

  it.each<
    [
      what: string,
      files: Record<string, string>,
      environment: Record<string, string>,
      expected: string,
    ]
  >(
    some(
      [
        [
          'a wrong PORT',
          {},
          { PORT: 'abc' },
          "The configuration is wrong: PORT is 'abc'; it must be a whole number from 0 to 65535.",
        ],
        [
          'a wrong line in .env',
          { '.env': 'PORT\n' },
          {},
          ".env, line 1: 'PORT' has no value. Write KEY=value, or # before a comment.",
        ],
        [
          'a wrong key in .env',
          { '.env': 'PROT=3000\n' },
          {},
          '.env sets the unknown key PROT. Known keys: NODE_ENV, PORT',
        ],
        [
          'a wrong range of proxies',
          {},
          { TRUST_PROXY: '10.0.0.0/99' },
          "TRUST_PROXY has '10.0.0.0/99'; it must be",
        ],
        [
          'parameters in DATABASE_URL',
          {},
          { DATABASE_URL: 'mysql://u:p@h/d?ssl=true' },
          "DATABASE_URL has the parameters '?ssl=true', which aren't supported",
        ],
        ['production without secrets', {}, { NODE_ENV: 'production' }, "ACCESS_TOKEN isn't set"],
        [
          'an incomplete secret',
          { 'data/access-token': 'x' },
          {},
          "data/access-token can't be used: it's incomplete; delete it to generate a new one. Or set ACCESS_TOKEN.",
        ],
        [
          "a store that can't be opened",
          {},
          { DATABASE_FILE: 'package.json/users.db' },
          "The store can't be opened:",
        ],
        [
          'no vendorString',
          routes(`{ path: '' }, ${v1}`),
          {},
          'HV_VENDOR_STRING: api() requires a vendorString',
        ],
        [
          'an unknown cache',
          routes(`{ vendorString: 'users', path: '' }, ${v1}, version(2, inherit({ from: 'v0' }))`),
          {},
          "HV_UNKNOWN_CACHE: version 2 inherits from 'v0', but no cache above it has that name. Did you mean 'v1'?",
        ],
        [
          'version 0',
          routes(`{ vendorString: 'users' }, version(0)`),
          {},
          "HV_VERSION_NUMBER: version(0) isn't a version number.",
        ],
        [
          'version 1.5',
          routes(`{ vendorString: 'users' }, version(1.5)`),
          {},
          "HV_VERSION_NUMBER: version(1.5) isn't a version number.",
        ],
        [
          "a default that isn't a version",
          routes(`{ vendorString: 'users', defaultVersion: 9 }, ${v1}`),
          {},
          "HV_DEFAULT_VERSION: defaultVersion is 9, which isn't declared or is a preview. Use one of: 1.",
        ],
        [
          'a missing controller and action',
          routes(
            `{ vendorString: 'users', path: '' }, version(1, resources('users', { only: 'edit' })), version(3, resources('users'))`,
          ),
          {},
          "HV_MISSING_ACTIONS: the routes require actions that the controllers don't have:\n  controllers[1].users.edit\n  controllers[3].users\nAdd each",
        ],
      ],
      3,
    ),
  )(
    'because of %s prints its message alone and exits with 1',
    async (_what, files, environment, expected) => {
      const folder = copyService()
      mkdirSync(join(folder, 'data'))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      const own = 'src/routes.ts' in files ? [bundle(folder, 'src/main.ts')] : undefined
      const { ended, output } = run(folder, environment, 'src/main.ts', [], own)
      expect(await ended).toBe(1)
      expect(output()).toContain(expected)
      expect(output().trim().split('\n')).toHaveLength(expected.split('\n').length)
    },
  )

  it('because of a port in use prints one line and exits with 1', async () => {
    const holder = createServer()
    await new Promise<void>((listening) => holder.listen(0, 'localhost', listening))
    const { port } = holder.address() as { port: number }
    const { ended, output } = run(copyService(), { PORT: String(port) })
    expect(await ended).toBe(1)
    expect(output().trim()).toBe(
      `Port ${port} is in use. Stop the process that uses it, or choose another port: PORT=${port + 1} npm start`,
    )
    holder.close()
  })
})

describe('a start', () => {
  it("prints its address, its store, and what's exposed", async () => {
    const folder = copyService()
    const service = run(folder, { PORT: '0' })
    await untilServing(service)
    expect(service.output()).toContain(`users service 1.3.10-beta on http://localhost:`)
    expect(service.output()).toContain(join(folder, 'data', 'users.db'))
    await expect.poll(service.output).toContain('EXPOSE_DB_ERRORS is on')
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it("in production warns when the connection to the database isn't encrypted", async () => {
    const production = {
      NODE_ENV: 'production',
      PORT: '0',
      HOST: 'localhost',
      ACCESS_TOKEN: '0123456789abcdef'.repeat(2),
    }
    const service = run(copyService(), {
      ...production,
      DATABASE_URL: 'mysql://u:p@database.invalid/d',
    })
    await untilServing(service)
    await expect.poll(service.output).toContain("the connection to the database isn't encrypted")
  })

  const addresses = Object.values(networkInterfaces()).flat()
  const hasIPv6 = addresses.some((address) => address?.family === 'IPv6')
  it.skipIf(!hasIPv6)('prints an IPv6 address in brackets', async () => {
    const service = run(copyService(), { PORT: '0', HOST: '::' })
    const origin = await untilServing(service)
    expect(origin).toMatch(/^http:\/\/\[::\]:\d+$/)
  })

  // Without it, embedded.test.ts kills the process as well, and runs these commands.
  it.runIf(isAll)('after kill -9 has all acknowledged writes', async () => {
    const folder = copyService()
    const acknowledged: string[] = []
    let sent = 0 // a user whose request has no response may exist, so no name is sent twice
    for (let round = 0; round < 3; round++) {
      const service = run(folder, { PORT: '0', LOGIN_RATE: '0' })
      const origin = await untilServing(service)
      const before = acknowledged.length
      const writing = (async () => {
        for (;;) {
          const name = `user${sent++}`
          if ((await create(origin, name)).status === 201) acknowledged.push(name)
        }
      })().catch(() => {})
      await expect.poll(() => acknowledged.length, { interval: 20 }).toBeGreaterThan(before + 1)
      service.child.kill('SIGKILL')
      await Promise.all([writing, service.ended])
    }
    const service = run(folder, { PORT: '0', LOGIN_RATE: '0' })
    const origin = await untilServing(service)
    for (const name of acknowledged) expect(await login(origin, name), name).toBe(200)
  })

  it.runIf(isAll)('creates, demotes and unlocks users on the command line', async () => {
    const folder = copyService()
    const audit: string[] = []
    const admin = async (...args: string[]) => {
      const command = run(folder, {}, 'src/ops/admin.ts', args)
      const code = await command.ended
      const lines = command.output().trim().split('\n')
      audit.push(...lines.filter((line) => line.startsWith('{')))
      return [code, lines.filter((line) => !line.startsWith('{')).join('\n')]
    }
    expect(await run(folder, {}, 'src/ops/migrate.ts').ended).toBe(0)
    const [code, output] = await admin('create-admin', 'root')
    expect(code).toBe(0)
    const password =
      /^Created the admin root with the password (\S{24})\nThe password isn't shown again/.exec(
        output as string,
      )?.[1]
    expect(await admin('create-admin', 'root')).toEqual([
      1,
      'The user root already exists. To make it an admin: npm run set-role root admin',
    ])
    expect(await admin('set-role', 'root', 'user')).toEqual([
      1,
      'root is the last admin. Create another one first: npm run create-admin <name>',
    ])
    expect(await admin('unlock', 'root')).toEqual([0, 'root can log in again.'])
    expect((await admin('create-admin', 'second'))[0]).toBe(0)
    expect(await admin('set-role', 'root', 'user')).toEqual([0, 'root is now a user.'])

    const service = run(folder, { PORT: '0' })
    const origin = await untilServing(service)
    const response = await fetch(`${origin}/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'root', password }),
    })
    expect(response.status).toBe(200)

    expect(await admin('end-sessions', 'root')).toEqual([0, 'root has to log in again.'])
    const { jwt } = (await response.json()) as { jwt: string }
    const headers = { authorization: `Bearer ${jwt}` }
    expect((await fetch(`${origin}/users`, { headers })).status).toBe(401)
    expect(await admin('end-sessions', '--all')).toEqual([0, 'Everybody has to log in again.'])
    expect(audit.map((line) => JSON.parse(line))).toMatchObject([
      { audit: 'user.created', user: 1, role: 'admin' },
      { audit: 'user.unlocked', user: 1 },
      { audit: 'user.created', user: 2, role: 'admin' },
      { audit: 'role.changed', user: 1, role: 'user' },
      { audit: 'sessions.ended', user: 1 },
      { audit: 'sessions.ended', users: 'all' },
    ])
    const recorded = readFileSync(join(folder, 'data/audit.log'), 'utf8')
    expect(recorded.trim().split('\n')).toEqual(audit)
  })

  it('in production prints nothing but JSON on stdout', async () => {
    const service = run(copyService(), {
      NODE_ENV: 'production',
      ALLOW_EMBEDDED: '1',
      PORT: '0',
      HOST: 'localhost',
      ACCESS_TOKEN: '0123456789abcdef'.repeat(2),
      LOG_LEVEL: 'silent',
      EXPOSE_DB_ERRORS: '1',
    })
    const origin = await untilServing(service)
    await login(origin, 'nobody')
    await expect.poll(service.output).toContain('login.wrong')
    const lines = service.output().trim().split('\n')
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object))).toEqual([
      ['level', 'time', 'msg'],
      ['level', 'time', 'msg'],
      ['level', 'time', 'audit', 'at', 'name', 'network', 'reqId'],
    ])
  })

  it("finishes the requests in progress when it's stopped", async () => {
    const service = run(copyService(), { PORT: '0' })
    const origin = await untilServing(service)
    // Over open connections: a connection that's only asked for when the signal comes may find nobody listening.
    await Promise.all([1, 2, 3].map(async () => (await fetch(`${origin}/health/live`)).text()))
    const answers = Promise.all([1, 2, 3].map((i) => create(origin, `user${i}`)))
    await wait(5)
    service.child.kill('SIGTERM')
    for (const answer of await answers) expect(answer.status).toBe(201)
    expect(await service.ended).toBe(0)
  })
})

describe('a stop', () => {
  const ready = async (origin: string) =>
    (await fetch(`${origin}/health/ready`, { headers: { connection: 'close' } })).status

  it('by SIGTERM keeps serving for the drain time, with readiness 503', async () => {
    const service = run(copyService(), { PORT: '0', DRAIN_TIME: '3' })
    const origin = await untilServing(service)
    expect(await ready(origin)).toBe(200)
    service.child.kill('SIGTERM')
    const until = Date.now() + 700
    while (Date.now() < until) {
      await wait(100)
      expect(await ready(origin)).toBe(503)
      expect(
        (await fetch(`${origin}/health/live`, { headers: { connection: 'close' } })).status,
      ).toBe(200)
    }
    expect(await service.ended).toBe(0)
  })
  it("by Ctrl-C doesn't wait for the drain time", async () => {
    const service = run(copyService(), { PORT: '0', DRAIN_TIME: '600' })
    await untilServing(service)
    service.child.kill('SIGINT')
    expect(await service.ended).toBe(0)
  })
})

describe('concurrent starts', () => {
  it('share the secret that the first one generates', async () => {
    const folder = copyService()
    const services = [1, 2, 3].map((n) => run(folder, { PORT: '0', DATABASE_FILE: `data/${n}.db` }))
    await Promise.all(services.map(untilServing))
    expect(
      readdirSync(join(folder, 'data')).filter((name) => name.startsWith('access-token')),
    ).toEqual(['access-token'])
  })
})

describe('a start through npm', () => {
  it('stops when npm is stopped, although the shell passes no signal on', async () => {
    const command = `"${process.execPath}" --conditions=@hv/source --import tsx src/main.ts; true`
    const { PATH = '', HOME = '' } = process.env
    const env = {
      PATH,
      HOME,
      LOG_LEVEL: 'warn',
      PORT: '0',
      DRAIN_TIME: '0',
      npm_lifecycle_event: 'start',
    }
    const shell = spawn('sh', ['-c', command], { cwd: copyService(), env })
    let output = ''
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const closed = new Promise((done) => shell.stdout.once('close', done))
    const origin = await untilServing({
      child: shell,
      output: () => output,
      ended: Promise.resolve(null),
    })
    shell.kill('SIGTERM')
    await closed // the service held the other end of the pipe
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow('fetch failed')
  })
})

describeDatabases('a start', (startDatabase) => {
  it('applies migrations outside production, and requires them in production', async () => {
    const database = await startDatabase()
    const DATABASE_URL = await database.createSchema()
    const folder = copyService()
    const production = {
      NODE_ENV: 'production',
      DATABASE_URL,
      ACCESS_TOKEN: '0123456789abcdef'.repeat(2),
      PORT: '0',
    }
    const createAdmin = () => run(folder, production, 'src/ops/admin.ts', ['create-admin', 'root'])
    for (const refused of [run(folder, production), createAdmin()]) {
      expect(await refused.ended).toBe(1)
      expect(refused.output().trim()).toBe(
        `The database lacks ${migrations.join(', ')}. Run: npm run migrate`,
      )
    }

    const migrated = run(folder, production, 'src/ops/migrate.ts')
    expect([await migrated.ended, migrated.output().trim()]).toEqual([
      0,
      `applied: ${migrations.join(', ')}`,
    ])
    const again = run(folder, production, 'src/ops/migrate.ts')
    expect([await again.ended, again.output().trim()]).toEqual([0, 'nothing to migrate'])
    expect(await createAdmin().ended).toBe(0)

    const service = run(folder, production)
    const origin = await untilServing(service)
    expect((await create(origin, 'ann')).status).toBe(201)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)

    const outside = run(folder, { DATABASE_URL: await database.createSchema(), PORT: '0' })
    expect((await create(await untilServing(outside), 'ann')).status).toBe(201)
    outside.child.kill('SIGTERM')
    await outside.ended
    await database.stop()
  })
})

describeDatabases("a start with an account that can't change tables", (startDatabase) => {
  it('serves, after another account has migrated', async () => {
    const database = await startDatabase()
    const url = new URL(await database.createSchema())
    const migrated = run(copyService(), { DATABASE_URL: url.href }, 'src/ops/migrate.ts')
    expect(await migrated.ended).toBe(0)
    const admin = await createConnection(url.href)
    const account = `rows${url.pathname.slice(-6)}`
    await admin.query(`CREATE USER '${account}'@'%' IDENTIFIED BY 'rows-pw'`)
    await admin.query(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${url.pathname.slice(1)}.* TO '${account}'@'%'`,
    )
    const DATABASE_URL = Object.assign(new URL(url), {
      username: account,
      password: 'rows-pw',
    }).href
    const production = {
      NODE_ENV: 'production',
      ACCESS_TOKEN: '0123456789abcdef'.repeat(2),
      PORT: '0',
      HOST: 'localhost',
    }
    const service = run(copyService(), { ...production, DATABASE_URL })
    const origin = await untilServing(service)
    expect((await create(origin, 'ann')).status).toBe(201)
    expect(await login(origin, 'ann')).toBe(200)
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200)
    service.child.kill('SIGTERM')
    await service.ended
    await admin.query(`DROP USER '${account}'@'%'`)
    await admin.end()
    await database.stop()
  })
})

describeServers('a start', (startDatabase) => {
  it("of the migrations waits for a database that's unavailable, and says so", async () => {
    const databasePort = await freePort()
    const DATABASE_URL = `mysql://app:app-pw@127.0.0.1:${databasePort}/users`
    const migrating = run(copyService(), { DATABASE_URL }, 'src/ops/migrate.ts')
    await expect
      .poll(migrating.output)
      .toMatch(
        /^the database at \S+ is unavailable: connect ECONNREFUSED \S+ Check .* Trying again\.$/m,
      )
    const database = await startDatabase({ port: databasePort })
    expect(await migrating.ended).toBe(0)
    expect(migrating.output()).toContain(`applied: ${migrations.join(', ')}`)

    const wrong = run(
      copyService(),
      { DATABASE_URL: DATABASE_URL.replace('app-pw', 'wrong') },
      'src/ops/migrate.ts',
    )
    expect(await wrong.ended).toBe(1)
    expect(wrong.output().trim()).toMatch(
      /^The store can't be opened: Access denied .*[^.]\. Check DATABASE_URL\./,
    )
    await database.stop()
  })

  it('serves while the database is unavailable, reports it, and recovers', async () => {
    const databasePort = await freePort()
    const DATABASE_URL = `mysql://app:app-pw@127.0.0.1:${databasePort}/users`
    const service = run(copyService(), { DATABASE_URL, PORT: '0' })
    const origin = await untilServing(service)
    expect((await fetch(`${origin}/health/live`)).status).toBe(200)
    const ready = await fetch(`${origin}/health/ready`)
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
    const refused = await create(origin, 'ann')
    const { error, message } = (await refused.json()) as { error: string; message: string }
    expect([refused.status, error, message]).toEqual([
      503,
      'DATABASE_UNAVAILABLE',
      'the database is unavailable',
    ])

    const database = await startDatabase({ port: databasePort })
    await expect.poll(async () => (await create(origin, 'ann')).status, { interval: 100 }).toBe(201)
    await expect.poll(async () => (await fetch(`${origin}/health/ready`)).status).toBe(200)
    service.child.kill('SIGTERM')
    await service.ended
    await database.stop()
  })
})

describe('a migration that fails half way', () => {
  const production = {
    NODE_ENV: 'production',
    ACCESS_TOKEN: '0123456789abcdef'.repeat(2),
    PORT: '0',
    HOST: 'localhost',
    MIGRATE_ON_START: '0',
  }
  /** Deploys a release with two more migrations, of which the second one fails at first. Returns what's applied in the end. */
  async function deploy(dialect: string, store: Record<string, string>): Promise<string> {
    const environment = { ...production, ...store }
    const [before, after] = [copyService(), copyService()]
    const migrate = async (folder: string) => {
      const { ended, output } = run(folder, environment, 'src/ops/migrate.ts')
      return [await ended, output().trim()] as const
    }
    expect((await migrate(before))[0]).toBe(0)
    let serving = run(before, environment)
    const previous = await untilServing(serving)
    /** Two instances can't share the embedded store's file. */
    const makeRoom = async () => {
      if (dialect === 'mysql') return
      serving.child.kill('SIGKILL')
      await serving.ended
    }
    for (const username of ['ann', 'bob']) await create(previous, username)

    const add = (name: string, sql: string) =>
      writeFileSync(join(after, 'migrations', dialect, name), sql)
    add('998_add_note.sql', 'ALTER TABLE users ADD COLUMN note TEXT')
    add('999_index_role.sql', 'CREATE UNIQUE INDEX users_role_once ON users (role)')
    expect(await migrate(after)).toEqual([
      1,
      expect.stringMatching(/^The migration 999_index_role.sql failed: .*npm run migrate$/),
    ])
    await makeRoom()
    const refused = run(after, environment)
    expect([await refused.ended, refused.output().trim()]).toEqual([
      1,
      'The database lacks 999_index_role.sql. Run: npm run migrate',
    ])
    // Nobody notices, because the previous release works with newer tables.
    if (dialect === 'sqlite') serving = run(before, environment)
    const still = dialect === 'sqlite' ? await untilServing(serving) : previous
    expect((await create(still, 'carol')).status).toBe(201)
    expect(await login(still, 'carol')).toBe(200)

    add('999_index_role.sql', 'CREATE INDEX users_role_once ON users (role)')
    const [, applied] = await migrate(after)
    await makeRoom()
    const next = await untilServing(run(after, environment))
    const origins = dialect === 'mysql' ? [previous, next] : [next]
    for (const origin of origins) expect(await login(origin, 'carol')).toBe(200)
    return applied
  }

  it('is repeated from where it stopped, on the embedded store', async () => {
    const store = { ALLOW_EMBEDDED: '1', DATABASE_FILE: join(workspace, 'half.db') }
    expect(await deploy('sqlite', store)).toBe('applied: 999_index_role.sql')
  })
  describeDatabases('', (startDatabase) => {
    it('is repeated from where it stopped', async () => {
      const database = await startDatabase()
      const store = { DATABASE_URL: await database.createSchema() }
      expect(await deploy('mysql', store)).toBe('applied: 999_index_role.sql')
      for (const child of running) child.kill('SIGKILL')
      await database.stop()
    })
  })
})
