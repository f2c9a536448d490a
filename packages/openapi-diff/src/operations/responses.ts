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
  const older = responsesOf(before)
  const newer = responsesOf(after)
  const { response: direction } = comparison
  const isSuccess = (status: string) => /^[23]/.test(status)
  for (const [status, response] of older) {
    const keys = new Set<string>()
    for (const [key, { value }] of newer) {
      if (nearest(older, statusRanges(key)) !== status) continue
      // A new status with a body replaces what a range or the default said about it before, so the
      // two are compared. If there are successful statuses, the default only described errors.
      const isOther = status === 'default' && isSuccess(key) && hasSuccess(older)
      if (key === status || ('content' in value && !isOther)) keys.add(key)
    }
    const replacement = newer.has(status) ? undefined : nearest(newer, statusRanges(status))
    const isForErrors = older.has('default') || hasSuccess(newer)
    if (replacement && !(replacement === 'default' && isSuccess(status) && isForErrors))
      keys.add(replacement)
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

const hasSuccess = (responses: ReadonlyMap<string, Node>) =>
  [...responses.keys()].some((status) => status.startsWith('2'))

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
const responsesOf = (operation: Node) => new Map(childrenOf(operation, 'responses'))

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

/**
 * The keys that can describe a status, the most specific first. No range described a 410 before: like
 * the Sunset header, it announces an end, which may be withdrawn.
 */
const statusRanges = (status: string) =>
  status === '410' ? [status] : [status, `${status[0]}XX`, 'default']
