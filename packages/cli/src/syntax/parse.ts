import { readFileSync } from 'node:fs'
import { type EcmaScriptModule, type Program, parseSync } from 'oxc-parser'

/** A parsed file. A node's offsets are offsets into `text`. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  /** How its lines end. */
  readonly newline: '\n' | '\r\n'
  readonly program: Program
  /** Its imports and exports as a list. */
  readonly module: EcmaScriptModule
}

/** The parser is native code that recurses: from about 8,000 brackets on, its stack overflows. */
const maxDepth = 1_000

/**
 * Parses a TypeScript or JavaScript file, up to its first syntax error.
 *
 * @returns the file, or why it can't be parsed, and in which line, counted from 1
 */
export function parseFile(path: string): SourceFile | { why: string; line: number } {
  const text = readFileSync(path, 'utf8')
  if (isTooDeep(text)) return { why: "it's nested too deeply", line: 1 }
  const lang = path.endsWith('ts') ? 'ts' : 'jsx'
  const { program, module, errors } = parseSync(path, text, { lang, preserveParens: false })
  const [error] = errors
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  if (error === undefined) return { path, text, newline, program, module }
  return { why: error.message, line: lineAt(text, error.labels[0]?.start ?? 0) }
}

/** Counts open brackets, including those in strings and comments, few of which are left open. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[([{}\])]/g)) {
    depth = Math.max(0, depth + ('([{'.includes(bracket) ? 1 : -1))
    if (depth > maxDepth) return true
  }
  return false
}

/** The line of an offset. Lines count from 1. */
export const lineAt = (text: string, offset: number): number =>
  text.slice(0, offset).split('\n').length
