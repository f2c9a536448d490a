import { expect, it } from 'vitest'
import { basesOf, filesInCycles, foldersOf, levelsOf, readImportGraph } from './import-graph.ts'

const graph = readImportGraph()

it('has no import cycle, type imports included', () => {
  expect(graph.size).toBeGreaterThan(60)
  expect(filesInCycles(graph)).toEqual([])
})

it('has every file that another one imports', () => {
  const imported = [...new Set([...graph.values()].flat())]
  expect(imported.filter((file) => !graph.has(file))).toEqual([])
})

it('points one way in the core', () => {
  const folders = foldersOf(graph, 'packages/router/src')
  const levels = levelsOf(folders)
  const order = [
    'wording.ts',
    'objects.ts',
    'errors.ts',
    'declare',
    'types',
    'changes',
    'compile',
    'negotiate',
    'match',
    'respond',
    'controller-export.ts',
    'controllers.ts',
    'adapter.ts',
    'internal.ts',
    'index.ts',
    'testing.ts',
  ]
  expect([...levels.keys()].toSorted()).toEqual(order.toSorted())
  expect(Math.max(...levels.values())).toBeLessThanOrEqual(9)
  for (const [folder, edges] of folders)
    for (const target of edges)
      expect(order.indexOf(target), `${folder} → ${target}`).toBeLessThan(order.indexOf(folder))
})

it('has neighbours in the core: a route file knows nothing about changes', () => {
  const { compile, changes } = Object.fromEntries(foldersOf(graph, 'packages/router/src'))
  expect([...compile!]).not.toContain('changes')
  expect([...changes!]).not.toContain('compile')
})

it.each(basesOf(graph))('points one way between the folders of %s', (base) => {
  const levels = levelsOf(foldersOf(graph, base))
  expect([...levels].filter(([, level]) => level === Infinity)).toEqual([])
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
