/** Whether a text matches a pattern. Null if that can't be found out, or not in time. */
export function matchesPattern(text: string, pattern: string): boolean | null {
  if (!isHarmless(text, pattern)) return null
  // Some patterns, such as `[\w-.]`, are only valid without the flag `u`.
  for (const flags of ['u', ''])
    try {
      return new RegExp(pattern, flags).test(text)
    } catch {
      // the next flags
    }
  return null
}

const mostCharacters = 256
const mostUnbounded = 2

/**
 * JavaScript can't interrupt a regular expression, and one such as `^(a+)+$` takes years for 40 characters. So only those that
 * can't go back and forth much are run: without quantified groups, back references and look-arounds, and with at most two
 * quantifiers that have no end.
 */
function isHarmless(text: string, pattern: string): boolean {
  if (text.length > mostCharacters || pattern.length > mostCharacters) return false
  const outsideClasses = pattern
    .replaceAll(/\\[^1-9k]/g, 'x')
    .replaceAll(/\[(?:[^\]\\]|\\.)*\]/g, 'x')
  if (/\\|\(\?[=!<]|\)[*+?{]/.test(outsideClasses)) return false
  const unbounded = outsideClasses.match(/[*+]|\{\d*,\}/g) ?? []
  return unbounded.length <= mostUnbounded
}
