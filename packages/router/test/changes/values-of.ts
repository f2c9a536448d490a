import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../src/internal.ts'

/** Random values of a JSON Schema, for the keywords that the tests use. */
export function valuesOf(schema: JsonSchema): Arbitrary<unknown> {
  const {
    type,
    anyOf,
    properties = {},
    required = [],
    items,
    minItems = 0,
    minLength = 0,
    pattern,
  } = schema as {
    type?: string
    anyOf?: readonly JsonSchema[]
    properties?: Readonly<Record<string, JsonSchema>>
    required?: string[]
    items?: JsonSchema
    minItems?: number
    minLength?: number
    pattern?: string
  }
  if ('const' in schema) return fc.constant(schema['const'])
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(valuesOf))
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const values: Readonly<Record<string, () => Arbitrary<unknown>>> = {
    object: () =>
      fc.record(
        Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valuesOf(one)])),
        {
          requiredKeys: required,
        },
      ),
    array: () => fc.array(valuesOf(items!), { minLength: minItems, maxLength: minItems + 3 }),
    string: () => fc.string({ minLength }),
    integer: () => fc.integer(),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
  }
  return values[type!]!()
}
