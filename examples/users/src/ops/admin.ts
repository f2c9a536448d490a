// `npm run create-admin <name>` and `npm run set-role <name> <role>`, on the configured database.
import { randomBytes } from 'node:crypto'
import { hashPassword } from '../auth/passwords.ts'
import { ConfigError, readConfig, readEnvironment } from '../config.ts'
import { exitWithError } from './exit-with-error.ts'
import { openStore } from '../store/open-store.ts'
import { StoreError } from '../store/database.ts'
import { type UserStore, lookupKey } from '../store/user-store.ts'

const [command, name = '', role = ''] = process.argv.slice(2)
try {
  const store = openStore(readConfig(readEnvironment()))
  try {
    await store.migrate()
    console.log(command === 'create-admin' ? await createAdmin(store) : await setRole(store))
  } finally {
    await store.close()
  }
} catch (error) {
  exitWithError(error)
}

async function createAdmin(store: UserStore): Promise<string> {
  if (lookupKey(name) === null)
    throw new ConfigError('Usage: npm run create-admin <name>, 3 to 32 letters, digits, dots, underscores or hyphens.')
  const password = randomBytes(18).toString('base64url')
  try {
    const { insertId } = await store.create({ username: name, name: null, passwordHash: await hashPassword(password) })
    await store.setRole(insertId, 'admin')
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'duplicate')
      throw new ConfigError(`The user ${name} exists. Make it an admin: npm run set-role ${name} admin`)
    throw error
  }
  return `The admin ${name} has the password ${password}\nIt is shown this once; change it after the first login.`
}

async function setRole(store: UserStore): Promise<string> {
  if (role !== 'admin' && role !== 'user') throw new ConfigError('Usage: npm run set-role <name> <admin or user>.')
  const account = await store.findCredentials({ username: name })
  if (account === null) throw new ConfigError(`There is no user ${name}.`)
  try {
    await store.setRole(account.id, role)
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'last-admin')
      throw new ConfigError(`${name} is the last admin. Make another one first: npm run create-admin <name>`)
    throw error
  }
  return `${account.username} is ${role === 'admin' ? 'an admin' : 'a user'} now.`
}
