import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import {
  ConfigError,
  type Environment,
  createReader,
  packageRoot,
  readText,
} from './environment.ts'

/** The service's own version, which has nothing to do with the API's versions. */
export const serviceVersion = (
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
).version

/** The service's configuration, checked and with every default applied. */
export type Config = Readonly<ReturnType<typeof readConfig>>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * Checks the environment.
 *
 * @throws ConfigError that lists every wrong or missing value
 */
export function readConfig(environment: Environment) {
  const { mistakes, text, integer, flag, choice } = createReader(environment)
  const modes = ['production', 'development', 'test']
  const production = choice('NODE_ENV', modes, 'development') === 'production'
  const databaseUrl = text('DATABASE_URL')
  const ca = text('DATABASE_CA')
  const allowEmbedded = flag('ALLOW_EMBEDDED', false)
  const keyFolder = text('JWT_KEYS')

  const config = {
    production,
    port: integer('PORT', 3000, 0, 65_535),
    host: text('HOST') ?? 'localhost',
    /** `mysql://user:password@host:port/database`; null for the embedded store. */
    databaseUrl,
    /** TLS to the database: `verified` checks certificate and host name. */
    databaseTls: choice(
      'DATABASE_TLS',
      ['off', 'verified', 'unverified'],
      ca === null ? 'off' : 'verified',
    ),
    /** The certificates that sign the database's, as PEM. Null means those that Node trusts. */
    databaseCa: ca === null ? null : readText(ca, 'DATABASE_CA'),
    /** The embedded store's file. */
    databaseFile: resolve(packageRoot, text('DATABASE_FILE') ?? 'data/users.db'),
    /** Whether pending migrations are applied at start-up. */
    migrateOnStart: flag('MIGRATE_ON_START', databaseUrl === null || !production),
    /**
     * The secret that signs tokens (HS256), at least 32 bytes. If it's null, one is generated into
     * `data/`.
     */
    accessToken: text('ACCESS_TOKEN'),
    /**
     * A folder with Ed25519 keys (`*.pem`) that sign tokens instead (EdDSA). The last by name
     * signs, and all verify.
     */
    keyFolder: keyFolder === null ? null : resolve(packageRoot, keyFolder),
    /** A token's lifetime, in seconds. */
    tokenLifetime: integer('JWT_TTL', 3600, 1, 31_536_000),
    /** Whether responses may contain database error messages. */
    exposeDatabaseErrors: flag('EXPOSE_DB_ERRORS', !production),
    logLevel: choice('LOG_LEVEL', logLevels, 'info'),
    /** Requests per minute and network, counted by each instance; 0 for no limit. */
    rateLimit: integer('RATE_LIMIT', 1000, 0, 1_000_000),
    /** Failed logins per account and network in 15 minutes; 0 for no limit. */
    loginFailures: integer('LOGIN_FAILURES', 5, 0, 1000),
    /** Logins per minute and network; 0 for no limit. */
    loginRate: integer('LOGIN_RATE', 30, 0, 1_000_000),
    /** New users per minute and network, except those that an admin creates; 0 for no limit. */
    registrationRate: integer('REGISTRATION_RATE', 10, 0, 1_000_000),
    /** How many passwords are verified at once. */
    hashConcurrency: integer('HASH_CONCURRENCY', Math.max(1, availableParallelism() - 1), 1, 1024),
    /** Addresses of the proxies whose `X-Forwarded-For` is trusted; null for none. */
    trustProxy: text('TRUST_PROXY'),
    /** Whether only admins may create users. */
    closedRegistration: choice('REGISTRATION', ['open', 'admin'], 'open') === 'admin',
    /** How long the service keeps serving after SIGTERM, in seconds. */
    drainTime: integer('DRAIN_TIME', 5, 0, 600),
  }
  mistakes.push(...findMistakes(config, allowEmbedded))
  if (mistakes.length > 0)
    throw new ConfigError(`The configuration is wrong: ${mistakes.join('; ')}.`)
  return config
}

/** Whether statements and users' data travel to another machine in plain text, in production. */
export const isUnencrypted = ({ production, databaseUrl, databaseTls }: Config): boolean =>
  production &&
  databaseUrl !== null &&
  databaseTls === 'off' &&
  !/^(?:localhost|127\..*|\[::1\])$/.test(new URL(databaseUrl).hostname)

/** Checks that involve more than one setting, or more than a setting's type. */
function findMistakes(
  { production, databaseUrl, databaseTls, databaseCa, accessToken, keyFolder, trustProxy }: Config,
  allowEmbedded: boolean,
): readonly string[] {
  const ranges = trustProxy?.split(',').map((range) => range.trim()) ?? []
  const wrongRanges = ranges.filter((range) => !isAddressRange(range))
  const secret = accessToken ?? ''
  const checks: readonly (readonly [isWrong: boolean, mistake: string])[] = [
    [
      databaseCa !== null && !isCertificate(databaseCa),
      "DATABASE_CA isn't a certificate; set it to a file of certificates in PEM",
    ],
    [
      databaseUrl === null && production && !allowEmbedded,
      "DATABASE_URL isn't set; in production set it, or ALLOW_EMBEDDED=1 to run on the embedded store",
    ],
    [
      accessToken === null && keyFolder === null && production,
      "ACCESS_TOKEN isn't set; in production set it to a secret of at least 32 bytes, or JWT_KEYS to a folder of keys",
    ],
    [
      accessToken !== null && keyFolder !== null,
      'ACCESS_TOKEN and JWT_KEYS are both set; keep one of them',
    ],
    [
      accessToken !== null && Buffer.byteLength(secret) < 32,
      'ACCESS_TOKEN is shorter than 32 bytes; make one with: openssl rand -base64 48',
    ],
    [
      accessToken !== null && (secret.includes('-----BEGIN') || new Set(secret).size < 8),
      'ACCESS_TOKEN is a key in PEM, or has fewer than eight different characters; make one with: openssl rand -base64 48',
    ],
    [
      wrongRanges.length > 0,
      `TRUST_PROXY has '${wrongRanges[0]}'; it must be addresses or ranges like 10.0.0.1 or 10.0.0.0/8, separated by commas`,
    ],
  ]
  return [
    ...(databaseUrl === null ? [] : databaseMistakes(databaseUrl, databaseTls)),
    ...checks.filter(([isWrong]) => isWrong).map(([, mistake]) => mistake),
  ]
}

function databaseMistakes(text: string, tls: Config['databaseTls']): readonly string[] {
  const shape =
    'DATABASE_URL must be mysql://user:password@host:port/database, with characters other than letters and digits percent-encoded'
  try {
    const { protocol, hostname, pathname, username, password, search, hash } = new URL(text)
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    if (!/^(?:mysql|mariadb):$/.test(protocol) || hostname === '' || !/^\/[^/]+$/.test(pathname))
      return [shape]
    return [
      ...(search + hash === ''
        ? []
        : [
            `DATABASE_URL has the parameters '${search}${hash}', which aren't supported; for TLS set DATABASE_TLS`,
          ]),
      ...(tls === 'verified' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
        ? [
            'DATABASE_URL has an address; DATABASE_TLS=verified needs the host name of the certificate',
          ]
        : []),
    ]
  } catch {
    return [shape]
  }
}

/** Node doesn't check this: if the file is empty, it trusts its own authorities. */
function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** An address, or a range in CIDR notation. */
function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  if (bits === undefined || address.includes('%') || rest.length > 0) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
}
