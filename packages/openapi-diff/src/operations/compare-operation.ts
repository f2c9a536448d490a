import type { Comparison, Findings } from '../finding.ts'
import { compareContent } from './content.ts'
import { type Operation, child, unresolvedIn } from './list-operations.ts'
import { compareNamed, parametersOf } from './parameters.ts'
import { compareResponses } from './responses.ts'
import { compareSecurity } from './security.ts'
import { compareOwnServers } from './servers.ts'

/**
 * Compares an operation with its counterpart in the newer document, which is undefined if there's
 * none.
 */
export function compareOperation(
  before: Operation,
  after: Operation | undefined,
  comparison: Comparison,
): Findings {
  const { report, meansTheSame } = comparison
  const place = { direction: 'request', before, after: after ?? null, where: '' } as const
  if (after === undefined && !('$ref' in before.value)) {
    const cause = `${before.name} is gone`
    return [report({ ...place, code: 'lost-operation', reason: 'the operation is gone', cause })]
  }
  // What's behind references to other files, or to nothing, can't be compared.
  const unresolved = [before, after ?? before].flatMap(unresolvedIn).map((ref) => {
    const reason = `refers to ${ref}, which isn't in the document`
    return report({ ...place, code: 'unclear-change', reason })
  })
  if (after === undefined) return unresolved
  const access = [
    ...compareOwnServers(before, after, comparison),
    ...compareSecurity(before, after, comparison),
  ]
  const [parameters, newerParameters] = [before, after].map(
    ({ pathItem }) => pathItem.value['parameters'],
  )
  const isUnchanged =
    before.value === after.value &&
    parameters === newerParameters &&
    meansTheSame(before.value) &&
    meansTheSame(parameters)
  if (isUnchanged) return access
  const { request } = comparison
  const named = [parametersOf(before), parametersOf(after)] as const
  return [
    ...access,
    ...unresolved,
    ...compareNamed(...named, request, 'lost-parameter', comparison),
    ...compareBodies(before, after, comparison),
    ...compareResponses(before, after, comparison),
  ]
}

function compareBodies(older: Operation, newer: Operation, comparison: Comparison): Findings {
  const { report, request: direction } = comparison
  const [before, after] = [child(older, 'requestBody'), child(newer, 'requestBody')]
  const hadBody = older.value['requestBody'] !== undefined
  const place = { direction, before: hadBody ? before : null, after, where: '' }
  if (newer.value['requestBody'] === undefined) {
    const reason = 'the body is gone'
    return hadBody ? [report({ ...place, after: null, code: 'lost-media-type', reason })] : []
  }
  const [wasRequired, isRequired] = [before, after].map(({ value }) => value['required'] === true)
  const content = hadBody ? compareContent({ ...place, before, where: 'body' }, comparison) : []
  if (direction === 'request' && isRequired && !wasRequired)
    return [report({ ...place, code: 'new-requirement', reason: 'a body is required' }), ...content]
  if (direction === 'response' && wasRequired && !isRequired) {
    const reason = 'the body may be missing'
    return [report({ ...place, code: 'response-widened', reason }), ...content]
  }
  return content
}
