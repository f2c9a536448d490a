import type { PathMatches } from './find-path-matches.ts'
import { decodeOrNull } from './path.ts'
import { type Candidate, type Trie, plainTest } from './trie.ts'

/**
 * Returns the first candidate whose constraints accept a path match's values, or null if none does.
 */
export type FindAccepted = (
  first: Candidate | null,
  path: string,
  pathMatch: number,
) => Candidate | null

/**
 * Creates the function that checks constraints. Each test runs at most once per value and request.
 */
export function createConstraintCheck(
  { tests }: Trie,
  { bounds, stride }: PathMatches,
): FindAccepted {
  /** What the tests answered for the last path, by test and value. */
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
    const remembered = answers.get(key)
    if (remembered !== undefined) return remembered
    // An invalid escape passes, because the request gets a 400 response whatever the constraints
    // say.
    const value = decodeOrNull(path.slice(from, to))
    const answer = value === null || tests[test]!(value)
    answers.set(key, answer)
    return answer
  }
}

/**
 * Whether a value has no dot that could start an extension. In a glob's value, only a dot in the
 * last segment could.
 */
function isPlain(test: number, path: string, from: number, to: number): boolean {
  if (test === plainTest.param) return !path.slice(from, to).includes('.')
  const dot = path.lastIndexOf('.', to - 1)
  const last = Math.max(from, path.lastIndexOf('/', to - 1) + 1)
  return path[to] === '.' || dot <= last || dot === to - 1
}
