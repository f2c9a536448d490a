// How many words a reader finds on a page of the site.
import { readPage } from './pages.ts'
import { withoutHidden } from './plain.ts'

/** The words of a page, its code and the names of its files included. Of a group of tabs, a reader sees the first. */
export const wordsOf = (path: string): number => countWords(readPage(path).text)

export function countWords(markdown: string): number {
  const visible = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^::: code-group\n\n(```[\s\S]*?^```$)[\s\S]*?^:::$/gm, '$1')
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? codeOf(part) : proseOf(part)))
    .join('\n')
  return visible.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

function codeOf(block: string): string {
  const [, info, code] = /^```(.*)\n([\s\S]*)```$/.exec(block)!
  return `${/\bfile=(\S+)/.exec(info!)?.[1] ?? ''}\n${withoutHidden(code!)}`
}

/** The text without what isn't shown: the targets of links, pictures, and the names of boxes and components. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\]\([^)\s]*\)/g, ']')
    .replaceAll(/^::: *\w*/gm, '')
    .replaceAll(/^<.*>$/gm, '')
    .replaceAll('|', ' ')
