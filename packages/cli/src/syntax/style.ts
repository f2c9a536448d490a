import type { SourceFile } from './parse.ts'

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

/** The style of a file. What it does not show is taken from the others, nearest first; else the first of each. */
export function styleOf(file: SourceFile, others: readonly SourceFile[] = []): Style {
  const texts = [file, ...others].map(({ text, comments }) =>
    comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text),
  )
  const wins = (wanted: RegExp, other: RegExp): boolean => {
    const votes = texts.map((text) => (text.match(wanted)?.length ?? 0) - (text.match(other)?.length ?? 0))
    return (votes.find((vote) => vote !== 0) ?? 0) > 0
  }
  const indents = texts.map((text) => /^\S.*\{[ \t]*\r?\n([ \t]+)\S/m.exec(text)?.[1])
  return {
    quote: wins(/(?<=[\s([{=:,])"/g, /(?<=[\s([{=:,])'/g) ? '"' : "'",
    end: wins(/;[ \t]*\r?$/gm, /[\w)\]'"`}][ \t]*\r?$(?=\r?\n(?:\S|\s*\}))/gm) ? ';' : '',
    newline: file.text.includes('\r\n') ? '\r\n' : '\n',
    indent: indents.find((indent) => indent !== undefined) ?? '  ',
  }
}
