// The page that `hv-router report` writes, in a real browser: nothing is loaded, no name becomes markup, everybody can use it.
// `npm run docs -- report` takes its picture. SCREENSHOTS=<folder> writes what to look at.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, type Page, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestProject, createProject } from '../packages/cli/test/project.ts'
import { some } from '../tools/test-all.ts'
import { documents, reportFiles } from '../packages/cli/test/report-project.ts'
import { mark, style } from '../packages/cli/src/commands/report/style.ts'

const docs = import.meta.dirname
const picture = process.env['REPORT_PICTURE']
const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const hasBrowser = executablePath !== undefined || process.env['REQUIRE_BROWSER'] === '1'

interface OpenOptions {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly routes?: string
}

describe('a report', () => {
  it("has the site's colors", () => {
    const site = readFileSync(join(docs, '.vitepress/theme/style.css'), 'utf8')
    const [light, dark] = [site.split('.dark {')[0]!, site.split('.dark {')[1]!.split('}')[0]!]
    const colors = [
      ...style.text.matchAll(
        /--(v\d|ok|ok-soft|refused|refused-soft|brand-1|text-2): light-dark\(([^;]+)\)/g,
      ),
    ]
    for (const [, name, values] of colors) {
      const valueIn = (css: string) => new RegExp(`--(?:hv|vp-c)-${name}: ([^;]+);`).exec(css)![1]
      expect(values, name).toBe(`${valueIn(light)}, ${valueIn(dark)}`)
    }
    expect(colors).toHaveLength(9)
  })
  it('is what the reference says', async () => {
    const { hv } = createProject(reportFiles)
    const command = 'report --documents documents.ts --usage usage.json'
    const { out } = await hv(...command.split(' '))
    const reference = readFileSync(join(docs, 'reference/cli.md'), 'utf8')
    expect(reference).toContain(`\n$ npx @hv/router-cli@0.1 ${command}\n${out}`)
  })
  it("has the site's mark and fonts", () => {
    const site = readFileSync(join(docs, 'public/mark.svg'), 'utf8')
    const paths = (svg: string) => [...svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path)
    expect(paths(mark.text)).toEqual(paths(site))
    const fonts = /--vp-font-family-base:\s+([^;]+);/.exec(
      readFileSync(join(docs, '.vitepress/theme/style.css'), 'utf8'),
    )!
    expect(style.text).toContain(fonts[1])
  })
})

describe.skipIf(!hasBrowser)('a report in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ]
    browser = await chromium.launch({ executablePath: executablePath ?? 'chromium', args })
  })
  afterAll(() => browser?.close())

  /** Writes a report, and opens its file. */
  async function open(
    { folder, hv }: TestProject,
    { width = 1280, colorScheme = 'light', routes = 'src/routes.ts' }: OpenOptions = {},
  ): Promise<{ page: Page; requests: string[]; messages: string[] }> {
    const usage = ['--documents', 'documents.ts', '--usage', 'usage.json', '--routes', routes]
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-05-12T08:00Z') })
    const { err, code } = await hv('report', ...usage)
    vi.useRealTimers()
    expect(code, err).toBe(0)
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    const [requests, messages] = [[] as string[], [] as string[]]
    page.on('request', (request) => requests.push(request.url()))
    page.on('dialog', (dialog) => void (messages.push(dialog.message()), dialog.dismiss()))
    page.on('console', (message) => messages.push(message.text()))
    await page.goto(pathToFileURL(join(folder, 'report.html')).href)
    return { page, requests: requests.filter((url) => !url.startsWith('data:')), messages }
  }
  const released = async (files = reportFiles) => {
    const project = createProject(files)
    await project.hv('check', '--update-lock', '--documents', 'documents.ts')
    return project
  }

  it('loads nothing else, and works with the keyboard alone', async () => {
    const { page, requests, messages } = await open(await released())
    expect([requests.length, messages]).toEqual([1, []])
    const focused = () => page.evaluate('document.activeElement.textContent.trim()')
    for (let i = 0; i < 30 && !/^~ changed 2 routes$/.test(String(await focused())); i++)
      await page.keyboard.press('Tab')
    expect(await focused()).toBe('~ changed 2 routes')
    const difference = page.getByText('status 200: first is new')
    expect(await difference.isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    expect(await difference.isVisible()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await difference.isVisible()).toBe(false)
    await page.context().close()
  })

  const views = [
    [1280, 'light', ''],
    [1280, 'dark', 'From version 2 to 3'],
    [390, 'light', '~ changed 2 routes'],
    [390, 'dark', ''],
  ] as const
  it.each(some(views, 1))(
    'has what WCAG 2.1 AA requires, and no line too wide: %i pixels, %s, %s',
    async (width, colorScheme, opened) => {
      const { page } = await open(await released(), { width, colorScheme })
      const folder = process.env['SCREENSHOTS']
      const name = `report-${width}-${colorScheme}`
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
      if (opened !== '') {
        await page.locator('summary').filter({ hasText: opened }).first().click()
        if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-open.png`) })
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      // The page's own policy keeps axe out, so its markup is tested without it.
      const html = (await page.content()).replace(/<meta http-equiv[^>]*>/, '')
      const free = await (
        await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
      ).newPage()
      await free.setContent(html)
      if (opened !== '') await free.locator('summary').filter({ hasText: opened }).first().click()
      await free.addScriptTag({ path: fileURLToPath(import.meta.resolve('axe-core/axe.min.js')) })
      const { violations, passes } = (await free.evaluate(
        "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })",
      )) as {
        violations: readonly { id: string; nodes: readonly { html: string }[] }[]
        passes: readonly { id: string }[]
      }
      expect(passes.map(({ id }) => id)).toContain('color-contrast')
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html: at }) => at).join('\n')}`),
      ).toEqual([])
      await Promise.all([page.context().close(), free.context().close()])
    },
  )

  // api() itself rejects markup in names and paths. The rest comes from files that others may write.
  it('shows hostile names, and runs none of them', async () => {
    const hostile = `</style></script><script>alert(1)</script><img src=x onerror="alert(2)">'"\`\u202E`
    const file = '<img src=x onerror=alert(3)>.ts'
    const documentOf = (name: string) =>
      JSON.parse(JSON.stringify(documents[2]).replaceAll('"name"', JSON.stringify(name)))
    const project = createProject({
      [file]: `import { api, inherit, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme', only: ['index', 'show'] },
  version(1, resources('users'), resources('teams', { path: "a&lt;'b" })),
  version(2, inherit({ from: 1 })))\n`,
      'documents.ts': `export const documents = ${JSON.stringify({ 1: documentOf('name'), 2: documentOf('<b>name') })}
export const changes = { 1: [{ about: ${JSON.stringify(hostile)} }] }\n`,
      'usage.json': JSON.stringify({ 1: { [hostile]: { calls: 7, last: '2027-05-12' } } }),
    })
    const { page, requests, messages } = await open(project, { routes: file })
    expect([requests.length, messages]).toEqual([1, []])
    expect(await page.locator('script, img, [onerror], code b').count()).toBe(0)
    const shown = (await page.locator('body').textContent())!
    // The change and the client.
    expect(shown.split(hostile)).toHaveLength(1 + 2)
    for (const text of [file, "GET /api/a&lt;'b", 'status 200: <b>name is new'])
      expect(shown).toContain(text)
    await page.context().close()
  })

  it.runIf(picture !== undefined)('takes its picture', async () => {
    const { page } = await open(await released(), { width: 1120 })
    const { y: height } = (await page.locator('#findings').boundingBox())!
    const { length } = await page.screenshot({
      path: picture!,
      clip: { x: 0, y: 0, width: 1120, height },
      fullPage: true,
    })
    expect(length).toBeLessThan(150_000)
    await page.context().close()
  })
})
