// Parameters, headers and forms are text, which the receiver reads with its own schema.
import type { Json } from '../json.ts'
import { nullMeant } from './normalize.ts'
import { hasType, listedValues, typesOf, unionOf } from './shape.ts'

const written = new Set(['integer', 'number', 'boolean'])

/** A schema's values that can be sent: text is never null. */
export function withoutNull(shape: Json): Json {
  if (!isTyped(shape)) return shape
  const type = typesOf(shape).filter((name) => name !== 'null')
  return { ...shape, type, [nullMeant]: undefined }
}

const isTyped = ({ type, enum: values }: Json): boolean => (type ?? values) !== undefined

/**
 * A value that's sent, as its receiver sees it: a number or boolean is also a string.
 *
 * @param readTypes - the types that the receiver reads
 * @returns schemas of which the value has one. Null if the schema already describes what's received
 */
export function textsOf(sent: Json, readTypes: readonly string[]): readonly Json[] | null {
  if (!isTyped(sent) || unionOf(sent) !== null || !readTypes.includes('string')) return null
  const types = typesOf(sent)
  const texts = types.filter((type) => written.has(type) && !hasType(readTypes, type))
  if (texts.length === 0) return null
  const others = types.filter((type) => !texts.includes(type))
  const values = listedValues({ ...sent, type: texts }, { enum: [] })
  const format = texts.join(' or ')
  const text = { type: 'string', format, ...(values && { enum: values.map(String) }) }
  return [text, { ...sent, type: others }]
}
