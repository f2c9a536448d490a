import { describe } from 'vitest'
import { describeCors, describeProblemHook, describeTwoApis } from './cases/apps.ts'
import { describeCoreAnswers } from './cases/core-answers.ts'
import { describeEvents } from './cases/events.ts'
import { describeExtensions } from './cases/extensions.ts'
import { describeLife } from './cases/life.ts'
import { describeMethods } from './cases/methods.ts'
import { describeMisses, describeRestOfApp } from './cases/misses.ts'
import { describePaths } from './cases/paths.ts'
import { describeErrors, describeHandlers, describeVary } from './cases/responses.ts'
import { describeVersions } from './cases/versions.ts'
import { type Client, useApp } from './client.ts'
import { runOriginal } from './original.ts'
import { staysQuiet } from './quiet.ts'
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
    staysQuiet()
    const client = useApp(adapter, prefix === '' ? 'an API' : 'an API at a prefix', prefix)
    describeFramework(adapter, client)
    describePaths(adapter, client, prefix)
    describeMisses(client)
    describeCoreAnswers(adapter, client, prefix)
  })

  describe(`${adapter.name}:`, () => {
    staysQuiet()
    describeTwoApis(adapter)
    describeCors(adapter)
    describeProblemHook(adapter)
    describeLife(adapter)
    describeExtensions(adapter)
    describeEvents(adapter)
  })
  runOriginal(adapter)
}

/**
 * Runs the part of the suite where releases and runtimes may differ. With `TEST_ALL=1`, and in `npm
 * run matrix`, it runs all of it.
 */
export function runSmoke(adapter: AdapterUnderTest): void {
  if (process.env['TEST_ALL'] !== undefined) return runContract(adapter)
  describe(`${adapter.name}, in brief`, () => {
    staysQuiet()
    const prefix = '/mounted'
    const client = useApp(adapter, 'an API at a prefix', prefix)
    describeFramework(adapter, client)
    describePaths(adapter, client, prefix)
    describeCors(adapter)
    describeProblemHook(adapter)
    describeExtensions(adapter)
  })
}

/** Tests what an adapter does with its framework's requests, handlers and responses. */
function describeFramework(adapter: AdapterUnderTest, client: Client): void {
  describeVersions(client)
  describeMethods(adapter, client)
  describeRestOfApp(adapter, client)
  describeVary(client)
  describeHandlers(client)
  describeErrors(client)
}
