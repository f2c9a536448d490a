// TLS to the database, on a server with a certificate of its own.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StoreError } from '../src/store/database.ts'
import { explainFailure } from '../src/store/explain-failure.ts'
import { type MysqlOptions } from '../src/store/mysql-database.ts'
import { openMysqlStore } from '../src/store/open-store.ts'
import { type TestDatabase, describeServers } from './databases.ts'

/** Creates a certificate authority and a certificate that it signs; returns their paths. */
function createCertificates(folder: string, host: string) {
  const paths = {
    ca: join(folder, 'ca.pem'),
    key: join(folder, 'key.pem'),
    cert: join(folder, 'cert.pem'),
  }
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const create = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(
    ...create,
    '-x509',
    '-days',
    '2',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=test authority',
  )
  openssl(...create, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', `/CN=${host}`)
  writeFileSync(join(folder, 'extensions'), `subjectAltName=DNS:${host}`)
  const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions']
  openssl('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', '-days', '2', ...sign)
  return paths
}

describeServers('TLS', (startDatabase) => {
  const folder = mkdtempSync(join(tmpdir(), 'users-tls-'))
  const databases: TestDatabase[] = []
  afterAll(async () => {
    for (const database of databases) await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts a server whose certificate is for a host; returns its URL, with localhost as the host, and its CA. */
  async function startFor(host: string): Promise<{ url: string; ca: string }> {
    const paths = createCertificates(mkdtempSync(join(folder, 'certificates-')), host)
    const serverOptions = [
      `--ssl-ca=${paths.ca}`,
      `--ssl-cert=${paths.cert}`,
      `--ssl-key=${paths.key}`,
    ]
    const database = await startDatabase({ serverOptions })
    databases.push(database)
    const url = new URL(await database.createSchema())
    url.hostname = 'localhost'
    url.username = 'secure'
    return { url: url.href, ca: readFileSync(paths.ca, 'utf8') }
  }
  let right: { url: string; ca: string }
  let other: { url: string; ca: string }
  beforeAll(async () => {
    right = await startFor('localhost')
    other = await startFor('database.example')
  })

  /** Opens a store as a user for whom the server requires TLS, and asks it for an answer. */
  async function ping(url: string, tls: NonNullable<MysqlOptions['tls']> | null): Promise<string> {
    const store = openMysqlStore({ url, tls })
    try {
      await store.ping()
      return 'connected'
    } catch (error) {
      return explainFailure(error as StoreError)
    } finally {
      await store.close()
    }
  }

  it('is used with a certificate that the CA signed for its host', async () => {
    expect(await ping(right.url, { ca: right.ca, verify: true })).toBe('connected')
  })
  it('refuses a connection without TLS, which shows that the others use it', async () => {
    expect(await ping(right.url, null)).toMatch(
      /^Access denied .*[^.]\. Check DATABASE_URL\. If the account requires TLS, set DATABASE_TLS=verified and DATABASE_CA\.$/,
    )
  })
  it('refuses a connection without TLS when the server requires it, and names the settings', async () => {
    const secure = await createConnection({ uri: right.url, ssl: { ca: right.ca } })
    await secure.query('SET GLOBAL require_secure_transport = ON')
    try {
      const answer = await ping(
        right.url.replace('secure', 'app').replace('localhost', '127.0.0.1'),
        null,
      )
      // MariaDB says "Access denied", as for a wrong password.
      expect(answer).toMatch(/^Connections using insecure transport are prohibited|^Access denied/)
      expect(answer).toMatch(/[^.]\. Check .*DATABASE_TLS.* and DATABASE_CA\.$/)
    } finally {
      await secure.query('SET GLOBAL require_secure_transport = OFF')
      await secure.end()
    }
  })
  it("isn't used when another CA signed the certificate", async () => {
    for (const ca of [other.ca, null])
      expect(await ping(right.url, { ca, verify: true })).toMatch(
        /certificate.*[^.]\. Check DATABASE_TLS and DATABASE_CA\.$/,
      )
  })
  it("isn't used when the certificate is for another host", async () => {
    expect(await ping(other.url, { ca: other.ca, verify: true })).toContain(
      "does not match certificate's altnames",
    )
  })
  it("is used without verification only when that's configured", async () => {
    expect(await ping(other.url, { ca: null, verify: false })).toBe('connected')
  })
})
