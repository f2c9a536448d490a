import { Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { became, change } from '../../src/index.ts'
import { type Law, lawsOf } from '../../src/testing.ts'
import { valuesOf } from './values-of.ts'

const ajv = new Ajv()
/** A value that breaks the law, or null. */
function counterexample({ from, to, convert }: Law): unknown {
  const converts = fc.property(valuesOf(from), (value) => {
    const converted: unknown = JSON.parse(JSON.stringify(convert(structuredClone(value))))
    return ajv.validate(to, converted)
  })
  return fc.check(converts, { seed: 1, numRuns: 300 }).counterexample?.[0] ?? null
}

const Older = Type.Object({ id: Type.String(), address: Type.String() })
const Newer = Type.Object({
  id: Type.String(),
  addresses: Type.Array(Type.String(), { minItems: 1 }),
})
const addresses = {
  down: ({ id, addresses: [address] }: { id: string; addresses: string[] }) => ({
    id,
    address: address!,
  }),
}
const OlderRole = Type.Object({
  name: Type.Union([Type.String(), Type.Null()]),
  admin: Type.Boolean(),
})
const NewerRole = Type.Object({
  name: Type.String({ minLength: 1 }),
  role: Type.String(),
})

describe('lawsOf', () => {
  it('lists the directions of each change', () => {
    const up = ({ id, address }: { id: string; address: string }) => ({ id, addresses: [address] })
    const laws = lawsOf(change('Several addresses.', became(Older, Newer, { up, ...addresses })))
    expect(laws.map(({ name }) => name)).toEqual([
      'Several addresses (up)',
      'Several addresses (down)',
    ])
    expect(laws.map(counterexample)).toEqual([null, null])
  })

  it('reads the schemas of libraries', () => {
    const one = became(z.object({ a: z.string() }), z.object({ b: z.string() }), {
      down: ({ b }) => ({ a: b }),
    })
    expect(lawsOf(change('x', one))).toMatchObject([
      { from: { required: ['b'] }, to: { required: ['a'] } },
    ])
  })

  it('gives every Ajv schemas that it can compile', () => {
    const step = became(z.object({ a: z.string() }), z.object({ b: z.string() }), {
      down: ({ b }) => ({ a: b }),
    })
    expect(lawsOf(change('x', step)).map(counterexample)).toEqual([null])
  })

  const broken: readonly (readonly [what: string, law: Law, value: object])[] = [
    [
      'a strict schema rejects what is left of the older value',
      lawsOf(
        change(
          'x',
          became(z.strictObject({ name: z.string() }), z.strictObject({ first: z.string() }), {
            up: (older) => ({ ...older, first: older.name }),
          }),
        ),
      )[0]!,
      { name: '' },
    ],
    [
      'an empty list has no first element',
      lawsOf(
        change(
          'x',
          became(
            Older,
            Type.Object({ id: Type.String(), addresses: Type.Array(Type.String()) }),
            addresses,
          ),
        ),
      )[0]!,
      { addresses: [] },
    ],
    [
      'a name that may be null becomes one that may not',
      lawsOf(
        change(
          'x',
          became(OlderRole, NewerRole, {
            up: ({ name, admin }) => ({ name: name!, role: admin ? 'admin' : 'user' }),
          }),
        ),
      )[0]!,
      { name: null },
    ],
    [
      'a conversion that throws',
      lawsOf(
        change(
          'x',
          became(OlderRole, NewerRole, {
            up: ({ name }) => ({ name: name!.trim() || '-', role: 'user' }),
          }),
        ),
      )[0]!,
      { name: null },
    ],
  ]
  it.each(broken)('finds that %s', (_what, law, value) =>
    expect(counterexample(law)).toMatchObject(value),
  )
})
