// How long the cluster itself takes no writes: one row, written over and over through the same address as the service uses.
import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'

export interface Probe {
  /** Milliseconds since the start, of each write that the database acknowledged. */
  readonly writes: readonly number[]
  stop(): Promise<void>
}

/**
 * Starts the probe. It opens a new connection after every error.
 *
 * @param now the clock of its writes
 */
export async function startProbe(url: string, now: () => number): Promise<Probe> {
  const writes: number[] = []
  const clock = { running: true }
  let connection: Connection | undefined
  const write = async () => {
    connection ??= await createConnection({ uri: url, connectTimeout: 500 })
    connection.removeAllListeners('error').on('error', () => {})
    await connection.query({ sql: 'UPDATE probe SET n = n + 1', timeout: 1000 })
  }
  const setUp = await createConnection({ uri: url, multipleStatements: true })
  await setUp.query(
    'CREATE TABLE IF NOT EXISTS probe (id INT PRIMARY KEY, n INT); REPLACE INTO probe VALUES (1, 0)',
  )
  await setUp.end()
  const working = (async () => {
    while (clock.running) {
      try {
        await write()
        writes.push(now())
      } catch {
        connection?.destroy()
        connection = undefined
      }
      await wait(50)
    }
  })()
  return {
    writes,
    async stop() {
      clock.running = false
      await working
      connection?.destroy()
    },
  }
}
