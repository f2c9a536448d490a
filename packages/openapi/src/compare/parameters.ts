import { type JsonSchema, isObject } from '@hv/router/internal'
import { type Document, isEqual, normalize } from './normalize.ts'
import { unionOf } from './reader.ts'
import { type Located, type Operation, parametersOf } from './operations.ts'
import { type Comparison, type ContractFinding, compareSchemas } from './report.ts'

export function compareParameters(was: Operation, is: Operation, comparison: Comparison): readonly ContractFinding[] {
  const [before, after] = [parametersOf(was), parametersOf(is)]
  const kept = [...before].flatMap(([key, parameter]) => compareParameter(parameter, after.get(key)?.value, comparison))
  const required = [...after].filter(([key, { value }]) => isRequired(value, comparison.current) && !before.has(key))
  return [
    ...kept,
    ...required.map(([, { value, pointer }]) =>
      comparison.report('new-requirement', 'request', pointer, `${nameOf(value)} is new and required`),
    ),
  ]
}

/** Of a webhook or callback, whose parameters the API sends. */
export function compareSentParameters(
  was: Operation,
  is: Operation,
  comparison: Comparison,
): readonly ContractFinding[] {
  const after = parametersOf(is)
  return [...parametersOf(was)].flatMap(([key, { value, pointer }]) => {
    const [now, where] = [after.get(key)?.value, nameOf(value)]
    const lost = (why: string): ContractFinding =>
      comparison.report('lost-parameter', comparison.request, pointer, `${where} ${why}`)
    if (now === undefined) return [lost('is gone')]
    return [
      ...(value['required'] === true && now['required'] !== true ? [lost('may be missing')] : []),
      ...compareSchemas(schemaOf(value), schemaOf(now), comparison.request, `${pointer}/schema`, where, comparison),
    ]
  })
}

const nameOf = (parameter: Document): string => `${String(parameter['in'])} parameter ${String(parameter['name'])}`

function compareParameter({ value, pointer }: Located, now: Document | undefined, comparison: Comparison) {
  const where = nameOf(value)
  if (now === undefined) return [comparison.report('lost-parameter', 'request', pointer, `${where} is gone`)]
  const [old, own] = [normalize(comparison.released, schemaOf(value)), normalize(comparison.current, schemaOf(now))]
  const [was, is] = [JSON.stringify(old['default']), JSON.stringify(own['default'])]
  const isSingle = [old, own].every(isSingleValue)
  const unjudged = (why: string): ContractFinding =>
    comparison.report('unjudged-change', 'request', pointer, `${where} ${why}`)
  const sent = isObject(value['content']) ? schemaOf(value) : asText(schemaOf(value), old, schemaOf(now), comparison)
  return [
    ...(isRequired(now, comparison.current) && value['required'] !== true
      ? [comparison.report('new-requirement', 'request', pointer, `${where} is required`)]
      : []),
    ...(was === is
      ? []
      : [comparison.report('changed-default', 'request', pointer, `${where} had the default ${was}, and has ${is}`)]),
    ...(isEqual(serializationOf(value, isSingle), serializationOf(now, isSingle))
      ? []
      : [unjudged('is serialized in another form')]),
    ...(value['allowEmptyValue'] === true && now['allowEmptyValue'] !== true ? [unjudged('may not be empty')] : []),
    ...compareSchemas(sent, schemaOf(now), 'request', `${pointer}/schema`, where, comparison),
  ]
}

/** As in a body, a parameter with a default is optional, whatever a document says. */
const isRequired = (parameter: Document, document: Document): boolean =>
  parameter['required'] === true && !('default' in normalize(document, schemaOf(parameter)))

/** The schema of a parameter or header. */
export const schemaOf = ({ schema, content }: Document): unknown =>
  schema ?? (isObject(content) ? (Object.values(content)[0] as Document | undefined)?.['schema'] : undefined)

// ---- how a value becomes text -------------------------------------------------------------------

const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat().map(String))
const scalars = new Set(['integer', 'number', 'boolean', 'string', 'null'])
const isSingleValue = (schema: JsonSchema): boolean =>
  typesOf(schema).length > 0 && typesOf(schema).every((type) => scalars.has(type))

/** With the defaults of OpenAPI. There is nothing to explode in a single value, and one form of a deep object. */
function serializationOf(parameter: Document, isSingle: boolean): readonly unknown[] {
  const isForm = parameter['in'] === 'query' || parameter['in'] === 'cookie'
  const { style = isForm ? 'form' : 'simple', explode = style === 'form', allowReserved = false, content } = parameter
  const form = isSingle || style === 'deepObject' ? null : explode
  return [style, form, allowReserved, isObject(content) ? Object.keys(content) : null]
}

/**
 * What the reader of a parameter or header gets: text, so a number or boolean is also a string, and nothing is null.
 *
 * @param sent - normalized
 */
export function asText(schema: unknown, sent: JsonSchema, readSchema: unknown, comparison: Sides): unknown {
  const read = normalize(comparison.current, readSchema)
  return textOf(sent, read) ?? elementsAsText() ?? (hasNull(sent) ? { allOf: [schema], type: notNull } : schema)

  function elementsAsText(): unknown {
    if (!isEqual(typesOf(sent), ['array']) || !isEqual(typesOf(read), ['array'])) return undefined
    const elements = [normalize(comparison.released, sent['items']), normalize(comparison.current, read['items'])]
    const items = textOf(elements[0]!, elements[1]!)
    return items && { ...sent, items }
  }
}

type Sides = Pick<Comparison, 'released' | 'current'>

const notNull = ['boolean', 'number', 'string', 'array', 'object']
const hasNull = (schema: JsonSchema): boolean =>
  typesOf(schema).includes('null') ||
  ['enum', 'anyOf', 'oneOf'].some((key) => Array.isArray(schema[key]) && schema['type'] === undefined)

function textOf(sent: JsonSchema, read: JsonSchema): JsonSchema | undefined {
  const types = typesOf(sent).filter((type) => type !== 'null')
  const isText = (schema: unknown): boolean =>
    isObject(schema) &&
    isEqual(
      typesOf(schema).filter((type) => type !== 'null'),
      ['string'],
    )
  const alternatives = unionOf(read)?.filter((one) => !isEqual(one, { type: 'null' }))
  if (types.length === 0 || !(isText(read) || (alternatives?.length && alternatives.every(isText)))) return undefined
  if (!types.every((type) => ['integer', 'number', 'boolean'].includes(type))) return undefined
  const values = sent['enum'] ?? (isEqual(types, ['boolean']) ? [true, false] : undefined)
  return {
    type: 'string',
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null).map(String) }),
  }
}
