// The bodies of two versions side by side.

/** A line of a body. */
export interface BodyLine {
  readonly text: string
  /** Whether the other body doesn't have it. */
  readonly isDifferent: boolean
}

/** JSON with every list of plain values on one line. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/\[[^\][{}]*\]/g, (list) =>
    list.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  )

/** The lines of a body, compared with the lines of another one. */
export function compareLines(body: string, other: string | undefined): readonly BodyLine[] {
  const others = new Set(other?.split('\n').map(withoutComma))
  return body
    .split('\n')
    .map((text) => ({ text, isDifferent: other !== undefined && !others.has(withoutComma(text)) }))
}

/** The comma after a property depends on what follows it. */
const withoutComma = (line: string): string => line.replace(/,$/, '')
