import { type JsonSchema, isObject } from '@hv/router/internal'
import { type Document, isEqual, normalize } from './normalize.ts'
import { unionOf } from './reader.ts'
import type { Located } from './operations.ts'
import { type Comparison, type ContractFinding, compareSchemas } from './report.ts'
import type { Direction } from './rules.ts'

/**
 * Compares the parameters of operations or the headers of responses, by what identifies them.
 *
 * @param direction - who sends them: of a webhook or callback, the API sends parameters, and clients send headers of responses
 */
export function compareNamed(
  before: ReadonlyMap<string, Located>,
  after: ReadonlyMap<string, Located>,
  direction: Direction,
  lost: 'lost-parameter' | 'lost-header',
  comparison: Comparison,
): readonly ContractFinding[] {
  const { report, released, current } = comparison
  const isRequest = direction === 'request'
  const added = [...after].filter(([key, { value }]) => isRequest && !before.has(key) && isRequired(value, current))
  return [
    ...[...before].flatMap(([key, was]) => compareEach(was, after.get(key)?.value)),
    ...added.map(([, { pointer, where }]) =>
      report('new-requirement', direction, pointer, `${where} is new and required`),
    ),
  ]

  function compareEach(
    { value: was, pointer, schemaPointer, where }: Located,
    is: Document | undefined,
  ): readonly ContractFinding[] {
    if (is === undefined) return [report(lost, direction, pointer, `${where} is gone`)]
    const [sent, read] = isRequest ? [was, is] : [is, was]
    const sides = isRequest ? { released, current } : { released: current, current: released }
    const text = isObject(sent['content']) ? schemaOf(sent) : asText(schemaOf(sent), schemaOf(read), sides)
    const [old, own] = [normalize(released, schemaOf(was)), normalize(current, schemaOf(is))]
    const [had, has] = [old, own].map((schema) => JSON.stringify(schema['default']))
    const isSingle = [old, own].every(isSingleValue)
    const isList = [old, own].every((schema) => isEqual(typesOf(schema), ['array']))
    const isFormKept = isEqual(serializationOf(was, isSingle, isList), serializationOf(is, isSingle, isList))
    const isMissing = isRequest
      ? isRequired(is, current) && was['required'] !== true
      : was['required'] === true && is['required'] !== true
    const why = `${where} ${isRequest ? 'is required' : 'may be missing'}`
    return [
      ...(isMissing ? [report(isRequest ? 'new-requirement' : lost, direction, pointer, why)] : []),
      ...(!isRequest || had === has
        ? []
        : [report('changed-default', direction, pointer, `${where} had the default ${had}, and has ${has}`)]),
      ...(isFormKept ? [] : [report('unjudged-change', direction, pointer, `${where} is serialized in another form`)]),
      ...(sent['allowEmptyValue'] === true && read['allowEmptyValue'] !== true
        ? [report('unjudged-change', direction, pointer, `${where} may ${isRequest ? 'not ' : ''}be empty`)]
        : []),
      ...compareSchemas(
        isRequest ? text : schemaOf(was),
        isRequest ? schemaOf(is) : text,
        direction,
        schemaPointer,
        where,
        comparison,
      ),
    ]
  }
}

/** As in a body, a parameter with a default is optional, whatever a document says. */
const isRequired = (parameter: Document, document: Document): boolean =>
  parameter['required'] === true && !('default' in normalize(document, schemaOf(parameter)))

/** The schema of a parameter or header. */
const schemaOf = ({ schema, content }: Document): unknown =>
  schema ?? (isObject(content) ? (Object.values(content)[0] as Document | undefined)?.['schema'] : undefined)

// ---- how a value becomes text -------------------------------------------------------------------

const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat().map(String))
const scalars = new Set(['integer', 'number', 'boolean', 'string', 'null'])
const isSingleValue = (schema: JsonSchema): boolean =>
  typesOf(schema).length > 0 && typesOf(schema).every((type) => scalars.has(type))

/** With the defaults of OpenAPI. There is nothing to explode in a single value, and one form of a deep object or a simple list. */
function serializationOf(parameter: Document, isSingle: boolean, isList: boolean): readonly unknown[] {
  const isForm = parameter['in'] === 'query' || parameter['in'] === 'cookie'
  const { style = isForm ? 'form' : 'simple', explode = style === 'form', allowReserved = false, content } = parameter
  const form = isSingle || style === 'deepObject' || (isList && style === 'simple') ? null : explode
  return [style, form, allowReserved, isObject(content) ? Object.keys(content) : null]
}

/** What the reader of a parameter or header gets: text, so a number or boolean is also a string, and nothing is null. */
function asText(schema: unknown, readSchema: unknown, { released, current }: Sides): unknown {
  const [sent, read] = [normalize(released, schema), normalize(current, readSchema)]
  return textOf(sent, read) ?? elementsAsText() ?? (hasNull(sent) ? { allOf: [schema], type: notNull } : schema)

  function elementsAsText(): unknown {
    if (!isEqual(typesOf(sent), ['array']) || !isEqual(typesOf(read), ['array'])) return undefined
    const elements = [normalize(released, sent['items']), normalize(current, read['items'])]
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
