// Private database servers of the tests: MariaDB and MySQL, as they are on the PATH.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { findProgram } from '../../../tools/find-program.ts'

/** A database server that's installed here. */
export interface ServerProgram {
  readonly path: string
  /** Creates an empty data folder. */
  install(data: string): void
  /** Command-line options that the other server doesn't know. */
  readonly options: readonly string[]
}

export interface PrivateServer {
  /** Without a schema. */
  readonly url: string
  stop(): Promise<void>
  /** Ends the server as a power cut would (`kill -9`). */
  crash(): Promise<void>
  /** Starts it again on its data. */
  restart(): Promise<void>
}

const asRoot = userInfo().uid === 0 ? ['--user=root'] : []

export const mariadb = findMariadb()
export const mysql = findMysql()

function findMariadb(): ServerProgram | undefined {
  const [path, installer] = [findProgram('mariadbd'), findProgram('mariadb-install-db')]
  if (path === undefined || installer === undefined) return undefined
  const version = /Ver (\S+)/.exec(versionOf(path))![1]
  const options = ['--innodb-log-file-size=8M']
  const settings = [
    '--no-defaults',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...options,
  ]
  return {
    path,
    install: copyOf(`mariadb-data-${version}`, (data) => {
      const temporary = `--tmpdir=${resolve(data, '..')}` // a server that starts removes the temporary tables of others
      execFileSync(installer, [...settings, `--datadir=${data}`, temporary, ...asRoot], {
        stdio: 'pipe',
      })
    }),
    options,
  }
}

/** MySQL 8.4 or later. MariaDB has a program of this name as well. */
function findMysql(): ServerProgram | undefined {
  const path = findProgram('mysqld')
  if (path === undefined) return undefined
  const text = versionOf(path)
  const [, version = '', major = 0, minor = 0] = /Ver ((\d+)\.(\d+)\S*)/.exec(text) ?? []
  if (text.includes('MariaDB') || Number(major) * 100 + Number(minor) < 804) return undefined
  const options = ['--innodb-redo-log-capacity=8M', '--mysqlx=OFF', '--secure-file-priv=']
  return {
    path,
    install: copyOf(`mysql-data-${version}`, (data) => {
      const settings = ['--no-defaults', '--initialize-insecure', '--skip-log-bin', ...options]
      execFileSync(path, [...settings, `--datadir=${data}`, ...asRoot], { stdio: 'pipe' })
      rmSync(join(data, 'auto.cnf')) // the identity of a server
    }),
    options,
  }
}

function versionOf(path: string): string {
  return execFileSync(path, ['--no-defaults', '--version'], { encoding: 'utf8', stdio: 'pipe' })
}

/** Creates a data folder once, which takes seconds, and copies it from then on. */
function copyOf(name: string, install: ServerProgram['install']): ServerProgram['install'] {
  const template = resolve(import.meta.dirname, '../../../node_modules/.cache', name)
  return (data) => {
    if (!existsSync(template)) {
      mkdirSync(resolve(template, '..'), { recursive: true })
      const draft = mkdtempSync(`${template}-`)
      install(join(draft, 'data'))
      try {
        renameSync(join(draft, 'data'), template)
      } catch (error) {
        if (!existsSync(template)) throw error // else another process was first
      }
      rmSync(draft, { recursive: true, force: true })
    }
    cpSync(template, data, { recursive: true })
  }
}

const users = `CREATE DATABASE IF NOT EXISTS users;
CREATE USER IF NOT EXISTS 'app'@'127.0.0.1' IDENTIFIED BY 'app-pw';
GRANT ALL ON *.* TO 'app'@'127.0.0.1' WITH GRANT OPTION;
CREATE USER IF NOT EXISTS 'secure'@'127.0.0.1' IDENTIFIED BY 'app-pw' REQUIRE SSL;
GRANT ALL ON *.* TO 'secure'@'127.0.0.1';
`

/** Starts a server with the users `app` and `secure`, for whom TLS is required; the password of both is `app-pw`. */
export async function startServer(
  program: ServerProgram,
  port: number,
  serverOptions: readonly string[],
): Promise<PrivateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'users-database-'))
  const data = join(folder, 'data')
  program.install(data)
  const init = join(folder, 'init.sql')
  writeFileSync(init, users)
  const url = `mysql://app:app-pw@127.0.0.1:${port}`
  const options = [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    `--socket=${join(folder, 's.sock')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    `--init-file=${init}`,
    '--innodb-buffer-pool-size=32M',
    '--skip-log-bin',
    '--performance-schema=0',
    `--log-error=${join(folder, 'err.log')}`,
    ...program.options,
    ...serverOptions,
    ...asRoot,
  ]
  const launch = () => spawn(program.path, options, { stdio: 'ignore' })
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ended = new Promise((done) => child.once('exit', done))
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
  const deadline = Date.now() + 300_000
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
  new Promise((done, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
