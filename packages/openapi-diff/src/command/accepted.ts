// Findings that people have accepted: a file with one on each line, and comments that start with #.
import { oneLine } from '../escape.ts'
import type { DiffFinding } from '../finding.ts'

/**
 * A finding as a line of the file. It names no position in a document, so it stays the same if the
 * documents are reordered.
 *
 * @example request-narrowed NewUser/name is new and required
 * @example lost-parameter GET /users: query parameter limit is gone
 */
export const lineOf = ({ code, component, operation, cause, message }: DiffFinding): string =>
  oneLine(`${code} ${component === undefined ? `${operation}: ${message}` : cause}`).trim()

/**
 * Leaves out accepted findings.
 *
 * @param text - the file's text
 * @returns the others, and the lines that no finding matches any more
 */
export function withoutAccepted(findings: readonly DiffFinding[], text: string) {
  const unused = new Set<string>()
  for (const line of text.split('\n')) if (!/^\s*(?:#|$)/.test(line)) unused.add(line.trim())
  const accepted = new Set(unused)
  const others: DiffFinding[] = []
  for (const finding of findings) {
    const line = lineOf(finding)
    unused.delete(line)
    if (!accepted.has(line)) others.push(finding)
  }
  return { others, unused }
}
