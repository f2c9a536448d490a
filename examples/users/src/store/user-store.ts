import {
  type Database,
  type Statement,
  type Values,
  type WriteSummary,
  StoreError,
  currentTime,
} from './database.ts'
import { createAttemptStore } from './login-attempts.ts'
import { migrate, pendingMigrations } from './migrations.ts'

/** A user without the password hash. */
export interface User {
  readonly id: number
  readonly username: string
  readonly name: string | null
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** The user who sends a request, as the database had them when the token was checked. */
export interface Actor {
  readonly id: number
  readonly role: Role
  /** Goes up whenever all of the user's tokens become invalid. */
  readonly tokenVersion: number
  /** Whether somebody else has chosen the user's password: 0 or 1. */
  readonly mustChange?: number
}

export type Role = 'user' | 'admin'

/** What a password is verified against. Nothing but `findCredentials` returns a hash. */
export interface Credentials {
  readonly id: number
  readonly username: string
  /** Null if the password has expired, because nobody changed it in time. */
  readonly passwordHash: string | null
  readonly tokenVersion: number
}

export interface NewUser {
  readonly username: string
  readonly name: string | null
  readonly passwordHash: string
  /** @default 'user' */
  readonly role?: Role
  /**
   * Whether the user has to change the password within three days. Users whom an admin creates
   * always have to.
   *
   * @default false
   */
  readonly mustChange?: boolean
}

/**
 * With a new password hash, the token version goes up. If somebody else has chosen it, the user has
 * to change it.
 */
export interface UserChanges {
  readonly username?: string
  readonly name?: string | null
  readonly passwordHash?: string
}

/**
 * The service's users and the throttle's counters. If something fails, every method rejects with a
 * `StoreError`.
 */
export type UserStore = ReturnType<typeof createUserStore>

/** These characters compare the same way in every database. */
export const usernamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$'

/** Two spellings are the same username if their keys are equal. */
export const usernameKey = (username: string): string => username.toLowerCase()

/**
 * A username's key, or null if the string can't be a username, because databases compare other
 * characters differently.
 */
export const lookupKey = (username: string): string | null =>
  new RegExp(usernamePattern).test(username) ? usernameKey(username) : null

const userColumns = 'id, username, name, created_at AS createdAt, updated_at AS updatedAt'
const authority =
  'role, token_version AS tokenVersion, (password_expires IS NOT NULL) AS mustChange'
/** How long a password that somebody else has chosen works, in milliseconds. */
const initialTime = 3 * 24 * 3_600_000
/** MySQL moves `updated_at` with every write that leaves it out. */
const keepTime = 'updated_at = updated_at'
const endTokens = `UPDATE users SET token_version = token_version + 1, ${keepTime} WHERE`
/** MySQL only reads the table that it's writing through a derived table. */
const anotherAdmin =
  "EXISTS (SELECT 1 FROM (SELECT id FROM users WHERE role = 'admin' AND id <> :id LIMIT 1) AS others)"
const countRemoval: Statement = {
  sql: 'UPDATE admin_removals SET total = total + 1 WHERE id = 1',
  values: {},
}
/**
 * The write itself checks the authorization, so a request writes nothing if its token was revoked
 * or its role taken since it was authorized. When admin 1 deletes user 7, the statement is:
 *
 *     DELETE FROM users WHERE id = 7 AND EXISTS (SELECT 1 FROM (
 *       SELECT id FROM users WHERE id = 1 AND token_version = 3 AND role = 'admin' LIMIT 1
 *     ) AS actor) AND role <> 'admin'
 *
 * If that affects no row, user 7 may be an admin. So `removeAdmin` tries again, with a condition that
 * another admin remains instead of the last one.
 */
const authorized = (id: number, by: Actor): Statement => ({
  sql:
    id === by.id
      ? 'id = :id AND token_version = :tokenVersion'
      : `id = :id AND EXISTS (SELECT 1 FROM (${selectAdmin} LIMIT 1) AS actor)`,
  values: { id, by: by.id, tokenVersion: by.tokenVersion },
})
const selectAdmin =
  "SELECT id FROM users WHERE id = :by AND token_version = :tokenVersion AND role = 'admin'"

/** Creates the store on a database. All SQL about users is here. */
export function createUserStore(db: Database) {
  const now = currentTime[db.dialect]
  return {
    /** For the line printed at start. */
    description: db.description,
    /**
     * Applies pending migrations and returns their names. Several processes may call this at once.
     *
     * @param note called with what it waits for
     */
    migrate: (note?: (text: string) => void) => migrate(db, note),
    /** Returns the names of the migrations that haven't been applied yet. */
    pendingMigrations: () => pendingMigrations(db),
    /** Rejects unless the database accepts writes. */
    ping: () => db.ping(),
    /**
     * Finds two users in one statement.
     *
     * @param current whether it rejects unless the server accepts writes, because others may have
     *   old rows. Default: false
     */
    async findActorAndUser(actorId: number, id: number, current = false) {
      const sql = `SELECT ${userColumns}, ${authority} FROM users WHERE id IN (:actorId, :id)`
      const all = current ? db.allCurrent : db.all
      const rows = (await all(sql, { actorId, id })) as readonly unknown[] as readonly (User &
        Actor)[]
      const find = (wanted: number) => rows.find((row) => row.id === wanted) ?? null
      return { actor: find(actorId) as Actor | null, user: find(id) as User | null }
    },
    /** By id or by username, in any letter case. */
    async findCredentials(
      of: { readonly id: number } | { readonly username: string },
    ): Promise<Credentials | null> {
      const [column, key] = 'id' in of ? ['id', of.id] : ['username_key', lookupKey(of.username)]
      const sql = `SELECT id, username, token_version AS tokenVersion,
        CASE WHEN password_expires <= ${now} THEN NULL ELSE password_hash END AS passwordHash
        FROM users WHERE ${column} = :key`
      const [row] = await db.all(sql, { key })
      return (row as unknown as Credentials | undefined) ?? null
    },
    /** Users with an id above `after`, lowest first. */
    async list({ after, limit }: { readonly after: number; readonly limit: number }) {
      const sql = `SELECT ${userColumns} FROM users WHERE id > :after ORDER BY id LIMIT :limit`
      return (await db.all(sql, { after, limit })) as readonly unknown[] as readonly User[]
    },
    /**
     * Creates a user. If `by` isn't an admin any more, or has a new token version, no row is
     * affected.
     *
     * @param by the admin who creates the user
     */
    async create(user: NewUser, by?: Actor): Promise<WriteSummary> {
      const { username, name, passwordHash, role = 'user', mustChange = false } = user
      const columns = 'username, username_key, name, password_hash, role, password_expires'
      const expires = mustChange || by ? Date.now() + initialTime : null
      const values = { username, key: usernameKey(username), name, passwordHash, role, expires }
      const row = ':username, :key, :name, :passwordHash, :role, :expires'
      if (by === undefined) return db.run(`INSERT INTO users (${columns}) VALUES (${row})`, values)
      const sql = `INSERT INTO users (${columns}) SELECT ${row} FROM (${selectAdmin}) AS actor`
      return { ...(await db.run(sql, { ...values, ...authorized(0, by).values })), info: '' }
    },
    /**
     * Updates a user. Affects no row if `by` has a new token version, or may not write this user
     * any more.
     *
     * @param by who updates: the user itself or an admin
     */
    update(id: number, changes: UserChanges, by: Actor) {
      const expires = id === by.id ? null : Date.now() + initialTime
      return db.updateUsers(columnsOf(changes, expires), authorized(id, by))
    },
    /**
     * Deletes a user, with `by` as in `update`. Rejects with reason `last-admin` for the only
     * admin.
     */
    async delete(id: number, by: Actor) {
      const { sql, values } = authorized(id, by)
      const summary = await db.run(`DELETE FROM users WHERE ${sql} AND role <> 'admin'`, values)
      if (summary.affectedRows === 1) return summary
      return removeAdmin(db, id, {
        sql: `DELETE FROM users WHERE ${sql} AND ${anotherAdmin}`,
        values,
      })
    },
    /**
     * Rejects with reason `last-admin` if no admin would be left. Returns false if there's no such
     * user.
     */
    async setRole(id: number, role: Role) {
      const sql = `UPDATE users SET role = :role, ${keepTime} WHERE id = :id`
      const values = { id, role }
      const { affectedRows } =
        role === 'admin'
          ? await db.run(sql, values)
          : await removeAdmin(db, id, {
              sql: `${sql} AND (role <> 'admin' OR ${anotherAdmin})`,
              values,
            })
      return affectedRows === 1
    },
    /**
     * Gives an admin whose password has expired a new one. Returns false if there's no such admin.
     */
    async renewAdmin(username: string, passwordHash: string) {
      const columns = { password_hash: passwordHash, password_expires: Date.now() + initialTime }
      const sql = `username_key = :key AND role = 'admin' AND password_expires <= ${now}`
      const values = { key: usernameKey(username) }
      return (await db.updateUsers(columns, { sql, values })).affectedRows === 1
    },
    /**
     * Makes all of a user's tokens invalid. Affects no row if `by` may not do that.
     *
     * @param by as in `update`. If it's missing, a command does it
     */
    endSessions(id: number, by?: Actor) {
      const { sql, values } = by ? authorized(id, by) : { sql: 'id = :id', values: { id } }
      return db.run(`${endTokens} ${sql}`, values)
    },
    /** Makes all tokens of all users invalid, in small pieces. */
    endAllSessions: () => endAllSessions(db),
    ...createAttemptStore(db),
    close: () => db.close(),
  }
}

async function endAllSessions(db: Database): Promise<void> {
  const page = 'SELECT id FROM users WHERE id > :after ORDER BY id LIMIT 1000'
  for (let after = 0; ;) {
    const [row] = await db.all(`SELECT MAX(id) AS last FROM (${page}) AS page`, { after })
    const last = row!['last'] as number | null
    if (last === null) return
    await db.run(`${endTokens} id > :after AND id <= :last`, { after, last })
    after = last
  }
}

/**
 * Runs a write that may remove an admin. All such writes first write the same row, because every
 * cluster puts writes to one row in order. Otherwise, some clusters wouldn't notice that two
 * servers remove an admin each: those are different rows.
 */
async function removeAdmin(db: Database, id: number, statement: Statement): Promise<WriteSummary> {
  const [, summary] = await db.runTogether([countRemoval, statement])
  if (summary!.affectedRows === 0) {
    const rows = await db.all(
      `SELECT id FROM users WHERE id = :id AND role = 'admin' AND NOT ${anotherAdmin}`,
      {
        id,
      },
    )
    if (rows.length > 0) throw new StoreError('last-admin', null, null)
  }
  return summary!
}

const columnsOf = (
  { username, name, passwordHash }: UserChanges,
  expires: number | null,
): Values => ({
  ...(username !== undefined && { username, username_key: usernameKey(username) }),
  ...(name !== undefined && { name }),
  ...(passwordHash !== undefined && { password_hash: passwordHash, password_expires: expires }),
})
