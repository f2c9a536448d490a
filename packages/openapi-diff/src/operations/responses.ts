import type { Node } from '../json.ts'
import type { Comparison, SharedPlace } from '../finding.ts'
import { compareContent, nearest } from './content.ts'
import { childrenOf, isUnresolved } from './list-operations.ts'
import { type Located, compareNamed, locatedAt } from './parameters.ts'

/**
 * Compares an operation's responses, status by status. A range or the default may have described a
 * status before.
 */
export function compareResponses(before: Node, after: Node, comparison: Comparison): void {
  const older = new Map(childrenOf(before, 'responses'))
  const newer = new Map(childrenOf(after, 'responses'))
  const { response: direction } = comparison
  // If there are successful statuses, the default only describes errors.
  const wasForErrors = hasSuccess(older)
  const isForErrors = older.has('default') || hasSuccess(newer)
  for (const [status, response] of older) {
    const keys = new Set<string>()
    // A new status with a body replaces what a range or the default said about it before, so the two
    // are compared.
    for (const [key, { value }] of newer)
      if ('content' in value && describing(older, key, wasForErrors) === status) keys.add(key)
    const replacement = describing(newer, status, isForErrors)
    if (replacement !== undefined) keys.add(replacement)
    const place = { direction, before: response, after: null, where: '' }
    // Clients have to expect errors and 304 anyway.
    if (keys.size === 0 && /^2|^3(?!04)/.test(status))
      comparison.report(place, 'lost-status', `status ${status} is gone`)
    for (const key of keys) {
      const counterpart = { ...place, after: newer.get(key)!, where: `status ${key}` }
      compareResponse(counterpart, comparison)
    }
  }
}

function compareResponse(place: SharedPlace, comparison: Comparison) {
  const { direction, before, after, where } = place
  if (isUnresolved(before, after)) return
  const [hadBody, hasBody] = [before, after].map(
    (response) => childrenOf(response, 'content').length > 0,
  )
  // Existing receivers of the webhook or callback respond without a body.
  if (direction === 'request' && !hadBody && hasBody)
    comparison.report({ ...place, where: `${where}:` }, 'new-requirement', 'a body is required')
  const headers = [headersOf(before, where), headersOf(after, where)] as const
  compareNamed(...headers, direction, 'lost-header', comparison)
  compareContent(place, comparison)
}

/** Responses by status. */
type Responses = ReadonlyMap<string, Node>

/**
 * A deprecation or sunset header isn't a promise, because an announcement may be withdrawn. The
 * Content-Type is compared as a media type.
 */
const otherHeaders = new Set(['deprecation', 'sunset', 'content-type'])

function headersOf(response: Node, where: string) {
  const headers = new Map<string, Located>()
  for (const [name, header] of childrenOf(response, 'headers')) {
    const key = name.toLowerCase()
    if (!otherHeaders.has(key)) headers.set(key, locatedAt(header, `${where}: header ${name}`))
  }
  return headers
}

const hasSuccess = (responses: Responses) =>
  [...responses.keys()].some((status) => status.startsWith('2'))

/**
 * The key that describes a status, if there's one. No range described a 410 before: like the Sunset
 * header, it announces an end, which may be withdrawn.
 */
function describing(responses: Responses, status: string, isForErrors: boolean) {
  if (status === '410') return nearest(responses, [status])
  const ranges = [status, `${status[0]}XX`]
  if (!isForErrors || !/^[23]/.test(status)) ranges.push('default')
  return nearest(responses, ranges)
}
