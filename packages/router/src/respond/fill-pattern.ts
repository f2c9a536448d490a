/**
 * Replaces the parameters of a pattern.
 *
 * @param textOf - the text to put in place of a parameter. A glob's text may contain slashes
 * @example fillPattern('/users/:id', () => '7') // '/users/7'
 */
export const fillPattern = (
  pattern: string,
  textOf: (name: string, isGlob: boolean) => string,
): string =>
  pattern.replaceAll(/([:*])(\w+)/g, (_, kind: string, name: string) => textOf(name, kind === '*'))

/**
 * Returns the pattern with the most parameters, among those whose parameters are all given. If
 * there's none, returns the first one, so that filling it reports what's missing.
 */
export function patternFor<Pattern extends { readonly params: readonly string[] }>(
  patterns: readonly Pattern[],
  given: Readonly<Record<string, unknown>>,
): Pattern {
  const byParams = patterns.toSorted((a, b) => b.params.length - a.params.length)
  const complete = byParams.find(({ params }) => params.every((name) => given[name] !== undefined))
  return complete ?? patterns[0]!
}

/**
 * Returns a value as the text of a path parameter, or null if no path can contain it. Clients
 * resolve `.` and `..` as relative paths, however they're encoded, and an empty segment would be a
 * different path.
 */
export function pathTextOf(value: unknown, isGlob: boolean): string | null {
  const text = hasText(value ?? '') ? String(value ?? '') : ''
  const segments = isGlob ? text.split('/') : [text]
  const isRelative = segments.some((segment) => ['', '.', '..'].includes(segment))
  return isRelative || /\p{Surrogate}/u.test(text) ? null : text
}

/**
 * Whether a value can be written as text. An object from a database can, such as a document's id.
 * Plain objects and lists can't.
 */
const hasText = (value: unknown): boolean =>
  typeof value !== 'object' ||
  (!Array.isArray(value) &&
    typeof value?.toString === 'function' &&
    value.toString !== Object.prototype.toString)

/**
 * Percent-encodes a segment. Dots are encoded as well, because the matcher would read the text
 * after a dot as the format.
 */
export const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replaceAll('.', '%2E')
