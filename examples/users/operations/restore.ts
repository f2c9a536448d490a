// `npm run restore <backup> <new file>`: makes a backup of the embedded store a database for the service.
import { resolve } from 'node:path'
import { ConfigError } from '../src/environment.ts'
import { exitWithError } from '../src/ops/exit-with-error.ts'
import { copyDatabase } from './copy-database.ts'

try {
  const [backup, file] = process.argv.slice(2)
  if (backup === undefined || file === undefined)
    throw new ConfigError('Usage: npm run restore <backup> <new file>.')
  // Networks that users have stopped using could still count as known.
  const rows = await copyDatabase(resolve(backup), resolve(file), 'DELETE FROM login_attempts')
  console.log(`Wrote ${resolve(file)} and checked it: ${rows}. The login counters are forgotten.`)
  console.log(
    `operations/RUNBOOK.md has the next steps. For the service: DATABASE_FILE=${resolve(file)}`,
  )
} catch (error) {
  exitWithError(error)
}
