// The documentation site: its build, its front page in a real browser, and how much JavaScript that page loads.
// The build takes a while: these tests run with REQUIRE_SITE=1, which .ci/run sets.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Browser, type Page, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../tools/find-program.ts'
import { type Block, blocksOf, patternOf } from '../tools/pages.ts'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'docs/.vitepress/dist')

/** Builds the site. Takes the last build if nothing has changed since. */
function build(): void {
  const hash = createHash('sha256')
  const read = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (['node_modules', '.snippets', 'api', 'dist', 'cache'].includes(entry.name)) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) read(path)
      else hash.update(path).update(readFileSync(join(root, path)))
    }
  }
  read('docs')
  for (const name of readdirSync(join(root, 'packages')))
    if (existsSync(join(root, 'packages', name, 'README.md'))) {
      read(`packages/${name}/src`)
      hash.update(readFileSync(join(root, 'packages', name, 'README.md')))
    }
  const digest = hash.digest('hex')
  const stamp = join(dist, '.sources')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  const env = { ...process.env, NODE_ENV: 'production', DOCS_BASE: '/' }
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'docs', '--', 'build'], {
    cwd: root,
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error(`The site doesn't build.\n${stdout}\n${stderr}`)
  writeFileSync(stamp, digest)
}

/** The rules of WCAG 2.1 A and AA. The visible text of the search button includes its keys, and its name doesn't. */
const axe = `axe.run({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
  rules: { 'label-content-name-mismatch': { enabled: false } },
})`
interface AxeReport {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
  readonly passes: readonly { readonly id: string }[]
}

/** What people type, and the pages that answer it. */
interface SearchQuestions {
  readonly asked: readonly {
    readonly words: readonly string[]
    readonly pages: readonly string[]
  }[]
  readonly drawn: readonly { readonly words: string; readonly pages: readonly string[] }[]
}

/** The paths that links of a page lead to. */
const pathsOf = async (page: Page, links: string): Promise<readonly string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('${links}')].map(({ pathname }) => pathname.slice(1))`,
  )

/** How many pixels of the page are to the right of the window. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth') as Promise<number>

/** The requests of a page, and the line that each prints. */
const requestsOf = (blocks: readonly Block[]) =>
  blocks.flatMap(({ language, text }, index) =>
    language === 'sh' && text.includes('localhost:3000')
      ? text
          .trim()
          .split('\n')
          .map((line, i) => {
            const [, path, accept] =
              /^curl http:\/\/localhost:3000(\S+)(?: -H "Accept: (.+)")?$/.exec(line) ?? []
            if (path === undefined)
              throw new Error(`The playground can't send this request: ${line}`)
            return { path, accept: accept ?? '', output: blocks[index + 1]!.text.split('\n')[i]! }
          })
      : [],
  )

const isRequired = process.env['REQUIRE_SITE'] === '1'

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}
const server = createServer((request, response) => {
  const path = new URL(request.url!, 'http://localhost').pathname
  const file = [path.endsWith('/') ? `${path}index.html` : path, `${path}.html`]
    .map((one) => join(dist, one))
    .find((one) => extname(one) !== '' && existsSync(one))
  if (file === undefined) return void response.writeHead(404).end()
  response
    .setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    .end(readFileSync(file))
})

describe.skipIf(!isRequired)('the site', () => {
  beforeAll(build)

  it('has a page for every Markdown file', () => {
    for (const page of [
      'index',
      'comparison',
      'agents',
      'guide/getting-started',
      'packages/express',
      'reference/cli',
      'reference/api/fetch',
      'reference/wire',
      'guide/why-a-header',
      'playground',
    ])
      for (const file of [`${page}.html`, `${page}.md`])
        expect(existsSync(join(dist, file)), file).toBe(true)
    for (const file of ['llms.txt', 'llms-full.txt'])
      expect(existsSync(join(dist, file)), file).toBe(true)
    for (const page of ['decisions', 'maintaining.html'])
      expect(existsSync(join(dist, page))).toBe(false) // they're for maintainers, in the repository
  })

  it('has a target for every link between its pages', () => {
    const pages = new Map(
      readdirSync(dist, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.html') && file !== '404.html')
        .map((file) => [
          `/${file.replace(/(?:index)?\.html$/, '')}`,
          readFileSync(join(dist, file), 'utf8'),
        ]),
    )
    const targets = new Set<string>()
    for (const [page, html] of pages)
      for (const [, id] of html.matchAll(/\bid="([^"]+)"/g)) targets.add(page).add(`${page}#${id}`)
    const dead = [...pages].flatMap(([page, html]) =>
      [...html.matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)]
        .map(([, href]) => new URL(href!, `http://site${page}`))
        .filter(({ host, hash }) => host === 'site' && !hash.startsWith('#file=')) // the tutorial's test opens these
        .map(({ pathname, hash }) => pathname + decodeURIComponent(hash))
        .filter((target) => !targets.has(target))
        .map((target) => `${page} → ${target}`),
    )
    expect(pages.size).toBeGreaterThan(40)
    expect(dead).toEqual([])
  })

  it('describes every page to search engines', () => {
    const [front, ...others] = [
      'index',
      'guide/getting-started',
      'packages/fetch',
      'reference/api/router',
    ].map((page) => {
      const html = readFileSync(join(dist, `${page}.html`), 'utf8')
      return /<meta name="description" content="([^"]+)">/.exec(html)?.[1]
    })
    expect(front).toMatch(/^Break your API without breaking your clients/)
    expect(others).toEqual([
      expect.stringMatching(/^In ten minutes you'll have an API with two versions/),
      expect.stringMatching(/^Serves an API declared with @hv\/router as one function/),
      expect.stringMatching(/^Declares an API, matches requests/),
    ])
  })

  it('highlights the lines that a block names, and none because of a digit in a file name', () => {
    const html = (page: string) => readFileSync(join(dist, `${page}.html`), 'utf8')
    expect(html('guide/controllers')).toContain(
      '<p class="file-name">controllers/api/v1/users_controller.ts</p>',
    )
    expect(html('guide/controllers')).not.toContain('highlighted')
    expect(html('guide/getting-started')).toContain('highlighted')
  })

  it('shows types on hover', () => {
    const html = (page: string) => readFileSync(join(dist, `${page}.html`), 'utf8')
    for (const page of ['guide/validation', 'guide/client']) {
      expect(html(page)).toContain('twoslash-hover')
      expect(html(page)).not.toContain('twoslash-error-line')
    }
  })

  it('has a picture, a title and a description for links to it', () => {
    const html = readFileSync(join(dist, 'guide/why-a-header.html'), 'utf8')
    const metas = [...html.matchAll(/<meta property="og:(\w+)" content="([^"]+)">/g)]
    const { title, image, url } = Object.fromEntries(metas.map(([, name, value]) => [name, value]))
    expect(title).toBe('Why version in a header?')
    expect(url).toBe('https://hv-router.github.io/router/guide/why-a-header')
    const [, file] = /^https:\/\/hv-router\.github\.io\/router\/(\w+\.png)$/.exec(image!)!
    expect(existsSync(join(dist, file!))).toBe(true)
  })

  it('names no other host for scripts, styles, fonts and images', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8')
    expect(
      [...html.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="(https?:[^"]+)"/g)].map(
        ([, url]) => url,
      ),
    ).toEqual([])
  })

  const browser = findProgram('chromium', 'google-chrome')
  const hasBrowser = browser !== undefined || process.env['REQUIRE_BROWSER'] === '1'

  describe.skipIf(!hasBrowser)('in a browser', () => {
    let running: Browser
    let origin: string
    const faults: string[] = []
    beforeAll(async () => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const args = [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
      ]
      running = await chromium.launch({ executablePath: browser ?? 'chromium', args })
    })
    afterAll(async () => {
      await running?.close()
      server.closeAllConnections()
      server.close()
    })

    type ColorScheme = 'light' | 'dark'
    const open = async (
      path = '',
      width = 1280,
      colorScheme: ColorScheme = 'light',
    ): Promise<Page> => {
      const page = await running.newPage({
        viewport: { width, height: 860 },
        reducedMotion: 'reduce',
        colorScheme,
      })
      page.setDefaultTimeout(300_000)
      page.on(
        'request',
        (request) => void (request.url().startsWith(origin) || faults.push(request.url())),
      )
      page.on('pageerror', ({ message }) => void faults.push(message))
      page.on(
        'console',
        (message) =>
          void (
            message.type() === 'error' &&
            !message.text().includes('ERR_INTERNET_DISCONNECTED') &&
            faults.push(message.text())
          ),
      )
      await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' })
      return page
    }
    const status = async (page: Page) =>
      (await part(page, 'status').innerText()).replaceAll('\n', ' ')
    const part = (page: Page, name: string) => page.locator(`[data-test=${name}]`)
    /** The texts of the table's cells, by line. */
    const tableOf = async (page: Page): Promise<string[][]> => {
      const lines = await part(page, 'table').locator('tr').all()
      return Promise.all(
        lines.map(async (line) =>
          (await line.locator('th, td').allInnerTexts()).map((text) =>
            text.replaceAll(/\s+/g, ' ').trim(),
          ),
        ),
      )
    }

    it.each([
      ['', 114_000],
      ['playground', 270_000],
    ])('loads little JavaScript, gzipped: /%s', async (path, most) => {
      const page = await running.newPage()
      const scripts = new Set<string>()
      page.on(
        'request',
        (request) =>
          void (request.url().endsWith('.js') && scripts.add(new URL(request.url()).pathname)),
      )
      await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' })
      const sizes = [...scripts].map((script) => gzipSync(readFileSync(join(dist, script))).length)
      const total = sizes.reduce((sum, size) => sum + size, 0)
      if (process.env['SIZES'] !== undefined) console.log(total, [...scripts])
      expect(total).toBeGreaterThan(50_000)
      expect(total).toBeLessThan(most)
      await page.close()
    })

    it('routes the request that the reader edits, without a connection', async () => {
      const page = await open('playground')
      await page.context().setOffline(true)
      expect(await status(page)).toBe('200 Version 2 responds')
      expect(await part(page, 'response').innerText()).toContain('api-version: 2')
      await page.getByText('OpenAPI document of version 2').click()
      expect(await part(page, 'document').innerText()).toContain(
        'application/vnd.acme+json;version=2',
      )
      expect(await part(page, 'table').locator('td.serving').innerText()).toMatch(
        /^users#show\s+from 1$/,
      )
      const marked = part(page, 'versions').locator('.different')
      expect(await marked.allInnerTexts()).toEqual(
        ['  "name": "Ann Lee"', '  "first": "Ann",', '  "last": "Lee"', '  "teams": ["red"]'].map(
          (text) => expect.stringContaining(text.trim()),
        ),
      )

      await page.getByLabel('Accept:').fill('application/vnd.acme+json;version=9')
      expect(await status(page)).toBe('406 Version not acceptable')
      expect(await part(page, 'response').innerText()).toContain('"supported": [1, 2, 3]')
      expect(await part(page, 'steps').innerText()).toContain(
        "version 9 isn't declared (declared: 1, 2, 3)",
      )

      await page.getByRole('button', { name: 'Removed route' }).click()
      expect(await status(page)).toBe('404 Not in this version')
      await page.getByLabel('Path', { exact: true }).fill('/elsewhere')
      expect(await status(page)).toBe('Your app handles the request')
      await page.close()
    })

    it('shows a mistake in the route file, and goes on', async () => {
      const page = await open('playground')
      const editor = page.getByLabel('Route file')
      const source = await editor.inputValue()
      const result = await status(page)
      await editor.fill(source.replace('from: 1', "from: 'v0'"))
      expect(await part(page, 'mistake').innerText()).toContain('HV_UNKNOWN_CACHE')
      // The last good result stays, and the error is below the editor with a link to its section.
      expect(await status(page)).toBe(result)
      expect(await part(page, 'table').locator('tr').count()).toBeGreaterThan(2)
      const help = page.getByRole('link', { name: 'What HV_UNKNOWN_CACHE means' })
      expect(await help.getAttribute('href')).toBe('/reference/errors#hv_unknown_cache')
      const [mistake, request] = [part(page, 'mistake'), page.getByLabel('Accept:')]
      await page.setViewportSize({ width: 390, height: 844 })
      const [above, below] = [await mistake.boundingBox(), await request.boundingBox()]
      expect(above!.y + above!.height).toBeLessThan(below!.y)
      await page.setViewportSize({ width: 1280, height: 860 })
      expect(await part(page, 'mistake').innerText()).toContain('Line 9 of routes.ts')
      expect(await part(page, 'faulty-line').count()).toBe(1)
      await editor.fill(source.replace('export const', 'export cons'))
      expect(await part(page, 'mistake').innerText()).toContain('Line 3')
      await editor.fill(
        source.replace("resources('teams', { only: 'index' })", "resources('teams')"),
      )
      expect(await part(page, 'table').innerText()).toContain('/api/teams/:id')
      await page.close()
    })

    it('keeps what the reader edits in the URL', async () => {
      const page = await open('playground')
      await page.getByRole('button', { name: 'Wrong method' }).click()
      await page
        .getByLabel('Route file')
        .fill(
          "import { api, resources, version } from '@hv/router'\napi({ vendorString: 'acme' }, version(4, resources('users', { only: 'index' })))",
        )
      await expect.poll(() => page.url()).toMatch(/routes=.*version%284/)
      const again = await open(`playground${new URL(page.url()).hash}`)
      expect(await part(again, 'table').innerText()).toContain('Version 4')
      expect(await again.getByLabel('Method').inputValue()).toBe('DELETE')
      await Promise.all([page.close(), again.close()])
    })

    const tutorial = blocksOf('docs/guide/getting-started.md')
    const routeFile = tutorial.findLast(({ file }) => file === 'routes.ts')!.text
    it('decides as the tutorial says, with its route file and its requests', async () => {
      const page = await open('playground')
      const editor = page.getByLabel('Route file')
      await editor.focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.insertText(routeFile)

      // Step 1: the routes, and the controllers that serve them.
      expect(await tableOf(page)).toEqual([
        ['Route', 'Version 1', 'Version 2'],
        ['GET /api/users', 'users#index', 'users#index from 1'],
        ['GET /api/users/:id', 'users#show', 'users#show from 1'],
        ['GET /api/teams', '–', 'teams#index'],
      ])
      // Every request of the page.
      const decisions: (readonly string[])[] = []
      for (const { path, accept, output } of requestsOf(tutorial)) {
        await page.getByLabel('Path', { exact: true }).fill(path)
        await page.getByLabel('Accept:').fill(accept)
        const [, body] = (await part(page, 'response').innerText()).split('\n\n')
        if (output.startsWith('{"type":'))
          expect(JSON.stringify(JSON.parse(body!))).toMatch(patternOf(output))
        const handlers = await part(page, 'handler').allInnerTexts()
        decisions.push([
          path,
          accept.replace('application/vnd.acme+json;', ''),
          await status(page),
          handlers.join(''),
        ])
      }
      expect(decisions).toEqual([
        ['/api/users/1', 'version=1', '200 Version 1 responds', "api/v1/users#show({ id: '1' })"],
        ['/api/users', 'version=1', '200 Version 1 responds', 'api/v1/users#index()'],
        ['/api/users', 'version=2', '200 Version 2 responds', 'api/v2/users#index()'],
        ['/api/teams', 'version=2', '200 Version 2 responds', 'api/v2/teams#index()'],
        ['/api/users', '', '200 Version 1 responds', 'api/v1/users#index()'],
        ['/api/users', 'version=3', '406 Version not acceptable', ''],
      ])
      await page.close()
    })

    it('opens what the links of the tutorial name', async () => {
      const page = await open('guide/getting-started')
      const links = page.locator('a[href*="#file="]')
      const opened: string[] = []
      const read = async (): Promise<void> => {
        expect(await page.getByLabel('Route file').inputValue()).toBe(routeFile)
        opened.push(
          `${await page.getByLabel('Path', { exact: true }).inputValue()}: ${await status(page)}`,
        )
      }
      const others = (await links.all()).slice(1).map((link) => link.getAttribute('href'))
      const hashes = (await Promise.all(others)).map((href) => href!.slice(href!.indexOf('#')))
      // So tall that the click doesn't scroll: the outline of VitePress throws when its page closes during a scroll.
      await page.setViewportSize({ width: 1280, height: 12_000 })
      await links.first().click()
      await read()
      for (const hash of hashes) {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
        await read()
      }
      expect(opened).toEqual([
        '/api/users: 200 Version 2 responds',
        '/api/users: 406 Version not acceptable',
      ])
      await page.close()
    })

    it('fits a phone, in light and in dark', async () => {
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [1280, 'dark'],
        [390, 'light'],
      ] as const) {
        const front = await open('', width, colorScheme)
        expect(await overflowOf(front), `front page, ${width}`).toBeLessThanOrEqual(0)
        await front.close()
        const page = await open('playground', width, colorScheme)
        expect(await overflowOf(page), `${width}`).toBeLessThanOrEqual(0)
        const isCut = await page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.getElementById('playground-accept'))",
        )
        expect(isCut, `the Accept header, ${width}`).toBe(false)
        const folder = process.env['SCREENSHOTS']
        if (folder !== undefined)
          await page.screenshot({
            path: join(folder, `playground-${width}-${colorScheme}.png`),
            fullPage: width < 500,
          })
        await page.close()
      }
    })

    it('has no line of code that a reader has to scroll for at 1440 pixels', async () => {
      const page = await open('', 1440)
      const wide: unknown[] = []
      for (const path of [
        '',
        'guide/getting-started',
        'guide/routes',
        'guide/evolving-an-api',
        'reference/dsl',
      ]) {
        await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' })
        const lines = await page.evaluate(`[...document.querySelectorAll('.vp-doc pre')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ innerText }) => innerText.slice(0, 80))`)
        wide.push(...(lines as string[]).map((line) => [path, line]))
      }
      expect(wide).toEqual([])
      await page.close()
    })

    it("has no page that's wider than a phone", async () => {
      const page = await open('', 390)
      for (const path of [
        'guide/getting-started',
        'guide/how-it-works',
        'guide/why-a-header',
        'guide/which-version',
        'comparison',
        'benchmarks',
        'reference/cli',
        'reference/wire',
        'reference/api/router',
      ]) {
        await page.goto(`${origin}/${path}`)
        expect(await overflowOf(page), path).toBeLessThanOrEqual(0)
      }
      await page.close()
    })

    it('keeps the name of an option on one line, also on a phone', async () => {
      const page = await open('reference/cli', 390)
      const lines = await page.evaluate(`
        [...document.querySelectorAll('.vp-doc :not(pre) > code')].flatMap((code) => {
          const [text] = [...code.childNodes].map((node) => node.firstChild ?? node)
          const range = document.createRange()
          return [...text.data.matchAll(/^--[a-z-]+/g)].map(([name]) => {
            range.setStart(text, 0)
            range.setEnd(text, name.length)
            return [name, range.getClientRects().length]
          })
        })`)
      expect(lines).toContainEqual(['--controllers', 1])
      expect((lines as [string, number][]).filter(([, count]) => count !== 1)).toEqual([])
      await page.close()
    })

    it.each([
      ['', 'light'],
      ['', 'dark'],
      ['playground', 'light'],
      ['playground', 'dark'],
      ['guide/getting-started', 'dark'],
      ['guide/getting-started', 'light'],
      ['guide/how-it-works', 'light'],
      ['benchmarks', 'dark'],
      ['reference/api/fetch', 'light'],
    ] as const)(
      'has the contrast, names and structure that WCAG 2.1 AA requires: /%s, %s',
      async (path, colorScheme) => {
        const page = await open(path, 1280, colorScheme)
        await page.addScriptTag({ path: fileURLToPath(import.meta.resolve('axe-core/axe.min.js')) })
        const { violations, passes } = (await page.evaluate(axe)) as AxeReport
        expect(passes.map(({ id }) => id)).toContain('color-contrast')
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`),
        ).toEqual([])
        await page.close()
      },
    )

    it('is used with the keyboard alone', async () => {
      const page = await open('playground')
      const stops: string[] = []
      // The name of what has the focus, until the focus leaves the page.
      for (let i = 0; i < 70; i++) {
        await page.keyboard.press('Tab')
        const stop = (await page.evaluate(`(() => {
          const { activeElement: at } = document
          if (at === document.body) return null
          const label = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? at.tagName
          return label.trim()
        })()`)) as string | null
        if (stop === null) break
        stops.push(stop)
      }
      const expected = [
        'Skip to content',
        'Guide',
        'Reference',
        'routes.ts',
        'Route file',
        'Method',
        'Path',
        'Accept:',
        'Unknown version',
      ]
      expect(stops.filter((stop) => expected.includes(stop))).toEqual(expected)
      expect(stops.length).toBeLessThan(70)

      await page.getByLabel('Path', { exact: true }).focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('/api/teams')
      expect(await part(page, 'steps').innerText()).toContain('teams#index')
      await page.close()
    })

    it('has short sidebars, and shows the active item on the first screen', async () => {
      const page = await open('guide/getting-started')
      const linksOf = async (path: string): Promise<readonly string[]> => {
        await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' })
        return pathsOf(page, '.VPSidebar a.link')
      }
      const guides = await linksOf('guide/getting-started')
      const reference = await linksOf('reference/dsl')
      expect(reference).toContain('reference/api/router')
      expect(guides.filter((link) => reference.includes(link))).toEqual([])
      for (const links of [guides, reference]) {
        expect(new Set(links).size).toBeLessThanOrEqual(31)
        expect(links).not.toContain('agents')
        // The lowest items are those that a screen may not show.
        for (const link of links.slice(-8)) {
          expect(await linksOf(link), link).toEqual(links)
          const item = page.locator('.VPSidebar .is-link.is-active').last()
          const { y, height } = (await item.boundingBox())!
          expect(y + height, link).toBeLessThanOrEqual(860)
        }
      }
      await page.close()
    })

    it('finds what people look for among the first three pages of its own search', async () => {
      const page = await open()
      const input = page.locator('#localsearch-input')
      // The page may not listen yet.
      const isOpen = () => page.keyboard.press('Control+k').then(() => input.isVisible())
      await expect.poll(isOpen).toBe(true)
      const links = page.locator('#localsearch-list a')
      const search = async (words: string): Promise<string[]> => {
        await input.fill('')
        await expect.poll(() => links.count()).toBe(0)
        await input.fill(words)
        await links.or(page.locator('#localsearch-list .no-results')).first().waitFor()
        return [...new Set(await pathsOf(page, '#localsearch-list a'))]
      }
      const { asked, drawn } = JSON.parse(
        readFileSync(join(root, 'docs/search-questions.json'), 'utf8'),
      ) as SearchQuestions
      const questions = [
        ...asked.flatMap(({ words, pages }) => words.map((wording) => [wording, pages] as const)),
        ...drawn.map(({ words, pages }) => [words, pages] as const),
      ]
      expect(questions.length).toBe(115)
      const misses: unknown[] = []
      for (const [words, pages] of questions) {
        const found = (await search(words)).slice(0, 3)
        if (!found.some((path) => pages.includes(path))) misses.push({ words, pages, found })
      }
      expect(misses).toEqual([])
      expect(await search('mediaType')).not.toContainEqual(expect.stringContaining('reference/api'))
      await page.close()
    })

    it('asks no other host and reports no error', () => expect(faults).toEqual([]))
  })
})
