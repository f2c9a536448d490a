import { RouterError } from '@hv/router'
import { type JsonSchema, isObject } from '@hv/router/internal'
import { type Direction, findGaps } from './find-gaps.ts'
import { type Document, isEqual, normalize, resolve } from './normalize.ts'
import { withoutProse } from './without-prose.ts'

/** A promise of a released document that the current one does not keep. */
export interface ContractFinding {
  readonly code: keyof typeof remedies
  /** `GET /users/{id}` */
  readonly operation: string
  readonly direction: Direction
  /** JSON Pointer (RFC 6901) into the released document; into the current one for what is new there. */
  readonly pointer: string
  /** `status 200: /username may be null, which is not string` */
  readonly message: string
  readonly remedy: string
}

const remedies = {
  'lost-operation': 'Keep the operation in this version, or remove it in a new version.',
  'lost-status': 'Respond with the released status.',
  'lost-media-type': 'Keep the media type.',
  'lost-header': 'Keep the header.',
  'lost-parameter': 'Keep the parameter.',
  'new-requirement': 'Make it optional, or require it in a new version.',
  'changed-default': 'Keep the default.',
  'request-narrowed': 'Accept what was accepted before, or change the schema in a new version.',
  'response-widened': 'Respond with what was released, or change the schema in a new version.',
  'unjudged-change': 'Check by hand that released clients still work, then update the lock file.',
} as const

/**
 * Compares a released OpenAPI document (3.0 or 3.1) with the current one of the same version. Requests may only accept more,
 * responses may only promise more. What cannot be decided is an `unjudged-change`. New response fields are not findings,
 * and neither are new names of path parameters or other descriptions.
 *
 * @throws RouterError HV_OPTION for anything but two objects
 * @example compareDocuments(released, openapi(routes, controllers, { version: 1, info })) // []
 */
export function compareDocuments(released: object, current: object): readonly ContractFinding[] {
  for (const [option, received] of Object.entries({ released, current }))
    if (!isObject(received))
      throw new RouterError('HV_OPTION', {
        where: 'compareDocuments()',
        option,
        expected: 'an OpenAPI document',
        received,
      })
  const [before, after] = [released, current].map((document) => withoutProse(document as Document)) as [
    Document,
    Document,
  ]
  if (isEqual(before, after)) return [] // whatever is in them
  const now = operationsOf(after)
  return [...operationsOf(before)].flatMap(([key, operation]) => {
    const other = now.get(key)
    const report = createReport(operation)
    if (other === undefined) return [report('lost-operation', 'request', '', 'the operation is gone')]
    const pair = { released: before, current: after, report }
    return [
      ...compareSecurity(operation, other, pair),
      ...compareParameters(operation, other, pair),
      ...compareBodies(operation, other, pair),
      ...compareResponses(operation, other, pair),
    ]
  })
}

type Report = (code: ContractFinding['code'], direction: Direction, pointer: string, message: string) => ContractFinding
const createReport =
  ({ name, pointer: home }: Operation): Report =>
  (code, direction, pointer, message) => ({
    code,
    operation: name,
    direction,
    pointer: home + pointer,
    message,
    remedy: remedies[code],
  })

interface Pair {
  readonly released: Document
  readonly current: Document
  readonly report: Report
}

function compareSchemas(was: unknown, is: unknown, direction: Direction, pointer: string, where: string, pair: Pair) {
  const before = { document: pair.released, schema: was }
  const after = { document: pair.current, schema: is }
  const gaps = direction === 'request' ? findGaps(before, after, direction) : findGaps(after, before, direction)
  const root = where === 'body:' ? ' it' : where.endsWith(':') ? ' the body' : ''
  const texts = new Map(gaps.map(({ at, why, judged }) => [`${where}${at === '' ? root : ` ${at}`} ${why}`, judged]))
  const code = direction === 'request' ? 'request-narrowed' : 'response-widened'
  return [...texts].map(([message, judged]) =>
    pair.report(judged ? code : 'unjudged-change', direction, pointer, message),
  )
}

// ---- requests -----------------------------------------------------------------------------------

type Requirement = Readonly<Record<string, readonly string[]>>

/** Whether the credentials of released clients are enough. A document may also just describe what was required before. */
function compareSecurity(was: Operation, is: Operation, pair: Pair): readonly ContractFinding[] {
  const [before, after] = [requirementsOf(was), requirementsOf(is)]
  const isSameScheme = (name: string): boolean => isEqual(schemeOf(pair.released, name), schemeOf(pair.current, name))
  const isEnough = (given: Requirement, required: Requirement): boolean =>
    Object.entries(required).every(
      ([name, scopes]) => scopes.every((scope) => given[name]?.includes(scope)) && name in given && isSameScheme(name),
    )
  if (before.every((given) => after.some((required) => isEnough(given, required)))) return []
  const [had, has] = [before, after].map((all) => JSON.stringify(all))
  const message = had === has ? `the security ${has} means another scheme` : `had the security ${had}, and has ${has}`
  return [pair.report('unjudged-change', 'request', '/security', message)]
}

/** One of them is enough. Without any, an empty one is. */
function requirementsOf({ operation, document }: Operation): readonly Requirement[] {
  const security = operation['security'] ?? document['security']
  const requirements = (Array.isArray(security) ? (security as readonly unknown[]) : []).filter(isObject)
  const read = requirements.map((one) =>
    Object.fromEntries(Object.entries(one).map(([name, scopes]) => [name, Array.isArray(scopes) ? scopes : []])),
  )
  return read.length === 0 ? [{}] : read
}

/** What a client must know of a security scheme. */
function schemeOf(document: Document, name: string): readonly unknown[] {
  const { securitySchemes } = (document['components'] ?? {}) as { readonly securitySchemes?: Document }
  const scheme = dereference(document, securitySchemes?.[name])
  return ['type', 'scheme', 'in', 'name'].map((member) => scheme[member])
}

function compareParameters(was: Operation, is: Operation, pair: Pair): readonly ContractFinding[] {
  const [before, after] = [parametersOf(pair.released, was), parametersOf(pair.current, is)]
  const kept = [...before].flatMap(([key, { value, pointer }]): readonly ContractFinding[] => {
    const now = after.get(key)?.value
    const where = `${String(value['in'])} parameter ${String(value['name'])}`
    if (now === undefined) return [pair.report('lost-parameter', 'request', pointer, `${where} is gone`)]
    const [old, own] = [normalize(pair.released, schemaOf(value)), normalize(pair.current, schemaOf(now))]
    const [{ default: oldDefault }, { default: ownDefault }] = [old, own]
    const changed = `${where} had the default ${JSON.stringify(oldDefault)}, and has ${JSON.stringify(ownDefault)}`
    return [
      ...(isRequired(now, pair.current) && value['required'] !== true
        ? [pair.report('new-requirement', 'request', pointer, `${where} is required`)]
        : []),
      ...(isEqual(oldDefault, ownDefault) ? [] : [pair.report('changed-default', 'request', pointer, changed)]),
      ...(isEqual(serializationOf(value), serializationOf(now))
        ? []
        : [pair.report('unjudged-change', 'request', pointer, `${where} is serialized in another form`)]),
      ...compareSchemas(
        isText(old, own) ? textOf(old) : schemaOf(value),
        schemaOf(now),
        'request',
        `${pointer}/schema`,
        where,
        pair,
      ),
    ]
  })
  const required = [...after].filter(([key, { value }]) => isRequired(value, pair.current) && !before.has(key))
  return [
    ...kept,
    ...required.map(([, { value, pointer }]) => {
      const where = `${String(value['in'])} parameter ${String(value['name'])}`
      return pair.report('new-requirement', 'request', pointer, `${where} is new and required`)
    }),
  ]
}

/** As in a body, a parameter with a default is optional, whatever a document says. */
const isRequired = (parameter: Document, document: Document): boolean =>
  parameter['required'] === true && !('default' in normalize(document, schemaOf(parameter)))

const schemaOf = ({ schema, content }: Document): unknown =>
  schema ?? (isObject(content) ? (Object.values(content)[0] as Document | undefined)?.['schema'] : undefined)

/** How a value becomes text, with the defaults of OpenAPI. */
function serializationOf(parameter: Document): readonly unknown[] {
  const isForm = parameter['in'] === 'query' || parameter['in'] === 'cookie'
  const { style = isForm ? 'form' : 'simple', explode = style === 'form', allowReserved = false, content } = parameter
  return [style, explode, allowReserved, isObject(content) ? Object.keys(content) : null]
}

/** Every parameter is sent as text, so a number or boolean is also a string. */
const isText = (sent: JsonSchema, read: JsonSchema): boolean =>
  read['type'] === 'string' &&
  [sent['type']].flat().every((type) => ['integer', 'number', 'boolean'].includes(String(type)))
const textOf = ({ enum: values }: JsonSchema): JsonSchema => ({
  type: 'string',
  ...(Array.isArray(values) && { enum: values.map(String) }),
})

function compareBodies(was: Operation, is: Operation, pair: Pair): readonly ContractFinding[] {
  const [before, now] = [was, is].map(({ operation, document }) => {
    const { requestBody } = operation
    return requestBody === undefined ? null : dereference(document, requestBody)
  })
  const pointer = '/requestBody'
  if (!now) return before ? [pair.report('lost-media-type', 'request', pointer, 'the body is gone')] : []
  const required =
    now['required'] === true && before?.['required'] !== true
      ? [pair.report('new-requirement', 'request', pointer, 'a body is required')]
      : []
  return before ? [...required, ...compareContent(before, now, 'request', pointer, 'body', pair)] : required
}

// ---- responses ----------------------------------------------------------------------------------

function compareResponses(was: Operation, is: Operation, pair: Pair): readonly ContractFinding[] {
  const [before, now] = [was, is].map(({ operation }) => (operation['responses'] ?? {}) as Document) as [
    Document,
    Document,
  ]
  return Object.entries(before).flatMap(([status, raw]): readonly ContractFinding[] => {
    const pointer = `/responses/${status}`
    const where = `status ${status}`
    const current = Object.keys(now).filter(
      (other) => other === status || (before[other] === undefined && covers(status, other)),
    )
    if (current.length === 0)
      return /^2|^3(?!04)/.test(status) ? [pair.report('lost-status', 'response', pointer, `${where} is gone`)] : []
    return current.flatMap((one) => {
      const [old, own] = [dereference(pair.released, raw), dereference(pair.current, now[one])]
      return [
        ...compareHeaders(old, own, pointer, `status ${one}`, pair),
        ...compareContent(old, own, 'response', pointer, `status ${one}`, pair),
      ]
    })
  })
}

/** Whether a range, such as `2XX`, includes a status. */
const covers = (range: string, status: string): boolean => /^\dxx$/i.test(range) && range[0] === status[0]

/** What announces an end is not a promise: an end may be called off. */
const lifeHeaders = new Set(['deprecation', 'sunset'])

function compareHeaders(was: Document, is: Document, pointer: string, where: string, pair: Pair) {
  const now = new Map(Object.entries((is['headers'] ?? {}) as Document).map(([name, one]) => [name.toLowerCase(), one]))
  return Object.entries((was['headers'] ?? {}) as Document).flatMap(([name, raw]): readonly ContractFinding[] => {
    if (lifeHeaders.has(name.toLowerCase())) return []
    const at = `${pointer}/headers/${escape(name)}`
    const raws = now.get(name.toLowerCase())
    if (raws === undefined) return [pair.report('lost-header', 'response', at, `${where}: header ${name} is gone`)]
    const [old, own] = [dereference(pair.released, raw), dereference(pair.current, raws)]
    const isWeaker = old['required'] === true && own['required'] !== true
    return [
      ...(isWeaker ? [pair.report('lost-header', 'response', at, `${where}: header ${name} may be missing`)] : []),
      ...compareSchemas(old['schema'], own['schema'], 'response', `${at}/schema`, `${where}: header ${name}`, pair),
    ]
  })
}

function compareContent(
  was: Document,
  is: Document,
  direction: Direction,
  pointer: string,
  where: string,
  pair: Pair,
): readonly ContractFinding[] {
  const now = new Map(Object.entries((is['content'] ?? {}) as Document).map(([type, one]) => [typeKey(type), one]))
  const findings = Object.entries((was['content'] ?? {}) as Document).flatMap(([type, media]) => {
    const at = `${pointer}/content/${escape(type)}`
    if (!now.has(typeKey(type))) return [pair.report('lost-media-type', direction, at, `${where}: ${type} is gone`)]
    const [old, own] = [media, now.get(typeKey(type))].map((one) => (isObject(one) ? one : {})) as [Document, Document]
    const encoding = isEqual(old['encoding'], own['encoding'])
      ? []
      : [pair.report('unjudged-change', direction, `${at}/encoding`, `${where}: ${type} has another encoding`)]
    return [...encoding, ...compareSchemas(old['schema'], own['schema'], direction, `${at}/schema`, `${where}:`, pair)]
  })
  // Several media types usually share one schema.
  const texts = findings.map(({ code, message }) => `${code} ${message}`)
  return findings.filter((_finding, index) => texts.indexOf(texts[index]!) === index)
}

const typeKey = (type: string): string => type.toLowerCase().replace(/\s*([;=])\s*/g, '$1')

// ---- documents ----------------------------------------------------------------------------------

interface Operation {
  /** `GET /users/{id}` */
  readonly name: string
  readonly pointer: string
  readonly operation: Document
  readonly item: Document
  readonly document: Document
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** By method and path; the names of path parameters do not matter. */
function operationsOf(document: Document): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>()
  for (const [path, raw] of Object.entries((document['paths'] ?? {}) as Document)) {
    const item = dereference(document, raw)
    for (const method of methods) {
      const operation = item[method]
      if (!isObject(operation)) continue
      const name = `${method.toUpperCase()} ${path}`
      const pointer = `/paths/${escape(path)}/${method}`
      operations.set(`${method} ${path.replace(/\{[^}]*\}/g, '{}')}`, { name, pointer, operation, item, document })
    }
  }
  return operations
}

interface Located {
  readonly value: Document
  readonly pointer: string
}

/** Path parameters are known by their position in the path. */
function parametersOf(document: Document, { name, operation, item }: Operation): ReadonlyMap<string, Located> {
  const inPath = [...name.matchAll(/\{([^}]*)\}/g)].map(([, param]) => param)
  const found = new Map<string, Located>()
  for (const { parameters } of [item, operation])
    for (const [index, raw] of (Array.isArray(parameters) ? (parameters as readonly unknown[]) : []).entries()) {
      const value = dereference(document, raw)
      const { in: location, name: own } = value
      if (typeof own !== 'string') continue
      const key = location === 'path' ? inPath.indexOf(own) : location === 'header' ? own.toLowerCase() : own
      found.set(`${location} ${key}`, { value, pointer: `/parameters/${index}` })
    }
  return found
}

function dereference(document: Document, value: unknown): Document {
  const { $ref } = (value ?? {}) as { readonly $ref?: unknown }
  return ((typeof $ref === 'string' ? resolve(document, $ref) : value) ?? {}) as Document
}

const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
