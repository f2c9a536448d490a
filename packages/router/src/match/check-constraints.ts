import type { PathMatches } from './find-path-matches.ts'
import { decodeOrNull } from './path.ts'
import { type Candidate, type Trie, plainTest } from './trie.ts'

/** Returns the first of the candidates whose constraints accept the values of a path match; null when none does. */
export type FindAccepted = (
  first: Candidate | null,
  path: string,
  pathMatch: number,
) => Candidate | null

/** Creates the check of constraints. It asks each test at most once per value and request. */
export function createConstraintCheck(
  { tests }: Trie,
  { bounds, stride }: PathMatches,
): FindAccepted {
  /** The answers for the last path, by test and value. */
  const answers = new Map<number, boolean>()
  let answeredPath = ''

  return (first, path, pathMatch) => {
    let candidate = first
    while (candidate !== null && !isAccepted(candidate, path, pathMatch)) candidate = candidate.next
    return candidate
  }

  function isAccepted(candidate: Candidate, path: string, pathMatch: number): boolean {
    if (candidate.tests === null) return true
    return candidate.tests.every((test, param) => {
      const at = pathMatch * stride + 2 * param
      if (test === null) return true
      const check = test < 0 ? isPlain : accepts
      return check(test, path, bounds[at]!, bounds[at + 1]!)
    })
  }

  function accepts(test: number, path: string, from: number, to: number): boolean {
    if (path !== answeredPath) {
      answers.clear()
      answeredPath = path
    }
    const key = (from * path.length + to) * tests.length + test
    const known = answers.get(key)
    if (known !== undefined) return known
    // An invalid escape passes here. The response is 400, whatever the constraints say.
    const value = decodeOrNull(path.slice(from, to))
    const answer = value === null || tests[test]!(value)
    answers.set(key, answer)
    return answer
  }
}

/** Whether a value has no dot that could start an extension. In a glob, only the last segment counts. */
function isPlain(test: number, path: string, from: number, to: number): boolean {
  if (test === plainTest.param) return !path.slice(from, to).includes('.')
  const dot = path.lastIndexOf('.', to - 1)
  const last = Math.max(from, path.lastIndexOf('/', to - 1) + 1)
  return path[to] === '.' || dot <= last || dot === to - 1
}
