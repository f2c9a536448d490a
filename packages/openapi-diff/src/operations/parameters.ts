import { type Comparison, type DiffFinding, type Findings, compareSchemas } from '../finding.ts'
import { type Json, entriesOf, isEqual, isObject } from '../json.ts'
import { normalize } from '../schemas/normalize.ts'
import { defaultGap } from '../schemas/objects.ts'
import { unionOf } from '../schemas/reader.ts'
import type { Direction } from '../schemas/gap.ts'
import type { Located } from './list-operations.ts'

/** An operation's parameters or a response's headers in both documents, by what identifies them. */
interface Named {
  readonly before: ReadonlyMap<string, Located>
  readonly after: ReadonlyMap<string, Located>
}

/**
 * Compares the parameters of an operation, or the headers of a response.
 *
 * @param direction - who sends them: the API sends a webhook's parameters, and clients send the
 *   headers of its responses
 */
export function compareNamed(
  { before, after }: Named,
  direction: Direction,
  lostCode: 'lost-parameter' | 'lost-header',
  comparison: Comparison,
): Findings {
  const { report } = comparison
  const kept = [...before].flatMap(([key, located]): Findings => {
    const counterpart = after.get(key)
    if (counterpart !== undefined)
      return compareEach({ before: located, after: counterpart }, direction, lostCode, comparison)
    const { pointer, where } = located
    const lost = { code: lostCode, direction, before: pointer, after: null }
    return [report({ ...lost, where, reason: 'is gone' })]
  })
  if (direction === 'response') return kept
  const required = [...after].flatMap(([key, { value, pointer, where }]) => {
    if (before.has(key) || !isRequired(sideOf(value, comparison.after))) return []
    const added = { code: 'new-requirement' as const, direction, before: null, after: pointer }
    return [report({ ...added, where, reason: 'is new and required' })]
  })
  return [...kept, ...required]
}

function compareEach(
  located: { readonly before: Located; readonly after: Located },
  direction: Direction,
  lostCode: DiffFinding['code'],
  comparison: Comparison,
): Findings {
  const isRequest = direction === 'request'
  const { where } = located.before
  const before = sideOf(located.before.value, comparison.before)
  const after = sideOf(located.after.value, comparison.after)
  const [sent, read] = isRequest ? [before, after] : [after, before]
  const wasRequired = before.value['required'] === true
  const findings: DiffFinding[] = []
  const place = { direction, before: located.before.pointer, after: located.after.pointer, where }
  const add = (code: DiffFinding['code'], reason: string): unknown =>
    findings.push(comparison.report({ ...place, code, reason }))

  if (isRequest && isRequired(after) && !wasRequired) add('new-requirement', 'is required')
  if (!isRequest && wasRequired && after.value['required'] !== true) add(lostCode, 'may be missing')
  // A required parameter is always sent, so nobody gets its default.
  const difference = defaultGap(before.shape, after.shape)
  if (isRequest && !wasRequired && difference !== null) add('changed-default', difference.why)
  if (!isEqual(serializationOf(before, after), serializationOf(after, before)))
    add('unclear-change', 'is serialized in another form')
  const text = asText(sent, read)
  const schemas = isRequest ? ([text, after.schema] as const) : ([before.schema, text] as const)
  const schemaPlace = {
    ...place,
    before: located.before.schemaPointer,
    after: located.after.schemaPointer,
  }
  return [...findings, ...compareSchemas(schemas, schemaPlace, comparison)]
}

/** A parameter or header in its document. */
interface Side {
  readonly value: Json
  readonly schema: unknown
  /** The schema, normalized. */
  readonly shape: Json
  /** The elements' schema, normalized. */
  readonly elements: Json
}

function sideOf(value: Json, document: Json): Side {
  const media = entriesOf(value['content'])[0]?.[1] as Json | undefined
  const schema = value['schema'] ?? media?.['schema']
  const shape = normalize(document, schema)
  return { value, schema, shape, elements: normalize(document, shape['items']) }
}

/** As in a body, a parameter with a default is optional, whatever a document says. */
const isRequired = ({ value, shape }: Side): boolean =>
  value['required'] === true && !('default' in shape)

// ---- how a value becomes text -------------------------------------------------------------------

const typesOf = ({ type }: Json): readonly string[] =>
  type === undefined ? [] : [type].flat().map(String)
const scalars = new Set(['integer', 'number', 'boolean', 'string', 'null'])
const isSingleValue = ({ shape }: Side): boolean =>
  typesOf(shape).length > 0 && typesOf(shape).every((type) => scalars.has(type))
const isListOnly = ({ shape }: Side): boolean => isEqual(typesOf(shape), ['array'])

/**
 * How a value is written, with OpenAPI's defaults: style, explode, reserved characters, media type.
 */
function serializationOf(side: Side, counterpart: Side): readonly unknown[] {
  const { value } = side
  const isForm = value['in'] === 'query' || value['in'] === 'cookie'
  const style = value['style'] ?? (isForm ? 'form' : 'simple')
  const { explode = style === 'form', allowReserved = false, allowEmptyValue = false } = value
  // There's nothing to explode in a single value.
  const areSingle = isSingleValue(side) && isSingleValue(counterpart)
  const types = entriesOf(value['content']).map(([type]) => type)
  return [style, !areSingle && explode, allowReserved, allowEmptyValue, types]
}

/**
 * The sent schema as the reader of a parameter or header sees it. It reads text, so a number or
 * boolean is also a string, and nothing is null.
 */
function asText(sent: Side, read: Side): unknown {
  if (isObject(sent.value['content'])) return sent.schema
  const text = textOf(sent.shape, read.shape)
  if (text !== undefined) return text
  if (isListOnly(sent) && isListOnly(read)) {
    const items = textOf(sent.elements, read.elements)
    if (items !== undefined) return { ...sent.shape, items }
  }
  return mayBeNull(sent.shape) ? { allOf: [sent.schema], type: notNull } : sent.schema
}

const notNull = ['boolean', 'number', 'string', 'array', 'object']
const mayBeNull = (schema: Json): boolean =>
  typesOf(schema).includes('null') ||
  (schema['type'] === undefined &&
    ['enum', 'anyOf', 'oneOf'].some((key) => Array.isArray(schema[key])))

/** A number's or boolean's schema as one of text, if the other side reads text. */
function textOf(sent: Json, read: Json): Json | undefined {
  const types = withoutNull(sent)
  const alternatives = unionOf(read)?.filter((part) => !isEqual(part, { type: 'null' })) ?? []
  const isTextRead = isText(read) || (alternatives.length > 0 && alternatives.every(isText))
  if (types.length === 0 || !isTextRead || types.some((type) => !isWrittenAsText.has(type)))
    return undefined
  const values = sent['enum'] ?? (isEqual(types, ['boolean']) ? [true, false] : undefined)
  return {
    type: 'string',
    format: types.join(' or '),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null).map(String) }),
  }
}

const isWrittenAsText = new Set(['integer', 'number', 'boolean'])
const withoutNull = (schema: Json): readonly string[] =>
  typesOf(schema).filter((type) => type !== 'null')
const isText = (schema: unknown): boolean =>
  isObject(schema) && isEqual(withoutNull(schema), ['string'])
