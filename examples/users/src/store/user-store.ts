import { type Database, type Values, type WriteSummary, StoreError } from './database.ts'
import {
  type AttemptRule,
  blockedUntil,
  countAttempt,
  firstAttempt,
  forgetAttempts,
  forgetExpired,
} from './login-attempts.ts'
import { migrate, pendingMigrations } from './migrations.ts'

export interface User {
  readonly id: number
  readonly username: string
  readonly name: string | null
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** Who sends a request, as the database had it when the token was checked. */
export interface Actor {
  readonly id: number
  readonly role: Role
  /** Counts up when all tokens of the user become invalid. */
  readonly tokenVersion: number
}

export type Role = 'user' | 'admin'

/** What a password is verified against. Only `findCredentials` returns a hash. */
export interface Credentials {
  readonly id: number
  readonly username: string
  readonly passwordHash: string
  readonly tokenVersion: number
}

export interface NewUser {
  readonly username: string
  readonly name: string | null
  readonly passwordHash: string
}

/** A new password hash also counts the token version up. */
export interface UserChanges {
  readonly username?: string
  readonly name?: string | null
  readonly passwordHash?: string
}

/** The users of the service, and the counters of its throttle. Every method rejects with a `StoreError`. */
export interface UserStore {
  /** For the line printed at start. */
  readonly description: string
  /** Applies pending migrations; several processes may call it at once. Returns the names of those applied. */
  migrate(): Promise<readonly string[]>
  /** Names of the migrations not yet applied. */
  pendingMigrations(): Promise<readonly string[]>
  ping(): Promise<void>
  findById(id: number): Promise<User | null>
  findActor(id: number): Promise<Actor | null>
  /** By id or by username, in any letter case. */
  findCredentials(of: { readonly id: number } | { readonly username: string }): Promise<Credentials | null>
  /** Users with an id above `after`, lowest first. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly User[]>
  create(user: NewUser): Promise<WriteSummary>
  update(id: number, changes: UserChanges): Promise<WriteSummary>
  /** Rejects with reason `last-admin` for the only admin. */
  delete(id: number): Promise<WriteSummary>
  /** Rejects with reason `last-admin` when no admin would be left. False when there is no such user. */
  setRole(id: number, role: Role): Promise<boolean>
  /** Counts a try of a subject. Returns 0, or the milliseconds to wait: then the try does not count. */
  admit(subject: string, rule: AttemptRule, now?: number): Promise<number>
  /** Forgets the tries of a subject. */
  forgive(subject: string): Promise<void>
  close(): Promise<void>
}

/** The characters that every database compares alike. */
export const usernamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$'

export const usernameKey = (username: string): string => username.toLowerCase()

/** The key of a username. Null for a string that is not a username: databases differ in what they compare it to. */
export const lookupKey = (username: string): string | null =>
  new RegExp(usernamePattern).test(username) ? usernameKey(username) : null

const userColumns = 'id, username, name, created_at AS createdAt, updated_at AS updatedAt'
const actorColumns = 'id, role, token_version AS tokenVersion'
const credentialColumns = 'id, username, password_hash AS passwordHash, token_version AS tokenVersion'
/** MySQL reads the table that it writes only through a derived table. */
const anotherAdmin =
  "EXISTS (SELECT 1 FROM (SELECT id FROM users WHERE role = 'admin' AND id <> :id LIMIT 1) AS others)"

/** The store on a database. All SQL of the users is here. */
export function createUserStore(db: Database): UserStore {
  const one = async <T>(columns: string, where: string, values: Values): Promise<T | null> =>
    ((await db.all(`SELECT ${columns} FROM users WHERE ${where}`, values))[0] as T | undefined) ?? null
  const refuseLastAdmin = async (id: number): Promise<void> => {
    const rows = await db.all(`SELECT id FROM users WHERE id = :id AND role = 'admin' AND NOT ${anotherAdmin}`, { id })
    if (rows.length > 0) throw new StoreError('last-admin', null, null)
  }

  return {
    description: db.description,
    migrate: () => migrate(db),
    pendingMigrations: () => pendingMigrations(db),
    ping: async () => void (await db.all('SELECT 1')),
    findById: (id) => one(userColumns, 'id = :id', { id }),
    findActor: (id) => one(actorColumns, 'id = :id', { id }),
    async findCredentials(of) {
      if ('id' in of) return one(credentialColumns, 'id = :id', of)
      const key = lookupKey(of.username)
      return key === null ? null : one(credentialColumns, 'username_key = :key', { key })
    },
    async list({ after, limit }) {
      // The limit is part of the text, because MySQL takes no number as a parameter here.
      const sql = `SELECT ${userColumns} FROM users WHERE id > :after ORDER BY id LIMIT ${Number(limit)}`
      return (await db.all(sql, { after })) as readonly unknown[] as readonly User[]
    },
    create: ({ username, name, passwordHash }) =>
      db.run(
        'INSERT INTO users (username, username_key, name, password_hash) VALUES (:username, :key, :name, :passwordHash)',
        { username, key: usernameKey(username), name, passwordHash },
      ),
    update: (id, changes) => db.updateUsers(columnsOf(changes), { sql: 'id = :id', values: { id } }),
    async delete(id) {
      const sql = `DELETE FROM users WHERE id = :id AND (role <> 'admin' OR ${anotherAdmin})`
      const summary = await db.run(sql, { id })
      if (summary.affectedRows === 0) await refuseLastAdmin(id)
      return summary
    },
    async setRole(id, role) {
      const sql = `UPDATE users SET role = :role
        WHERE id = :id AND (:role = 'admin' OR role <> 'admin' OR ${anotherAdmin})`
      const { affectedRows } = await db.run(sql, { id, role })
      if (affectedRows === 0) await refuseLastAdmin(id)
      return affectedRows === 1
    },
    async admit(subject, rule, now = Date.now()) {
      if (Math.random() < 0.01) await db.run(forgetExpired, { now })
      const values = { subject, ...rule, now }
      let counted = await db.run(countAttempt, values)
      if (counted.affectedRows === 0) {
        await db.run(firstAttempt(db.dialect), { subject })
        counted = await db.run(countAttempt, values)
      }
      if (counted.affectedRows === 1) return 0
      const [row] = await db.all(blockedUntil, { subject })
      return row === undefined ? 0 : Number(row['until']) - now
    },
    forgive: async (subject) => void (await db.run(forgetAttempts, { subject })),
    close: () => db.close(),
  }
}

/** The columns that changes set. */
const columnsOf = ({ username, name, passwordHash }: UserChanges): Values => ({
  ...(username !== undefined && { username, username_key: usernameKey(username) }),
  ...(name !== undefined && { name }),
  ...(passwordHash !== undefined && { password_hash: passwordHash }),
})
