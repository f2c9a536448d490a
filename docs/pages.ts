// The pages of the documentation in reading order, for the sidebar and for llms.txt. A new page is listed by itself, last.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Page {
  /** Path below `docs`, without `.md`. */
  readonly path: string
  readonly title: string
  /** The title in the sidebar, if it's another one. */
  readonly short?: string | undefined
  /** The first sentences of the page. */
  readonly summary: string
  /** Markdown, with included files in it. */
  readonly text: string
}
export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

/** What the library is, for programs that read it first. */
export const about =
  '@hv/router versions an HTTP API by the Accept header. A route file declares the routes of every version; an adapter serves ' +
  'them with Express, Fastify, fetch or Nest.'

/** Where the site is published. */
export const site = 'https://hv-router.github.io/router'
export const repository = 'https://github.com/hv-router/router'

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
  'openapi-diff': ['@hv/openapi-diff', 'packages/openapi-diff/src/index.ts'],
  client: ['@hv/router-client', 'packages/client/src/index.ts'],
}

/** The sections of the site. `title` is the name of a page there, where its own title says more than the section needs. */
const sections: readonly (readonly [
  section: string,
  pages: readonly (readonly [path: string, title?: string])[],
])[] = [
  [
    'Start',
    [
      ['guide/getting-started'],
      ['guide/change-a-payload'],
      ['playground'],
      ['guide/is-it-right-for-you'],
      ['guide/why-a-header'],
      ['guide/how-it-works'],
      ['comparison'],
      ['benchmarks'],
    ],
  ],
  [
    'Build',
    [
      ['guide/routes'],
      ['guide/controllers'],
      ['guide/validation'],
      ['guide/errors'],
      ['guide/openapi'],
      ['guide/client'],
      ['guide/testing-versioned-apis', 'Testing'],
    ],
  ],
  [
    'Evolve',
    [
      ['guide/evolving-an-api', 'Change payloads'],
      ['guide/webhooks', 'Webhooks and messages'],
      ['guide/derive-nest-versions', 'Change payloads in Nest'],
      ['guide/release-with-a-lock-file'],
      ['guide/deprecate-and-retire', 'Deprecate and retire'],
    ],
  ],
  [
    'Run',
    [
      ['guide/which-version'],
      ['guide/caching'],
      ['guide/metrics-and-tracing'],
      ['guide/production-checklist'],
    ],
  ],
  [
    'Frameworks',
    [
      ['packages/express', 'Express'],
      ['packages/fastify', 'Fastify'],
      ['packages/nest', 'Nest'],
      ['packages/fetch', 'fetch: Hono, Next.js, Workers'],
      ['guide/native-routes', 'Different from native'],
    ],
  ],
  [
    'Coming from',
    [
      ['guide/no-versions-yet', 'No versions yet'],
      ['guide/coming-from-url-versioning', 'URL versions'],
      ['guide/coming-from-rails', 'Rails'],
      ['guide/coming-from-nestjs', 'NestJS'],
      ['guide/nest-questions', 'NestJS: questions'],
      ['guide/coming-from-accept-version', 'Accept-Version'],
      ['guide/coming-from-hono', 'Hono'],
    ],
  ],
  [
    'Reference',
    [
      ['reference/dsl'],
      ['reference/options'],
      ['reference/wire'],
      ['reference/cli'],
      ['reference/types'],
      ['reference/errors'],
      ['guide/faq'],
      ['guide/write-an-adapter'],
    ],
  ],
]

/** Pages outside the sections: the footer of the home page and llms.txt link to the one for coding agents. */
export const otherPages = ['index', 'agents']

/** Where a page goes that no section lists. */
const sectionOfFolder: Readonly<Record<string, string>> = {
  guide: 'Build',
  reference: 'Reference',
  packages: 'Frameworks',
}

export const readSections = (): readonly Section[] => {
  const listed = new Set(sections.flatMap(([, pages]) => pages.map(([path]) => path)))
  const others = Object.entries(sectionOfFolder).flatMap(([folder, section]) =>
    readdirSync(join(docs, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file.slice(0, -'.md'.length)}`)
      .filter((path) => !listed.has(path))
      .toSorted()
      .map((path) => [section, path] as const),
  )
  return sections.map(([section, pages]) => ({
    title: section,
    pages: [
      ...pages,
      ...others.flatMap(([of, path]) => (of === section ? [[path] as const] : [])),
    ].map(([path, title]) => ({ short: title, ...readPage(path) })),
  }))
}

export function readPage(path: string): Page {
  const file = join(docs, `${path}.md`)
  const text = readFileSync(file, 'utf8').replaceAll(
    /<!--@include: (\S+)-->/g,
    (_all, included: string) => readFileSync(join(file, '..', included), 'utf8').trim(),
  )
  const [, title = path, rest = ''] = /^# (.+)\n+(?:<!--.*-->\n+)*([\s\S]*)/m.exec(text) ?? []
  const paragraph = rest.split('\n\n')[0]!.replaceAll('\n', ' ')
  const summary = /^(?:[-|#:]|```)/.test(paragraph)
    ? ''
    : paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return { path, title, summary, text }
}

/** Where a link of a page leads on the site: to a page, or to the repository for its other files. */
export function targetOf(href: string): string {
  if (href.startsWith(`${site}/playground`)) return href.slice(site.length)
  const page = /^https:\/\/github\.com\/hv-router\/router\/blob\/main\/docs\/(.+)$/.exec(href)?.[1]
  const decision = /^(?:\.\.\/)*(decisions\/.+)$/.exec(page ?? href)?.[1]
  if (decision !== undefined) return `${repository}/blob/main/docs/${decision}`
  if (page !== undefined) return `/${page}`
  const path =
    /^https:\/\/github\.com\/hv-router\/router\/tree\/main\/(.+)$/.exec(href)?.[1] ??
    /^(?:\.\.\/)+((?:packages|examples)\/.+)$/.exec(href)?.[1]
  if (path === undefined) return href
  const folder = /^packages\/(\w+)(?:\/README\.md)?(#.*)?$/.exec(path)
  if (folder !== null && existsSync(join(docs, `packages/${folder[1]}.md`)))
    return `/packages/${folder[1]}.md${folder[2] ?? ''}`
  return `${repository}/${/\.\w+$/.test(path) ? 'blob' : 'tree'}/main/${path}`
}
