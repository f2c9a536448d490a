// `npm run backup <file>`: copies the embedded store while the service uses it, and checks the copy.
import { dirname, join, resolve } from 'node:path'
import { readConfig } from '../src/config.ts'
import { ConfigError, readEnvironment } from '../src/environment.ts'
import { exitWithError } from '../src/ops/exit-with-error.ts'
import { copyDatabase } from './copy-database.ts'

try {
  const { databaseUrl, databaseFile } = readConfig(readEnvironment())
  if (databaseUrl !== null)
    throw new ConfigError(
      'This copies the embedded store, but DATABASE_URL is set. operations/RUNBOOK.md has the commands for MariaDB and MySQL.',
    )
  const time = new Date().toISOString()
  const standard = join(dirname(databaseFile), `backup-${time.replaceAll(':', '-')}.db`)
  const file = resolve(process.argv[2] ?? standard)
  console.log(`Wrote ${file} and checked it: ${await copyDatabase(databaseFile, file)}.`)
  console.log(`To restore it, you also need its time: ${time}`)
} catch (error) {
  exitWithError(error)
}
