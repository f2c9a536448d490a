// An app may have two copies of the package, an ES module and a CommonJS one.
import { expect, it } from 'vitest'
import { DiffError } from '../src/index.ts'

it("recognizes another copy's errors, and nothing else", async () => {
  const path = '../src/error.ts?copy'
  const copy: typeof import('../src/error.ts') = await import(path)
  expect(copy.DiffError).not.toBe(DiffError)
  expect(new copy.DiffError('option', 'unknown') instanceof DiffError).toBe(true)
  for (const other of [new Error('DiffError'), { name: 'DiffError' }, null, 'DiffError'])
    expect(other instanceof DiffError).toBe(false)
})
