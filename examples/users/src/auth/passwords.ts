import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { ApiError } from '../http/errors.ts'
import { limitConcurrency } from '../lib/limit-concurrency.ts'

/** Hashes and verifies passwords. Networks take turns. */
export type Passwords = ReturnType<typeof createPasswords>

/** The parameters that OWASP recommends for argon2id: 19 MiB and two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Keyboards encode the same character differently. NFKC makes the encodings equal. */
const normalize = (password: string): string => password.normalize('NFKC')
let dummyHash: Promise<string> | undefined

/**
 * Each password takes 19 MiB and a processor for some milliseconds, so only a few are processed at
 * once. New passwords have their own queue, so that no login waits behind them.
 *
 * @param concurrency how many passwords are verified at once
 */
export function createPasswords(concurrency: number) {
  const limitHashing = (name: string, running: number) =>
    limitConcurrency(
      { name, running, queued: 64, patience: 10_000 },
      () => new ApiError(503, 'BUSY', 'too many passwords at once', { 'retry-after': '1' }),
    )
  const verifying = limitHashing('verify', concurrency)
  const hashing = limitHashing('hash', 1)
  return {
    /** Returns the hash with its parameters and salt, in PHC string format. */
    hash: (password: string, network: string) =>
      hashing(() => hash(normalize(password), cost), network),
    /**
     * Returns false after the same time if there's no hash, so that an unknown user can't be told
     * from a wrong password.
     */
    async verify(passwordHash: string | null, password: string, network: string) {
      dummyHash ??= hash('no account has this password', cost)
      const against = passwordHash ?? (await dummyHash)
      const matches = await verifying(() => verify(against, normalize(password)), network)
      return passwordHash !== null && matches
    },
  }
}

const common = new Set(
  dictionary['passwords-common']
    .map((password) => normalize(password).toLowerCase())
    .filter(({ length }) => length >= 8)
    .slice(0, 3000),
)
/** Words about this service that somebody would try first. SECURITY.md also lists them. */
const serviceWords = ['users-service', 'users service', 'usersservice', 'hv-router', 'hvrouter']

/**
 * Returns why a new password is easy to guess, or null.
 *
 * @param usernames the user's old and new name. Names of three characters are in too many words
 */
export function findWeakness(password: string, usernames: readonly string[]): string | null {
  const text = normalize(password).toLowerCase()
  if (common.has(text)) return 'the password is one of the 3,000 most common ones'
  for (const username of usernames) {
    const name = username.toLowerCase()
    const reverse = [...name].toReversed().join('')
    if (name.length > 3 && (text.includes(name) || text.includes(reverse)))
      return 'the password contains the username, forwards or backwards'
  }
  const word = serviceWords.find((candidate) => text.includes(candidate))
  return word === undefined ? null : `the password contains '${word}', a word about this service`
}

/** Whether two passwords count as the same one. */
export const isSamePassword = (a: string, b: string): boolean => normalize(a) === normalize(b)
