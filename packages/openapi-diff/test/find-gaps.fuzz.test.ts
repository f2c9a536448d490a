// Where the comparison finds no gap, Ajv accepts every value of one schema under the other. FUZZ_RUNS is the number of pairs, up to 10,000.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc, { type Arbitrary } from 'fast-check'
import { expect, it } from 'vitest'
import { findGaps } from '../src/schemas/find-gaps.ts'
import type { Direction } from '../src/schemas/gap.ts'
import { createBudget } from '../src/budget.ts'
import { createIntern, createMeansTheSame } from '../src/schemas/intern.ts'

type Schema = Readonly<Record<string, unknown>>
const least = fc.integer({ min: 0, max: 2 })
const most = fc.integer({ min: 1, max: 4 })
const optional = <T>(type: string, keywords: Record<string, Arbitrary<T>>): Arbitrary<Schema> =>
  fc.record(
    { type: fc.constant(type), ...keywords },
    { requiredKeys: ['type'] },
  ) as Arbitrary<Schema>
const scalars: Arbitrary<Schema> = fc.oneof(
  optional('string', { minLength: least, maxLength: most }),
  ...['integer', 'number'].map((type) =>
    optional(type, {
      minimum: least,
      maximum: most,
      exclusiveMinimum: least,
      exclusiveMaximum: most,
    }),
  ),
  fc.subarray(['string', 'integer', 'null', 'boolean'], { minLength: 1 }).map((type) => ({ type })),
  fc
    .subarray(['a', 'ab', 1, 2.5, null, true] as const, { minLength: 1 })
    .map((values) => ({ enum: values })),
  fc.constantFrom<Schema>({}, { const: 'a' }),
)
const names = ['p', 'q', 'r']
const { schemas } = fc.letrec<{ schemas: Schema }>((tie) => ({
  schemas: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    optional('array', {
      items: tie('schemas') as Arbitrary<unknown>,
      minItems: least,
      maxItems: most,
    }),
    fc
      .record(
        {
          properties: fc.dictionary(fc.constantFrom(...names), tie('schemas'), { maxKeys: 3 }),
          required: fc.subarray(names),
          additionalProperties: fc.constantFrom<unknown>(false, { type: 'string' }),
        },
        { requiredKeys: ['properties', 'required'] },
      )
      .map((keywords) => ({ type: 'object', ...keywords })),
    fc.array(tie('schemas'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('schemas'), tie('schemas')).map((allOf) => ({ allOf })),
  ),
}))

/** A schema, and one that differs from it in one place, or is another one. */
const pairs = fc
  .tuple(schemas, schemas, fc.nat(), fc.boolean())
  .map(([schema, other, place, isNear]) => {
    if (!isNear) return [schema, other] as const
    const copy = structuredClone(schema) as Record<string, unknown>
    const places: Record<string, unknown>[] = []
    const visit = (one: Record<string, unknown>): void => {
      places.push(one)
      const inner = [
        one['items'],
        one['anyOf'],
        one['allOf'],
        Object.values((one['properties'] ?? {}) as object),
      ].flat()
      for (const each of inner) if (each !== undefined) visit(each as never)
    }
    visit(copy)
    const chosen = places[place % places.length]!
    const keys = Object.keys(chosen)
    if (place % 3 === 0 && keys.length > 0) delete chosen[keys[place % keys.length]!]
    else if (place % 3 === 1) Object.assign(chosen, other)
    else {
      const was = { ...chosen }
      for (const key of keys) delete chosen[key]
      chosen['anyOf'] = [was, other]
    }
    return [schema, copy as Schema] as const
  })

/** Values near the schemas: those that Ajv accepts are used. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, '', 'a', 'ab', 'abcde', 0, 1, 2, 2.5, 3, 4, 5, -1),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names, 's'), tie('value'), { maxKeys: 3 }),
  ),
})).value
const samples = fc.sample(values, { numRuns: 400, seed: 1 })
/** In responses, clients ignore properties that they do not know. */
const opened = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll(',"additionalProperties":false', '')) as Schema

it.each<Direction>(['request', 'response'])(
  'never misses a gap in a %s',
  (direction) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const counts = { 'no gaps': 0, gaps: 0, confirmed: 0 }
    fc.assert(
      fc.property(pairs, ([sent, read]) => {
        const intern = createIntern(() => {})
        const empty = intern({})
        const meansTheSame = createMeansTheSame(empty, empty)
        const documents = { older: empty, newer: empty, direction, intern, meansTheSame }
        const [olderSchema, newerSchema] = direction === 'request' ? [sent, read] : [read, sent]
        const answers = findGaps([{ olderSchema, newerSchema }], {
          isText: false,
          ...documents,
          budget: createBudget(0),
        })
        const [gaps = []] = answers.values()
        const [isSent, isRead] = [
          ajv.compile(sent),
          ajv.compile(direction === 'response' ? opened(read) : read),
        ]
        ajv.removeSchema()
        // Of an open object, only the declared properties are promised.
        const lost = samples.find(
          (value) => isSent(value) && !isRead(value) && isDeclared(value, sent),
        )
        counts[gaps.length === 0 ? 'no gaps' : 'gaps']++
        if (lost !== undefined && gaps.length > 0) counts.confirmed++
        if (lost !== undefined && gaps.length === 0)
          throw new Error(`${JSON.stringify(lost)} is sent and not read`)
      }),
      { numRuns: Math.min(Number(process.env['FUZZ_RUNS'] ?? 300), 10_000), seed: 7 },
    )
    console.log(direction, counts)
    expect(counts['no gaps']).toBeGreaterThan(50)
    expect(counts.confirmed).toBeGreaterThan(50)
  },
  600_000,
)

/** Whether the schema names every property of a value: clients do not send what a schema does not name. */
function isDeclared(value: unknown, schema: Schema): boolean {
  const closed = JSON.parse(JSON.stringify(schema), (_key, one: unknown) => one) as Schema
  return accepts(value, closed)
}
function accepts(value: unknown, schema: Schema): boolean {
  const { anyOf, allOf, properties, items, additionalProperties } = schema as Record<string, never>
  if (anyOf !== undefined && !(anyOf as Schema[]).some((one) => accepts(value, one))) return false
  if (allOf !== undefined) return (allOf as Schema[]).every((one) => accepts(value, one))
  if (Array.isArray(value)) return items === undefined || value.every((one) => accepts(one, items))
  if (typeof value !== 'object' || value === null || properties === undefined) return true
  return Object.entries(value).every(([name, one]) => {
    const own =
      (properties as Record<string, Schema>)[name] ??
      (additionalProperties as Schema | false | undefined)
    return own !== undefined && own !== false && accepts(one, own)
  })
}
