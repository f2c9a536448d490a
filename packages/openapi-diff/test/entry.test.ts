import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'

const folder = resolve(import.meta.dirname, '../src')
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '([^']+)'/g)].map(([, name]) => name!)

it('imports nothing but its own files, so it runs in browsers and Workers', () => {
  const files = new Set([`${folder}/index.ts`])
  const names: string[] = []
  // The set grows while it's read.
  for (const file of files)
    for (const name of importsOf(file)) {
      names.push(name)
      if (name.startsWith('.')) files.add(resolve(dirname(file), name))
    }
  expect(names.filter((name) => !name.startsWith('.'))).toEqual([])
  expect([...files].filter((file) => file.startsWith(`${folder}/command`))).toEqual([])
  expect(files.size).toBeGreaterThan(20)
  // The command does need Node, so the pattern finds such imports.
  expect(importsOf(`${folder}/command/main.ts`)).toContain('node:fs')
})
