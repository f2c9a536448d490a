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

/** What cannot be known from reading, why, and where that is. */
export interface Unseen {
  readonly kind: 'unseen'
  readonly why: string
  readonly place: Place
  /** A call returns it: `wrap(() => …)`. */
  readonly isCalled?: boolean
  /** The package that it comes from, and its name there: `@hv/router-fastify before`. */
  readonly origin?: string
}

const maxSize = 1_000_000

/** Parses a TypeScript or JavaScript file, up to its first syntax error. */
export function parseFile(path: string): SourceFile | Unseen {
  const unreadable = (why: string, line = 1): Unseen => ({
    kind: 'unseen',
    why,
    place: { path, line },
  })
  const [, language] = /\.[mc]?([jt])s$/.exec(path) ?? []
  if (language === undefined) return unreadable('it is neither TypeScript nor JavaScript')
  try {
    if (statSync(path).size > maxSize) return unreadable('it is too large')
    const text = readFileSync(path, 'utf8')
    const { program, module, errors } = parseSync(path, text, {
      lang: language === 't' ? 'ts' : 'jsx',
      preserveParens: false,
    })
    const [error] = errors
    if (error === undefined) return { path, text, program, module }
    return unreadable(error.message, lineAt(text, error.labels[0]?.start ?? 0))
  } catch (error) {
    return unreadable((error as Error).message)
  }
}

/** A file without `export` exports by `module.exports`, if at all. */
export const isCommonJs = ({ program }: SourceFile): boolean =>
  !program.body.some(({ type }) => type.startsWith('Export'))

/** The file and the line of a node. */
export const placeOf = (
  { path, text }: SourceFile,
  { start }: { readonly start: number },
): Place => ({
  path,
  line: lineAt(text, start),
})

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
