// Parameters, headers and forms are text, which the receiver reads with its own schema.
import type { Json } from '../json.ts'
import { hasType, listedValues, typesOf, unionOf } from './shape.ts'

const written = new Set(['integer', 'number', 'boolean'])

/**
 * A value that's sent, as its receiver sees it: a number or boolean is also a string, and null can't
 * occur.
 *
 * @param readTypes - the types that the receiver reads
 * @returns schemas of which the value has one. Null if the schema already describes what's received
 */
export function textsOf(sent: Json, readTypes: readonly string[]): readonly Json[] | null {
  const isAny = sent['type'] === undefined && sent['enum'] === undefined
  if (isAny || unionOf(sent) !== null) return null
  const types = typesOf(sent)
  const texts = types.filter(
    (type) => written.has(type) && !hasType(readTypes, type) && readTypes.includes('string'),
  )
  const others = types.filter((type) => type !== 'null' && !texts.includes(type))
  if (others.length === types.length) return null
  const values = listedValues({ ...sent, type: texts }, { enum: [] })
  const text = {
    type: 'string',
    format: texts.join(' or '),
    ...(values && { enum: values.map(String) }),
  }
  const other = { ...sent, type: others }
  return texts.length === 0 ? [other] : others.length === 0 ? [text] : [text, other]
}
