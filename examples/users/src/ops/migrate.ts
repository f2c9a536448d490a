// `npm run migrate`: applies pending migrations to the configured database.
import { readConfig } from '../config.ts'
import { readEnvironment } from '../environment.ts'
import { exitWithError } from './exit-with-error.ts'
import { openStore } from '../store/open-store.ts'
import { migrateWithPatience } from '../store/prepare-store.ts'

try {
  const store = openStore(readConfig(readEnvironment()))
  const applied = await migrateWithPatience(store, console.error)
  console.log(applied.length === 0 ? 'nothing to migrate' : `applied: ${applied.join(', ')}`)
  await store.close()
} catch (error) {
  exitWithError(error)
}
