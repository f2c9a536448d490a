import { countNodes, createBudget } from './budget.ts'
import { DiffError } from './error.ts'
import {
  type Comparison,
  type DiffFinding,
  type Question,
  findingOf,
  findingsOf,
} from './finding.ts'
import { type Json, groupBy, isObject } from './json.ts'
import { compareOperation } from './operations/compare-operation.ts'
import { listOperations, rootOf } from './operations/list-operations.ts'
import { compareServers, movedPrefixes } from './operations/servers.ts'
import { withChildren } from './schemas/discriminator.ts'
import { findGaps } from './schemas/find-gaps.ts'
import { createIntern, createMeansTheSame } from './schemas/intern.ts'
import { type Gap, brief } from './schemas/gap.ts'
import { withoutProse } from './without-prose.ts'

/** The options of `compareDocuments`. */
export interface CompareOptions {
  /**
   * Clients accept values of response enums that they don't know, as many providers require, so new
   * ones aren't findings.
   *
   * @default false
   */
  readonly openEnums?: boolean
}

/**
 * Finds what changed between two OpenAPI documents (3.0, 3.1 or 3.2) and would break a client of
 * the older one. The API may accept more in requests and promise more in responses, but not less;
 * for webhooks and callbacks it's the other way round. If it's impossible to tell, the change is
 * reported as `unclear-change`. New response fields, renamed path parameters and other descriptions
 * aren't findings.
 *
 * @param before - the released document
 * @param after - the current one
 * @param options - `openEnums` ignores new enum values in responses
 * @throws {@link DiffError} for anything but two OpenAPI documents, and for documents that would
 *   take too much work
 * @example compareDocuments(released, current).map(({ operation, message }) => `${operation}: ${message}`)
 */
export function compareDocuments(
  before: object,
  after: object,
  { openEnums = false }: CompareOptions = {},
): readonly DiffFinding[] {
  return compareWithin(before, after, openEnums).findings
}

/** Compares two documents, and also returns the budget, which knows how much work it was. */
export function compareWithin(before: object, after: object, openEnums: boolean) {
  assertDocument('older', before)
  assertDocument('newer', after)
  const budget = createBudget(
    countNodes('The older document', before) + countNodes('The newer document', after),
  )
  let isLoaded = false
  const intern = createIntern((characters) => {
    if (isLoaded) budget.spend(characters / 3)
  })
  const older = intern(withChildren(withoutProse(before as Json)))
  const newer = intern(withChildren(withoutProse(after as Json)))
  if (older === newer) return { findings: [], budget } // identical objects don't differ, even if they're invalid
  isLoaded = true
  const meansTheSame = createMeansTheSame(older, newer)
  const prefixes = movedPrefixes(older, newer)
  const newerOperations = listOperations(newer, prefixes[1], budget)
  const newerByName = new Map(
    Array.from(newerOperations, ([, operation]) => [operation.name, operation]),
  )
  const lists: Entry[][] = []
  const questions: Question[] = []
  const general = comparisonOf('every operation', false)
  compareServers(rootOf(older), rootOf(newer), general, prefixes)
  // A document's `$self` is its address, so it may change what its relative references mean.
  if (older['$self'] !== newer['$self'])
    general.report(
      { direction: 'request', before: rootOf(older), after: rootOf(newer), where: '' },
      'unclear-change',
      `the document's $self was ${brief(older['$self'])}, and is ${brief(newer['$self'])}`,
    )
  for (const [key, operation] of listOperations(older, prefixes[0], budget)) {
    const comparison = comparisonOf(operation.name, operation.isSentByApi)
    // Some documents tell operations of the same address apart by their parameters' names.
    const namesake = operation.isSentByApi ? undefined : newerByName.get(operation.name)
    compareOperation(operation, namesake ?? newerOperations.get(key), comparison)
  }

  const documents = { older, newer, intern, meansTheSame, budget }
  const answers = new Map<Question, readonly Gap[]>()
  const alike = groupBy(questions, ({ direction, form }) => `${direction} ${form}`)
  for (const group of alike.values())
    for (const [question, gaps] of findGaps(group, documents)) answers.set(question, gaps)
  const findings: DiffFinding[] = []
  for (const entries of lists) {
    const all = entries.flatMap((entry) =>
      'olderSchema' in entry ? findingsOf(entry, answers.get(entry)!, openEnums) : [entry],
    )
    // An operation's media types usually share a schema, so its findings repeat. A reference without
    // a target is one finding, wherever it is.
    const byText = groupBy(all, ({ code, component, message, reason }) =>
      [code, component, reason.startsWith('refers') ? reason : message].join(' '),
    )
    for (const [first] of byText.values()) findings.push(first)
  }
  return { findings, budget }

  function comparisonOf(operation: string, isSentByApi: boolean): Comparison {
    const entries: Entry[] = []
    lists.push(entries)
    const [request, response] = isSentByApi ? directions.toReversed() : directions
    return {
      report: (place, code, reason, isMinor = false) =>
        entries.push(findingOf({ ...place, operation }, code, reason, { isMinor })),
      compareSchemas(asked) {
        const question = { ...asked, operation }
        questions.push(question)
        entries.push(question)
      },
      meansTheSame,
      request: request!,
      response: response!,
    }
  }
}

const directions = ['request', 'response'] as const

/** A finding, or a question that the comparison of schemas will answer. */
type Entry = DiffFinding | Question

function assertDocument(age: string, document: unknown) {
  const { openapi, swagger, ...parts } = isObject(document) ? document : {}
  if (swagger !== undefined)
    throw new DiffError(
      'unsupported-version',
      `The ${age} document is Swagger ${String(swagger)}. Convert it to OpenAPI 3 first, with swagger2openapi for example.`,
    )
  if (openapi === undefined)
    throw new DiffError(
      'not-openapi',
      `The ${age} document isn't OpenAPI: it has no openapi field.`,
    )
  // YAML reads an unquoted 3.0 as the number 3.
  if (!/^3(?:\.[012](?:\.|$)|$)/.test(String(openapi)))
    throw new DiffError(
      'unsupported-version',
      `The ${age} document has the OpenAPI version ${String(openapi)}, but only 3.0, 3.1 and 3.2 can be compared.`,
    )
  if (!['paths', 'webhooks', 'components'].some((part) => isObject(parts[part])))
    throw new DiffError(
      'not-openapi',
      `The ${age} document has no paths, webhooks or components, so there's nothing to compare.`,
    )
}
