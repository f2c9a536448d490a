import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { openLog } from '../src/ops/readable-log.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { tokens } from './services.ts'

const terminal = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true })

it('a terminal shows a readable line for each request and response', async () => {
  const output = terminal()
  const log = await openLog(false, output)
  const store = openSqliteStore(':memory:')
  const app = buildApp({ ...appConfig, logLevel: 'info' }, { store, tokens }, undefined, log)
  app.get('/broken', () => {
    throw new Error('it is broken')
  })
  await app.inject('/users?secret=1')
  await app.inject('/broken')
  await turn()
  // oxlint-disable-next-line no-control-regex -- the colours of a terminal
  const lines = String(output.read()).replaceAll(/\u001B\[\d+m/g, '')
  expect(lines).toMatch(
    /^\[\d\d:\d\d:\d\d\] INFO: GET \/users from 127\.0\.0\.1\n\[\d\d:\d\d:\d\d\] INFO: 401 after \d+\.\d ms\n/,
  )
  expect(lines).toMatch(/ERROR: .*\n {4}err: \{[^]*it is broken[^]*INFO: 500 after /)
  await app.close()
  await store.close()
})

it('the log is JSON in production, and where stdout is no terminal', async () => {
  expect(await openLog(true, terminal())).toBeUndefined()
  expect(await openLog(false, new PassThrough())).toBeUndefined()
})
