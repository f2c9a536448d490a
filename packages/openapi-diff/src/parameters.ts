import { type Json, isObject, isEqual, entriesOf } from './json.ts'
import { normalize } from './normalize.ts'
import type { Located } from './operations.ts'
import { unionOf } from './reader.ts'
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
  const added = [...after].filter(
    ([key, { value }]) => !before.has(key) && isRequired(sideOf(value, current)),
  )
  return [
    ...[...before].flatMap(([key, was]) => compareEach(was, after.get(key)?.value)),
    ...(isRequest ? added : []).map(([, { pointer, where }]) =>
      report('new-requirement', direction, pointer, `${where} is new and required`),
    ),
  ]

  function compareEach(located: Located, now: Json | undefined): readonly ContractFinding[] {
    const { value, pointer, schemaPointer, where } = located
    if (now === undefined) return [report(lost, direction, pointer, `${where} is gone`)]
    const findings: ContractFinding[] = []
    const find = (code: ContractFinding['code'], why: string): unknown =>
      findings.push(report(code, direction, pointer, `${where} ${why}`))
    const [was, is] = [sideOf(value, released), sideOf(now, current)]
    const [sent, read] = isRequest ? [was, is] : [is, was]
    if (isRequest && isRequired(is) && value['required'] !== true)
      find('new-requirement', 'is required')
    if (!isRequest && value['required'] === true && now['required'] !== true)
      find(lost, 'may be missing')
    const [had, has] = [was, is].map(({ shape }) => JSON.stringify(shape['default']))
    if (isRequest && had !== has) find('changed-default', `had the default ${had}, and has ${has}`)
    const isSingle = [was, is].every(({ shape }) => isSingleValue(shape))
    const isList = [was, is].every(({ shape }) => isListOnly(shape))
    if (!isEqual(serializationOf(value, isSingle, isList), serializationOf(now, isSingle, isList)))
      find('unclear-change', 'is serialized in another form')
    if (sent.value['allowEmptyValue'] === true && read.value['allowEmptyValue'] !== true)
      find('unclear-change', `may ${isRequest ? 'not ' : ''}be empty`)
    const text = asText(sent, read)
    const schemas = isRequest ? ([text, is.schema] as const) : ([was.schema, text] as const)
    return [
      ...findings,
      ...compareSchemas(...schemas, { direction, pointer: schemaPointer, where }, comparison),
    ]
  }
}

/** A parameter or header in its document. */
interface Side {
  readonly value: Json
  readonly schema: unknown
  /** The schema, normalized. */
  readonly shape: Json
  readonly elements: Json
}

function sideOf(value: Json, document: Json): Side {
  const content = entriesOf(value['content'])[0]?.[1] as Json | undefined
  const schema = value['schema'] ?? content?.['schema']
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
const isSingleValue = (schema: Json): boolean =>
  typesOf(schema).length > 0 && typesOf(schema).every((type) => scalars.has(type))
const isListOnly = (schema: Json): boolean => isEqual(typesOf(schema), ['array'])

/** With the defaults of OpenAPI. There is nothing to explode in a single value, and one form of a deep object or a simple list. */
function serializationOf(parameter: Json, isSingle: boolean, isList: boolean): readonly unknown[] {
  const isForm = parameter['in'] === 'query' || parameter['in'] === 'cookie'
  const {
    style = isForm ? 'form' : 'simple',
    explode = style === 'form',
    allowReserved = false,
    content,
  } = parameter
  const form = isSingle || style === 'deepObject' || (isList && style === 'simple') ? null : explode
  return [style, form, allowReserved, isObject(content) ? Object.keys(content) : null]
}

/** What the reader of a parameter or header gets: text, so a number or boolean is also a string, and nothing is null. */
function asText(sent: Side, read: Side): unknown {
  if (isObject(sent.value['content'])) return sent.schema
  const items =
    isListOnly(sent.shape) && isListOnly(read.shape)
      ? textOf(sent.elements, read.elements)
      : undefined
  const elementsAsText = items && { ...sent.shape, items }
  const withoutNulls = hasNull(sent.shape) ? { allOf: [sent.schema], type: notNull } : sent.schema
  return textOf(sent.shape, read.shape) ?? elementsAsText ?? withoutNulls
}

const notNull = ['boolean', 'number', 'string', 'array', 'object']
const hasNull = (schema: Json): boolean =>
  typesOf(schema).includes('null') ||
  ['enum', 'anyOf', 'oneOf'].some(
    (key) => Array.isArray(schema[key]) && schema['type'] === undefined,
  )

function textOf(sent: Json, read: Json): Json | undefined {
  const types = withoutNull(sent)
  const alternatives = unionOf(read)?.filter((one) => !isEqual(one, { type: 'null' })) ?? []
  const isTextRead = isText(read) || (alternatives.length > 0 && alternatives.every(isText))
  if (types.length === 0 || !isTextRead || types.some((type) => !isWrittenAsText.has(type)))
    return undefined
  const values = sent['enum'] ?? (isEqual(types, ['boolean']) ? [true, false] : undefined)
  return {
    type: 'string',
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null).map(String) }),
  }
}

const isWrittenAsText = new Set(['integer', 'number', 'boolean'])
const withoutNull = (schema: Json): readonly string[] =>
  typesOf(schema).filter((type) => type !== 'null')
const isText = (schema: unknown): boolean =>
  isObject(schema) && isEqual(withoutNull(schema), ['string'])
