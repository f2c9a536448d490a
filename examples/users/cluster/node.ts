// One database server of a cluster on loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'

export type Rows = readonly Readonly<Record<string, unknown>>[]

export interface Node {
  readonly name: string
  readonly port: number
  /** The database of the service on this node. */
  readonly url: string
  /** Starts the server, with further options. Resolves when it takes connections. */
  start(options?: readonly string[]): Promise<void>
  isRunning(): boolean
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void
  /** Runs a statement as administrator. */
  query(sql: string, timeout?: number): Promise<Rows>
  stop(): Promise<void>
}

/** Accounts of every node: the administrator, and the service. */
export const accounts = `
CREATE USER IF NOT EXISTS 'admin'@'127.0.0.1' IDENTIFIED BY 'admin-pw';
GRANT ALL ON *.* TO 'admin'@'127.0.0.1' WITH GRANT OPTION;
CREATE USER IF NOT EXISTS 'app'@'127.0.0.1' IDENTIFIED BY 'app-pw';
GRANT ALL ON users.* TO 'app'@'127.0.0.1';
`
export const urlOf = (port: number): string => `mysql://app:app-pw@127.0.0.1:${port}/users`

export function createNode(
  name: string,
  port: number,
  command: readonly [string, ...string[]],
): Node {
  let child: ChildProcess | undefined
  const isRunning = () =>
    child !== undefined && child.exitCode === null && child.signalCode === null
  const query = async (sql: string, timeout = 5000): Promise<Rows> => {
    const connection = await createConnection({
      uri: `mysql://admin:admin-pw@127.0.0.1:${port}`,
      connectTimeout: Math.min(timeout, 1000),
      multipleStatements: true,
    })
    try {
      const [rows] = await connection.query({ sql, timeout })
      return rows as unknown as Rows
    } finally {
      connection.destroy()
    }
  }
  return {
    name,
    port,
    url: urlOf(port),
    async start(options = []) {
      const [program, ...rest] = command
      child = spawn(program, [...rest, ...options], { stdio: 'ignore' })
      for (let i = 0; i < 600; i++) {
        if (!isRunning()) throw new Error(`${name} ended while it started: see its error log`)
        if (await query('SELECT 1').catch(() => undefined)) return
        await wait(100)
      }
      throw new Error(`${name} doesn't take connections`)
    },
    isRunning,
    signal: (signal) => void child?.kill(signal),
    query,
    async stop() {
      if (child === undefined || !isRunning()) return
      const ended = new Promise((resolve) => child!.once('exit', resolve))
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const impatience = setTimeout(() => child!.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(impatience)
    },
  }
}
