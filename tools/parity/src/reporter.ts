// A reporter for node:test that writes one line of JSON per test. It writes them itself and at once, so they're there if the
// process has to be ended.
import { appendFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'

export interface Result {
  readonly name: string
  /** A test with subtests passes if only its subtests fail: these have results of their own. */
  readonly passed: boolean
  /** Why it failed. */
  readonly error?: string
}

// oxlint-disable-next-line require-yield -- Node requires a generator
export default async function* writeResults(events: AsyncIterable<TestEvent>) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, skip, todo, details } = data
    if (skip !== undefined || todo !== undefined || details.type === 'suite') continue
    const failure = type === 'test:fail' ? (data.details.error as TestFailure) : undefined
    const result: Result =
      failure === undefined || failure.failureType === 'subtestsFailed'
        ? { name, passed: true }
        : { name, passed: false, error: messageOf(failure.cause ?? failure) }
    appendFileSync(process.env['PARITY_RESULTS']!, `${JSON.stringify(result)}\n`)
  }
}

/** What Node wraps a test's error in. */
interface TestFailure extends Error {
  readonly failureType?: string
}

const messageOf = (error: unknown): string =>
  String(error instanceof Error ? error.stack : error).slice(0, 1500)
