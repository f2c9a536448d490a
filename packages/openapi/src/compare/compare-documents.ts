import { RouterError } from '@hv/router'
import { type JsonSchema, isObject } from '@hv/router/internal'
import { createFindGaps } from './find-gaps.ts'
import type { Direction } from './rules.ts'
import { createIntern, createMeansTheSame } from './intern.ts'
import { type Document, isEqual, normalize } from './normalize.ts'
import { type Operation, dereference, escape, operationsOf, parametersOf, unresolvedIn } from './operations.ts'
import { type Comparison, type ContractFinding, compareSchemas, createReport } from './report.ts'
import { withoutProse } from './without-prose.ts'

/** The options of `compareDocuments`. */
export interface CompareOptions {
  /** Clients accept values of response enums that they don't know, as many providers require, so new ones aren't findings. */
  readonly openEnums?: boolean
}

/**
 * Compares a released OpenAPI document (3.0 or 3.1) with the current one of the same version. Requests may only accept more,
 * responses may only promise more; for webhooks and callbacks it is the other way round. What cannot be decided is an
 * `unjudged-change`. New response fields are not findings, and neither are new names of path parameters or other descriptions.
 *
 * @throws RouterError HV_OPTION for anything but two OpenAPI 3 documents
 * @example compareDocuments(released, openapi(routes, controllers, { version: 1, info })) // []
 */
export function compareDocuments(
  released: object,
  current: object,
  options: CompareOptions = {},
): readonly ContractFinding[] {
  const { openEnums = false } = options
  for (const [option, received] of Object.entries({ released, current })) assertDocument(option, received)
  const intern = createIntern()
  const [before, after] = [released, current].map((document) => intern(withoutProse(document as Document))) as [
    Document,
    Document,
  ]
  if (before === after) return [] // whatever is in them
  const meansTheSame = createMeansTheSame(before, after)
  const findGaps = {
    request: createFindGaps(before, after, 'request', intern, meansTheSame),
    response: createFindGaps(after, before, 'response', intern, meansTheSame),
  }
  const now = operationsOf(after)
  const findings = [...operationsOf(before)].flatMap(([key, was]) => {
    const is = now.get(key)
    const report = createReport(was)
    const [request, response]: Direction[] = was.isSentByApi ? ['response', 'request'] : ['request', 'response']
    const directions = { request: request!, response: response! }
    const comparison = { released: before, current: after, findGaps, report, openEnums, ...directions }
    if (is === undefined)
      return [report('lost-operation', 'request', '', 'the operation is gone', `${was.name} is gone`)]
    const isUnchanged =
      was.operation === is.operation &&
      was.item['parameters'] === is.item['parameters'] &&
      meansTheSame(was.operation) &&
      meansTheSame(was.item['parameters'])
    return [...compareSecurity(was, is, comparison), ...(isUnchanged ? [] : compareOperations(was, is, comparison))]
  })
  return [...compareServers(before, after), ...findings]
}

function assertDocument(option: string, received: unknown): void {
  const where = 'compareDocuments()'
  if (!isObject(received))
    throw new RouterError('HV_OPTION', { where, option, expected: 'an OpenAPI document', received })
  const version = received['swagger'] ?? received['openapi']
  if (/^[012]\./.test(String(version)))
    throw new RouterError('HV_OPTION', {
      where,
      option,
      expected: 'a document of OpenAPI 3 (convert older ones first, with swagger2openapi for example)',
      received: version,
    })
}

const compareOperations = (was: Operation, is: Operation, comparison: Comparison): readonly ContractFinding[] => [
  ...compareUnresolved(was, is, comparison),
  ...(was.isSentByApi ? [] : compareParameters(was, is, comparison)),
  ...compareBodies(was, is, comparison),
  ...compareResponses(was, is, comparison),
]

/** What is in other files cannot be compared. */
const compareUnresolved = (was: Operation, is: Operation, { report }: Comparison): readonly ContractFinding[] =>
  [...new Set([was, is].flatMap(unresolvedIn))].map((ref) =>
    report('unjudged-change', 'request', '', `refers to ${ref}, which is not in the document`),
  )

/** A lock file has no servers. */
function compareServers(before: Document, after: Document): readonly ContractFinding[] {
  const [were, are] = [before, after].map(({ servers }) =>
    (Array.isArray(servers) ? (servers as readonly unknown[]) : []).filter(isObject).map(({ url }) => String(url)),
  )
  const report = createReport({ name: 'every operation', pointer: '' })
  return were!
    .filter((url) => !are!.includes(url))
    .map((url) => report('lost-server', 'request', '/servers', `the server ${url} is gone`))
}

// ---- requests -----------------------------------------------------------------------------------

type Requirement = Readonly<Record<string, readonly string[]>>

/** Whether the credentials of released clients are enough. A document may also just describe what was required before. */
function compareSecurity(was: Operation, is: Operation, comparison: Comparison): readonly ContractFinding[] {
  const [before, after] = [requirementsOf(was), requirementsOf(is)]
  const isSameScheme = (name: string): boolean =>
    isEqual(schemeOf(comparison.released, name), schemeOf(comparison.current, name))
  const isEnough = (given: Requirement, required: Requirement): boolean =>
    Object.entries(required).every(
      ([name, scopes]) => scopes.every((scope) => given[name]?.includes(scope)) && name in given && isSameScheme(name),
    )
  if (before.every((given) => after.some((required) => isEnough(given, required)))) return []
  const [had, has] = [before, after].map((all) => JSON.stringify(all))
  const message = had === has ? `the security ${has} means another scheme` : `had the security ${had}, and has ${has}`
  return [comparison.report('unjudged-change', 'request', '/security', message)]
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

function compareParameters(was: Operation, is: Operation, comparison: Comparison): readonly ContractFinding[] {
  const [before, after] = [parametersOf(was), parametersOf(is)]
  const kept = [...before].flatMap(([key, { value, pointer }]): readonly ContractFinding[] => {
    const now = after.get(key)?.value
    const where = `${String(value['in'])} parameter ${String(value['name'])}`
    if (now === undefined) return [comparison.report('lost-parameter', 'request', pointer, `${where} is gone`)]
    const [old, own] = [normalize(comparison.released, schemaOf(value)), normalize(comparison.current, schemaOf(now))]
    const [{ default: oldDefault }, { default: ownDefault }] = [old, own]
    const changed = `${where} had the default ${JSON.stringify(oldDefault)}, and has ${JSON.stringify(ownDefault)}`
    return [
      ...(isRequired(now, comparison.current) && value['required'] !== true
        ? [comparison.report('new-requirement', 'request', pointer, `${where} is required`)]
        : []),
      ...(isEqual(oldDefault, ownDefault) ? [] : [comparison.report('changed-default', 'request', pointer, changed)]),
      ...(isEqual(serializationOf(value), serializationOf(now))
        ? []
        : [comparison.report('unjudged-change', 'request', pointer, `${where} is serialized in another form`)]),
      ...compareSchemas(
        isText(old, own) ? textOf(old) : schemaOf(value),
        schemaOf(now),
        'request',
        `${pointer}/schema`,
        where,
        comparison,
      ),
    ]
  })
  const required = [...after].filter(([key, { value }]) => isRequired(value, comparison.current) && !before.has(key))
  return [
    ...kept,
    ...required.map(([, { value, pointer }]) => {
      const where = `${String(value['in'])} parameter ${String(value['name'])}`
      return comparison.report('new-requirement', 'request', pointer, `${where} is new and required`)
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

function compareBodies(was: Operation, is: Operation, comparison: Comparison): readonly ContractFinding[] {
  const [before, now] = [was, is].map(({ operation, document }) => {
    const { requestBody } = operation
    return requestBody === undefined ? null : dereference(document, requestBody)
  })
  const pointer = '/requestBody'
  if (!now) return before ? [comparison.report('lost-media-type', comparison.request, pointer, 'the body is gone')] : []
  const required =
    !was.isSentByApi && now['required'] === true && before?.['required'] !== true
      ? [comparison.report('new-requirement', 'request', pointer, 'a body is required')]
      : []
  return before
    ? [...required, ...compareContent(before, now, comparison.request, pointer, 'body', comparison)]
    : required
}

// ---- responses ----------------------------------------------------------------------------------

function compareResponses(was: Operation, is: Operation, comparison: Comparison): readonly ContractFinding[] {
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
      return /^2|^3(?!04)/.test(status)
        ? [comparison.report('lost-status', comparison.response, pointer, `${where} is gone`)]
        : []
    return current.flatMap((one) => {
      const [old, own] = [dereference(comparison.released, raw), dereference(comparison.current, now[one])]
      return [
        ...compareHeaders(old, own, pointer, `status ${one}`, comparison),
        ...compareContent(old, own, comparison.response, pointer, `status ${one}`, comparison),
      ]
    })
  })
}

/** Whether a range, such as `2XX`, includes a status. */
const covers = (range: string, status: string): boolean => /^\dxx$/i.test(range) && range[0] === status[0]

/** What announces an end is not a promise: an end may be called off. */
const lifeHeaders = new Set(['deprecation', 'sunset'])

function compareHeaders(was: Document, is: Document, pointer: string, where: string, comparison: Comparison) {
  const now = new Map(Object.entries((is['headers'] ?? {}) as Document).map(([name, one]) => [name.toLowerCase(), one]))
  return Object.entries((was['headers'] ?? {}) as Document).flatMap(([name, raw]): readonly ContractFinding[] => {
    if (lifeHeaders.has(name.toLowerCase())) return []
    const at = `${pointer}/headers/${escape(name)}`
    const raws = now.get(name.toLowerCase())
    if (raws === undefined)
      return [comparison.report('lost-header', 'response', at, `${where}: header ${name} is gone`)]
    const [old, own] = [dereference(comparison.released, raw), dereference(comparison.current, raws)]
    const isWeaker = old['required'] === true && own['required'] !== true
    return [
      ...(isWeaker
        ? [comparison.report('lost-header', 'response', at, `${where}: header ${name} may be missing`)]
        : []),
      ...compareSchemas(
        old['schema'],
        own['schema'],
        'response',
        `${at}/schema`,
        `${where}: header ${name}`,
        comparison,
      ),
    ]
  })
}

function compareContent(
  was: Document,
  is: Document,
  direction: Direction,
  pointer: string,
  where: string,
  comparison: Comparison,
): readonly ContractFinding[] {
  const now = new Map(Object.entries((is['content'] ?? {}) as Document).map(([type, one]) => [typeKey(type), one]))
  const findings = Object.entries((was['content'] ?? {}) as Document).flatMap(([type, media]) => {
    const at = `${pointer}/content/${escape(type)}`
    if (!now.has(typeKey(type)))
      return [comparison.report('lost-media-type', direction, at, `${where}: ${type} is gone`)]
    const [old, own] = [media, now.get(typeKey(type))].map((one) => (isObject(one) ? one : {})) as [Document, Document]
    const encoding = isEqual(old['encoding'], own['encoding'])
      ? []
      : [comparison.report('unjudged-change', direction, `${at}/encoding`, `${where}: ${type} has another encoding`)]
    return [
      ...encoding,
      ...compareSchemas(old['schema'], own['schema'], direction, `${at}/schema`, `${where}:`, comparison),
    ]
  })
  // Several media types usually share one schema.
  const texts = findings.map(({ code, message }) => `${code} ${message}`)
  return findings.filter((_finding, index) => texts.indexOf(texts[index]!) === index)
}

const typeKey = (type: string): string => type.toLowerCase().replace(/\s*([;=])\s*/g, '$1')
