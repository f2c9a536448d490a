import type { AttemptRule } from './login-attempts.ts'

// What the service needs of a database; `sqlite-store.ts` and `mysql-store.ts` provide it.

export interface User {
  readonly id: number
  readonly username: string
  readonly name: string | null
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** A user with what never leaves the service. */
export interface Account extends User {
  readonly passwordHash: string
  readonly role: 'user' | 'admin'
  /** Counts up when all tokens of the user lose their validity. */
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

/** The database's summary of a write, key for key as the API documents it. */
export interface WriteSummary {
  readonly fieldCount: number
  readonly affectedRows: number
  readonly insertId: number
  readonly info: string
  readonly serverStatus: number
  readonly warningStatus: number
  /** Only on update. */
  readonly changedRows?: number
}

/** Every method rejects with a `StoreError`. */
export interface UserStore {
  /** `sqlite data/users.db`, `mysql 127.0.0.1:3306/users`: for the line printed at start. */
  readonly description: string
  /** Applies pending migrations; several processes may call it at once. Returns the names of those applied. */
  migrate(): Promise<readonly string[]>
  /** Names of the migrations not yet applied. */
  pendingMigrations(): Promise<readonly string[]>
  ping(): Promise<void>
  findById(id: number): Promise<Account | null>
  /** Letter case is ignored. */
  findByUsername(username: string): Promise<Account | null>
  /** Users with an id over `after`, lowest first. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly User[]>
  create(user: NewUser): Promise<WriteSummary>
  update(id: number, changes: UserChanges): Promise<WriteSummary>
  /** Rejects with reason `last-admin` for the only admin. */
  delete(id: number): Promise<WriteSummary>
  /** Rejects with reason `last-admin` where no admin would be left. False when there is no such user. */
  setRole(id: number, role: Account['role']): Promise<boolean>
  /** Counts a try of a subject; returns 0, or the milliseconds that it has to wait, which are not counted. */
  admit(subject: string, rule: AttemptRule, now?: number): Promise<number>
  /** Forgets the tries of a subject. */
  forgive(subject: string): Promise<void>
  close(): Promise<void>
}

export class StoreError extends Error {
  /** `duplicate`: the username is taken; `unavailable`: try again later; `failed`: anything else. */
  readonly reason: 'duplicate' | 'last-admin' | 'unavailable' | 'failed'
  /** The driver's text, free of statements and addresses; null when there is none to show. */
  readonly databaseText: string | null

  constructor(reason: StoreError['reason'], databaseText: string | null, cause: unknown) {
    super(`database: ${reason}`, { cause })
    this.name = 'StoreError'
    this.reason = reason
    this.databaseText = databaseText
  }
}

/** What a username is, in letters that every database compares alike. */
export const usernamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$'

/** One key for all letter cases. Null for what is no username: databases differ in what they take it for. */
export const lookupKey = (username: string): string | null =>
  new RegExp(usernamePattern).test(username) ? usernameKey(username) : null

export const usernameKey = (username: string): string => username.toLowerCase()

/** What both stores select: a `User`, and an `Account`. */
export const userColumns = 'id, username, name, created_at AS createdAt, updated_at AS updatedAt'
export const accountColumns = `${userColumns}, password_hash AS passwordHash, role, token_version AS tokenVersion`

/** The columns that changes set, with their values. */
export function columnsOf({
  username,
  name,
  passwordHash,
}: UserChanges): readonly (readonly [string, string | null])[] {
  return [
    ...(username === undefined
      ? []
      : ([
          ['username', username],
          ['username_key', usernameKey(username)],
        ] as const)),
    ...(name === undefined ? [] : ([['name', name]] as const)),
    ...(passwordHash === undefined ? [] : ([['password_hash', passwordHash]] as const)),
  ]
}

/** Deletes or demotes only where another admin stays. MySQL reads its own table only by way of a derived one. */
export const anotherAdmin =
  "EXISTS (SELECT 1 FROM (SELECT id FROM users WHERE role = 'admin' AND id <> ? LIMIT 1) AS others)"
