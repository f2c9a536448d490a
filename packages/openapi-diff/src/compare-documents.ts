import { type Budget, countNodes, createBudget } from './budget.ts'
import { DiffError } from './error.ts'
import { type DiffFinding, type Question, createReport, isQuestion } from './finding.ts'
import { type Json, isObject } from './json.ts'
import { compareOperation } from './operations/compare-operation.ts'
import { child, listOperations, rootOf } from './operations/list-operations.ts'
import { compareServers } from './operations/servers.ts'
import { withChildren } from './schemas/discriminator.ts'
import { type FindGaps, createFindGaps } from './schemas/find-gaps.ts'
import { createIntern, createMeansTheSame } from './schemas/intern.ts'
import type { Direction } from './schemas/gap.ts'
import type { Gap } from './schemas/gap.ts'
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
 * the older one. Requests may only accept more, responses may only promise more; for webhooks and
 * callbacks it's the other way round. A change that can't be judged is an `unclear-change`. New
 * response fields, renamed path parameters and other descriptions aren't findings.
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

/** The comparison, and how much work it was. */
export function compareWithin(before: object, after: object, openEnums: boolean) {
  assertDocument('older', before)
  assertDocument('newer', after)
  const budget = createBudget(
    countNodes('The older document', before) + countNodes('The newer document', after),
  )
  return { findings: findChanges(before as Json, after as Json, openEnums, budget), budget }
}

function findChanges(
  before: Json,
  after: Json,
  openEnums: boolean,
  budget: Budget,
): readonly DiffFinding[] {
  let isLoaded = false
  const intern = createIntern((characters) => {
    if (isLoaded) budget.spend(characters / 3)
  })
  const older = intern(withChildren(withoutProse(before)))
  const newer = intern(withChildren(withoutProse(after)))
  if (older === newer) return [] // whatever is in them
  isLoaded = true
  const meansTheSame = createMeansTheSame(older, newer)
  const shared = { before: older, after: newer, openEnums, meansTheSame }

  const newerOperations = listOperations(newer)
  const olderOperations = listOperations(older)
  const compared = [...olderOperations].map(([key, operation]) => {
    const counterpart = newerOperations.get(key)
    const [request, response] = operation.isSentByApi
      ? (['response', 'request'] as const)
      : (['request', 'response'] as const)
    const report = createReport(operation.name)
    return compareOperation(operation, counterpart, { ...shared, request, response, report })
  })

  const tools = { intern, meansTheSame, budget }
  const answers = answerAll(compared.flat().filter(isQuestion), {
    request: createFindGaps(older, newer, 'request', tools),
    response: createFindGaps(newer, older, 'response', tools),
  })
  const findings = compared.flatMap((entries) =>
    distinct(
      entries.flatMap((entry) =>
        isQuestion(entry) ? entry.findingsOf(answers.get(entry)!) : [entry],
      ),
    ),
  )
  return [...compareServers(older, newer), ...compareSelf(older, newer), ...findings]
}

function assertDocument(age: string, document: unknown): void {
  if (!isObject(document))
    throw new DiffError('not-openapi', `The ${age} document is no object, so it isn't OpenAPI.`)
  const { openapi, swagger } = document
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
  if (!['paths', 'webhooks', 'components'].some((part) => isObject(document[part])))
    throw new DiffError(
      'not-openapi',
      `The ${age} document has no paths, webhooks or components, so there's nothing to compare.`,
    )
}

/** A document's own address may change what its relative references lead to. */
function compareSelf(before: Json, after: Json): readonly DiffFinding[] {
  const [had, has] = [before['$self'], after['$self']].map((self) => JSON.stringify(self))
  if (had === has) return []
  const finding = createReport('every operation')({
    code: 'unclear-change',
    direction: 'request',
    before: had === undefined ? null : child(rootOf(before), '$self'),
    after: has === undefined ? null : child(rootOf(after), '$self'),
    where: '',
    reason: `the document's $self was ${had ?? 'none'}, and is ${has ?? 'none'}`,
  })
  return [finding]
}

/** The gaps that each question asks for. */
function answerAll(
  questions: readonly Question[],
  findGaps: Readonly<Record<Direction, FindGaps>>,
): ReadonlyMap<Question, readonly Gap[]> {
  const answers = new Map<Question, readonly Gap[]>()
  for (const direction of ['request', 'response'] as const) {
    const asked = questions.filter((question) => question.direction === direction)
    const gaps = findGaps[direction](asked)
    for (const [index, question] of asked.entries()) answers.set(question, gaps[index]!)
  }
  return answers
}

/** An operation's findings without repetitions: its media types usually share a schema. */
function distinct(findings: readonly DiffFinding[]): readonly DiffFinding[] {
  const texts = new Set<string>()
  return findings.filter(({ code, component, message }) => {
    const text = `${code} ${component} ${message}`
    const isNew = !texts.has(text)
    texts.add(text)
    return isNew
  })
}
