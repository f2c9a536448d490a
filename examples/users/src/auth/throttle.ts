import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { tooManyRequests } from '../http/errors.ts'
import type { AttemptRule } from '../store/login-attempts.ts'
import { type UserStore, usernameKey } from '../store/user-store.ts'
import { networkOf } from './network.ts'

/** Limits password guesses and new users, on all instances that share a database. */
export interface Throttle {
  /**
   * Counts a guess, before the password is verified.
   *
   * @throws ApiError 429 with `Retry-After`
   */
  count(guess: Guess): Promise<void>
  /** The password was right. */
  accept(guess: Guess): Promise<void>
  /**
   * Counts a new user, before its password is hashed.
   *
   * @throws ApiError 429 with `Retry-After`
   */
  countRegistration(address: string): Promise<void>
}

/** An attempt to present a password. */
export interface Guess {
  /** Id of the user, or the username that no user has. */
  readonly user: number | string
  readonly address: string
  /** A login, or the current password in a request that carries a token. */
  readonly at: 'login' | 'change'
}

const minute = 60_000
const day = 24 * 60 * minute

/**
 * Counts per network, per account and network, and per account. The last limit is twenty times higher and doesn't
 * apply to a network from which the user has logged in: others can't keep a user out. Blocks always end. A limit of
 * 0 turns counting off.
 */
export function createThrottle(
  store: UserStore,
  {
    loginFailures,
    loginRate,
    registrationRate,
  }: Pick<Config, 'loginFailures' | 'loginRate' | 'registrationRate'>,
): Throttle {
  const perNetwork: AttemptRule = { limit: loginRate, window: minute, delay: minute, doublings: 0 }
  const registrations: AttemptRule = { ...perNetwork, limit: registrationRate }
  const perAccountAndNetwork: AttemptRule = {
    limit: loginFailures,
    window: 15 * minute,
    delay: minute / 2,
    doublings: 5,
  }
  const perAccount: AttemptRule = { ...perAccountAndNetwork, limit: 20 * loginFailures }

  /** When the blocks of networks end: a flood of refused requests doesn't reach the database. */
  const blockedUntil = new Map<string, number>()

  return {
    async count({ user, address, at }) {
      const [account, network] = [accountSubject(user), networkOf(address)]
      if (loginRate > 0) await countNetwork(`address ${network}`, perNetwork)
      if (loginFailures === 0) return
      await count(`${account} ${at} ${network}`, perAccountAndNetwork)
      if (!(await store.isRemembered(`known ${account} ${network}`)))
        await count(account, perAccount)
    },
    async accept({ user, address, at }) {
      if (loginFailures === 0) return
      const [account, network] = [accountSubject(user), networkOf(address)]
      await store.forgive(`${account} ${at} ${network}`)
      if (at === 'login') await store.remember(`known ${account} ${network}`, 30 * day)
    },
    async countRegistration(address) {
      if (registrationRate > 0)
        await countNetwork(`registration ${networkOf(address)}`, registrations)
    },
  }

  async function count(subject: string, rule: AttemptRule): Promise<void> {
    refuseFor(await store.admit(subject, rule))
  }

  async function countNetwork(subject: string, rule: AttemptRule): Promise<void> {
    refuseFor((blockedUntil.get(subject) ?? 0) - Date.now())
    const delay = await store.admit(subject, rule)
    if (delay > 0) {
      blockedUntil.set(subject, Date.now() + delay)
      setTimeout(() => blockedUntil.delete(subject), delay).unref()
    }
    refuseFor(delay)
  }

  function refuseFor(delay: number): void {
    if (delay > 0) throw tooManyRequests(Math.ceil(delay / 1000))
  }
}

/** An unknown name is hashed, because it may be longer than the column. */
export const accountSubject = (user: number | string): string =>
  typeof user === 'number'
    ? `user ${user}`
    : `name ${createHash('sha256').update(usernameKey(user)).digest('base64url')}`
