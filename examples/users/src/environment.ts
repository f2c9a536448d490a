import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'

/** This package's folder, which has `data/` and `.env`. */
export const packageRoot = resolve(import.meta.dirname, '..')

/** A mistake that the operator can correct, so it's printed as one line without a stack. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const keys = [
  'NODE_ENV',
  'PORT',
  'HOST',
  'DATABASE_URL',
  'DATABASE_TLS',
  'DATABASE_CA',
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
  'HASH_CONCURRENCY',
  'REGISTRATION_RATE',
  'TRUST_PROXY',
  'REGISTRATION',
  'DRAIN_TIME',
  'V1_DEPRECATED',
  'V1_SUNSET',
] as const
type Key = (typeof keys)[number]
/**
 * Container platforms hand out secrets as files, so these can be given as a path:
 * `ACCESS_TOKEN_FILE`.
 */
const secrets = ['DATABASE_URL', 'ACCESS_TOKEN'] as const
/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Partial<Record<string, string>>>

/**
 * Adds `.env`'s and the secret files' values to the environment. If both set a variable, the
 * environment wins.
 */
export function readEnvironment(
  file = join(packageRoot, '.env'),
  environment: Environment = process.env,
): Environment {
  const values = { ...readEnvFile(file), ...environment }
  for (const key of secrets) {
    const path = values[`${key}_FILE`]
    if (!path) continue
    if (values[key]) throw new ConfigError(`${key} and ${key}_FILE are both set. Keep one of them.`)
    values[key] = readText(path, `${key}_FILE`).trim()
  }
  return values
}

function readEnvFile(file: string): Environment {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError(
      `${file} can't be read: ${(error as Error).message}. Check the path, and who may read it.`,
    )
  }
  const hasQuotes = /["'`]/.test(text) // a quoted value may span lines
  for (const [index, line] of text.split(/\r?\n/).entries())
    if (!hasQuotes && /^\s*[^#\s=]+\s*$/.test(line))
      throw new ConfigError(
        `${file}, line ${index + 1}: '${line.trim()}' has no value. Write KEY=value, or # before a comment.`,
      )
  const values = parseEnv(text)
  const accepted: readonly string[] = [...keys, ...secrets.map((key) => `${key}_FILE`)]
  for (const key of Object.keys(values))
    if (!accepted.includes(key))
      throw new ConfigError(
        `${file} sets the unknown key ${key}. Known keys: ${accepted.join(', ')}.`,
      )
  return values
}

/**
 * Reads a file, relative to this package.
 *
 * @param key - the variable that names the file
 * @throws ConfigError
 */
export function readText(path: string, key: string): string {
  try {
    return readFileSync(resolve(packageRoot, path), 'utf8')
  } catch (error) {
    throw new ConfigError(
      `${key} can't be read: ${(error as Error).message}. Check the path, and who may read it.`,
    )
  }
}

/**
 * Reads the environment's values and collects everything that's wrong with them. An empty value
 * counts as unset.
 */
export function createReader(environment: Environment) {
  const mistakes: string[] = []
  const text = (key: Key): string | null => environment[key] || null
  return {
    mistakes,
    text,
    integer(key: Key, standard: number, min: number, max: number): number {
      const value = text(key) ?? String(standard)
      const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN
      if (!(number >= min && number <= max))
        mistakes.push(`${key} is '${value}'; it must be a whole number from ${min} to ${max}`)
      return number
    },
    flag(key: Key, standard: boolean): boolean {
      const value = text(key) ?? String(standard)
      if (!/^(?:1|true|0|false)$/.test(value))
        mistakes.push(`${key} is '${value}'; it must be 1, 0, true or false`)
      return value === '1' || value === 'true'
    },
    choice<T extends string>(key: Key, choices: readonly T[], standard: T): T {
      const value = text(key) ?? standard
      if (!(choices as readonly string[]).includes(value))
        mistakes.push(`${key} is '${value}'; it must be one of ${choices.join(', ')}`)
      return value as T
    },
  }
}
