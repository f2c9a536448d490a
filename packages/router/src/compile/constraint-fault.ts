/** The parts of a regular expression: characters, classes, openings of groups, quantifiers. */
const partOfExpression =
  /\\(?:[1-9]\d*|k<\w+>|[up]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:<?[=!]|[a-z-]*:|<\w+>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]/giu
const emptyClasses = new Set(['[]', '[^\\s\\S]', '[^\\d\\D]', '[^\\w\\W]'])

/**
 * Finds out from the syntax of a constraint why it can never match a path parameter, which is never empty. Lookarounds, back
 * references and word boundaries are not judged.
 *
 * @param source - of a regular expression that compiles
 * @returns the reason, or null
 */
export function findConstraintFault(source: string): string | null {
  const ruby = /^(?:\\[^AzZGhHR]|[^\\])*?(\\[AzZGhHR]|\[\[:\w+:\])/.exec(source)?.[1]
  if (ruby !== undefined) return `contains ${ruby}, which means something else in JavaScript than in Ruby`

  // Each part becomes a letter for what it matches: C characters, E only the empty string, O either, N nothing.
  let letters = source.replace(partOfExpression, letterOf)
  for (let previous = ''; previous !== letters;) {
    previous = letters
    letters = letters
      .replace(/[NE]\*|[CEON]0/g, 'E')
      .replace(/[CO]\*/g, 'O')
      .replace(/\(([^()=!]*)\)/g, (_group, inside: string) => letterOfAlternatives(inside))
      .replace(/!\)/g, 'N') // (?!) is never true
      .replace(/[=!][^()=!]*\)/g, 'E')
  }
  const all = letterOfAlternatives(letters)
  if (all === 'N') return 'never matches'
  return all === 'E' ? 'matches only the empty string' : null
}

/** The letter of one part. Quantifiers become `*` or `0`, or nothing where they require a match. */
function letterOf(part: string): string {
  if (part.startsWith('(')) return /[=!]$/.test(part) ? part.at(-1)! : '('
  if (/^[)|^$]/.test(part)) return part
  if (/^\{0(?:,0)?\}/.test(part)) return '0'
  if (/^(?:[*?]|\{0)/.test(part)) return '*'
  if (/^(?:\+|\{\d)/.test(part)) return ''
  if (/^\\(?:b|[1-9]|k<)/i.test(part)) return 'O'
  return emptyClasses.has(part) ? 'N' : 'C'
}

function letterOfAlternatives(letters: string): string {
  const possible = letters
    .split('|')
    .map(letterOfSequence)
    .filter((letter) => letter !== 'N')
  if (possible.length === 0) return 'N'
  return possible.every((letter) => letter === possible[0]) ? possible[0]! : 'O'
}

function letterOfSequence(letters: string): string {
  if (/N|C.*\^|\$.*C/.test(letters)) return 'N' // `a^b` and `a$b` match nothing
  if (letters.includes('C')) return 'C'
  return letters.includes('O') ? 'O' : 'E'
}
