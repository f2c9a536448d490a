import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ConfigError } from '../environment.ts'
import { StoreError } from './database.ts'
import type { UserStore } from './user-store.ts'

interface Log {
  info(text: string): void
  warn(text: string): void
}

const retryDelay = 2000

/**
 * Brings the tables up to date, or checks that they are where migrations are a step of the operator. If the database
 * is unavailable, the service starts nevertheless and this goes on in the background.
 *
 * @param prepared called when the tables are up to date
 * @throws ConfigError when migrations are pending at the start
 */
export async function prepareStore(config: Config, store: UserStore, log: Log, prepared: () => void): Promise<void> {
  try {
    await prepareOnce(config, store, log)
    prepared()
  } catch (error) {
    if (config.databaseUrl === null || !isUnavailable(error)) throw error
    void retry()
  }

  async function retry(): Promise<void> {
    for (;;)
      try {
        await wait(retryDelay, undefined, { ref: false })
        await prepareOnce(config, store, log)
        return prepared()
      } catch (error) {
        const reason = isUnavailable(error) ? error.cause : error
        log.warn(`${store.description} is not ready: ${(reason as Error).message}`)
      }
  }
}

async function prepareOnce({ migrateOnStart }: Config, store: UserStore, log: Log): Promise<void> {
  if (migrateOnStart) {
    for (const name of await store.migrate()) log.info(`applied migration ${name}`)
    return
  }
  const pending = await store.pendingMigrations()
  if (pending.length > 0) throw new ConfigError(`The database lacks ${pending.join(', ')}. Run: npm run migrate`)
}

const isUnavailable = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.reason === 'unavailable'
