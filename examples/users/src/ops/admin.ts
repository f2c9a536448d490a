// `npm run create-admin <name>`, `set-role <name> <role>`, `unlock <name>`, and `end-sessions
// <name>` or `-- --all`.
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createAudit } from '../audit.ts'
import { createPasswords } from '../auth/passwords.ts'
import { accountSubject } from '../auth/throttle.ts'
import { readConfig } from '../config.ts'
import { ConfigError, packageRoot, readEnvironment } from '../environment.ts'
import { StoreError } from '../store/database.ts'
import { openStore } from '../store/open-store.ts'
import { requireTables } from '../store/prepare-store.ts'
import { type Credentials, type UserStore, lookupKey } from '../store/user-store.ts'
import { exitWithError } from './exit-with-error.ts'

const commands: Readonly<Record<string, (store: UserStore) => Promise<string>>> = {
  'create-admin': createAdmin,
  'set-role': setRole,
  unlock,
  'end-sessions': endSessions,
}
const auditFile = join(packageRoot, 'data/audit.log')
const audit = createAudit(record)
const [command = '', name = '', role = ''] = process.argv.slice(2)
try {
  const run = commands[command]
  if (run === undefined)
    throw new ConfigError(`Unknown command. Choose one of ${Object.keys(commands).join(', ')}.`)
  const config = readConfig(readEnvironment())
  if (config.databaseUrl === null && !existsSync(config.databaseFile))
    throw new ConfigError(
      `There's no database in ${config.databaseFile}. Check DATABASE_FILE. If the service hasn't been started yet, run: npm run migrate`,
    )
  const store = openStore(config)
  try {
    await requireTables(store)
    record('') // nothing is done that can't be recorded
    console.log(await run(store))
  } finally {
    await store.close()
  }
} catch (error) {
  exitWithError(error)
}
async function createAdmin(store: UserStore): Promise<string> {
  if (lookupKey(name) === null)
    throw new ConfigError(
      'Usage: npm run create-admin <name>, 3 to 32 letters, digits, dots, underscores or hyphens.',
    )
  const password = randomBytes(18).toString('base64url')
  const passwordHash = await createPasswords(1).hash(password, 'local')
  const rest = `with the password ${password}\nThe password isn't shown again. Change it within three days.`
  if (await store.renewAdmin(name, passwordHash)) {
    audit('password.changed', { user: (await findUser(store)).id })
    return `The admin ${name} didn't change the first password in time, so it has a new one: log in ${rest}`
  }
  try {
    const admin = {
      username: name,
      name: null,
      passwordHash,
      role: 'admin',
      mustChange: true,
    } as const
    audit('user.created', { user: (await store.create(admin)).insertId, role: 'admin' })
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'duplicate')
      throw new ConfigError(
        `The user ${name} already exists. To make it an admin: npm run set-role ${name} admin`,
      )
    throw error
  }
  return `Created the admin ${name} ${rest}`
}

async function setRole(store: UserStore): Promise<string> {
  if (role !== 'admin' && role !== 'user')
    throw new ConfigError('Usage: npm run set-role <name> <admin or user>.')
  const { id, username } = await findUser(store)
  try {
    await store.setRole(id, role)
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'last-admin')
      throw new ConfigError(
        `${username} is the last admin. Create another one first: npm run create-admin <name>`,
      )
    throw error
  }
  audit('role.changed', { user: id, username, role })
  return `${username} is now ${role === 'admin' ? 'an admin' : 'a user'}.`
}

async function unlock(store: UserStore): Promise<string> {
  const { id, username } = await findUser(store)
  await store.forgiveAll(accountSubject(id))
  audit('user.unlocked', { user: id })
  return `${username} can log in again.`
}

async function endSessions(store: UserStore): Promise<string> {
  if (name === '--all') {
    await store.endAllSessions()
    audit('sessions.ended', { users: 'all' })
    return 'Everybody has to log in again.'
  }
  const { id, username } = await findUser(store)
  await store.endSessions(id)
  audit('sessions.ended', { user: id })
  return `${username} has to log in again.`
}

/** Writes a line of the audit to stderr, and to a file that a restore reads. */
function record(line: string): void {
  try {
    mkdirSync(dirname(auditFile), { recursive: true })
    appendFileSync(auditFile, line, { mode: 0o600 })
  } catch (error) {
    throw new ConfigError(`${auditFile} can't be written: ${(error as Error).message}.`)
  }
  process.stderr.write(line)
}

async function findUser(store: UserStore): Promise<Credentials> {
  const user = await store.findCredentials({ username: name })
  if (user === null)
    throw new ConfigError(`There's no user ${name}. Check the spelling; capitals don't matter.`)
  return user
}
