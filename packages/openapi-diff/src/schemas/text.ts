// Parameters, headers and forms are text, which the receiver reads with its own schema.
import type { Json } from '../json.ts'
import type { Form } from './gap.ts'
import { hasType, listedValues, nullMeant, typesOf, unionOf } from './shape.ts'

export const isText = (form: Form): boolean => form !== 'json' && form !== 'xml'

/** The types of a value that's written as a single text. */
export const single = new Set(['integer', 'number', 'boolean', 'string'])

/** A schema's values that can be sent: text is never null, and a path's is never empty. */
export function sendable(shape: Json, form: Form): Json {
  if (!isText(form)) return shape
  const text = { ...shape, [nullMeant]: undefined }
  if (!isTyped(shape)) return text
  const type = typesOf(shape).filter((name) => name !== 'null')
  const filled = form === 'path' && { minLength: shape['minLength'] || 1 }
  return { ...text, type, ...filled }
}

const isTyped = ({ type, enum: values }: Json) => (type ?? values) !== undefined

/**
 * A value that's sent, as its receiver sees it: a number or boolean is also a string, and each of
 * them may also be a list.
 *
 * @param readTypes - the types that the receiver reads
 * @returns schemas of which the value has one. Null if the schema already describes what's received
 */
export function textsOf(
  sent: Json,
  readTypes: readonly string[],
  form: Form,
): readonly Json[] | null {
  const types = typesOf(sent)
  const texts = types.filter((type) => single.has(type) && !hasType(readTypes, type))
  if (!isText(form) || !isTyped(sent) || unionOf(sent) !== null || texts.length === 0) return null
  const text = { ...sent, type: texts }
  const others = { ...sent, type: types.filter((type) => !texts.includes(type)) }
  if (readTypes.includes('string')) {
    const values = listedValues(text, { enum: [] })?.map(String)
    return [{ type: 'string', format: texts.join(' or '), ...(values && { enum: values }) }, others]
  }
  // Other forms than a query don't always write a list of one like its element.
  const isOne = form === 'query' || !texts.includes('string')
  if (!readTypes.includes('array') || !isOne) return null
  return [{ type: 'array', items: text, minItems: 1, maxItems: 1 }, others]
}
