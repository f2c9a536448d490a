export interface Style {
  readonly quote: "'" | '"'
  /** What ends a statement. */
  readonly end: ';' | ''
  readonly newline: '\n' | '\r\n'
  readonly indent: string
}

/**
 * The first text's style. If it has no example of something, the next text decides; without any,
 * the first of each.
 */
export function styleOf(files: readonly string[]): Style {
  const texts = files.map((text) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, '')) // without comments
  const wins = (wanted: RegExp, other: RegExp): boolean => {
    const votes = texts.map(
      (text) => (text.match(wanted)?.length ?? 0) - (text.match(other)?.length ?? 0),
    )
    return (votes.find((vote) => vote !== 0) ?? 0) > 0
  }
  const indents = texts.map((text) => /^\S.*\{[ \t]*\r?\n([ \t]+)\S/m.exec(text)?.[1])
  return {
    quote: wins(/(?<=[\s([{=:,])"/g, /(?<=[\s([{=:,])'/g) ? '"' : "'",
    end: wins(/;[ \t]*\r?$/gm, /[\w)\]'"`}][ \t]*\r?$(?=\r?\n(?:\S|\s*\}))/gm) ? ';' : '',
    newline: files[0]?.includes('\r\n') === true ? '\r\n' : '\n',
    indent: indents.find((indent) => indent !== undefined) ?? '  ',
  }
}
