import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig, readEnvironment } from '../src/config.ts'

const production = { NODE_ENV: 'production', DATABASE_URL: 'mysql://u:p@h/d', ACCESS_TOKEN: 'x'.repeat(32) }

describe('readConfig', () => {
  it('needs nothing outside production', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      host: 'localhost',
      databaseUrl: null,
      accessToken: null,
      tokenLifetime: 3600,
      migrateOnStart: true,
      exposeDatabaseErrors: true,
    })
  })
  it('is careful in production', () => {
    expect(readConfig(production)).toMatchObject({
      production: true,
      migrateOnStart: false,
      exposeDatabaseErrors: false,
    })
    expect(readConfig({ ...production, DATABASE_URL: '', ALLOW_EMBEDDED: '1' })).toMatchObject({
      databaseUrl: null,
      migrateOnStart: true,
    })
  })
  it.each([
    [{ PORT: 'abc' }, "PORT is 'abc'; it takes a whole number from 0 to 65535"],
    [{ PORT: '70000' }, "PORT is '70000'"],
    [{ PORT: '3e3' }, "PORT is '3e3'"],
    [{ JWT_TTL: '0' }, "JWT_TTL is '0'; it takes a whole number from 1"],
    [{ DATABASE_URL: 'postgres://h/d' }, 'DATABASE_URL takes mysql://user:password@host:port/database'],
    [{ DATABASE_URL: 'mysql://h' }, 'DATABASE_URL takes'],
    [{ DATABASE_URL: 'localhost' }, 'DATABASE_URL takes'],
    [{ DATABASE_URL: 'mysql://u:p%zz@h/d' }, 'percent-encoded'],
    [{ ACCESS_TOKEN: 'short' }, 'ACCESS_TOKEN is shorter than 32 bytes; make one with: openssl rand -base64 48'],
    [{ EXPOSE_DB_ERRORS: 'yes' }, "EXPOSE_DB_ERRORS is 'yes'; it takes 1 or 0, true or false"],
    [{ LOG_LEVEL: 'loud' }, "LOG_LEVEL is 'loud'; it takes one of fatal, error"],
    [{ NODE_ENV: 'production' }, 'DATABASE_URL is not set; in production set it, or ALLOW_EMBEDDED=1'],
    [{ NODE_ENV: 'production' }, 'ACCESS_TOKEN is not set; in production set it to a secret of at least 32 bytes'],
  ])('refuses %j', (environment, text) => {
    expect(() => readConfig(environment)).toThrow(text)
  })
  it('tells all mistakes at once', () => {
    expect(() => readConfig({ PORT: 'x', JWT_TTL: 'y' })).toThrow(
      /^The configuration is wrong: PORT is 'x'.*; JWT_TTL is 'y'.*\.$/,
    )
  })
})

describe('readEnvironment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'users-env-'))
  const file = join(folder, '.env')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const read = (text: string, environment = {}) => {
    writeFileSync(file, text)
    return readEnvironment(file, environment)
  }

  it('adds what the file says to the environment, which wins', () => {
    expect(read('# a comment\nPORT=1\n\nHOST = "h" # why\n', { PORT: '2' })).toEqual({ PORT: '2', HOST: 'h' })
    expect(readEnvironment(join(folder, 'none'), { PORT: '2' })).toEqual({ PORT: '2' })
  })
  it('refuses a line that sets nothing', () => {
    expect(() => read('PORT=1\nHOST\n')).toThrow(`${file}, line 2: 'HOST' has no value. Write KEY=value`)
  })
  it('refuses a key that the service does not know', () => {
    expect(() => read('PROT=1\n')).toThrow(
      `${file} sets PROT, which the service does not know. It knows: NODE_ENV, PORT`,
    )
  })
  it('refuses a file that cannot be read', () => {
    expect(() => readEnvironment(folder)).toThrow(`${folder} cannot be read`)
  })
})
