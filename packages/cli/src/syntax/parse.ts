import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type Comment, type Node, type Program, parseSync } from 'oxc-parser'

/** A parsed file. Offsets of nodes are offsets into `text`. */
export interface SourceFile {
  /** Absolute path. */
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly comments: readonly Comment[]
}

/** Where something is written. Lines count from 1. */
export interface Place {
  readonly path: string
  readonly line: number
}

/** The file has a syntax error. */
export class SyntaxFault extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

/**
 * Parses a TypeScript or JavaScript file.
 *
 * @throws SyntaxFault at the first syntax error
 */
export function parseFile(path: string, text: string = readFileSync(path, 'utf8')): SourceFile {
  const isTypeScript = /^\.[mc]?ts$/.test(extname(path))
  const { program, comments, errors } = parseSync(path, text, {
    lang: isTypeScript ? 'ts' : 'jsx',
    preserveParens: false,
  })
  const [error] = errors
  if (error !== undefined)
    throw new SyntaxFault(error.message, { path, line: lineAt(text, error.labels[0]?.start ?? 0) })
  return { path, text, program, comments }
}

/** The file and the line of a node. */
export const placeOf = ({ path, text }: SourceFile, node: { readonly start: number }): Place => ({
  path,
  line: lineAt(text, node.start),
})

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The name that a key or an export name spells out. */
export function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : ''
}

export type { Node }
