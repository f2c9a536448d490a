import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../errors.ts'

/** argon2id as OWASP recommends it: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** As many at a time as there are processors, and so many in line: a flood of logins takes no more memory. */
const places = availableParallelism()
const line = 64
let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= line) throw new ApiError(503, 'BUSY', 'too many logins at once', { 'retry-after': '1' })
  if (running >= places) await new Promise<void>((go) => waiting.push(go))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next() // its place is handed on
  }
}

/** One password typed on different keyboards is one password (NFKC). */
const normalise = (password: string): string => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normalise(password), cost))

let dummyHash: Promise<string> | undefined

/** Without a hash (an unknown user) it takes as long, and is false: the time tells nothing. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash('no account has this password', cost)
  const against = passwordHash ?? (await dummyHash)
  const matches = await inTurn(() => verify(against, normalise(password)))
  return passwordHash !== null && matches
}
