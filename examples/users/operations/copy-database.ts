import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync, backup } from '@photostructure/sqlite'
import { ConfigError } from '../src/environment.ts'

type Connection = InstanceType<typeof DatabaseSync>

/**
 * Copies a database of the service, even while it's in use, into one file that only its owner can
 * read.
 *
 * @param change SQL for the copy. Default: none
 * @returns the copied tables, with their numbers of rows
 * @throws ConfigError if the file isn't the service's, the target exists, or the copy is different
 */
export async function copyDatabase(file: string, target: string, change = ''): Promise<string> {
  const source = open(file, { readOnly: true })
  source.exec('BEGIN') // so that the rows that are counted are those that are copied
  const rows = countRows(source)
  if (!/ schema_migrations\b.* users$/.test(rows))
    throw new ConfigError(`${file} isn't the service's database. Check its name.`)
  // SQLite would add what an old database's second file has to a new one with the same name.
  const taken = [target, `${target}-wal`, `${target}-journal`].find((name) => existsSync(name))
  if (taken !== undefined) throw new ConfigError(`${taken} already exists. Choose another name.`)

  const draft = `${target}.draft`
  rmSync(draft, { force: true })
  process.umask(0o077) // only the owner may read the copy
  await backup(source, draft).catch((error: Error) => {
    throw new ConfigError(
      `${draft} can't be written: ${error.message}. Check the path and the disk.`,
    )
  })
  source.close()
  const written = open(draft)
  written.exec('PRAGMA journal_mode = DELETE') // so that it's one file
  const [check] = written.prepare('PRAGMA integrity_check').all()
  const copied = countRows(written)
  written.exec(change)
  written.close()
  if (check!.integrity_check !== 'ok' || copied !== rows)
    throw new ConfigError(
      `${draft} isn't a good copy. It has ${copied}, and ${file} has ${rows}. SQLite says: ${check!.integrity_check}`,
    )
  renameSync(draft, target)
  return rows
}

function open(file: string, options: { readOnly?: boolean } = {}): Connection {
  try {
    const db = new DatabaseSync(file, options)
    db.exec('SELECT 1 FROM sqlite_schema')
    return db
  } catch (error) {
    throw new ConfigError(`${file} can't be opened: ${(error as Error).message}. Check its name.`)
  }
}

function countRows(db: Connection): string {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
  const counts = tables.all().map(({ name }) => {
    const [row] = db.prepare(`SELECT COUNT(*) AS count FROM "${name}"`).all()
    return `${row!.count} ${name}`
  })
  return counts.join(', ')
}
