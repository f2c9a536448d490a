// The code blocks of a documentation page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './packed.ts'

export interface Block {
  readonly language: string
  readonly file: string | undefined
  /** The block must not compile. The next block contains the error. */
  readonly fails: boolean
  readonly text: string
}

/** The code blocks of a page, in order. */
export const blocksOf = (page: string): readonly Block[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)(?: +file=(\S+))?( fails)?\n([\s\S]*?)^```$/gm)].map(
    ([, language, file, fails, text]) => ({ language: language!, file, fails: fails !== undefined, text: text! }),
  )

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
