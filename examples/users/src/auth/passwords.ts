import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../http/errors.ts'
import { limitConcurrency } from '../lib/limit-concurrency.ts'

/** The parameters of argon2id that OWASP recommends: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One per processor: each takes 19 MiB, however many logins arrive at once. */
const limited = limitConcurrency(
  { running: availableParallelism(), queued: 64, patience: 10_000 },
  () => new ApiError(503, 'BUSY', 'too many logins at once', { 'retry-after': '1' }),
)

/** Keyboards encode the same characters differently; NFKC makes them equal. */
const normalize = (password: string): string => password.normalize('NFKC')

/** Returns the hash with its parameters and salt, in PHC string format. */
export const hashPassword = (password: string): Promise<string> => limited(() => hash(normalize(password), cost))

let dummyHash: Promise<string> | undefined

/** False without a hash, after the same time: an unknown user cannot be told from a wrong password. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash('no account has this password', cost)
  const against = passwordHash ?? (await dummyHash)
  const matches = await limited(() => verify(against, normalize(password)))
  return passwordHash !== null && matches
}
