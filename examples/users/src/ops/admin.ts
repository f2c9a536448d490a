// `npm run create-admin <name>`, `npm run set-role <name> <role>` and `npm run unlock <name>`.
import { randomBytes } from 'node:crypto'
import { hashPassword } from '../auth/passwords.ts'
import { accountSubject } from '../auth/throttle.ts'
import { readConfig } from '../config.ts'
import { ConfigError, readEnvironment } from '../environment.ts'
import { StoreError } from '../store/database.ts'
import { openStore } from '../store/open-store.ts'
import { prepareTables } from '../store/prepare-store.ts'
import { type Credentials, type UserStore, lookupKey } from '../store/user-store.ts'
import { exitWithError } from './exit-with-error.ts'

const commands: Readonly<Record<string, (store: UserStore) => Promise<string>>> = {
  'create-admin': createAdmin,
  'set-role': setRole,
  unlock,
}
const [command = '', name = '', role = ''] = process.argv.slice(2)
try {
  const run = commands[command]
  if (run === undefined)
    throw new ConfigError(`Unknown command. Choose one of ${Object.keys(commands).join(', ')}.`)
  const config = readConfig(readEnvironment())
  const store = openStore(config)
  try {
    await prepareTables(config, store)
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
  try {
    await store.create({
      username: name,
      name: null,
      passwordHash: await hashPassword(password, 'local'),
      role: 'admin',
    })
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'duplicate')
      throw new ConfigError(
        `The user ${name} already exists. To make it an admin: npm run set-role ${name} admin`,
      )
    throw error
  }
  return `Created the admin ${name} with the password ${password}\nThe password is not shown again. Change it after the first login.`
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
  return `${username} is now ${role === 'admin' ? 'an admin' : 'a user'}.`
}

async function unlock(store: UserStore): Promise<string> {
  const { id, username } = await findUser(store)
  await store.forgiveAll(accountSubject(id))
  return `${username} can log in again.`
}

async function findUser(store: UserStore): Promise<Credentials> {
  const user = await store.findCredentials({ username: name })
  if (user === null) throw new ConfigError(`There is no user ${name}.`)
  return user
}
