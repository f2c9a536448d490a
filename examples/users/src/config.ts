import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'

/** The folder of this package; `data/` and `.env` stand in it. */
export const root = resolve(import.meta.dirname, '..')

/** The service's own version label; it has nothing to do with the versions of the API. */
export const serviceVersion = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
  .version

export interface Config {
  readonly production: boolean
  readonly port: number
  readonly host: string
  /** `mysql://user:password@host:port/database`; null for the embedded store. */
  readonly databaseUrl: string | null
  /** File of the embedded store. */
  readonly databaseFile: string
  /** Applies pending migrations at start. */
  readonly migrateOnStart: boolean
  /** Secret that signs tokens (HS256), at least 32 bytes; null: one is generated into `data/`. */
  readonly accessToken: string | null
  /** Folder of Ed25519 keys (`*.pem`) that sign tokens instead (EdDSA); the last by name signs, all verify. */
  readonly keyFolder: string | null
  /** Lifetime of a token, in seconds. */
  readonly tokenLifetime: number
  /** Error texts of the database may stand in answers. */
  readonly exposeDatabaseErrors: boolean
  readonly logLevel: string
  /** Requests a minute and address; 0 for no limit. Counted by each instance. */
  readonly rateLimit: number
  /** Failed logins of an account in 15 minutes, before it has to wait; 0 for no limit. */
  readonly loginFailures: number
  /** Logins a minute and address; 0 for no limit. */
  readonly loginRate: number
  /** Addresses of the proxies whose `X-Forwarded-For` counts; null for none. */
  readonly trustProxy: string | null
  /** Only admins create users. */
  readonly closedRegistration: boolean
}

/** A start-up mistake that the operator can mend: printed as one line, without a stack. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const keys = [
  'NODE_ENV',
  'PORT',
  'HOST',
  'DATABASE_URL',
  'DATABASE_FILE',
  'ALLOW_EMBEDDED',
  'MIGRATE_ON_START',
  'ACCESS_TOKEN',
  'JWT_KEYS',
  'JWT_TTL',
  'EXPOSE_DB_ERRORS',
  'LOG_LEVEL',
  'RATE_LIMIT',
  'LOGIN_FAILURES',
  'LOGIN_RATE',
  'TRUST_PROXY',
  'REGISTRATION',
] as const
type Environment = Readonly<Partial<Record<string, string>>>

/** The environment, with what `.env` adds: a variable that is set wins over its line there. */
export function readEnvironment(file = join(root, '.env'), environment: Environment = process.env): Environment {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return environment
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}.`)
  }
  const values = parseEnv(text)
  for (const [index, line] of text.split(/\r?\n/).entries())
    if (/^\s*[^#\s=]+\s*$/.test(line) && !/["'`]/.test(text))
      throw new ConfigError(
        `${file}, line ${index + 1}: '${line.trim()}' has no value. Write KEY=value, or # before a comment.`,
      )
  for (const key of Object.keys(values))
    if (!(keys as readonly string[]).includes(key))
      throw new ConfigError(`${file} sets ${key}, which the service does not know. It knows: ${keys.join(', ')}.`)
  return { ...values, ...environment }
}

/**
 * Checks the environment.
 *
 * @throws ConfigError that lists every wrong or missing value
 */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = []
  const production = environment['NODE_ENV'] === 'production'
  const databaseUrl = environment['DATABASE_URL'] || null

  const config: Config = {
    production,
    port: whole('PORT', 3000, 0, 65_535),
    host: environment['HOST'] || 'localhost',
    databaseUrl,
    databaseFile: resolve(root, environment['DATABASE_FILE'] || 'data/users.db'),
    migrateOnStart: flag('MIGRATE_ON_START', databaseUrl === null || !production),
    accessToken: environment['ACCESS_TOKEN'] || null,
    keyFolder: environment['JWT_KEYS'] ? resolve(root, environment['JWT_KEYS']) : null,
    tokenLifetime: whole('JWT_TTL', 3600, 1, 31_536_000),
    exposeDatabaseErrors: flag('EXPOSE_DB_ERRORS', !production),
    logLevel: environment['LOG_LEVEL'] || 'info',
    rateLimit: whole('RATE_LIMIT', 1000, 0, 1_000_000),
    loginFailures: whole('LOGIN_FAILURES', 5, 0, 1000),
    loginRate: whole('LOGIN_RATE', 30, 0, 1_000_000),
    trustProxy: environment['TRUST_PROXY'] || null,
    closedRegistration: environment['REGISTRATION'] === 'admin',
  }
  if (databaseUrl !== null && !isDatabaseUrl(databaseUrl))
    mistakes.push(
      'DATABASE_URL takes mysql://user:password@host:port/database, with other characters than letters and digits percent-encoded',
    )
  if (databaseUrl === null && production && !flag('ALLOW_EMBEDDED', false))
    mistakes.push('DATABASE_URL is not set; in production set it, or ALLOW_EMBEDDED=1 to run on the embedded store')
  if (config.accessToken === null && config.keyFolder === null && production)
    mistakes.push(
      'ACCESS_TOKEN is not set; in production set it to a secret of at least 32 bytes, or JWT_KEYS to a folder of keys',
    )
  if (config.accessToken !== null && config.keyFolder !== null)
    mistakes.push('ACCESS_TOKEN and JWT_KEYS are both set; keep one of them')
  if (config.accessToken !== null && Buffer.byteLength(config.accessToken) < 32)
    mistakes.push('ACCESS_TOKEN is shorter than 32 bytes; make one with: openssl rand -base64 48')
  if (!['', 'open', 'admin'].includes(environment['REGISTRATION'] ?? ''))
    mistakes.push(`REGISTRATION is '${environment['REGISTRATION']}'; it takes open or admin`)
  for (const address of config.trustProxy?.split(',') ?? [])
    if (isIP(address.trim().split('/')[0]!) === 0)
      mistakes.push(
        `TRUST_PROXY has '${address.trim()}'; it takes addresses of proxies, like 10.0.0.1 or 10.0.0.0/8, parted by commas`,
      )
  if (!logLevels.includes(config.logLevel))
    mistakes.push(`LOG_LEVEL is '${config.logLevel}'; it takes one of ${logLevels.join(', ')}`)
  if (mistakes.length > 0) throw new ConfigError(`The configuration is wrong: ${mistakes.join('; ')}.`)
  return config

  function whole(key: string, standard: number, min: number, max: number): number {
    const text = environment[key] || String(standard)
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    if (!(value >= min && value <= max))
      mistakes.push(`${key} is '${text}'; it takes a whole number from ${min} to ${max}`)
    return value
  }
  function flag(key: string, standard: boolean): boolean {
    const text = environment[key] || String(standard)
    if (!/^(?:1|true|0|false)$/.test(text)) mistakes.push(`${key} is '${text}'; it takes 1 or 0, true or false`)
    return text === '1' || text === 'true'
  }
}

function isDatabaseUrl(text: string): boolean {
  try {
    const { protocol, hostname, pathname, username, password } = new URL(text)
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return /^(?:mysql|mariadb):$/.test(protocol) && hostname !== '' && pathname.length > 1
  } catch {
    return false
  }
}
