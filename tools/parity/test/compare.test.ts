import { describe, expect, it } from 'vitest'
import { compare } from '../src/compare.ts'
import type { Difference } from '../src/differences.ts'
import type { Result } from '../src/reporter.ts'

const file = 'fastify/test/hooks.test.js'
const results = (...tests: readonly [name: string, passed: boolean][]): readonly Result[] =>
  tests.map(([name, passed]) => ({ name, passed, ...(!passed && { error: 'It fails.' }) }))
const listed = (...names: string[]): readonly Difference[] => [
  { reason: 'Hooks.', tests: { [file]: names } },
]
const faultsOf = (
  native: readonly Result[],
  inMode: readonly Result[],
  list: readonly Difference[] = [],
): readonly string[] => compare(file, 'router', native, inMode, list).faults

describe('the comparison with the native tests', () => {
  it('counts the tests that pass natively, and those that pass in the mode as well', () => {
    const native = results(['a', true], ['b', true], ['c', false])
    const inMode = results(['a', true], ['b', false], ['c', true])
    expect(compare(file, 'router', native, inMode, [])).toMatchObject({ native: 2, passed: 1 })
  })

  it('reports a test that only passes natively, with its error', () => {
    const faults = faultsOf(results(['a', true]), results(['a', false]))
    expect(faults).toEqual([`router, ${file}: "a" only passes natively. It fails.`])
  })

  it('reports a test that never ended', () => {
    expect(faultsOf(results(['a', true]), [])).toEqual([
      `router, ${file}: "a" only passes natively. The test never ended.`,
    ])
  })

  it('tells tests with the same name apart', () => {
    const native = results(['a', true], ['a', true])
    const inMode = results(['a', true], ['a', false])
    expect(faultsOf(native, inMode)).toEqual([expect.stringContaining('"a #2" only passes')])
    expect(faultsOf(native, inMode, listed('a #2'))).toEqual([])
  })

  it.each([
    ['passes', results(['a', true]), results(['a', true])],
    ["doesn't pass natively", results(['a', false]), results(['a', false])],
    ["doesn't exist", [], []],
  ])('reports a test in the list that %s', (_case, native, inMode) => {
    expect(faultsOf(native, inMode, listed('a'))).toEqual([
      `router, ${file}: "a" is in src/differences.ts, but doesn't differ.`,
    ])
  })

  it('reads the list of the file and the mode', () => {
    const [native, inMode] = [results(['a', true]), results(['a', false])]
    const list: readonly Difference[] = [
      { reason: 'Hooks.', onlyIn: ['derived'], tests: { [file]: ['a'] } },
      { reason: 'Hooks.', tests: { 'fastify/test/inject.test.js': ['a'] } },
    ]
    expect(compare(file, 'router', native, inMode, list).faults).toHaveLength(1)
    expect(compare(file, 'derived', native, inMode, list).faults).toEqual([])
  })
})
