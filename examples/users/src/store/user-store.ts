import {
  type Database,
  type Statement,
  type Values,
  type WriteSummary,
  StoreError,
} from './database.ts'
import { type AttemptStore, createAttemptStore } from './login-attempts.ts'
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
}

export type Role = 'user' | 'admin'

/** What a password is verified against. Nothing but `findCredentials` returns a hash. */
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
  /** @default 'user' */
  readonly role?: Role
}

/** A new password hash also counts the token version up. */
export interface UserChanges {
  readonly username?: string
  readonly name?: string | null
  readonly passwordHash?: string
}

/** The service's users and the throttle's counters. If something fails, every method rejects with a `StoreError`. */
export interface UserStore extends AttemptStore {
  /** For the line printed at start. */
  readonly description: string
  /**
   * Applies pending migrations and returns their names. Several processes may call this at once.
   *
   * @param note called with what it waits for
   */
  migrate(note?: (text: string) => void): Promise<readonly string[]>
  /** Returns the names of the migrations that haven't been applied yet. */
  pendingMigrations(): Promise<readonly string[]>
  /** Rejects unless the database takes writes. */
  ping(): Promise<void>
  findById(id: number): Promise<User | null>
  /** @param current whether it rejects unless the server takes writes: others may show users as they were. Default: false */
  findActor(id: number, current?: boolean): Promise<Actor | null>
  /** `findActor` and `findById` in one statement. */
  findActorAndUser(
    actorId: number,
    id: number,
    current?: boolean,
  ): Promise<{ readonly actor: Actor | null; readonly user: User | null }>
  /** By id or by username, in any letter case. */
  findCredentials(
    of: { readonly id: number } | { readonly username: string },
  ): Promise<Credentials | null>
  /** Users with an id above `after`, lowest first. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly User[]>
  /**
   * Creates a user.
   *
   * @param by the admin who creates it. Affects no row when `by` is no longer an admin, or has a new token version
   */
  create(user: NewUser, by?: Actor): Promise<WriteSummary>
  /**
   * Updates a user. Affects no row when `by` has a new token version, or may not write this user any more.
   *
   * @param by who updates: the user itself or an admin
   */
  update(id: number, changes: UserChanges, by: Actor): Promise<WriteSummary>
  /** Deletes a user, with `by` as in `update`. Rejects with reason `last-admin` for the only admin. */
  delete(id: number, by: Actor): Promise<WriteSummary>
  /** Rejects with reason `last-admin` when no admin would be left. False when there's no such user. */
  setRole(id: number, role: Role): Promise<boolean>
  close(): Promise<void>
}

/** These characters compare the same way in every database. */
export const usernamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$'

/** Two spellings are the same username if their keys are equal. */
export const usernameKey = (username: string): string => username.toLowerCase()

/** A username's key, or null if the string can't be a username, because databases compare other characters differently. */
export const lookupKey = (username: string): string | null =>
  new RegExp(usernamePattern).test(username) ? usernameKey(username) : null

const userColumns = 'id, username, name, created_at AS createdAt, updated_at AS updatedAt'
const actorColumns = 'id, role, token_version AS tokenVersion'
const credentialColumns =
  'id, username, password_hash AS passwordHash, token_version AS tokenVersion'
/** MySQL only reads the table that it's writing through a derived table. */
const anotherAdmin =
  "EXISTS (SELECT 1 FROM (SELECT id FROM users WHERE role = 'admin' AND id <> :id LIMIT 1) AS others)"
const countRemoval: Statement = {
  sql: 'UPDATE admin_removals SET total = total + 1 WHERE id = 1',
  values: {},
}
/**
 * The write itself checks the authorization, so a request writes nothing if its token was revoked or its role taken since it
 * was authorized.
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
export function createUserStore(db: Database): UserStore {
  const read = (sql: string, values: Values, current = false) =>
    current ? db.allCurrent(sql, values) : db.all(sql, values)
  const findRow = async <T>(
    columns: string,
    where: string,
    values: Values,
    current?: boolean,
  ): Promise<T | null> =>
    ((await read(`SELECT ${columns} FROM users WHERE ${where}`, values, current))[0] as
      | T
      | undefined) ?? null
  return {
    description: db.description,
    migrate: (note) => migrate(db, note),
    pendingMigrations: () => pendingMigrations(db),
    ping: () => db.ping(),
    findById: (id) => findRow(userColumns, 'id = :id', { id }),
    findActor: (id, current) => findRow(actorColumns, 'id = :id', { id }, current),
    async findActorAndUser(actorId, id, current) {
      const sql = `SELECT ${userColumns}, role, token_version AS tokenVersion FROM users WHERE id IN (:actorId, :id)`
      const rows = (await read(
        sql,
        { actorId, id },
        current,
      )) as readonly unknown[] as readonly (User & Actor)[]
      const [actor, user] = [actorId, id].map(
        (wanted) => rows.find((row) => row.id === wanted) ?? null,
      )
      return { actor: actor ?? null, user: user ?? null }
    },
    async findCredentials(of) {
      if ('id' in of) return findRow(credentialColumns, 'id = :id', of)
      const key = lookupKey(of.username)
      return key === null ? null : findRow(credentialColumns, 'username_key = :key', { key })
    },
    async list({ after, limit }) {
      const sql = `SELECT ${userColumns} FROM users WHERE id > :after ORDER BY id LIMIT :limit`
      return (await db.all(sql, { after, limit })) as readonly unknown[] as readonly User[]
    },
    async create({ username, name, passwordHash, role = 'user' }, by) {
      const columns = 'username, username_key, name, password_hash, role'
      const values = { username, key: usernameKey(username), name, passwordHash, role }
      const row = ':username, :key, :name, :passwordHash, :role'
      if (by === undefined) return db.run(`INSERT INTO users (${columns}) VALUES (${row})`, values)
      const sql = `INSERT INTO users (${columns}) SELECT ${row} FROM (${selectAdmin}) AS actor`
      return { ...(await db.run(sql, { ...values, ...authorized(0, by).values })), info: '' }
    },
    update: (id, changes, by) => db.updateUsers(columnsOf(changes), authorized(id, by)),
    async delete(id, by) {
      const { sql, values } = authorized(id, by)
      const summary = await db.run(`DELETE FROM users WHERE ${sql} AND role <> 'admin'`, values)
      if (summary.affectedRows === 1) return summary
      return removeAdmin(db, id, {
        sql: `DELETE FROM users WHERE ${sql} AND ${anotherAdmin}`,
        values,
      })
    },
    async setRole(id, role) {
      const sql = 'UPDATE users SET role = :role WHERE id = :id'
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
    ...createAttemptStore(db),
    close: () => db.close(),
  }
}

/**
 * Runs a write that may remove an admin. All such writes first write the same row, because every cluster puts writes to one row
 * in order. Otherwise, some clusters wouldn't notice that two servers remove an admin each: those are different rows.
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

const columnsOf = ({ username, name, passwordHash }: UserChanges): Values => ({
  ...(username !== undefined && { username, username_key: usernameKey(username) }),
  ...(name !== undefined && { name }),
  ...(passwordHash !== undefined && { password_hash: passwordHash }),
})
