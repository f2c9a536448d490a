import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Config } from '../config.ts'
import { tooManyRequests } from '../http/errors.ts'
import type { AttemptRule } from '../store/login-attempts.ts'
import { type UserStore, usernameKey } from '../store/user-store.ts'

/** Slows down who guesses passwords, on all instances that share a database. */
export interface Throttle {
  /** Before a password is looked at. Rejects with 429 and `Retry-After`. */
  admit(username: string, address: string): Promise<void>
  /** The password was right: what was counted for the account is forgotten. */
  forgive(username: string): Promise<void>
}

const minute = 60_000

/** Per account a growing delay, never a lasting lock; per address so many tries a minute. Zero turns one off. */
export function createThrottle(
  store: UserStore,
  { loginFailures, loginRate }: Pick<Config, 'loginFailures' | 'loginRate'>,
): Throttle {
  const perAccount: AttemptRule = { limit: loginFailures, window: 15 * minute, delay: minute / 2, doublings: 5 }
  const perAddress: AttemptRule = { limit: loginRate, window: minute, delay: minute, doublings: 0 }

  return {
    async admit(username, address) {
      if (loginRate > 0) await count(`address ${networkOf(address)}`, perAddress)
      if (loginFailures > 0) await count(subjectOf(username), perAccount)
    },
    async forgive(username) {
      if (loginFailures > 0) await store.forgive(subjectOf(username))
    },
  }

  async function count(subject: string, rule: AttemptRule): Promise<void> {
    const delay = await store.admit(subject, rule)
    if (delay > 0) throw tooManyRequests(Math.ceil(delay / 1000))
  }
}

/** Whatever was sent as a name, in a length that the table holds. */
const subjectOf = (username: string): string =>
  `account ${createHash('sha256').update(usernameKey(username)).digest('hex')}`

/** A network of IPv6 counts as one address: who has one address there has 2^64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const all = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - after.length).fill('0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
