// The code blocks of a documentation page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './packed.ts'

export interface Block {
  readonly language: string
  readonly file: string | undefined
  /** The tab of a code group: Fastify, Express, fetch, npm, … */
  readonly tab: string | undefined
  /** The block must not compile. The next block contains the error. */
  readonly fails: boolean
  readonly text: string
}

/** The code blocks of a page, in order. Their first line is: language [tab] {highlighted lines} file=name fails. */
export const blocksOf = (page: string): readonly Block[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ([, language, info, text]) => ({
      language: language!,
      file: /\bfile=(\S+)/.exec(info!)?.[1],
      tab: /\[(.+)\]/.exec(info!)?.[1],
      fails: / fails\b/.test(info!),
      text: text!,
    }),
  )

/** The tabs that pages offer for the same code: one adapter each. */
const adapterTabs = ['Fastify', 'Express', 'fetch', 'Nest'] as const

/** The adapters whose tabs a page has. */
export function adaptersOf(page: string): readonly string[] {
  const tabs = new Set(blocksOf(page).map(({ tab }) => tab))
  return adapterTabs.filter((name) => tabs.has(name))
}

/** The blocks that a reader sees who picks this adapter and npm. */
export const blocksForAdapter = (page: string, adapter: string): readonly Block[] =>
  blocksOf(page).filter(({ tab }) => tab === undefined || tab === adapter || tab === 'npm')

/** Pages that change the files of another page. */
const continued: Readonly<Record<string, string>> = {
  'docs/guide/change-a-payload.md': 'docs/guide/getting-started.md',
}

/** The blocks of a page, and the folder for their files below the page's own: one for each adapter if the page has tabs. */
export function variantsOf(
  page: string,
): readonly (readonly [folder: string, blocks: readonly Block[]])[] {
  const earlier = continued[page]
  const blocksOn = (adapter: string): readonly Block[] => [
    ...(earlier === undefined
      ? []
      : blocksForAdapter(earlier, adapter).filter(({ file }) => file?.endsWith('.ts'))),
    ...blocksForAdapter(page, adapter),
  ]
  const adapters = adaptersOf(page)
  return adapters.length === 0
    ? [['', blocksOn('')]]
    : adapters.map((name) => [name.toLowerCase(), blocksOn(name)])
}

/** Writes a block to a folder, under its file name or one with its number. Returns the path. */
export function writeBlock({ file, text }: Block, index: number, folder: string): string {
  const path = join(folder, file ?? `block${index}.ts`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** Matches the output that a block shows. An ellipsis matches the rest of a long value. */
export const patternOf = (output: string): RegExp =>
  new RegExp(`^${output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^\\n]*')}$`)
