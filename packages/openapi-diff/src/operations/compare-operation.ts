import type { Comparison } from '../finding.ts'
import { isInside } from '../schemas/normalize.ts'
import { compareContent } from './content.ts'
import { type Operation, child, isUnresolved, unresolvedIn } from './list-operations.ts'
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
): void {
  const { report, meansTheSame, request } = comparison
  const place = { direction: 'request', before, after: after ?? null, where: '' } as const
  if (after === undefined && !('$ref' in before.value)) {
    report(place, 'lost-operation', 'the operation is gone')
    return
  }
  // The targets of references to other files, or to nothing, can't be compared.
  const refs = [unresolvedIn(before), after ? unresolvedIn(after) : []]
  for (const ref of new Set(refs.flat())) {
    const [older, newer] = refs.map((list) => list.filter((own) => own === ref).length)
    if (older !== newer || !isInside(ref))
      report(place, 'unclear-change', `refers to ${ref}, which isn't in the document`)
  }
  if (after === undefined) return
  compareOwnServers(before, after, comparison)
  compareSecurity(before, after, comparison)
  const { parameters } = before.pathItem.value
  const isSame =
    before.name === after.name && // a path may have its parameters in another order
    before.value === after.value &&
    parameters === after.pathItem.value['parameters']
  if (isSame && meansTheSame(before.value) && meansTheSame(parameters)) return
  const named = [parametersOf(before), parametersOf(after)] as const
  compareNamed(...named, request, 'lost-parameter', comparison)
  compareBodies(before, after, comparison)
  compareResponses(before, after, comparison)
}

function compareBodies(older: Operation, newer: Operation, comparison: Comparison) {
  const { report, request: direction } = comparison
  const before = child(older, 'requestBody')
  const after = child(newer, 'requestBody')
  if (isUnresolved(before, after)) return
  const [hadBody, hasBody] = [before, after].map(({ pointer }) => pointer !== null)
  const place = { direction, before, after, where: '' }
  if (!hasBody) {
    if (hadBody) report(place, 'lost-media-type', 'the body is gone')
    return
  }
  const [wasRequired, isRequired] = [before, after].map(({ value }) => value['required'] === true)
  if (direction === 'request' && isRequired && !wasRequired)
    report(place, 'new-requirement', 'a body is required')
  if (direction === 'response' && wasRequired && !isRequired)
    report(place, 'response-widened', 'the body may be missing')
  if (hadBody) compareContent({ ...place, where: 'body' }, comparison)
}
