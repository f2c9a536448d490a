// compose.yaml as far as it can be read without Docker: the service accepts its variables, and nothing lacks a limit.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { isUnencrypted, readConfig } from '../src/config.ts'
import { readEnvironment } from '../src/environment.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { password } from './client.ts'
import { tokens } from './services.ts'

const read = (file: string): string =>
  readFileSync(resolve(import.meta.dirname, '..', file), 'utf8')
const text = read('compose.yaml')
const folder = mkdtempSync(join(tmpdir(), 'users-compose-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The lines below a key, with the key's own indentation. */
const partOf = (yaml: string, key: string): string =>
  new RegExp(String.raw`^( *)${key}:.*\n((?:\1 +.*\n|\n)+)`, 'm').exec(yaml)?.[2] ?? ''
const shared = partOf(text, 'x-service')
const services = partOf(text, 'services')
const service = (name: string): string => {
  const own = partOf(services, name)
  return own.includes('<<: *service') ? shared + own : own
}

it('gives the service an environment that it accepts', () => {
  mkdirSync(join(folder, 'run'))
  writeFileSync(join(folder, 'run/database_url'), 'mysql://service:0123abcd@database:3306/users')
  writeFileSync(join(folder, 'run/access_token'), `${'0123456789abcdef'.repeat(4)}\n`)
  const variables = [...partOf(shared, 'environment').matchAll(/^ *(\w+): (\S+)/gm)]
  expect(variables.map(([, key]) => key)).toEqual(
    expect.arrayContaining(['DATABASE_URL_FILE', 'ACCESS_TOKEN_FILE']),
  )
  const image = /^ENV (.*)$/m.exec(read('Dockerfile'))![1]!.split(' ')
  const lines = variables.map(
    ([, key, value]) => `${key}=${value!.replace('/run/secrets', join(folder, 'run'))}`,
  )
  writeFileSync(join(folder, '.env'), [...image, ...lines].join('\n'))
  const config = readConfig(readEnvironment(join(folder, '.env'), {})) // it refuses unknown keys
  expect(config).toMatchObject({
    production: true,
    host: '0.0.0.0',
    migrateOnStart: false,
    databaseTls: 'unverified',
  })
  expect(isUnencrypted(config)).toBe(false)
  expect(text).toContain(`subnet: ${config.trustProxy}`)
  const grace = Number(/stop_grace_period: (\d+)s/.exec(service('users'))![1])
  expect(grace).toBeGreaterThan(config.drainTime + 11.5) // what `shutDown` may take at most
})

describe.each(['database', 'migrate', 'users', 'proxy'])('the service %s', (name) => {
  it.each([
    'logging: *logging',
    'read_only: true',
    'cap_drop: [ALL]',
    'no-new-privileges',
    'memory: ',
    'pids: ',
  ])('has %s', (setting) => expect(service(name)).toContain(setting))
})

it('migrates with another account than it serves with, and tries again', () => {
  expect(service('migrate')).toMatch(/source: migration_url, target: database_url/)
  expect(service('users')).toMatch(/source: service_url, target: database_url/)
  expect(service('migrate')).toContain('restart: on-failure')
  expect(service('users')).toContain('migrate: { condition: service_completed_successfully }')
})

it('gives the database time to stop, and limits what it keeps', () => {
  expect(service('database')).toContain('stop_grace_period: 60s')
  expect(service('database')).toContain('--binlog-expire-logs-seconds=')
  expect(text).toMatch(/x-logging:.*\n.*\n  options: \{ max-size: \w+, max-file: '\d+' \}/)
})

it('keeps a day of logs at ten requests a second, in the size that the README computes with', async () => {
  const output = new PassThrough({ encoding: 'utf8' })
  const store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  const app = buildApp({ ...appConfig, logLevel: 'info' }, { store, tokens }, undefined, output)
  const user = { username: 'somebody.long', password }
  await app.inject({ method: 'POST', url: '/users', payload: user })
  const { jwt } = (await app.inject({ method: 'POST', url: '/users/login', payload: user })).json()
  output.read()
  const headers = { authorization: `Bearer ${jwt}`, 'user-agent': 'some-client/1.0' }
  await app.inject({ url: '/users/1', headers })
  const log = String(output.read())
  await app.close()
  await store.close()
  // What Docker's json-file driver makes of a line.
  const size = JSON.stringify({
    log,
    stream: 'stdout',
    time: '2026-11-25T10:00:00.123456789Z',
  }).length
  expect(size).toBeGreaterThan(300)
  expect(size).toBeLessThan(450)
  const [, megabytes, files] = /max-size: (\d+)m, max-file: '(\d+)'/.exec(text)!
  expect(Number(megabytes) * 2 ** 20 * Number(files)).toBeGreaterThan(10 * 86_400 * 450)
  expect(read('README.md')).toContain('450 bytes')
})
