import type { Node } from 'oxc-parser'
import type { SourceFile } from './parse.ts'
import { walk } from './walk.ts'

/** How a file is written. */
export interface Style {
  readonly quote: "'" | '"'
  /** What ends a statement. */
  readonly end: ';' | ''
  readonly newline: '\n' | '\r\n'
  readonly indent: string
}

/** For a project without a source file to look at. */
export const defaultStyle: Style = { quote: "'", end: '', newline: '\n', indent: '  ' }

const statementsWithEnd: ReadonlySet<string> = new Set<Node['type']>([
  'ExpressionStatement',
  'VariableDeclaration',
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ReturnStatement',
  'ThrowStatement',
  'PropertyDefinition',
  'TSImportEqualsDeclaration',
  'TSExportAssignment',
])

/** The style of a file. What it does not show is taken from the others, nearest first; else the first of each. */
export function styleOf(file: SourceFile, others: readonly SourceFile[] = []): Style {
  const votes = [file, ...others].map(votesOf)
  const decided = (count: (vote: Votes) => number): number => votes.map(count).find((number) => number !== 0) ?? 0
  return {
    quote: decided((vote) => vote.doubleQuotes) > 0 ? '"' : "'",
    end: decided((vote) => vote.semicolons) > 0 ? ';' : '',
    newline: file.text.includes('\r\n') ? '\r\n' : '\n',
    indent: votes.map(({ indent }) => indent).find((indent) => indent !== null) ?? '  ',
  }
}

/** Votes for, minus votes against. */
interface Votes {
  readonly doubleQuotes: number
  readonly semicolons: number
  readonly indent: string | null
}

function votesOf({ program, text }: SourceFile): Votes {
  let doubleQuotes = 0
  let semicolons = 0
  let indent: string | null = null
  walk(program, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') doubleQuotes += text[node.start] === '"' ? 1 : -1
    if (statementsWithEnd.has(node.type)) semicolons += text[node.end - 1] === ';' ? 1 : -1
    if (indent === null && (node.type === 'ClassBody' || node.type === 'BlockStatement') && node.body.length > 0)
      indent = indentBetween(text, node.start, node.body[0]!.start)
  })
  return { doubleQuotes, semicolons, indent }
}

/** How much deeper the first statement of a block is indented than the line of the block. */
function indentBetween(text: string, block: number, statement: number): string | null {
  const outer = blankBefore(text, block)
  const inner = text.slice(text.lastIndexOf('\n', statement) + 1, statement)
  return inner.trim() === '' && inner.startsWith(outer) && inner.length > outer.length
    ? inner.slice(outer.length)
    : null
}

function blankBefore(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset) + 1, offset)
  return line.slice(0, line.length - line.trimStart().length)
}
