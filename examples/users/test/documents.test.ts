// The documents of the API, the page that shows them in a real browser, and the metrics.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { buildApp } from '../src/app.ts'
import { createTokens, secretKey } from '../src/auth/tokens.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { bearer, register } from './client.ts'

const browser = findProgram('chromium', 'google-chrome')
const hasBrowser = browser !== undefined || process.env['REQUIRE_BROWSER'] === '1'
const folder = mkdtempSync(join(tmpdir(), 'users-documents-'))
const password = 'correct horse'
let app: FastifyInstance
let origin: string

beforeAll(async () => {
  const store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  app = buildApp(appConfig, {
    store,
    tokens: createTokens([secretKey('a secret of the tests that is long enough')], 600),
  })
  app.addHook('onClose', () => store.close())
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
const get = async (path: string, headers = {}): Promise<any> =>
  (await fetch(origin + path, { headers })).json()
const post = (path: string, body: object) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('the OpenAPI documents', () => {
  it.each([1, 2])('of version %i are valid', async (version) => {
    const document = await get(`/openapi/v${version}.json`)
    const { valid, errors } = await new Validator().validate(document)
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(document.info.version).toBe('1.3.10-beta')
    expect(Object.keys(document.paths).toSorted()).toEqual([
      '/users',
      '/users/login',
      '/users/{id}',
      ...(version === 1 ? [] : ['/users/{id}/sessions']),
    ])
    expect(Object.keys(document.paths['/users/{id}'])).toEqual(['get', 'put', 'delete'])
    const { responses, parameters } = document.paths['/users'].get
    expect(Object.keys(responses[200].content)).toEqual([
      `application/vnd.users+json;version=${version}`,
    ])
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['limit', 'after'])
    expect(document.paths['/users/login'].post.security).toEqual([])
    expect(document.paths['/users'].post.security).toEqual([{}, { token: [] }]) // REGISTRATION=admin requires the token
  })
  it('differ where the versions do', async () => {
    const [one, two] = await Promise.all([1, 2].map((version) => get(`/openapi/v${version}.json`)))
    const listOf = (document: typeof one, version: number) =>
      document.paths['/users'].get.responses[200].content[
        `application/vnd.users+json;version=${version}`
      ].schema.type
    expect([listOf(one, 1), listOf(two, 2)]).toEqual(['array', 'object'])
  })
})

describe.skipIf(!hasBrowser)('the documentation page', () => {
  it('shows both versions and sends requests', async () => {
    await post('/users', { username: 'dora', password })
    const running = await chromium.launch({
      executablePath: browser ?? 'chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    try {
      const page = await running.newPage()
      page.setDefaultTimeout(300_000)
      const foreign: string[] = []
      const faults: string[] = []
      page.on(
        'request',
        (request) => void (request.url().startsWith(origin) || foreign.push(request.url())),
      )
      page.on('pageerror', (error) => void faults.push(error.message))
      page.on(
        'console',
        (message) => void (message.type() === 'error' && faults.push(message.text())),
      )
      await page.goto(`${origin}/docs`)
      const picker = page.locator('select#select')
      await picker.waitFor()
      expect(await picker.locator('option').allTextContents()).toEqual(['Version 1', 'Version 2'])
      await page.getByText('Lists users, page by page', { exact: true }).waitFor()
      await picker.selectOption({ label: 'Version 2' })
      await page.locator('.info a', { hasText: '/openapi/v2.json' }).waitFor()
      await page.getByText('Lists users, page by page', { exact: true }).waitFor()

      const login = page.locator('.opblock', { hasText: 'Logs in' })
      await login.locator('.opblock-summary-control').click()
      await login
        .locator('textarea.body-param__text')
        .fill(JSON.stringify({ username: 'dora', password }))
      await login.getByRole('button', { name: 'Execute' }).click()
      const body = await login
        .locator('.live-responses-table .highlight-code code')
        .first()
        .textContent()
      const { jwt } = JSON.parse(body!) as { jwt: string }

      await page.getByRole('button', { name: 'Authorize' }).first().click()
      await page.getByLabel('auth-bearer-value').fill(jwt)
      await page
        .locator('.auth-btn-wrapper')
        .getByRole('button', { name: 'Apply credentials' })
        .click()
      await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click()

      const list = page.locator('.opblock', { hasText: 'Lists users' })
      await list.locator('.opblock-summary-control').click()
      await list.locator('input[placeholder="limit"]').fill('1')
      await list.getByRole('button', { name: 'Execute' }).click()
      const shown = list.locator('.live-responses-table .highlight-code code').first()
      await shown.waitFor()
      expect(JSON.parse((await shown.textContent())!)).toMatchObject({ items: [{ id: 1 }] })
      const headers = await list
        .locator('.live-responses-table .headerline, .live-responses-table pre')
        .allTextContents()
      expect(headers.join('\n')).toContain('api-version: 2')
      if (process.env['SCREENSHOT'] !== undefined)
        await page.screenshot({ path: process.env['SCREENSHOT'], fullPage: true })
      expect([foreign, faults]).toEqual([[], []])
    } finally {
      await running.close()
    }
  })
})

describe('the metrics', () => {
  it('name the clients of each version that have a token, two for each user', async () => {
    const { jwt } = await register(origin, 'metered')
    const call = (version: number, client: string, token = jwt) => {
      const accept = `application/vnd.users+json;version=${version}`
      return fetch(`${origin}/users`, {
        headers: { ...bearer(token), accept, 'user-agent': client },
      })
    }
    await Promise.all(Array.from({ length: 60 }, (_, i) => call(1, `junk${i}`, 'a.b.c')))
    for (const client of ['acme-ios/1.2 (iOS)', 'acme-ios/1.3', '"evil']) await call(1, client)
    await call(2, 'acme-ios/2.0')
    await fetch(`${origin}/users/0`, { headers: { ...bearer(jwt), 'user-agent': 'acme-ios/0.1' } }) // 400
    await Promise.all(Array.from({ length: 60 }, (_, i) => call(2, `bot${i}`)))
    const read = async () =>
      (await (await fetch(`${origin}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('api_calls_total'))
    await expect
      .poll(read, { interval: 200 })
      .toEqual(
        expect.arrayContaining([
          'api_calls_total{api_version="1",source="explicit",client="acme-ios"} 2',
          'api_calls_total{api_version="1",source="explicit",client="unknown"} 1',
          'api_calls_total{api_version="2",source="explicit",client="acme-ios"} 1',
          'api_calls_total{api_version="1",source="default",client="acme-ios"} 1',
          expect.stringMatching(
            /^api_calls_total\{api_version="2",source="explicit",client="other"\} \d+$/,
          ),
        ]),
      )
    const clients = new Set((await read()).map((line) => /client="([^"]*)"/.exec(line)![1]))
    clients.delete('mozilla') // of another test's user
    expect([...clients].toSorted()).toEqual(['acme-ios', 'other', 'unknown'])
  })

  it('have labels for route and served version, never what a client sends', async () => {
    const before = await (await fetch(`${origin}/metrics`)).text()
    for (const accept of [
      'application/vnd.users+json;version=2',
      'application/vnd.users+json;version=77',
      'evil"label',
    ])
      await fetch(`${origin}/users`, { headers: { accept } })
    await fetch(`${origin}/users/123/`)
    await fetch(`${origin}/nothing/here`)
    await fetch(`${origin}/users/1`, { method: 'PATCH' })
    const read = async () => {
      const lines = (await (await fetch(`${origin}/metrics`)).text()).split('\n')
      const requests = lines.filter(
        (line) => line.startsWith('http_requests_total') && !before.includes(line),
      )
      return requests.map((line) => line.replace(/ \d+$/, '')).toSorted()
    }
    // The metrics are kept for a second.
    await expect
      .poll(read, { interval: 200 })
      .toEqual([
        'http_requests_total{method="GET",route="/metrics",status="200",error="none",api_version="none"}',
        'http_requests_total{method="GET",route="/users",status="401",error="UNAUTHORIZED",api_version="1"}',
        'http_requests_total{method="GET",route="/users",status="401",error="UNAUTHORIZED",api_version="2"}',
        'http_requests_total{method="GET",route="/users/:id",status="401",error="UNAUTHORIZED",api_version="1"}',
        'http_requests_total{method="GET",route="none",status="404",error="NOT_FOUND",api_version="none"}',
        'http_requests_total{method="GET",route="none",status="406",error="NOT_ACCEPTABLE",api_version="none"}',
        'http_requests_total{method="PATCH",route="none",status="405",error="METHOD_NOT_ALLOWED",api_version="none"}',
      ])
    const response = await fetch(`${origin}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain')
    const text = await response.text()
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).toMatch(
      /^http_request_duration_seconds_bucket\{le="10",method="GET",route="\/users",api_version="2"\} \d/m,
    )
    expect(text).toMatch(/^token_keys\{keys="[\w-]{8}"\} 1$/m)
  })
})
