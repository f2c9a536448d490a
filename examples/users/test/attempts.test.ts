// The throttle's counters while statements fail: what an outage counts is taken back, and nobody gets a guess for nothing.
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { beforeAll, expect, it, vi } from 'vitest'
import fc from '../../../tools/fast-check.ts'
import { ApiError } from '../src/http/errors.ts'
import { buildApp } from '../src/app.ts'
import { type Guess, createThrottle } from '../src/auth/throttle.ts'
import { cleanCounters } from '../src/ops/clean-counters.ts'
import { type Database, type Statement, StoreError, currentTime } from '../src/store/database.ts'
import { openMysqlStore } from '../src/store/open-store.ts'
import { createUserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { password, send } from './client.ts'
import { describeServers } from './databases.ts'
import { tokens } from './services.ts'
import { describeStores } from './stores.ts'

const limit = 5
const minute = 60_000
const limits = { loginFailures: limit, loginRate: 0, registrationRate: 0 }
const unavailable = () => new StoreError('unavailable', null, new Error('planted'))

/** What happens to a statement: it works, it fails without an effect, or its answer is lost. */
type Fault = 'none' | 'before' | 'after'

/** A database whose next statements fail as planned. */
function withFaults(db: Database, faults: Fault[]): Database {
  const plant =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const fault = faults.shift() ?? 'none'
      if (fault === 'before') throw unavailable()
      const result = await method(...args)
      if (fault === 'after') throw unavailable()
      return result
    }
  return { ...db, all: plant(db.all), run: plant(db.run), runTogether: plant(db.runTogether) }
}

describeStores('counters', (_open, openDatabase) => {
  let db: Database
  let number = 0
  beforeAll(async () => {
    db = await openDatabase()
    await createUserStore(db).migrate()
  })
  const now = () => currentTime[db.dialect]
  const rowOf = async (subject: string) => {
    const sql =
      'SELECT attempts, blocked_until AS until FROM login_attempts WHERE subject = :subject'
    const [row] = await db.all(sql, { subject })
    return { attempts: Number(row?.['attempts'] ?? 0), until: Number(row?.['until'] ?? 0) }
  }
  /** A new user's guess, from a network of its own. */
  const guessOf = (): Guess => ({ user: ++number, address: '10.0.0.1', at: 'login' })
  const subjectOf = ({ user, address, at }: Guess) => `user ${user} ${at} ${address}`
  const rule = { limit: 3, window: 15 * minute, delay: minute, doublings: 5 }
  const age = (subject: string, time: number) =>
    db.run(
      `UPDATE login_attempts SET window_ends = window_ends - :time,
         blocked_until = blocked_until - :time WHERE subject = :subject`,
      { subject, time },
    )

  it('counts tries, blocks, and doubles the wait', async () => {
    const store = createUserStore(db)
    const waits = async () => Math.ceil((await store.admit('doubles', rule)).wait / 1000)
    expect([await waits(), await waits(), await waits()]).toEqual([0, 0, 0])
    expect(await waits()).toBe(60)
    expect(await rowOf('doubles')).toMatchObject({ attempts: 3 })
    await age('doubles', minute)
    expect([await waits(), await waits()]).toEqual([0, 120])
    await age('doubles', 2 * minute)
    expect([await waits(), await waits()]).toEqual([0, 240])
    await age('doubles', 15 * minute)
    expect([await waits(), await waits(), await waits()]).toEqual([0, 0, 0])
    expect(await waits()).toBe(60)
  })

  it('blocks a first try at once with a limit of 1', async () => {
    const store = createUserStore(db)
    expect((await store.admit('single', { ...rule, limit: 1 })).wait).toBe(0)
    expect((await store.admit('single', { ...rule, limit: 1 })).wait).toBeGreaterThan(0)
  })

  it('counts each of many tries at once', async () => {
    const store = createUserStore(db)
    const attempts = Array.from({ length: 20 }, () => store.admit('parallel', rule))
    const waits = (await Promise.all(attempts)).map((attempt) => attempt.wait)
    expect(waits.filter((time) => time === 0)).toHaveLength(3)
  })

  it('takes a try back once, with the block that it has earned', async () => {
    const store = createUserStore(db)
    await store.admit('back', rule)
    const other = await store.admit('back', rule)
    const earning = await store.admit('back', rule)
    await store.takeBack(other, 'other')
    expect(await rowOf('back')).toEqual({ attempts: 2, until: earning.mark })
    await expect(store.takeBack(other, 'other')).rejects.toMatchObject({ reason: 'duplicate' })
    expect(await rowOf('back')).toEqual({ attempts: 2, until: earning.mark })
    await store.takeBack(earning, 'earning')
    expect(await rowOf('back')).toEqual({ attempts: 1, until: 0 })
  })

  it('takes nothing back in a later window', async () => {
    const store = createUserStore(db)
    const attempt = await store.admit('later', rule)
    await age('later', 16 * minute)
    // Windows are told apart by the millisecond in which they end. Real ones are minutes apart, but
    // this row was only made older, so both could end in the same one.
    await wait(5)
    await store.admit('later', rule)
    await store.takeBack(attempt, 'later')
    expect(await rowOf('later')).toMatchObject({ attempts: 1 })
  })

  it('never gives a guess for nothing, and holds no failure against the account', async () => {
    const fault = fc.constantFrom<Fault>('none', 'none', 'none', 'before', 'after')
    const outcome = fc.constantFrom<'wrong' | 'busy'>('wrong', 'wrong', 'busy')
    const plan = fc.record({
      faults: fc.array(fault, { maxLength: 30 }),
      rounds: fc.array(fc.array(outcome, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
    })
    const property = fc.asyncProperty(plan, async ({ faults, rounds }) => {
      const lost = faults.filter((kind) => kind === 'after').length
      const throttle = createThrottle(createUserStore(withFaults(db, [...faults])), limits, 1)
      const guess = guessOf()
      let verified = 0
      const ask = async (result: 'wrong' | 'busy' | 'right') =>
        throttle.guess(guess, async () => {
          if (result === 'busy') throw new ApiError(503, 'BUSY', 'planted')
          if (result === 'wrong') verified++
          return result === 'right'
        })
      for (const round of rounds) await Promise.allSettled(round.map(ask))
      expect(verified).toBeLessThanOrEqual(limit)
      await vi.waitFor(
        async () => {
          const { attempts } = await rowOf(subjectOf(guess))
          expect(attempts).toBeGreaterThanOrEqual(verified)
          expect(attempts).toBeLessThanOrEqual(verified + lost)
        },
        { interval: 5, timeout: 60_000 },
      )
    })
    // These busy tries earn a block that's lifted while the next tries arrive.
    const rounds: ('wrong' | 'busy')[][] = [
      ['wrong'],
      ['busy', 'busy', 'busy', 'busy'],
      ['wrong'],
      ['wrong'],
      ['wrong'],
    ]
    await fc.assert(property, { numRuns: 100, examples: [[{ faults: [], rounds }]] })
  })

  it("lets the right password in, even if its tries can't be forgotten", async () => {
    // Counting, looking for the known network and counting work. Forgetting fails, and so does taking back at first.
    const faults: Fault[] = ['none', 'none', 'none', 'before', 'before']
    const throttle = createThrottle(createUserStore(withFaults(db, faults)), limits, 1)
    const guess = guessOf()
    expect(await throttle.guess(guess, async () => true)).toBe(true)
    await vi.waitFor(
      async () => expect(await rowOf(subjectOf(guess))).toMatchObject({ attempts: 0 }),
      300_000,
    )
  })

  it('remembers a network for 30 days, and writes that once a day', async () => {
    const statements: string[] = []
    const spied: Database = {
      ...db,
      run: (sql, values) => (statements.push(sql.slice(0, 6)), db.run(sql, values)),
      runTogether: (list: readonly Statement[]) => {
        statements.push(`together ${list.length}`)
        return db.runTogether(list)
      },
    }
    const throttle = createThrottle(createUserStore(spied), limits)
    const guess = guessOf()
    const login = () => throttle.guess(guess, async () => true)
    await login()
    expect(statements.splice(0)).toContain('together 2')
    await login()
    expect(statements.splice(0)).not.toContain('together 2')
    await age(`known user ${guess.user} ${guess.address}`, 25 * 60 * minute)
    await login()
    expect(statements).toContain('together 2')
    const known = await createUserStore(db).remembers(`known user ${guess.user} ${guess.address}`)
    expect(known).toBeGreaterThan(29.9 * 24 * 60 * minute)
  })

  it('uses the database clock, so a cleaner whose clock is ahead removes nothing', async () => {
    const store = createUserStore(db)
    await store.admit('clock', rule)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * minute })
    try {
      await store.removeExpired()
      expect(await rowOf('clock')).toMatchObject({ attempts: 1 })
      expect((await store.admit('clock', rule)).wait).toBe(0)
      expect(await rowOf('clock')).toMatchObject({ attempts: 2 })
    } finally {
      vi.useRealTimers()
    }
  })

  it("removes what has expired in pieces, whoever logs in or not, and says what's left", async () => {
    const store = createUserStore(db)
    const rows = Array.from({ length: 1300 }, (_, i) => `('expired ${i}', 1, 1, 0)`)
    await db.run(`INSERT INTO login_attempts VALUES ${rows.join(', ')}`)
    await store.admit('kept', rule)
    await db.run(`INSERT INTO login_attempts VALUES ('still blocked', 9, 1, ${now()} + 60000)`)
    expect(await store.removeExpired()).toBe(500)
    const lifecycle = {
      prepared: true,
      draining: false,
      counters: undefined as { expired: number; valid: number } | undefined,
    }
    const cleaning = cleanCounters(store, lifecycle as never, 1)
    await vi.waitFor(async () => {
      const [row] = await db.all(
        `SELECT COUNT(*) AS n FROM login_attempts WHERE subject LIKE 'expired %'`,
      )
      expect(Number(row!['n'])).toBe(0)
    }, 300_000)
    lifecycle.draining = true
    await cleaning
    expect(await rowOf('kept')).toMatchObject({ attempts: 1 })
    expect(await rowOf('still blocked')).toMatchObject({ attempts: 9 })
    expect(lifecycle.counters!.valid + lifecycle.counters!.expired).toBeGreaterThan(1)
  })

  it('never loses a first try to a clean-up', async () => {
    const store = createUserStore(db)
    const lifecycle = { prepared: true, draining: false }
    const cleaning = cleanCounters(store, lifecycle, 1)
    const subjects = Array.from({ length: 200 }, (_, i) => `first ${i}`)
    await Promise.all(subjects.map((subject) => store.admit(subject, rule)))
    lifecycle.draining = true
    await cleaning
    const [row] = await db.all(
      `SELECT COUNT(*) AS n FROM login_attempts WHERE subject LIKE 'first %'`,
    )
    expect(Number(row!['n'])).toBe(200)
  })
})

describeServers('a login from a known network', (start) => {
  it('takes five statements and three commits', async () => {
    const database = await start()
    const url = await database.createSchema()
    const store = openMysqlStore({ url })
    await store.migrate()
    const app = buildApp({ ...appConfig, loginFailures: 5, loginRate: 30 }, { store, tokens })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const connection = await createConnection(url)
    const count = async () => {
      const [rows] = (await connection.query('SHOW GLOBAL STATUS')) as never as [
        { Variable_name: string; Value: string }[],
      ]
      const values = new Map(rows.map((row) => [row.Variable_name, Number(row.Value)]))
      const sum = (...names: string[]) =>
        names.reduce((total, name) => total + values.get(name)!, 0)
      const writes = sum('Com_insert', 'Com_update', 'Com_delete', 'Com_replace')
      return { writes, reads: sum('Com_select'), transactions: sum('Com_begin', 'Com_commit') }
    }
    const login = async () =>
      (await send(origin, 'POST', '/users/login', { username: 'ann', password })).status
    try {
      await send(origin, 'POST', '/users', { username: 'ann', password })
      expect(await login()).toBe(200)
      // The login's network was unknown, so its try also counted for the account, until it's taken back.
      const attempts = "SELECT attempts FROM login_attempts WHERE subject = 'user 1'"
      await expect
        .poll(async () => (await connection.query(attempts))[0])
        .toEqual([{ attempts: 0 }])
      const before = await count()
      for (let i = 0; i < 10; i++) expect(await login()).toBe(200)
      const after = await count()
      expect(after.writes - before.writes).toBe(30)
      expect(after.reads - before.reads).toBe(20)
      expect(after.transactions - before.transactions).toBe(0)
    } finally {
      await connection.end()
      await app.close()
      await store.close()
      await database.stop()
    }
  })
})
