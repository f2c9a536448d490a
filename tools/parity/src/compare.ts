// Compares a file's tests in one mode with the same tests in the native mode, and both with the list of differences.
import type { Difference } from './differences.ts'
import type { Mode } from './modes.ts'
import type { Result } from './reporter.ts'

export interface Comparison {
  /** How many tests pass natively, and how many of them pass in the mode as well. */
  readonly native: number
  readonly passed: number
  /** Tests that differ though they aren't in the list, and tests in the list that don't differ. */
  readonly faults: readonly string[]
}

export function compare(
  file: string,
  mode: Mode,
  native: readonly Result[],
  inMode: readonly Result[],
  list: readonly Difference[],
): Comparison {
  const results = resultsByName(inMode)
  const expected = [...resultsByName(native)].filter(([, { passed }]) => passed)
  const differing = expected.map(([name]) => name).filter((name) => !results.get(name)?.passed)
  const listed = list
    .filter(({ onlyIn }) => onlyIn === undefined || onlyIn.includes(mode))
    .flatMap(({ tests }) => tests[file] ?? [])
  const unlisted = differing.filter((name) => !listed.includes(name))
  const outdated = listed.filter((name) => !differing.includes(name))
  return {
    native: expected.length,
    passed: expected.length - differing.length,
    faults: [
      ...unlisted.map((name) => {
        const error = results.get(name)?.error ?? 'The test never ended.'
        return `${mode}, ${file}: "${name}" only passes natively. ${error}`
      }),
      ...outdated.map(
        (name) => `${mode}, ${file}: "${name}" is in src/differences.ts, but doesn't differ.`,
      ),
    ],
  }
}

/** Several tests of a file may have the same name: the second is `name #2`. */
function resultsByName(results: readonly Result[]): ReadonlyMap<string, Result> {
  const counts = new Map<string, number>()
  return new Map(
    results.map((result) => {
      const count = (counts.get(result.name) ?? 0) + 1
      counts.set(result.name, count)
      return [count === 1 ? result.name : `${result.name} #${count}`, result]
    }),
  )
}
