// What's printed about requests. A client's developer has to read what's asked of them, because
// "may be null" is a permission in a request, and a promise in a response.
import { describe, expect, it } from 'vitest'
import { compareDocuments } from '../src/index.ts'
import { type Json, documentOf, integer, json, list, object, ref, string } from './corpus/row.ts'

const a = { const: 'a' }
const kindOf = (kind: string): Json => object({ kind: { const: kind }, [kind]: string }, 'kind')
const messages = (before: Json, after: Json): readonly string[] =>
  compareDocuments(before, after).map(({ message }) => message)

describe('a request body', () => {
  it.each<[what: string, released: unknown, current: unknown, message: string]>([
    ['a minimum', integer, { ...integer, minimum: 2 }, 'must keep to its minimum of 2 now'],
    ['a maximum', integer, { ...integer, maximum: 2 }, 'must keep to its maximum of 2 now'],
    [
      'a shorter text',
      { ...string, maxLength: 9 },
      { ...string, maxLength: 3 },
      'must keep to its maxLength of 3 now',
    ],
    [
      'a shorter list',
      list(string),
      { ...list(string), maxItems: 3 },
      'must keep to its maxItems of 3 now',
    ],
    [
      'different elements',
      list(string),
      { ...list(string), uniqueItems: true },
      'must not have equal elements now',
    ],
    [
      'a smaller format',
      { ...integer, format: 'int64' },
      { ...integer, format: 'int32' },
      'must fit its format, which was int64, and is int32',
    ],
    ['another type', string, integer, 'must be integer now, not string'],
    ['null', { type: ['string', 'null'] }, string, 'must be string now, not null'],
    [
      'null that was only meant by an enum',
      { ...string, enum: ['a'], nullable: true },
      { enum: ['a'] },
      "isn't clear about null: it was nullable, but null wasn't in its enum",
    ],
    [
      'null that was only meant beside an enum that has it',
      { ...string, enum: ['a', null], nullable: true },
      { enum: ['a'] },
      "isn't clear about null: it was nullable, but null wasn't in its type",
    ],
    [
      'null that is only meant by a type',
      { enum: ['a', null] },
      { ...string, nullable: true },
      "isn't clear about null: it's nullable, but null isn't in its type",
    ],
    ['a type', {}, string, 'must be string now'],
    ['listed values', string, { enum: ['a', 'b'] }, 'must be one of "a", "b" now'],
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'may no longer be "b"'],
    [
      'a value of another type',
      { enum: ['a', 1] },
      { enum: ['a', 1], type: 'string' },
      'must be string now, not 1',
    ],
    ['a pattern', string, { ...string, pattern: '^a' }, 'must match its pattern ^a, which is new'],
    [
      'another pattern',
      { ...string, pattern: '^a' },
      { ...string, pattern: '^b' },
      'must match its pattern, which was ^a, and is ^b',
    ],
    [
      'a pattern of listed values',
      a,
      { ...string, pattern: '^a' },
      'must match its pattern ^a, so check "a"',
    ],
    ['a format', string, { ...string, format: 'uuid' }, 'must match its format uuid, which is new'],
    ['nothing', object({ a: string }), object({ a: false }), "/a isn't allowed"],
    ['a keyword', integer, { ...integer, multipleOf: 2 }, 'differs in multipleOf, which was'],
    ['a new field', object({}), object({ b: string }, 'b'), '/b is new and required'],
    ['a field', object({ b: string }), object({ b: string }, 'b'), '/b is required now'],
    [
      'no other fields',
      object({}),
      { ...object({}), additionalProperties: false },
      'must not have other properties now',
    ],
    [
      'a field less',
      { ...object({ b: string }), additionalProperties: false },
      { ...object({}), additionalProperties: false },
      '/b is refused from now on',
    ],
    ['an ignored field', object({ b: string }), object({}), '/b is ignored from now on'],
    [
      'a read-only field',
      object({ b: string }),
      object({ b: { ...string, readOnly: true } }),
      '/b is read-only now',
    ],
    [
      'a default',
      object({ b: { ...integer, default: 1 } }),
      object({ b: { ...integer, default: 2 } }),
      '/b had the default 1, and has 2',
    ],
    [
      'an alternative less',
      { oneOf: [kindOf('a'), kindOf('b'), kindOf('c')] },
      { oneOf: [kindOf('a'), kindOf('b')] },
      'may no longer have the kind "c"',
    ],
    [
      'a component less',
      { anyOf: [ref('A'), ref('B'), ref('C')] },
      { anyOf: [ref('A'), ref('B')] },
      'may no longer be C',
    ],
  ])('with %s', (_what, released, current, message) => {
    const components = {
      schemas: {
        A: object({ a: string }, 'a'),
        B: object({ b: string }, 'b'),
        C: object({ c: string }, 'c'),
      },
    }
    const [before, after] = [released, current].map((schema) =>
      documentOf({ requestBody: json(schema) }, { components }),
    )
    expect(messages(before!, after!)).toEqual([expect.stringContaining(message)])
  })
})
