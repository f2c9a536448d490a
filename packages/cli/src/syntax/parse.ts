import { readFileSync, statSync } from 'node:fs'
import { type EcmaScriptModule, type Program, parseSync } from 'oxc-parser'

/** A parsed file. Offsets of nodes are offsets into `text`. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly program: Program
  /** Its imports and exports, in one form. */
  readonly module: EcmaScriptModule
}

/** Where something is written. Lines count from 1. */
export interface Place {
  readonly path: string
  readonly line: number
}

/** Why a file cannot be read, and on which line. */
export interface Unreadable {
  readonly why: string
  readonly line: number
}

const maxSize = 1_000_000

/** Parses a TypeScript or JavaScript file, up to its first syntax error. */
export function parseFile(path: string): SourceFile | Unreadable {
  const [, language] = /\.[mc]?([jt])s$/.exec(path) ?? []
  if (language === undefined) return { why: 'it is neither TypeScript nor JavaScript', line: 1 }
  try {
    if (statSync(path).size > maxSize) return { why: 'it is too large', line: 1 }
    const text = readFileSync(path, 'utf8')
    const { program, module, errors } = parseSync(path, text, {
      lang: language === 't' ? 'ts' : 'jsx',
      preserveParens: false,
    })
    const [error] = errors
    if (error === undefined) return { path, text, program, module }
    return { why: error.message, line: lineAt(text, error.labels[0]?.start ?? 0) }
  } catch (error) {
    return { why: (error as Error).message, line: 1 }
  }
}

/** A file without `export` exports by `module.exports`, if at all. */
export const isCommonJs = ({ program }: SourceFile): boolean =>
  !program.body.some(({ type }) => type.startsWith('Export'))

/** The file and the line of a node. */
export const placeOf = ({ path, text }: SourceFile, { start }: { readonly start: number }): Place => ({
  path,
  line: lineAt(text, start),
})

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
