// Documents are input from strangers: their names and values must not act where they're printed.

// Control characters, line separators, and the marks that turn the direction of text.
// oxlint-disable-next-line no-control-regex
const acting = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A text on one line, with everything escaped that acts on a terminal or starts a new line. */
export const oneLine = (text: string): string =>
  text.replaceAll(acting, (character) => {
    const digits = character.codePointAt(0)!.toString(16)
    return String.raw`\u${digits.padStart(4, '0')}`
  })

/** A text as Markdown shows it: no character formats, links or mentions anything. */
export const markdown = (text: string): string =>
  oneLine(text)
    .replaceAll(/[\\`*_{}[\]#|~!>]/g, String.raw`\$&`)
    .replaceAll(/[&<@]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Markdown's code, also of a text with backquotes. */
export function code(text: string): string {
  const line = oneLine(text)
  if (!line.includes('`')) return `\`${line}\``
  let fence = '``'
  while (line.includes(fence)) fence += fence
  return `${fence} ${line} ${fence}`
}
