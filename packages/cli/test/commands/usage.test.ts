import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readUsage } from '../../src/commands/report/usage.ts'

const cwd = mkdtempSync(join(tmpdir(), 'hv-usage-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))
const ignored = { write: () => true }

describe('a usage file', () => {
  const read = (text: string) => {
    writeFileSync(join(cwd, 'u.json'), text)
    return () => readUsage({ cwd, out: ignored, err: ignored }, 'u.json')(1)
  }
  it.each([
    'null',
    '[]',
    '5',
    '{ "v1": {} }',
    '{ "1": [] }',
    '{ "1": { "ios": null } }',
    '{ "ios": { "last": "x" } }',
    '{ "1": { "ios": {} } }',
    '{ "1": { "ios": { "last": "yesterday" } } }',
    '{ "1": { "ios": { "last": { "toString": 1 } } } }',
    '{ "1": { "ios": { "last": "2027-06-30", "calls": { "toString": 1 } } } }',
  ])('of another form is refused: %s', (text) =>
    expect(read(text)).toThrow("u.json doesn't list calls by version and client"),
  )
  it.each(['{}', '{"1":{}}', '{"2":{"a":{"last":"2027-06-30"}}}'])(
    'without a call of the version has no callers: %s',
    (text) => expect(read(text)()).toEqual([]),
  )
  it('lists the clients, the last one first', () =>
    expect(
      read('{"1":{"a":{"last":"2027-06-02"},"b":{"calls":3,"last":"2027-06-30"}}}')(),
    ).toMatchObject([{ client: 'b', calls: 3 }, { client: 'a' }]))
})
