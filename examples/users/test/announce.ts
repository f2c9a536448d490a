/**
 * Says in a box that tests are skipped, because a program is missing here.
 *
 * @param requirement the environment variable that makes it a failure
 */
export function announce(requirement: string, met: boolean, what: string): void {
  if (met || process.env['VITEST'] === undefined) return // figures choose a database themselves
  const text = `SKIPPED: ${what}`
  if (process.env[requirement] === '1') throw new Error(`${requirement}=1, but: ${text}`)
  console.warn(`┌${'─'.repeat(text.length + 2)}┐\n│ ${text} │\n└${'─'.repeat(text.length + 2)}┘`)
}
