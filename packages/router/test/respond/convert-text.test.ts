import { expect, it } from 'vitest'
import fc from '../../../../tools/fast-check.ts'
import { convertText, lostNumberIn } from '../../src/respond/convert-text.ts'

it.each([
  ['12345678901234567890', '12345678901234567890'],
  ['[-9007199254740993]', '-9007199254740993'],
  ['{"a":1E400}', '1E400'],
  ['[0.1e-400]', '0.1e-400'],
  ['"\\\\",9007199254740993', '9007199254740993'],
  ['[9007199254740992,100000000000000000000,1.0,-0,0e-999,0.12345678901234567890]', null],
  ['{"12345678901234567890":"1e999 \\"9007199254740993"}', null],
])('in %s, the number that JavaScript would lose is %s', (text, number) => {
  expect(lostNumberIn(text)).toBe(number)
})

it('finds a number exactly if some integer differs after JSON.parse', () => {
  const integers = fc.array(fc.oneof(fc.bigInt(), fc.maxSafeInteger().map(BigInt), fc.string()))
  fc.assert(
    fc.property(integers, (values) => {
      const text = `[${values.map((value) => (typeof value === 'bigint' ? value : JSON.stringify(value))).join()}]`
      const parsed = JSON.parse(text) as unknown[]
      const isLost = values.some(
        (value, at) => typeof value === 'bigint' && BigInt(parsed[at] as number) !== value,
      )
      expect(lostNumberIn(text) !== null).toBe(isLost)
    }),
  )
})

it('keeps a byte order mark inside a body', () => {
  const translation = {
    request: {},
    respond: (status: number, body: unknown) => ({ status, body: { older: body } }),
    changeOf: () => 'A name.',
    changesBodies: true,
    changesHeads: false,
    statusOf: (status: number) => status,
    renameHeaders() {},
  }
  const fields = new Map([['content-type', 'application/json']])
  const headers = {
    get: (name: string) => fields.get(name),
    set: (name: string, value: string) => fields.set(name, value),
    delete: (name: string) => fields.delete(name),
  }
  const body = '{"name":"a\uFEFFb"}'
  expect(convertText(translation, { status: 200, headers, body })).toEqual({
    status: 200,
    body: '{"older":{"name":"a\uFEFFb"}}',
  })
})
