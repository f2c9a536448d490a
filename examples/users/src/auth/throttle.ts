import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type ApiError, tooManyRequests } from '../http/errors.ts'
import { StoreError, isUnavailable } from '../store/database.ts'
import type { Attempt, AttemptRule } from '../store/login-attempts.ts'
import { type UserStore, usernameKey } from '../store/user-store.ts'
import { networkOf } from '../lib/network.ts'

/** Limits password guesses and new users, on all instances that share a database. */
export type Throttle = ReturnType<typeof createThrottle>

/** An attempt to present a password. */
export interface Guess {
  /** The user's id, or a username that no user has. */
  readonly user: number | string
  readonly address: string
  /** A login, or the current password in a request that carries a token. */
  readonly at: 'login' | 'change'
}

type Limits = Pick<Config, 'loginFailures' | 'loginRate' | 'registrationRate'>

const minute = 60_000
const day = 24 * 60 * minute
/** How many tries may wait for the database to come back, so that they can be taken back. */
const maxPending = 10_000

/**
 * Counts per network, per account and network, and per account. The last limit is twenty times
 * higher, and exempts networks from which the user has logged in, so that nobody else can keep them
 * out. Blocks always end. A limit of 0 turns counting off.
 *
 * @param pause how long to wait before another attempt to take tries back, in milliseconds
 */
export function createThrottle(
  store: UserStore,
  { loginFailures, loginRate, registrationRate }: Limits,
  pause = 1000,
) {
  const perNetwork: AttemptRule = { limit: loginRate, window: minute, delay: minute, doublings: 0 }
  const registrations: AttemptRule = { ...perNetwork, limit: registrationRate }
  const perAccountAndNetwork: AttemptRule = {
    limit: loginFailures,
    window: 15 * minute,
    delay: minute / 2,
    doublings: 5,
  }
  const perAccount: AttemptRule = { ...perAccountAndNetwork, limit: 20 * loginFailures }

  /**
   * When the blocks of networks end, so that a flood of refused requests doesn't reach the
   * database.
   */
  const blockedUntil = new Map<string, number>()
  const pending: Attempt[] = []
  let isTakingBack = false

  return {
    /**
     * Counts a guess, then verifies the password. There are four endings:
     *
     *     count ─┬─ blocked ─────────────────────────────── 429, and the counter that blocks stays as it is
     *            └─ counted ── verify ─┬─ wrong ─────────── 401, and it stays counted
     *                                  ├─ right ── forgive  200, and it's taken back, with the account's earlier ones from this network
     *                                  └─ unavailable ───── 503, and it's taken back
     *
     * If forgiving fails, the login is still right, and its try is taken back later. Whatever has to be
     * taken back waits in `pending` until the database is available again. Until then, a block that it may
     * have caused is a 503.
     *
     * @returns whether the password is right
     * @throws ApiError 429 with `Retry-After`
     */
    async guess({ user, address, at }: Guess, verify: () => Promise<boolean>): Promise<boolean> {
      const [account, network] = [accountSubject(user), networkOf(address)]
      const knownNetwork = `known ${account} ${network}`
      if (loginRate > 0) await countNetwork(`address ${network}`, perNetwork)
      if (loginFailures === 0) return verify()

      const counted: Attempt[] = []
      const count = async (subject: string, rule: AttemptRule) => {
        const attempt = await store.admit(subject, rule)
        // The block may come from tries that failed for want of the database, and so from right ones.
        if (attempt.wait > 0 && pending.some((earlier) => earlier.subject === subject))
          throw new StoreError('unavailable', null, null)
        refuseFor(attempt.wait)
        counted.push(attempt)
      }
      let knownFor: number
      try {
        await count(`${account} ${at} ${network}`, perAccountAndNetwork)
        knownFor = await store.remembers(knownNetwork)
        if (knownFor === 0) await count(account, perAccount)
        if (!(await verify())) return false
      } catch (error) {
        if ((error as ApiError).statusCode !== 429) void takeBack(counted)
        throw error
      }
      // The password is right, and a 503 would tell it from a wrong one. So this may fail, and then
      // it's done later.
      const isStale = at === 'login' && knownFor < 29 * day
      const time = isStale ? 30 * day : 0
      await store.forgive(counted[0]!.subject, knownNetwork, time).then(
        () => counted.shift(),
        () => {},
      )
      void takeBack(counted)
      return true
    },
    /**
     * Counts a new user, before its password is hashed.
     *
     * @throws ApiError 429 with `Retry-After`
     */
    async countRegistration(address: string): Promise<void> {
      if (registrationRate > 0)
        await countNetwork(`registration ${networkOf(address)}`, registrations)
    },
  }

  /** Takes tries back in order, for as long as the database is away. */
  async function takeBack(attempts: readonly Attempt[]): Promise<void> {
    if (pending.length < maxPending) pending.push(...attempts)
    if (isTakingBack) return
    isTakingBack = true
    for (let attempt = pending[0]; attempt !== undefined; attempt = pending[0]) {
      const id = randomUUID()
      while (await store.takeBack(attempt, id).then(() => false, isUnavailable))
        await wait(pause, undefined, { ref: false })
      pending.shift()
    }
    isTakingBack = false
  }

  async function countNetwork(subject: string, rule: AttemptRule): Promise<void> {
    refuseFor((blockedUntil.get(subject) ?? 0) - Date.now())
    const { wait: delay } = await store.admit(subject, rule)
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
