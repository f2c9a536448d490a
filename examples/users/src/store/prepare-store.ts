import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ConfigError } from '../environment.ts'
import { isUnavailable } from './database.ts'
import { explainFailure, isLoginRefusal } from './explain-failure.ts'
import type { UserStore } from './user-store.ts'

interface Log {
  info(text: string): void
  warn(text: string): void
}

const retryDelay = 2000
/**
 * How long a command waits for the database, in milliseconds. It's longer than a failover takes.
 */
const patience = 60_000

/**
 * Brings the tables up to date. If the operator runs migrations as a separate step, it only checks
 * that they're up to date. If the database is unavailable, the service starts anyway, and this
 * continues in the background.
 *
 * @param prepared called when the tables are up to date
 * @throws ConfigError if migrations are pending when the service starts
 */
export async function prepareStore(
  config: Config,
  store: UserStore,
  log: Log,
  prepared: () => void,
): Promise<void> {
  const prepareOnce = async () => {
    if (!config.migrateOnStart) await requireTables(store)
    else
      for (const name of await store.migrate((text) => log.info(text)))
        log.info(`applied migration ${name}`)
    prepared()
  }
  try {
    await prepareOnce()
  } catch (error) {
    if (config.databaseUrl === null || !isUnavailable(error)) throw error
    void retry()
  }

  async function retry(): Promise<void> {
    for (;;)
      try {
        await wait(retryDelay, undefined, { ref: false })
        return await prepareOnce()
      } catch (error) {
        const reason = isUnavailable(error) ? explainFailure(error) : (error as Error).message
        log.warn(`${store.description} isn't ready: ${reason}`)
      }
  }
}

/**
 * Checks that the database is the service's, with all of its tables.
 *
 * @throws ConfigError if migrations are pending
 */
export async function requireTables(store: UserStore): Promise<void> {
  const pending = await store.pendingMigrations()
  if (pending.length > 0)
    throw new ConfigError(`The database lacks ${pending.join(', ')}. Run: npm run migrate`)
}

/**
 * Applies pending migrations, as a command. While the database is unavailable, perhaps because
 * another server of its cluster takes over, it tries again for up to a minute.
 *
 * @param note called with what it waits for
 */
export async function migrateWithPatience(
  store: UserStore,
  note: (text: string) => void,
): Promise<readonly string[]> {
  const until = Date.now() + patience
  for (;;)
    try {
      return await store.migrate(note)
    } catch (error) {
      if (!isUnavailable(error) || isLoginRefusal(error.cause) || Date.now() > until) throw error
      note(`${store.description} is unavailable: ${explainFailure(error)} Trying again.`)
      await wait(retryDelay)
    }
}
