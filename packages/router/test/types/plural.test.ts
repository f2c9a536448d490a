// The plurals and singulars of the types are those of the inflector.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../../..')
const folder = mkdtempSync(join(tmpdir(), 'hv-plural-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Word, plural, singular: printed by Rails' own inflector (ActiveSupport 6.1.7). The types know lower case only. */
const inflections = readFileSync(join(root, 'packages/router/test/compile/rails-inflections.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [word: string, plural: string, singular: string])
  .filter(([word]) => word === word.toLowerCase())

it('the types inflect as the inflector, or do not know the singular', () => {
  const file = join(folder, 'plural.mts')
  const types = join(root, 'packages/router/src/types/plural.ts')
  const lines = inflections.map(
    ([word, plural, singular]) =>
      `isPlural<'${word}', '${plural}'>(true); isSingular<'${word}', '${singular}'>(true) // ${word}`,
  )
  writeFileSync(
    file,
    `import type { Plural, Singular } from ${JSON.stringify(types)}
    type Equal<A, B> = [A, B] extends [B, A] ? true : false
    declare function isPlural<Word, Expected>(is: Equal<Plural<Word>, Expected>): void
    declare function isSingular<Word, Expected>(is: string extends Singular<Word> ? true : Equal<Singular<Word>, Expected>): void
    ${lines.join('\n')}`,
  )
  const options = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--allowImportingTsExtensions']
  const tsc = join(root, 'tools/typescript7/node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, '--ignoreConfig', file], { encoding: 'utf8' })
  const wrong = [...stdout.matchAll(/\((\d+),/g)].map(([, line]) => lines[Number(line) - 5])
  expect(wrong).toEqual([])
  expect(stdout).toBe('')
  expect(lines.length).toBeGreaterThan(100)
})
