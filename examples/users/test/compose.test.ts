// compose.yaml as far as it can be read without Docker: the service accepts its variables, and nothing lacks a limit.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isUnencrypted, readConfig } from '../src/config.ts'
import { readEnvironment } from '../src/environment.ts'

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
