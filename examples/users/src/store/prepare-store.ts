import { type Config, ConfigError } from '../config.ts'
import { StoreError } from './database.ts'
import type { UserStore } from './user-store.ts'

interface Log {
  info(text: string): void
  warn(text: string): void
}

const retryDelay = 2000

/**
 * Brings the tables up to date, or refuses to start where that is the operator's step. A database that is away
 * does not stop the start: the tables are seen to when it is back.
 */
export async function prepareStore(config: Config, store: UserStore, log: Log): Promise<void> {
  try {
    if (!config.migrateOnStart) {
      const pending = await store.pendingMigrations()
      if (pending.length > 0) throw new ConfigError(`The database lacks ${pending.join(', ')}. Run: npm run migrate`)
      return
    }
    for (const name of await store.migrate()) log.info(`migrated: ${name}`)
  } catch (error) {
    if (!(error instanceof StoreError && error.reason === 'unavailable') || config.databaseUrl === null) throw error
    log.warn(`${store.description} cannot be used (${(error.cause as Error).message}); trying again`)
    setTimeout(
      () => void prepareStore(config, store, log).catch((error: Error) => log.warn(error.message)),
      retryDelay,
    ).unref()
  }
}
