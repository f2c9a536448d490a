import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as core from '@hv/router'
import { afterAll, describe, expect, it } from 'vitest'
import { publishedPackages, root } from '../tools/packed.ts'
import { blocksOf } from '../tools/pages.ts'
import { slug } from './.vitepress/slug.ts'
import { otherPages, readPage, readSections, site } from './pages.ts'
import { plainOf, withoutHidden, writeForAgents } from './plain.ts'
import { generatedFiles } from './write-agents.ts'

const pages = [
  ...readSections().flatMap((section) => section.pages.map(({ path }) => path)),
  ...otherPages,
]

it.each(Object.entries(generatedFiles()))(
  '%s is up to date: run npm run docs -- agents',
  (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  },
)

describe('the AGENTS.md', () => {
  const textOf = (path: string) => readFileSync(join(root, path, 'AGENTS.md'), 'utf8')

  it.each([...publishedPackages()])(
    'of %s is in its tarball and leads to the recipes',
    (path, { name, files }) => {
      expect(files).toContain('AGENTS.md')
      if (name.startsWith('@hv/router-'))
        expect(textOf(path)).toContain('node_modules/@hv/router/AGENTS.md')
    },
  )

  it('of the core has every recipe and every export', () => {
    const text = textOf('packages/router')
    for (const { text: code } of blocksOf('docs/agents.md')) expect(text).toContain(code)
    expect(text.match(/^## Recipe \d+: /gm)!.length).toBeGreaterThanOrEqual(10)
    const [, table] = text.split('## Exports of @hv/router')
    for (const name of Object.keys(core)) expect(table).toMatch(new RegExp(`\`${name}[\`(]`))
  })
})

describe('the page for coding agents', () => {
  it('has a goal, code and a command in every recipe', () => {
    const [, ...recipes] = readPage('agents').text.split(/^## Recipe /m)
    for (const recipe of recipes) {
      expect(recipe).toMatch(/^\d+: .+\n\nGoal: /)
      expect(recipe).toMatch(/^```(?:ts|json) file=|^```sh/m)
    }
  })
})

describe('the plain pages', () => {
  const outside = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  const plain = new Map(pages.map((path) => [path, plainOf(path)]))
  const headings = (path: string) =>
    [...outside(plain.get(path)!).matchAll(/^#+ (.+)$/gm)].map(([, text]) => slug(text!))

  it.each(pages)('%s has no markup of the site, and no code is lost', (path) => {
    const text = plain.get(path)!
    expect(text).toMatch(/^# \S/)
    expect(outside(text)).not.toMatch(/^:::|^<[A-Z/d]|<!--/m)
    expect(text).not.toMatch(/^```\w+ /m)
    const code = (page: string) =>
      [...page.matchAll(/^```\w*[^\n]*\n([\s\S]*?)^```$/gm)].map(([, block]) => block!)
    expect(code(text)).toEqual(code(readPage(path).text).map(withoutHidden))
  })

  it.each(pages)('%s links to plain pages that exist', (path) => {
    for (const [, href] of outside(plain.get(path)!).matchAll(/\]\(([^)\s]+)\)/g)) {
      expect(href).toMatch(/^(?:https?:|#)/)
      const [target, anchor] = href!.startsWith('#') ? [path, href!.slice(1)] : pageOf(href!)
      if (target === undefined) continue
      expect(plain.has(target), href).toBe(true)
      if (anchor !== undefined) expect(headings(target), href).toContain(anchor)
    }
  })
  /** The page behind a link, and its anchor. Undefined for other sites, the repository and the playground's state. */
  function pageOf(href: string): readonly [page: string | undefined, anchor?: string | undefined] {
    if (!href.startsWith(`${site}/`) || href.includes('playground#')) return [undefined]
    const [page, anchor] = href.slice(site.length + 1).split('#')
    return /\.(?:txt|png)$/.test(page!)
      ? [undefined]
      : [page!.replace(/\.md$/, '') || 'index', anchor]
  }
})

describe('the built site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agents-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  writeForAgents(
    folder,
    pages.map((path) => `${path}.md`),
  )
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')

  it('has a Markdown file beside every page', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.md'),
    )
    expect(files.toSorted()).toEqual(pages.map((path) => `${path}.md`).toSorted())
  })

  it('lists every page in llms.txt, and joins them in llms-full.txt', () => {
    const links = [...read('llms.txt').matchAll(/^- \[(.+)\]\((.+?)\)/gm)].map(
      ([, title, href]) => [title, href!] as const,
    )
    for (const [title, href] of links) {
      expect(existsSync(join(folder, href.slice(site.length + 1))), href).toBe(true)
      expect(title).not.toMatch(/^guide\/|^reference\//)
    }
    const listed = links.map(([, href]) => href.slice(site.length + 1, -'.md'.length))
    for (const path of pages)
      if (!['index', 'playground'].includes(path)) expect(listed).toContain(path)
    for (const path of ['agents', 'guide/routes', 'packages/fetch'])
      expect(read('llms-full.txt')).toContain(read(`${path}.md`))
  })
})
