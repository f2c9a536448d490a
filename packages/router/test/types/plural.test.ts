// The plurals and singulars of the types are those of the inflector, which are those of Rails.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { singularize } from '../../src/declare/inflect.ts'

const root = resolve(import.meta.dirname, '../../../..')
const folder = mkdtempSync(join(tmpdir(), 'hv-plural-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the lines that don't compile. */
function compileLines(declarations: string, lines: readonly string[]): readonly string[] {
  const file = join(folder, 'plural.mts')
  const types = JSON.stringify(join(root, 'packages/router/src/declare/inflect.ts'))
  const head = `import type { Plural, Singular } from ${types}
export type Used = Plural<'a'>
type Equal<A, B> = [A, B] extends [B, A] ? true : false
${declarations}
`
  writeFileSync(file, head + lines.join('\n'))
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
  ]
  const tsc = join(root, 'tools/typescript7/tsc.js')
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, '--ignoreConfig', file], {
    encoding: 'utf8',
  })
  const first = head.split('\n').length
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => lines[Number(/\((\d+),/.exec(line)?.[1]) - first] ?? line)
}

/** Word, plural, singular: printed by Rails' own inflector (ActiveSupport 6.1.7). The types know lower case only. */
const inflections = readFileSync(
  join(root, 'packages/router/test/declare/rails-inflections.tsv'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [word: string, plural: string, singular: string])
  .filter(([word]) => word === word.toLowerCase())

/** The endings that the rules for singulars name, after stems that change which rule applies. */
const endings =
  `people men children moves zombies databases quizzes matrices vertices indices oxen aliases alias statuses
  octopi octopus viri axes axis crises testes shoes toes buses mice lice boxes churches classes dishes movies series species
  cities soliloquies keys wolves hives natives knives cliffves analyses bases theses thesis data media news boss posts caches
  prices responses sizes gates fish rice means analytics s es ies ves`.split(/\s+/)
const stems = ['', 'x', 'user_', 'userX', 'qu', 'a', 'b']
/** With upper case letters, the types may not know the singular. */
const mixed = [
  'userStatuses',
  'userPosts',
  'userCategories',
  'POSTS',
  'DATA',
  'newS',
  'Children',
  'aliAS',
  'xSTATUs',
]

it('the singulars of the types are those of the inflector', () => {
  const words = [...stems.flatMap((stem) => endings.map((ending) => stem + ending)), ...mixed]
  const lines = words.map((word) => `isSingular<'${word}', '${singularize(word)}'>(true)`)
  const wrong = compileLines(
    `declare function isSingular<Word extends string, Expected>(is: string extends Singular<Word> ? (Word extends Lowercase<Word> ? false : true) : Equal<Singular<Word>, Expected>): void`,
    lines,
  )
  expect(wrong).toEqual([])
})

it('the types inflect as Rails', () => {
  const lines = inflections.map(
    ([word, plural, singular]) =>
      `isPlural<'${word}', '${plural}'>(true); isSingular<'${word}', '${singular}'>(true) // ${word}`,
  )
  const wrong = compileLines(
    `declare function isPlural<Word, Expected>(is: Equal<Plural<Word>, Expected>): void
    declare function isSingular<Word, Expected>(is: Equal<Singular<Word>, Expected>): void`,
    lines,
  )
  expect(wrong).toEqual([])
  expect(lines.length).toBeGreaterThan(100)
})
