// The pages of the documentation in reading order, for the sidebar and for llms.txt. A new page is listed by itself.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Page {
  /** Path below `docs`, without `.md`. */
  readonly path: string
  readonly title: string
  /** The first sentences of the page. */
  readonly summary: string
  /** Markdown, with included files in it. */
  readonly text: string
}
export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

/** Where the site is published. */
export const site = 'https://hv-router.github.io/router'

const docs = import.meta.dirname

/** The API pages, by name: what the code imports, and the file behind it. `write-api.ts` writes the pages. */
export const apiPages: Readonly<Record<string, readonly [specifier: string, file: string]>> = {
  router: ['@hv/router', 'packages/router/src/index.ts'],
  controllers: ['@hv/router/controllers', 'packages/router/src/controllers.ts'],
  testing: ['@hv/router/testing', 'packages/router/src/testing.ts'],
  adapter: ['@hv/router/adapter', 'packages/router/src/adapter.ts'],
  express: ['@hv/router-express', 'packages/express/src/index.ts'],
  fastify: ['@hv/router-fastify', 'packages/fastify/src/index.ts'],
  fetch: ['@hv/router-fetch', 'packages/fetch/src/index.ts'],
  nest: ['@hv/router-nest', 'packages/nest/src/index.ts'],
  'nest-swagger': ['@hv/router-nest/swagger', 'packages/nest/src/swagger.ts'],
  openapi: ['@hv/router-openapi', 'packages/openapi/src/index.ts'],
  client: ['@hv/router-client', 'packages/client/src/index.ts'],
}

/** The folders, and the pages that come first in them. The rest follows in the order of names. */
const folders: readonly (readonly [title: string, folder: string, first: readonly string[]])[] = [
  [
    'Guide',
    'guide',
    [
      'getting-started',
      'controllers',
      'validation',
      'openapi',
      'client',
      'testing-versioned-apis',
      'errors',
      'caching',
      'evolving-an-api',
      'deprecate-and-retire',
      'coming-from-rails',
      'coming-from-nestjs',
      'coming-from-url-versioning',
    ],
  ],
  ['Packages', 'packages', ['router', 'express', 'fastify', 'fetch', 'nest', 'openapi', 'client', 'cli']],
  ['Reference', 'reference', ['dsl', 'options', 'headers', 'cli', 'types', 'errors', 'problems']],
  ['Decisions', 'decisions', []],
]

export const readSections = (): readonly Section[] =>
  folders.map(([title, folder, first]) => {
    const names = readdirSync(join(docs, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -'.md'.length))
      .toSorted()
    const ordered = [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name))]
    return { title, pages: ordered.map((name) => readPage(`${folder}/${name}`)) }
  })

export function readPage(path: string): Page {
  const file = join(docs, `${path}.md`)
  const text = readFileSync(file, 'utf8').replaceAll(/<!--@include: (\S+)-->/g, (_all, included: string) =>
    readFileSync(join(file, '..', included), 'utf8').trim(),
  )
  const [, title = path, rest = ''] = /^# (.+)\n+([\s\S]*)/m.exec(text) ?? []
  const paragraph = rest.split('\n\n')[0]!.replaceAll('\n', ' ')
  const summary = /^(?:[-|#:]|```)/.test(paragraph)
    ? ''
    : paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/^\*\*Context\.\*\* /, '')
  return { path, title, summary, text }
}
