import { compareContent } from './content.ts'
import { withChildren } from './discriminator.ts'
import { DiffError } from './error.ts'
import { createFindGaps } from './find-gaps.ts'
import { createIntern, createMeansTheSame } from './intern.ts'
import { type Json, isObject } from './json.ts'
import {
  type Operation,
  dereference,
  operationsOf,
  parametersOf,
  unresolvedIn,
} from './operations.ts'
import { compareNamed } from './parameters.ts'
import { type Comparison, type ContractFinding, createReport } from './report.ts'
import { compareResponses } from './responses.ts'
import { compareSecurity } from './security.ts'
import { compareOwnServers, compareServers } from './servers.ts'
import { withoutProse } from './without-prose.ts'

/** The options of `compareDocuments`. */
export interface CompareOptions {
  /** Clients accept values of response enums that they don't know, as many providers require, so new ones aren't findings. */
  readonly openEnums?: boolean
}

/**
 * Compares a released OpenAPI document (3.0 or 3.1) with the current one of the same version. Requests may only accept more,
 * responses may only promise more; for webhooks and callbacks it is the other way round. What cannot be decided is an
 * `unclear-change`. New response fields are not findings, and neither are new names of path parameters or other descriptions.
 *
 * @throws DiffError for anything but two documents of OpenAPI 3.0 or 3.1
 * @example compareDocuments(released, openapi(routes, controllers, { version: 1, info })) // []
 */
export function compareDocuments(
  released: object,
  current: object,
  options: CompareOptions = {},
): readonly ContractFinding[] {
  const { openEnums = false } = options
  for (const [option, received] of Object.entries({ released, current }))
    assertDocument(option, received)
  const intern = createIntern()
  const [before, after] = [released, current].map((document) =>
    intern(withChildren(withoutProse(document as Json))),
  ) as [Json, Json]
  if (before === after) return [] // whatever is in them
  const meansTheSame = createMeansTheSame(before, after, intern)
  const finders = {
    request: createFindGaps(before, after, 'request', intern, meansTheSame),
    response: createFindGaps(after, before, 'response', intern, meansTheSame),
  }
  const [were, are] = [operationsOf(before), operationsOf(after)]
  /** The callback to the same address that only the current document has. */
  const renamed = ({ address }: Operation): Operation | undefined =>
    address === undefined
      ? undefined
      : [...are].find(([key, is]) => is.address === address && !were.has(key))?.[1]
  const compareAll = (step: 'announce' | 'find'): readonly ContractFinding[] => {
    const findGaps = { request: finders.request[step], response: finders.response[step] }
    const shared = { released: before, current: after, meansTheSame, openEnums, findGaps }
    return [...were].flatMap(([key, was]) => {
      const directions: Pick<Comparison, 'request' | 'response'> = was.isSentByApi
        ? { request: 'response', response: 'request' }
        : { request: 'request', response: 'response' }
      const comparison = { ...shared, ...directions, report: createReport(was.name) }
      const findings = compareOperations(was, are.get(key) ?? renamed(was), comparison)
      // Several media types usually share one schema.
      const texts = new Set<string>()
      return findings.filter(
        ({ code, message }) => texts.size < texts.add(`${code} ${message}`).size,
      )
    })
  }
  compareAll('announce')
  return [...compareServers(before, after), ...compareAll('find')]
}

function assertDocument(name: string, document: unknown): void {
  if (!isObject(document))
    throw new DiffError('not-openapi', `The ${name} document isn't an OpenAPI document.`)
  const version = String(document['swagger'] ?? document['openapi'])
  if (/^(?:[012]\.|3\.[2-9])/.test(version))
    throw new DiffError(
      'unsupported-version',
      `The ${name} document has the OpenAPI version ${version}. Convert it to 3.0 or 3.1 first, with swagger2openapi for example.`,
    )
}

function compareOperations(
  was: Operation,
  is: Operation | undefined,
  comparison: Comparison,
): readonly ContractFinding[] {
  const { report, meansTheSame } = comparison
  if (is === undefined)
    return '$ref' in was.operation
      ? compareUnresolved(was, was, comparison)
      : [
          report(
            'lost-operation',
            'request',
            was.pointer,
            'the operation is gone',
            `${was.name} is gone`,
          ),
        ]
  const isUnchanged =
    was.operation === is.operation &&
    was.item['parameters'] === is.item['parameters'] &&
    meansTheSame(was.operation) &&
    meansTheSame(was.item['parameters'])
  const access = [
    ...compareOwnServers(was, is, comparison),
    ...compareSecurity(was, is, comparison),
  ]
  if (isUnchanged) return access
  return [
    ...access,
    ...compareUnresolved(was, is, comparison),
    ...compareNamed(
      parametersOf(was),
      parametersOf(is),
      comparison.request,
      'lost-parameter',
      comparison,
    ),
    ...compareBodies(was, is, comparison),
    ...compareResponses(was, is, comparison),
  ]
}

/** What is in other files cannot be compared. */
const compareUnresolved = (
  was: Operation,
  is: Operation,
  { report }: Comparison,
): readonly ContractFinding[] =>
  [was, is]
    .flatMap(unresolvedIn)
    .map((ref) =>
      report(
        'unclear-change',
        'request',
        was.pointer,
        `refers to ${ref}, which is not in the document`,
      ),
    )

// ---- requests -----------------------------------------------------------------------------------

function compareBodies(
  was: Operation,
  is: Operation,
  comparison: Comparison,
): readonly ContractFinding[] {
  const [before, now] = [was, is].map(({ operation, document }) => {
    const { requestBody } = operation
    return requestBody === undefined ? null : dereference(document, requestBody)
  })
  const { report, request } = comparison
  const pointer = `${(before ? was : is).pointer}/requestBody`
  if (!now) return before ? [report('lost-media-type', request, pointer, 'the body is gone')] : []
  const [wasRequired, isRequired] = [before, now].map((body) => body?.['required'] === true)
  const required =
    request === 'request' && isRequired && !wasRequired
      ? [report('new-requirement', request, pointer, 'a body is required')]
      : request === 'response' && wasRequired && !isRequired
        ? [report('response-widened', request, pointer, 'the body may be missing')]
        : []
  return before
    ? [
        ...required,
        ...compareContent(before, now, { direction: request, pointer, where: 'body' }, comparison),
      ]
    : required
}
