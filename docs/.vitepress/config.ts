import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformerTwoslash } from '@shikijs/vitepress-twoslash'
import { type HeadConfig, type MarkdownOptions, defineConfig } from 'vitepress'
import { blocksOf } from '../../tools/pages.ts'
import { apiPages, readPage, readSections, repository, site, targetOf } from '../pages.ts'
import { withoutHidden, writeForAgents } from '../plain.ts'
import { search } from './search.ts'
import { slug } from './slug.ts'

const sources = join(import.meta.dirname, '../../packages')
const base = process.env['DOCS_BASE'] ?? '/'
const url = `${site}/`
const about =
  'Break your API without breaking your clients: versions by the Accept header, checked by TypeScript.'

const github = readFileSync(join(import.meta.dirname, 'github.svg'), 'utf8')

/** The groups of a sidebar: the sections of the site. */
const groups = readSections().map(({ title, pages }) => ({
  text: title,
  items: pages.map(({ path, short, title: long }) => ({ text: short ?? long, link: `/${path}` })),
}))
const apiItems = Object.entries(apiPages).map(([page, [specifier]]) => ({
  text: specifier,
  link: `/reference/api/${page}`,
}))
/** Closed at first. Its link opens it: without one, it would be a button with the button that opens it inside. */
const apiGroup = { text: 'API', items: apiItems, collapsed: true, link: apiItems[0]!.link }

/** The folders of the pages that people look things up in. These pages have a sidebar of their own, without the guides. */
const referenceFolder = /^\/(?:reference|packages)\//
const isReference = ({ items }: (typeof groups)[number]): boolean =>
  items.some(({ link }) => referenceFolder.test(link))
const reference = [...groups.filter(isReference), apiGroup]
/** Each path's sidebar. A guide that's listed in the reference has its whole path here. */
const sidebar = {
  ...Object.fromEntries(
    reference
      .flatMap(({ items }) => items)
      .map(({ link }) => [referenceFolder.exec(link)?.[0] ?? link, reference]),
  ),
  '/': groups.filter((group) => !isReference(group)),
}

/** Shows types on hover in blocks that say `twoslash`. They may import these files. */
const fileOf = (page: string, name: string): string =>
  blocksOf(page).findLast(({ file }) => file === name)!.text
/** The names whose types teach something. Each pop-up costs a phone time, and one for every `string()` would cost a second. */
const explained = new Set(['req', 'id', 'body', 'first', 'down', 'twoNames'])
const twoslash = transformerTwoslash({
  explicitTrigger: true,
  twoslashOptions: {
    handbookOptions: { noErrorValidation: true }, // the tests compile the blocks
    shouldGetHoverInfo: (name) => explained.has(name),
    vfsRoot: join(import.meta.dirname, '..'),
    compilerOptions: {
      customConditions: ['@hv/source'],
      moduleResolution: 100 /* bundler */,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: ['node'],
    },
    extraFiles: {
      'routes.ts': fileOf('docs/guide/getting-started.md', 'routes.ts'),
      'server.ts': fileOf('docs/guide/client.md', 'server.ts'),
    },
  },
})

export default defineConfig({
  title: '@hv/router',
  description: about,
  lang: 'en',
  base,
  cleanUrls: true,
  // When a page opens, hiding the change of colors costs two more calculations of all styles: 150 ms on a phone.
  appearance: { disableTransition: false },
  srcExclude: ['.snippets/**', 'node_modules/**', 'decisions/**', 'maintaining.md'],
  head: [
    ['link', { rel: 'icon', href: `${base}mark.svg`, type: 'image/svg+xml' }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: '@hv/router' }],
    ['meta', { property: 'og:image', content: `${url}og.png` }],
    ['meta', { property: 'og:image:alt', content: 'One URL. Every version.' }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  transformPageData: ({ filePath }) => {
    const { summary } = readPage(filePath.replace(/\.md$/, ''))
    return summary === '' ? undefined : { description: summary.replaceAll(/[`*]/g, '') }
  },
  transformHead: ({ assets, pageData: { title, description, relativePath } }) => [
    ...assets.filter((asset) => asset.endsWith('.woff2')).map(preloadFont),
    ['meta', { property: 'og:title', content: title || '@hv/router' }],
    ['meta', { property: 'og:description', content: description || about }],
    [
      'meta',
      { property: 'og:url', content: `${url}${relativePath.replace(/(?:index)?\.md$/, '')}` },
    ],
    ['link', { rel: 'alternate', type: 'text/markdown', href: `${base}${relativePath}` }],
  ],
  buildEnd: ({ outDir, pages }) => writeForAgents(outDir, pages),
  markdown: {
    anchor: { slugify: slug },
    config: useRepositoryLinks,
    codeTransformers: [twoslash],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    logo: { src: '/mark.svg', alt: '' },
    nav: [
      { text: 'Guide', link: '/guide/getting-started', activeMatch: '/guide/' },
      { text: 'Reference', link: '/reference/dsl', activeMatch: '/reference/' },
      { text: 'Playground', link: '/playground' },
      { text: 'Comparison', link: '/comparison' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: search },
    notFound: {
      title: 'No such page',
      quote: 'It may have moved. The search at the top of the page finds it.',
      linkText: 'Home',
    },
    // By its name, every page would have to find out whether the style sheet has the icon, which takes a phone 50 ms.
    socialLinks: [{ icon: { svg: github }, link: repository, ariaLabel: 'GitHub' }],
    editLink: { pattern: `${repository}/edit/main/docs/:path` },
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

function preloadFont(href: string): HeadConfig {
  return ['link', { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: '' }]
}

/** Words in an inline code element, but not its tags. Long ones may break, because a phone has no room for them. */
const hyphenated = /(?<=[\s>])(?=[^\s<>]*-)[^\s<>]{2,20}(?=[\s<])/g
const unbroken = '<span class="unbroken">$&</span>'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/**
 * Files of the repository link to GitHub. Pages that npm shows, and links to the playground, link into this site, and their
 * pictures are its own.
 * Code blocks show their file name: above the code, and in a code group below the tabs.
 * Options and package names stay on one line: a browser would break `--routes` after its hyphens.
 */
function useRepositoryLinks(md: Markdown): void {
  md.core.ruler.push('repository-links', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null) token.attrSet('href', targetOf(href))
      const src = token.type === 'image' ? token.attrGet('src') : null
      if (src?.startsWith(url) === true) token.attrSet('src', src.slice(site.length))
    }
  })
  const inlineCode = md.renderer.rules.code_inline!
  md.renderer.rules.code_inline = (...args) => inlineCode(...args).replaceAll(hyphenated, unbroken)
  const fence = md.renderer.rules.fence!
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]!
    const file = /\bfile=(\S+)/.exec(token.info)?.[1]
    token.content = withoutHidden(token.content)
    const isTab = token.info.includes('[')
    // What is left is the language, {highlighted lines} and the [tab] of a code group.
    token.info = token.info.replaceAll(/ (?:file=\S+|fails)/g, '')
    const code = fence(tokens, index, ...rest)
    if (file === undefined) return code
    const name = `<p class="file-name">${md.utils.escapeHtml(file)}</p>`
    // The tabs switch between the elements of a group, so the name has to be inside.
    if (isTab) return code.replace(/^<div class="language-[^>]*>/, (start) => start + name)
    return `<div class="named-code">${name}${code}</div>`
  }
}
