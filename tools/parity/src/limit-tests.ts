// Gives each test a time limit, so that one that waits forever doesn't hide those after it.
import nodeTest from 'node:test'

/** @param limit - in milliseconds */
export function limitTests(limit: number): void {
  const run = nodeTest.test
  const limited = (...values: unknown[]) => {
    const name = values.find((value) => typeof value === 'string')
    const options = values.find((value) => typeof value === 'object')
    const body = values.find((value) => typeof value === 'function')
    return Reflect.apply(run, undefined, [name ?? '', { timeout: limit, ...options }, body])
  }
  Object.assign(nodeTest, { test: Object.assign(limited, run) })
}
