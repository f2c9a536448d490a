// A real MariaDB for the tests: TEST_DATABASE_URL, else a private server on a free port, else a loud skip.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { findProgram } from '../../../tools/find-program.ts'

export interface TestDatabase {
  /** `mysql://…/<schema>` of a schema of its own, empty. */
  createSchema(): Promise<string>
  stop(): Promise<void>
  /** Ends a private server as a power cut would (`kill -9`); `restart` starts it again on its data. */
  crash(): Promise<void>
  restart(): Promise<void>
}

const given = process.env['TEST_DATABASE_URL']
const server = findProgram('mariadbd')
const installer = findProgram('mariadb-install-db')

/** Whether tests can start a private server. */
export const canStartServer = server !== undefined && installer !== undefined
/** Whether tests on a real database can run here. */
export const hasDatabase = given !== undefined || canStartServer

if (!hasDatabase) {
  const text = 'SKIPPED: no MariaDB here. Set TEST_DATABASE_URL or put mariadbd on the PATH to run the database tests.'
  if (process.env['REQUIRE_DB'] === '1') throw new Error(`REQUIRE_DB=1, but: ${text}`)
  console.warn(`┌${'─'.repeat(text.length + 2)}┐\n│ ${text} │\n└${'─'.repeat(text.length + 2)}┘`)
}

interface ServerOptions {
  /**
   * Starts a private server even if TEST_DATABASE_URL is set.
   *
   * @default false
   */
  readonly private?: boolean
  /**
   * Port of the private server.
   *
   * @default a free one
   */
  readonly port?: number
  /**
   * Further command-line options of the private server.
   *
   * @default []
   */
  readonly serverOptions?: readonly string[]
}

export async function startDatabase(options: ServerOptions = {}): Promise<TestDatabase> {
  const { url, stop, crash, restart } =
    given === undefined || options.private === true
      ? await startServer(options.port ?? (await freePort()), options.serverOptions ?? [])
      : { url: given, stop: async () => {}, crash: notOurs, restart: notOurs }
  const schemas: string[] = []
  const run = async (sql: string) => {
    const connection = await createConnection(url)
    await connection.query(sql)
    await connection.end()
  }
  return {
    async createSchema() {
      const schema = `t_${randomBytes(6).toString('hex')}`
      await run(`CREATE DATABASE ${schema}`)
      schemas.push(schema)
      return Object.assign(new URL(url), { pathname: `/${schema}` }).href
    },
    async stop() {
      for (const schema of schemas) await run(`DROP DATABASE ${schema}`)
      await stop()
    },
    crash,
    restart,
  }
}
const notOurs = async () => {
  throw new Error('the server of TEST_DATABASE_URL is not ours to end')
}

type Private = Pick<TestDatabase, 'stop' | 'crash' | 'restart'> & { readonly url: string }

async function startServer(port: number, serverOptions: readonly string[]): Promise<Private> {
  const folder = mkdtempSync(join(tmpdir(), 'users-mariadb-'))
  const data = join(folder, 'data')
  const asRoot = userInfo().uid === 0 ? ['--user=root'] : []
  const temporary = `--tmpdir=${folder}` // a server that starts removes the temporary tables of others
  execFileSync(
    installer!,
    [
      '--no-defaults',
      `--datadir=${data}`,
      temporary,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--innodb-log-file-size=8M',
      ...asRoot,
    ],
    { stdio: 'pipe' },
  )
  const init = join(folder, 'init.sql')
  writeFileSync(
    init,
    "CREATE DATABASE IF NOT EXISTS users;\nCREATE USER IF NOT EXISTS 'app'@'127.0.0.1' IDENTIFIED BY 'app-pw';\nGRANT ALL ON *.* TO 'app'@'127.0.0.1' WITH GRANT OPTION;\nCREATE USER IF NOT EXISTS 'secure'@'127.0.0.1' IDENTIFIED BY 'app-pw' REQUIRE SSL;\nGRANT ALL ON *.* TO 'secure'@'127.0.0.1';\n",
  )
  const url = `mysql://app:app-pw@127.0.0.1:${port}`
  const launch = (): ChildProcess =>
    spawn(
      server!,
      [
        '--no-defaults',
        `--datadir=${data}`,
        temporary,
        `--socket=${join(folder, 's.sock')}`,
        `--pid-file=${join(folder, 'pid')}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        `--init-file=${init}`,
        '--innodb-buffer-pool-size=32M',
        '--innodb-log-file-size=8M',
        '--skip-log-bin',
        '--performance-schema=0',
        `--log-error=${join(folder, 'err.log')}`,
        ...serverOptions,
        ...asRoot,
      ],
      { stdio: 'ignore' },
    )
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
  let child = launch()
  await untilReady(url, child)
  return {
    url,
    async stop() {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
    crash: () => end('SIGKILL'),
    async restart() {
      child = launch()
      await untilReady(url, child)
    },
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    try {
      return await (await createConnection(url)).end()
    } catch (error) {
      if (Date.now() > deadline || child.exitCode !== null) throw error
    }
    await wait(50)
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
