import type { Comparison, DiffFinding, Findings, Place } from '../finding.ts'
import { type Json, entriesOf, pointerTo } from '../json.ts'
import { compareContent } from './content.ts'
import { type Located, type Operation, dereference, locatedAt } from './list-operations.ts'
import { compareNamed } from './parameters.ts'

/**
 * Compares an operation's responses, status by status. A status may have been described by a range
 * or the default.
 */
export function compareResponses(
  before: Operation,
  after: Operation,
  comparison: Comparison,
): Findings {
  const [older, newer] = [responsesOf(before), responsesOf(after)]
  return Object.keys(older).flatMap((status): Findings => {
    const pointer = `${before.pointer}/responses/${status}`
    const counterparts = Object.keys(newer).filter(
      (key) =>
        nearestKey(older, key) === status &&
        (key === status ||
          isDescribed(key, status, older, dereference(after.document, newer[key]))),
    )
    const replacement = status in newer ? undefined : replacementOf(status, older, newer)
    if (replacement !== undefined) counterparts.push(replacement)
    if (counterparts.length === 0) {
      if (!/^2|^3(?!04)/.test(status)) return [] // clients expect errors and 304 anyway
      const { response: direction } = comparison
      const lost = { code: 'lost-status', direction, before: pointer, after: null } as const
      return [comparison.report({ ...lost, where: '', reason: `status ${status} is gone` })]
    }
    return [...new Set(counterparts)].flatMap((key) =>
      compareResponse(
        dereference(comparison.before, older[status]),
        dereference(comparison.after, newer[key]),
        {
          direction: comparison.response,
          before: pointer,
          after: `${after.pointer}/responses/${key}`,
          where: `status ${key}`,
        },
        comparison,
      ),
    )
  })
}

/**
 * Whether a new status says something else than the range or default that described it before. For
 * that, it needs a body.
 */
function isDescribed(key: string, status: string, older: Json, response: Json): boolean {
  const isSuccess = /^[23]/.test(key)
  const hasSuccesses = Object.keys(older).some((olderStatus) => olderStatus.startsWith('2'))
  if (status === 'default' && isSuccess && hasSuccesses) return false
  return 'content' in response
}

function compareResponse(
  before: Json,
  after: Json,
  place: Place,
  comparison: Comparison,
): Findings {
  const { direction, where } = place
  const findings: DiffFinding[] = []
  // Receivers of webhooks and callbacks used to respond without a body.
  if (direction === 'request' && !hasContent(before) && hasContent(after)) {
    const reason = 'a body is required'
    const added = { ...place, code: 'new-requirement' as const, where: `${where}:` }
    findings.push(comparison.report({ ...added, reason }))
  }
  const headers = {
    before: headersOf(before, comparison.before, place.before, where),
    after: headersOf(after, comparison.after, place.after, where),
  }
  return [
    ...findings,
    ...compareNamed(headers, direction, 'lost-header', comparison),
    ...compareContent(before, after, place, comparison),
  ]
}

const hasContent = ({ content }: Json): boolean => entriesOf(content).length > 0

/** Responses by status, with ranges in upper case. */
function responsesOf({ operation }: Operation): Json {
  const entries = entriesOf(operation['responses'])
  return Object.fromEntries(
    entries.map(([status, response]) => [status.replace(/xx$/, 'XX'), response]),
  )
}

/** The key that describes a status or a range: itself, its range, or the default. */
const nearestKey = (responses: Json, status: string): string | undefined =>
  [status, `${status[0]}XX`, 'default'].find((key) => key in responses)

/**
 * What describes a status that isn't listed any more. A default that's there for errors doesn't
 * describe a success.
 */
function replacementOf(status: string, older: Json, newer: Json): string | undefined {
  const key = nearestKey(newer, status)
  const isForErrors =
    'default' in older || Object.keys(newer).some((other) => other.startsWith('2'))
  return key === 'default' && /^[23]/.test(status) && isForErrors ? undefined : key
}

/**
 * Announcing an end isn't a promise, because ends may be called off. A body's type is compared with
 * its media types.
 */
const otherHeaders = new Set(['deprecation', 'sunset', 'content-type'])

function headersOf(
  response: Json,
  document: Json,
  pointer: string,
  where: string,
): ReadonlyMap<string, Located> {
  const headers = new Map<string, Located>()
  for (const [name, header] of entriesOf(response['headers'])) {
    const key = name.toLowerCase()
    if (otherHeaders.has(key)) continue
    const value = { ...dereference(document, header), in: 'header' }
    const headerPointer = `${pointer}/headers${pointerTo([name])}`
    headers.set(key, locatedAt(headerPointer, value, `${where}: header ${name}`))
  }
  return headers
}
