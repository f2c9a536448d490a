import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { isUnencrypted, readConfig } from '../src/config.ts'
import { type Environment, readEnvironment } from '../src/environment.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'mysql://u:p@h/d',
  ACCESS_TOKEN: '0123456789abcdef'.repeat(2),
}
const folder = mkdtempSync(join(tmpdir(), 'users-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('isUnencrypted', () => {
  it.each([
    [{}, true],
    [{ DATABASE_TLS: 'verified' }, false],
    [{ DATABASE_TLS: 'unverified' }, false],
    [{ NODE_ENV: '' }, false],
    [{ DATABASE_URL: '', ALLOW_EMBEDDED: '1' }, false],
    [{ DATABASE_URL: 'mysql://u:p@localhost/d' }, false],
    [{ DATABASE_URL: 'mysql://u:p@127.0.0.1:3306/d' }, false],
    [{ DATABASE_URL: 'mysql://u:p@[::1]/d' }, false],
    [{ DATABASE_URL: 'mysql://u:p@10.0.0.1/d' }, true],
    [{ DATABASE_URL: 'mysql://u:p@localhost.example/d' }, true],
  ])('with %j is %s', (changes, expected) => {
    expect(isUnencrypted(readConfig({ ...production, ...changes }))).toBe(expected)
  })
})

describe('readConfig', () => {
  it('needs no settings outside production', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      host: 'localhost',
      databaseUrl: null,
      databaseTls: 'off',
      accessToken: null,
      tokenLifetime: 3600,
      migrateOnStart: true,
      exposeDatabaseErrors: true,
      drainTime: 5,
    })
  })
  it('has stricter defaults in production', () => {
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
    [{ PORT: 'abc' }, "PORT is 'abc'; it must be a whole number from 0 to 65535"],
    [{ PORT: '70000' }, "PORT is '70000'"],
    [{ PORT: '3e3' }, "PORT is '3e3'"],
    [{ JWT_TTL: '0' }, "JWT_TTL is '0'; it must be a whole number from 1"],
    [{ DRAIN_TIME: '-1' }, "DRAIN_TIME is '-1'; it must be a whole number from 0"],
    [
      { DATABASE_URL: 'postgres://h/d' },
      'DATABASE_URL must be mysql://user:password@host:port/database',
    ],
    [{ DATABASE_URL: 'mysql://h' }, 'DATABASE_URL must be'],
    [{ DATABASE_URL: 'localhost' }, 'DATABASE_URL must be'],
    [{ DATABASE_URL: 'mysql://u:p%zz@h/d' }, 'percent-encoded'],
    [{ DATABASE_URL: 'mysql://u:1/2@h/d' }, 'percent-encoded'], // otherwise the start prints 2@h/d, half the password
    [
      { DATABASE_URL: 'mysql://u:p@h/d?ssl=true' },
      "has the parameters '?ssl=true', which aren't supported; for TLS set",
    ],
    [{ DATABASE_URL: 'mysql://u:p@h/d#x' }, "has the parameters '#x'"],
    [
      { DATABASE_URL: 'mysql://u:p@10.0.0.1/d', DATABASE_TLS: 'verified' },
      'needs the host name of the certificate',
    ],
    [
      { DATABASE_URL: 'mysql://u:p@[::1]/d', DATABASE_TLS: 'verified' },
      'needs the host name of the certificate',
    ],
    [{ DATABASE_TLS: 'yes' }, "DATABASE_TLS is 'yes'; it must be one of off, verified, unverified"],
    [{ DATABASE_CA: '/nowhere/ca.pem' }, "DATABASE_CA can't be read: ENOENT"],
    [
      { ACCESS_TOKEN: 'short' },
      'ACCESS_TOKEN is shorter than 32 bytes; make one with: openssl rand -base64 48',
    ],
    ...['prod', 'Production', 'production '].map((NODE_ENV): [Environment, string] => [
      { NODE_ENV },
      `NODE_ENV is '${NODE_ENV}'; it must be one of production, development, test`,
    ]),
    ...['x'.repeat(32), ' '.repeat(40), `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA`].map(
      (ACCESS_TOKEN): [Environment, string] => [
        { ACCESS_TOKEN },
        'ACCESS_TOKEN is a key in PEM, or has fewer than eight different characters',
      ],
    ),
    [
      { HASH_CONCURRENCY: '0' },
      "HASH_CONCURRENCY is '0'; it must be a whole number from 1 to 1024",
    ],
    [{ ACCESS_TOKEN: 'x'.repeat(32), JWT_KEYS: 'keys' }, 'ACCESS_TOKEN and JWT_KEYS are both set'],
    [{ EXPOSE_DB_ERRORS: 'yes' }, "EXPOSE_DB_ERRORS is 'yes'; it must be 1, 0, true or false"],
    [{ LOG_LEVEL: 'loud' }, "LOG_LEVEL is 'loud'; it must be one of fatal, error"],
    [{ REGISTRATION: 'closed' }, "REGISTRATION is 'closed'; it must be one of open, admin"],
    [
      { NODE_ENV: 'production' },
      "DATABASE_URL isn't set; in production set it, or ALLOW_EMBEDDED=1",
    ],
    [
      { NODE_ENV: 'production' },
      "ACCESS_TOKEN isn't set; in production set it to a secret of at least 32 bytes",
    ],
  ])('refuses %j', (environment, text) => {
    expect(() => readConfig(environment)).toThrow(text)
  })
  it.each([
    '10.0.0.0/99',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/x',
    '10.0.0.0/',
    '/',
    '10.0.0.0/8/8',
    '::1/129',
    'proxy',
  ])('refuses TRUST_PROXY=%s with one line that names it', (range) => {
    const read = () => readConfig({ TRUST_PROXY: `10.0.0.1, ${range}` })
    expect(read).toThrow(
      `TRUST_PROXY has '${range}'; it must be addresses or ranges like 10.0.0.1 or 10.0.0.0/8`,
    )
  })
  it.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '2001:db8::/128', '::ffff:10.0.0.1'])(
    'accepts TRUST_PROXY=%s, as Fastify does',
    (range) => {
      expect(readConfig({ TRUST_PROXY: range }).trustProxy).toBe(range)
      expect(() => fastify({ trustProxy: [range] })).not.toThrow()
    },
  )
  it('lists all mistakes at once', () => {
    expect(() => readConfig({ PORT: 'x', JWT_TTL: 'y' })).toThrow(
      /^The configuration is wrong: PORT is 'x'.*; JWT_TTL is 'y'.*\.$/,
    )
  })
  it('verifies the certificate of the database when a CA is given', () => {
    const [pem] = rootCertificates
    const config = readConfig({ DATABASE_CA: write('ca.pem', pem!) })
    expect([config.databaseTls, config.databaseCa]).toEqual(['verified', pem])
  })
  it.each([
    '',
    'not a certificate',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  ])('refuses a DATABASE_CA with the content %j', (text) => {
    expect(() => readConfig({ DATABASE_CA: write('bad.pem', text) })).toThrow(
      "DATABASE_CA isn't a certificate; set it to a file of certificates in PEM",
    )
  })
})

describe('readEnvironment', () => {
  const read = (text: string, environment = {}) => readEnvironment(write('.env', text), environment)

  it("adds the file's values to the environment, which takes precedence", () => {
    expect(read('# a comment\nPORT=1\n\nHOST = "h" # why\n', { PORT: '2' })).toEqual({
      PORT: '2',
      HOST: 'h',
    })
    expect(readEnvironment(join(folder, 'none'), { PORT: '2' })).toEqual({ PORT: '2' })
  })
  it('refuses a line without a value', () => {
    expect(() => read('PORT=1\nHOST\n')).toThrow(
      `${join(folder, '.env')}, line 2: 'HOST' has no value. Write KEY=value`,
    )
  })
  it('refuses an unknown key', () => {
    expect(() => read('PROT=1\n')).toThrow(
      '.env sets the unknown key PROT. Known keys: NODE_ENV, PORT',
    )
  })
  it("refuses a file that can't be read", () => {
    expect(() => readEnvironment(folder)).toThrow(`${folder} can't be read`)
  })
  it('reads secrets from files', () => {
    const ACCESS_TOKEN_FILE = write('access-token', 'a secret\n')
    const DATABASE_URL_FILE = write('database-url', 'mysql://u:p@h/d\n')
    expect(read('', { ACCESS_TOKEN_FILE, DATABASE_URL_FILE })).toMatchObject({
      ACCESS_TOKEN: 'a secret',
      DATABASE_URL: 'mysql://u:p@h/d',
    })
    expect(() => read('ACCESS_TOKEN=x\n', { ACCESS_TOKEN_FILE })).toThrow(
      'ACCESS_TOKEN and ACCESS_TOKEN_FILE are both set. Keep one of them.',
    )
    expect(() => read('ACCESS_TOKEN_FILE=/nowhere/token\n')).toThrow(
      "ACCESS_TOKEN_FILE can't be read: ENOENT",
    )
  })
})
