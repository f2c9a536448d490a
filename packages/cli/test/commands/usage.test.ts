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
  ])('of another form is refused: %s', (text) =>
    expect(read(text)).toThrow('u.json has no calls by version and client'),
  )
  it('without a date is refused', () =>
    expect(read('{"1":{"a":{}}}')).toThrow('no date of the last call of a to version 1'))
  it.each(['{}', '{"1":{}}', '{"2":{"a":{"last":"2027-06-30"}}}'])(
    'without a call of the version has no callers: %s',
    (text) => expect(read(text)()).toEqual([]),
  )
  it('lists the clients, the last one first', () =>
    expect(
      read('{"1":{"a":{"last":"2027-06-02"},"b":{"calls":3,"last":"2027-06-30"}}}')(),
    ).toMatchObject([{ client: 'b', calls: 3 }, { client: 'a' }]))
})
