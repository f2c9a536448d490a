import { readFileSync, statSync } from 'node:fs'
import { type EcmaScriptModule, type Program, parseSync } from 'oxc-parser'

/** A parsed file. A node's offsets are offsets into `text`. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly program: Program
  /** Its imports and exports as a list. */
  readonly module: EcmaScriptModule
}

/** Why a file can't be parsed, and where. Lines count from 1. */
export interface Unparsed {
  readonly why: string
  readonly line: number
}

const maxSize = 1_000_000
const maxDepth = 1_000

/** Parses a TypeScript or JavaScript file, up to its first syntax error. */
export function parseFile(path: string): SourceFile | Unparsed {
  const [, language] = /\.[mc]?([jt])s$/.exec(path) ?? []
  if (language === undefined) return { why: "it's neither TypeScript nor JavaScript", line: 1 }
  try {
    if (statSync(path).size > maxSize) return { why: `it's larger than ${maxSize} bytes`, line: 1 }
    const text = readFileSync(path, 'utf8')
    const tooDeep = findDeepNesting(text)
    if (tooDeep !== null)
      return { why: `its brackets are nested deeper than ${maxDepth}`, line: lineAt(text, tooDeep) }
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

/**
 * Returns the position where brackets are nested too deeply, or null. The parser is native code
 * that recurses, so a file with 16,000 open brackets would end this process without an error.
 */
function findDeepNesting(text: string): number | null {
  let depth = 0
  // A bracket in a comment or in a string isn't nesting.
  const parts = /\/\*[^]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[([{]|[)\]}]/g
  for (const { 0: part, index } of text.matchAll(parts)) {
    if (part.length > 1) continue
    if ('([{'.includes(part)) depth++
    else depth = Math.max(0, depth - 1)
    if (depth > maxDepth) return index
  }
  return null
}

/** The line of an offset. Lines count from 1. */
export const lineAt = (text: string, offset: number): number =>
  text.slice(0, offset).split('\n').length
