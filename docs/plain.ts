// What programs read: every page as plain Markdown beside its HTML, and llms.txt and llms-full.txt, which list and join them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Page, about, readPage, readSections, site, targetOf } from './pages.ts'

/** Writes the files into the folder of the built site. `pages` are all its pages: `guide/routes.md`. */
export function writeForAgents(folder: string, pages: readonly string[]): void {
  const files = pages.map((page) => [page, plainOf(page.slice(0, -'.md'.length))] as const)
  for (const [file, text] of [
    ...files,
    ['llms.txt', llmsText()],
    ['llms-full.txt', llmsFullText()],
  ] as const) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/** A page without what only the site understands: front matter, tabs, boxes and components. Its links are absolute. */
export function plainOf(path: string): string {
  const { text, title } = readPage(path)
  const parts = text
    .replace(/^---\n[\s\S]*?\n---\n+/, /^# /m.test(text) ? '' : `# ${title}\n\n`)
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? plainCode(part) : plainText(part, path)))
  return `${parts
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

/** Code without the lines that only the compiler needs, above `// ---cut---`. */
export const withoutHidden = (code: string): string =>
  code.replace(/^[\s\S]*^\/\/ ---cut---\n/m, '')

/** Names the tab and the file above the code. */
function plainCode(block: string): string {
  const [, language, info, rest] = /^```(\w*)([^\n]*)(\n[\s\S]*)$/.exec(block)!
  const file = /\bfile=(\S+)/.exec(info!)?.[1]
  const names = [/\[(.+)\]/.exec(info!)?.[1], file && `\`${file}\``].filter(Boolean)
  return `${names.length > 0 ? `${names.join(', ')}:\n\n` : ''}\`\`\`${language}\n${withoutHidden(rest!.slice(1))}`
}

function plainText(text: string, path: string): string {
  return text
    .replaceAll(/^<!--.*-->\n/gm, '')
    .replaceAll(
      /^::: (?!code-group)(\w+)(.*)\n([\s\S]*?)^:::$/gm,
      (_all, kind: string, title: string, body: string) =>
        `**${kind[0]!.toUpperCase()}${kind.slice(1)}:${title}**\n\n${body}`,
    )
    .replaceAll(/^:::.*$/gm, '')
    .replaceAll(/^<(\w+Diagram) \/>$/gm, (_all, name: string) => `_${titleOfDiagram(name)}_`)
    .replaceAll(/^<\/?(?:div|[A-Z]).*>$/gm, '')
    .replaceAll(
      /(\]\()([^)\s]+)(?=\))/g,
      (_all, start: string, href: string) => start + absolute(href, path),
    )
}

function absolute(href: string, path: string): string {
  if (href.startsWith('#')) return href
  const target = targetOf(href)
  return target.startsWith('/') ? site + target : new URL(target, `${site}/${path}.md`).href
}

function titleOfDiagram(name: string): string {
  const source = readFileSync(join(import.meta.dirname, `.vitepress/theme/${name}.vue`), 'utf8')
  return /<title[^>]*>([^<]+)/.exec(source)![1]!.trim()
}

const sections = () =>
  readSections().map(({ title, pages }) => ({ title, pages: pages.filter(isText) }))
const isText = ({ path }: Page): boolean => path !== 'playground'

export function llmsText(): string {
  const link = ({ path, title, summary }: Page) =>
    `- [${title}](${site}/${path}.md)${summary === '' ? '' : `: ${firstSentence(summary)}`}`
  const lists = sections().map(({ title, pages }) => `## ${title}\n\n${pages.map(link).join('\n')}`)
  const start = [
    `- [For coding agents](${site}/agents.md): rules and recipes on one page, also in \`node_modules/@hv/router/AGENTS.md\``,
    `- [llms-full.txt](${site}/llms-full.txt): all pages in one file`,
  ].join('\n')
  return `${[`# @hv/router\n\n> ${about}`, start, ...lists].join('\n\n')}\n`
}

export const llmsFullText = (): string =>
  [...sections().flatMap(({ pages }) => pages.map(({ path }) => path)), 'agents']
    .map((path) => `<!-- ${site}/${path}.md -->\n\n${plainOf(path)}`)
    .join('\n')

const firstSentence = (text: string): string => text.split(/(?<=[^.]\.) (?=[A-Z`])/)[0]!
