import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../http/errors.ts'
import { limitConcurrency } from '../lib/limit-concurrency.ts'

/** The parameters of argon2id that OWASP recommends: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each takes 19 MiB and a processor, however many requests arrive at once. Networks take turns. */
const limitHashing = (running: number) =>
  limitConcurrency(
    { running, queued: 64, patience: 10_000 },
    () => new ApiError(503, 'BUSY', 'too many passwords at once', { 'retry-after': '1' }),
  )
const verifying = limitHashing(availableParallelism())
/** New passwords have a queue of their own, so no login waits behind them. */
const hashing = limitHashing(1)

/** Keyboards encode the same characters differently; NFKC makes them equal. */
const normalize = (password: string): string => password.normalize('NFKC')

/**
 * Returns the hash with its parameters and salt, in PHC string format.
 *
 * @param network whose turn it is
 */
export const hashPassword = (password: string, network: string): Promise<string> =>
  hashing(() => hash(normalize(password), cost), network)

let dummyHash: Promise<string> | undefined

/**
 * False without a hash, after the same time: an unknown user can't be told from a wrong password.
 *
 * @param network whose turn it is
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  network: string,
): Promise<boolean> {
  dummyHash ??= hash('no account has this password', cost)
  const against = passwordHash ?? (await dummyHash)
  const matches = await verifying(() => verify(against, normalize(password)), network)
  return passwordHash !== null && matches
}
