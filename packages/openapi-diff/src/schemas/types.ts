// The types of JSON values, and which of them a schema allows.
import { type Json, isEqual } from '../json.ts'

export const valueTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

export function typesOf({ type, enum: values }: Json): readonly string[] {
  if (type !== undefined) return [type].flat().map(String)
  return Array.isArray(values) ? [...new Set(values.map(typeOf))] : valueTypes
}

/** Whether a value of the schema may have one of these types. */
export const mayBe = (schema: Json, ...types: readonly string[]): boolean =>
  typesOf(schema).some((type) => types.includes(type))

/** Whether a list of types includes a type. Every integer is also a number. */
export const hasType = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

/** Whether no value fits a schema. */
export const isNever = ({ not, type, enum: values }: Json): boolean =>
  isEqual(not, {}) || isEqual(type, []) || isEqual(values, [])
