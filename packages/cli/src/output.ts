import { relative, sep } from 'node:path'
import { styleText } from 'node:util'

/**
 * How people run this command. Until the packages are published, somebody else may publish one
 * under this name, so the version limits what npx downloads.
 */
export const npx = 'npx @hv/router-cli@0.1'

/** Where a command runs, reads and writes. */
export interface Io {
  readonly cwd: string
  readonly out: Output
  readonly err: Output
}

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}

/** A mistake in a call or in a file. It becomes one line on stderr and exit code 2. */
export class UsageError extends Error {}

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

/** A line of output. Its first part can have a style, which terminals show. */
export type Line = string | { readonly style: Style; readonly text: string; readonly rest?: string }

/**
 * Writes a line. Names in route files, lock files and requests can contain escape sequences, or a
 * newline that forges a line in a CI log. All text passes through here, so they're visible instead.
 */
export function writeLine(output: Output, line: Line): void {
  const { style, text, rest = '' } = typeof line === 'string' ? { text: line } : line
  output.write(`${painted(output, style, withoutControls(text))}${withoutControls(rest)}\n`)
}

/** `\u001b` for an escape character. JSON with such escapes means the same as before. */
export const withoutControls = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\0-\x1f\x7f-\x9f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Pipes, and everybody who sets NO_COLOR, get plain text. */
const painted = ({ isTTY }: Output, style: Style | undefined, text: string): string =>
  style !== undefined && isTTY === true && !process.env['NO_COLOR']
    ? styleText(style, text, { validateStream: false })
    : text

/** Prints an error. Further lines are indented, so that none of them looks like an error of its own. */
export function printError({ err }: Pick<Io, 'err'>, message: string): void {
  const [first, ...others] = message.split('\n')
  writeLine(err, { style: 'red', text: 'error:', rest: ` ${first}` })
  for (const line of others) writeLine(err, `  ${line.trim()}`)
}

/** A few lines of a text that may be as long as a bundle. */
export const excerpt = (text: string): string =>
  text
    .replaceAll(/^(.{300}).*/gm, '$1…')
    .split('\n', 8)
    .join('\n')

export const print = ({ out }: Io, ...lines: readonly Line[]): void => {
  for (const line of lines) writeLine(out, line)
}

/** @param fields - the fields to print, if not all of them */
export const printJson = (io: Io, value: unknown, fields: string[] | null = null): void =>
  print(io, ...JSON.stringify(value, fields, 2).split('\n'))

/** Prints a coloured word and what it's about: `update  src/routes.ts`. */
export const printStep = (io: Io, style: Style, word: string, rest: string): void =>
  print(io, { style, text: word, rest: `  ${rest}` })

/** Lists files that the command has written: `update  src/routes.ts`. */
export function printFiles(io: Io, word: string, files: readonly { readonly path: string }[]) {
  for (const { path } of files) printStep(io, 'green', word, display(io, path))
}

/** A path as messages show it: relative to the working directory, with forward slashes. */
export const display = ({ cwd }: Pick<Io, 'cwd'>, path: string): string =>
  relative(cwd, path).split(sep).join('/')

/** Aligns the cells of each row. Nothing is cut off. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return rows.map((row) => {
    const cells = row.map((cell, index) => cell.padEnd(widths[index]!))
    return cells.join('  ').trimEnd()
  })
}

/** `1 route`, `2 routes`. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`

/** `GET /users, GET /me, POST /users and 243 more` */
export const abridged = (names: readonly string[]): string =>
  names.length <= 4
    ? names.join(', ')
    : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
