// Swagger UI in a browser: "Try it out" sends the version of its document.
import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { type Page, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { isAll, some } from '../../../tools/test-all.ts'
import { AppModule } from '../src/app.module.ts'
import { setupDocuments } from '../src/documents.ts'

const browser = findProgram('chromium', 'google-chrome')
const isRequired = process.env['REQUIRE_BROWSER'] !== undefined

describe.runIf(isRequired || browser !== undefined)('Swagger UI', () => {
  let page: Page
  let origin: string
  let close: () => Promise<unknown>
  beforeAll(async () => {
    const app = await NestFactory.create(AppModule, { logger: ['error'], abortOnError: false })
    setupDocuments(app)
    await app.listen(0, '127.0.0.1')
    origin = await app.getUrl()
    const running = await chromium.launch({
      executablePath: browser ?? 'chromium',
      args: ['--no-sandbox'],
    })
    page = await running.newPage({ viewport: { width: 1200, height: 1600 } })
    close = () => Promise.all([running.close(), app.close()])
  })
  afterAll(() => close())

  /** Executes the operation of a document. Returns what Swagger UI sent, and the status that it shows. */
  async function tryOut(version: number, id: string, parameters: Record<string, string> = {}) {
    await page.goto(`${origin}/docs/v${version}`)
    return execute(id, parameters)
  }
  async function execute(id: string, parameters: Record<string, string>) {
    const operation = page.locator(`[id="operations-users-${id}"]`)
    await operation.click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    for (const [name, value] of Object.entries(parameters))
      await operation.getByPlaceholder(name).fill(value)
    const request = page.waitForRequest((sent) => sent.url().includes('/api/'))
    await operation.getByRole('button', { name: 'Execute' }).click()
    const { accept } = await (await request).allHeaders()
    const status = await operation
      .locator('.live-responses-table .response-col_status')
      .last()
      .innerText()
    return { accept, status: Number.parseInt(status, 10) }
  }

  it.each(some([2, 1], 1))('sends version %i from its document', async (version) => {
    expect(await tryOut(version, `UsersV${version}_show`, { id: '7' })).toEqual({
      accept: `application/vnd.acme+json;version=${version}`,
      status: 200,
    })
  })

  it.runIf(isAll)('has the versions in a dropdown', async () => {
    await page.goto(`${origin}/docs`)
    await page.locator('#operations-Health-HealthController_show').waitFor()
    for (const version of [1, 2]) {
      await page.locator('.topbar select').selectOption({ label: `Version ${version}` })
      expect(await execute(`UsersV${version}_show`, { id: '7' })).toEqual({
        accept: `application/vnd.acme+json;version=${version}`,
        status: 200,
      })
      expect(await page.locator('#operations-Health-HealthController_show').count()).toBe(0)
    }
  })

  it('sends the version for responses without a body', async () => {
    expect(await tryOut(2, 'UsersV2_destroy', { id: '7' })).toEqual({
      accept: 'application/vnd.acme+json;version=2',
      status: 401,
    })
  })
})
