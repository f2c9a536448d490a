import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type MarkdownOptions, defineConfig } from 'vitepress'
import { apiPages, readPage, readSections, site } from '../pages.ts'
import { slug } from './slug.ts'

const repository = 'https://github.com/hv-router/router'
const sources = join(import.meta.dirname, '../../packages')
const [guide, packages, reference, decisions] = readSections().map(({ title, pages }) => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: `/${page.path}` })),
}))

export default defineConfig({
  title: '@hv/router',
  description: 'Header-based API versioning for TypeScript',
  lang: 'en',
  base: process.env['DOCS_BASE'] ?? '/',
  cleanUrls: true,
  srcExclude: ['.snippets/**', 'node_modules/**'],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  transformPageData: ({ filePath }) => {
    const { summary } = readPage(filePath.replace(/\.md$/, ''))
    return summary === '' ? undefined : { description: summary.replaceAll(/[`*]/g, '') }
  },
  markdown: {
    anchor: { slugify: slug },
    config: useRepositoryLinks,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/getting-started', activeMatch: '/guide/' },
      { text: 'Reference', link: '/reference/dsl', activeMatch: '/reference/' },
      { text: 'Comparison', link: '/comparison' },
    ],
    sidebar: [
      {
        text: 'Overview',
        items: [
          { text: 'Playground', link: '/' },
          { text: 'Comparison', link: '/comparison' },
          { text: 'Benchmarks', link: '/benchmarks' },
        ],
      },
      guide!,
      packages!,
      reference!,
      {
        text: 'API',
        items: Object.entries(apiPages).map(([page, [specifier]]) => ({
          text: specifier,
          link: `/reference/api/${page}`,
        })),
      },
      // A group without a link is a button, and the button that opens it would be inside it.
      { ...decisions!, link: decisions!.items[0]!.link, collapsed: true },
      { text: 'For coding agents', link: '/agents' },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path` },
    footer: { message: 'MIT licensed' },
  },
  vite: {
    resolve: {
      alias: [
        { find: /^@hv\/router$/, replacement: join(sources, 'router/src/index.ts') },
        { find: '@hv/router-openapi', replacement: join(sources, 'openapi/src/index.ts') },
        { find: '@hv/router/internal', replacement: join(sources, 'router/src/internal.ts') },
        { find: '@hv/router/adapter', replacement: join(sources, 'router/src/adapter.ts') },
      ],
    },
    ssr: { noExternal: true },
    build: { reportCompressedSize: false },
  },
})

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/**
 * Files of the repository link to GitHub. Pages that npm shows, and links to the playground, link into this site.
 * Code blocks show their file name.
 */
function useRepositoryLinks(md: Markdown): void {
  md.core.ruler.push('repository-links', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null) token.attrSet('href', targetOf(href))
    }
  })
  const fence = md.renderer.rules.fence!
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]!
    const file = /\bfile=(\S+)/.exec(token.info)?.[1]
    // VitePress highlights the lines whose numbers follow the language: a digit of a file name would be one.
    token.info = token.info.replace(/ .*/, '')
    const code = fence(tokens, index, ...rest)
    return file === undefined ? code : `<div class="named-code"><p>${md.utils.escapeHtml(file)}</p>${code}</div>`
  }
}

function targetOf(href: string): string {
  if (href.startsWith(`${site}/#`)) return href.slice(site.length)
  const page = /^https:\/\/github\.com\/hv-router\/router\/blob\/main\/docs\/(.+)$/.exec(href)?.[1]
  if (page !== undefined) return `/${page}`
  const path =
    /^https:\/\/github\.com\/hv-router\/router\/tree\/main\/(.+)$/.exec(href)?.[1] ??
    /^(?:\.\.\/)+((?:packages|examples)\/.+)$/.exec(href)?.[1]
  if (path === undefined) return href
  const folder = /^packages\/(\w+)(?:\/README\.md)?(#.*)?$/.exec(path)
  if (folder !== null && existsSync(join(import.meta.dirname, `../packages/${folder[1]}.md`)))
    return `/packages/${folder[1]}.md${folder[2] ?? ''}`
  return `${repository}/${/\.\w+$/.test(path) ? 'blob' : 'tree'}/main/${path}`
}
