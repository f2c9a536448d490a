import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { openLog } from '../src/ops/readable-log.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { tokens } from './services.ts'

const terminal = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true })

it('a terminal shows a readable line for each request', async () => {
  const output = terminal()
  const log = await openLog(false, output)
  const store = openSqliteStore(temporaryFile())
  await store.migrate()
  const app = buildApp({ ...appConfig, logLevel: 'info' }, { store, tokens }, undefined, log)
  app.get('/broken', () => {
    throw new Error('it is broken')
  })
  await app.inject('/users?secret=1')
  await app.inject('/broken')
  await app.inject({
    method: 'POST',
    url: '/users/login',
    payload: { username: 'nobody', password: 'x' },
  })
  await wait(50)
  // oxlint-disable-next-line no-control-regex -- the colours of a terminal
  const lines = String(output.read()).replaceAll(/\u001B\[\d+m/g, '')
  expect(lines).toMatch(
    /^\[\d\d:\d\d:\d\d\] INFO: GET \/users from 127\.0\.0\.1: 401 after [\d.]+ ms\n/,
  )
  expect(lines).toMatch(
    /ERROR: .*\n {4}err: \{[^]*it is broken[^]*INFO: GET \/broken from .*: 500 /,
  )
  expect(lines).toContain('INFO: login.wrong from 127.0.0.1\n')
  await app.close()
  await store.close()
})

it.each([
  ['in production', true, terminal()],
  ['where stdout is no terminal', false, new PassThrough({ encoding: 'utf8' })],
])('the log is JSON %s, in which lines wait for others', async (_where, production, output) => {
  const write = vi.spyOn(output, 'write')
  const log = await openLog(production, output)
  const line = `${JSON.stringify({ level: 30, msg: 'a line' })}\n`
  for (let i = 0; i < 20; i++) log.write(line)
  await vi.waitFor(() => expect(output.read()).toBe(line.repeat(20)), 300_000)
  expect(write).toHaveBeenCalledOnce()
})

/** A database file, until the test has finished. */
function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'users-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'users.db')
}
