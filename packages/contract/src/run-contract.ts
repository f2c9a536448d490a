import { describe } from 'vitest'
import { describeCors, describeProblemHook, describeTwoApis } from './cases/apps.ts'
import { describeCoreAnswers } from './cases/core-answers.ts'
import { describeLife } from './cases/life.ts'
import { describeMethods } from './cases/methods.ts'
import { describeMisses, describeRestOfApp } from './cases/misses.ts'
import { describePaths } from './cases/paths.ts'
import { describeErrors, describeHandlers, describeVary } from './cases/responses.ts'
import { describeVersions } from './cases/versions.ts'
import { useApp } from './client.ts'
import type { AdapterUnderTest } from './types.ts'

/**
 * Runs the suite against an adapter, over real sockets.
 *
 * @example
 * // my-adapter/test/contract.test.ts, run by vitest
 * runContract({ name: 'My framework', native, serve })
 */
export function runContract(adapter: AdapterUnderTest): void {
  describe.each(['', '/mounted'])(`${adapter.name} at prefix '%s'`, (prefix) => {
    const client = useApp(adapter, prefix === '' ? 'an API' : 'an API at a prefix', prefix)
    describeVersions(client)
    describePaths(client, prefix)
    describeMethods(adapter, client)
    describeMisses(client)
    describeRestOfApp(adapter, client)
    describeVary(client)
    describeHandlers(client)
    describeErrors(client)
    describeCoreAnswers(adapter, client, prefix)
  })

  describe(`${adapter.name}:`, () => {
    describeTwoApis(adapter)
    describeCors(adapter)
    describeProblemHook(adapter)
    describeLife(adapter)
  })
}
