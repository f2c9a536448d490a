// The lock file has the documents of both versions: a schema that breaks released clients is found.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compareDocuments } from '@hv/openapi-diff'
import { describe, expect, it } from 'vitest'
import { documents } from '../documents.ts'

interface Lock {
  readonly documents: Readonly<Record<1 | 2, object>>
}
const lock = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../routes.lock.json'), 'utf8'),
) as Lock

describe.each([1, 2] as const)('version %i', (version) => {
  const changed = (from: string, to: string): object => {
    const text = JSON.stringify(documents[version])
    expect(text).toContain(from)
    return JSON.parse(text.replaceAll(from, to)) as object
  }

  it('keeps its contract', () =>
    expect(compareDocuments(lock.documents[version], documents[version])).toEqual([]))
  it('would break clients with a renamed field', () => {
    const found = compareDocuments(lock.documents[version], changed('"username"', '"login"'))
    expect(found.map(({ code, operation }) => `${code} ${operation}`)).toEqual(
      expect.arrayContaining(['request-narrowed POST /users', 'response-widened GET /users/{id}']),
    )
  })
  it('may describe an operation in other words', () => {
    expect(
      compareDocuments(lock.documents[version], changed('"summary":"', '"summary":"Other: ')),
    ).toEqual([])
  })
})
