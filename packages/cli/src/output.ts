import { relative, sep } from 'node:path'
import { styleText } from 'node:util'

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

/** A mistake of the caller: one message on stderr, exit code 2. Most functions throw it; their comments do not say so. */
export class UsageError extends Error {}

export const print = ({ out }: Io, ...lines: readonly string[]): void => {
  for (const line of lines) out.write(`${line}\n`)
}

export const printJson = (io: Io, value: unknown): void => print(io, JSON.stringify(value, null, 2))

/** A path as messages show it: relative to the working directory, with forward slashes on every platform. */
export const display = ({ cwd }: Pick<Io, 'cwd'>, path: string): string =>
  relative(cwd, path).split(sep).join('/')

type TextStyle = Parameters<typeof styleText>[0]

/** Colors a text on a terminal. Other outputs and NO_COLOR get plain text. */
export const paint = (output: Output, style: TextStyle, text: string): string =>
  output.isTTY === true && !process.env['NO_COLOR']
    ? styleText(style, text, { validateStream: false })
    : text

/** Prints what happens to a file: `update  src/routes.ts`. */
export const printStep = (
  io: Io,
  word: string,
  text: string,
  color: 'green' | 'yellow' = 'green',
): void => print(io, `${paint(io.out, color, word.padEnd(6))}  ${text}`)

/** Aligns the cells of each row. Nothing is cut off. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length)
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}

/** `1 route`, `2 routes`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`

/** `GET /users, GET /me, POST /users and 243 more` */
export const listed = (names: readonly string[], most = 3): string =>
  names.length <= most + 1
    ? names.join(', ')
    : `${names.slice(0, most).join(', ')} and ${names.length - most} more`

/** Shows on a terminal what the command is doing, in one line that the next call replaces, or removes. Pipes get nothing. */
export const showProgress = ({ err }: Io, text = ''): void => {
  if (err.isTTY === true) err.write(`\r\u001B[K${paint(err, 'dim', text)}`)
}
