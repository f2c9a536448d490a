import { hash, verify } from '@node-rs/argon2'

/** argon2id as OWASP recommends it: 19 MiB, two passes. Hashing runs in the thread pool: four at a time. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One password typed on different keyboards is one password (NFKC). */
const normalise = (password: string): string => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => hash(normalise(password), cost)

let dummyHash: Promise<string> | undefined

/** Without a hash (an unknown user) it takes as long, and is false: the time tells nothing. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('no account has this password')
  const matches = await verify(passwordHash ?? (await dummyHash), normalise(password))
  return passwordHash !== null && matches
}
