import { expect, it } from 'vitest'
import { filesInCycles, foldersOf, levelsOf, readImportGraph } from './import-graph.ts'

const graph = readImportGraph()

it('has no import cycle, type imports included', () => {
  expect(graph.size).toBeGreaterThan(60)
  expect(filesInCycles(graph)).toEqual([])
})

it('points one way in the core', () => {
  const levels = levelsOf(foldersOf(graph, 'packages/router/src'))
  const order = [
    'errors',
    'declare',
    'types',
    'changes',
    'compile',
    'negotiate',
    'match',
    'respond',
    'testing',
    'entries',
  ]
  expect([...levels.keys()].toSorted()).toEqual(order.toSorted())
  expect(Math.max(...levels.values())).toBeLessThanOrEqual(8)
  for (const [folder, edges] of foldersOf(graph, 'packages/router/src'))
    for (const target of edges)
      expect(order.indexOf(target), `${folder} → ${target}`).toBeLessThan(order.indexOf(folder))
})

it('finds a cycle', () => {
  expect(
    filesInCycles(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toEqual(['b', 'c'])
})
