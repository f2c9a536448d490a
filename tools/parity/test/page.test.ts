// The page for readers and the list of the tests that differ say the same.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { differences } from '../src/differences.ts'

const page = readFileSync(
  join(import.meta.dirname, '../../../docs/guide/native-routes.md'),
  'utf8',
).replaceAll(/\s+/g, ' ')

it.each(differences.map(({ reason }) => reason))('the page explains "%s"', (reason) => {
  expect(page).toContain(`- **${reason}**`)
})

it('the page says how many tests differ', () => {
  const countOf = (isDerived: boolean) =>
    differences
      .filter(({ onlyIn }) => (onlyIn !== undefined) === isDerived)
      .flatMap(({ tests }) => Object.entries(tests))
      .filter(([file]) => file.startsWith('fastify/'))
      .flatMap(([, names]) => names).length
  expect(page).toContain(`all but ${countOf(false)}`)
  expect(page).toContain(`except for ${countOf(true)} more in the derived version`)
})
