import type { Comparison, DiffFinding, Findings } from '../finding.ts'
import { compareContent } from './content.ts'
import { type Operation, dereference, parametersOf, unresolvedIn } from './list-operations.ts'
import { compareNamed } from './parameters.ts'
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
  if (after === undefined) {
    if ('$ref' in before.operation) return compareUnresolved(before, null, comparison)
    const lost = report({
      code: 'lost-operation',
      direction: 'request',
      before: before.pointer,
      after: null,
      where: '',
      reason: 'the operation is gone',
      cause: `${before.name} is gone`,
    })
    return [lost]
  }
  const access = [
    ...compareOwnServers(before, after, comparison),
    ...compareSecurity(before, after, comparison),
  ]
  const isUnchanged =
    before.operation === after.operation &&
    before.item['parameters'] === after.item['parameters'] &&
    meansTheSame(before.operation) &&
    meansTheSame(before.item['parameters'])
  if (isUnchanged) return access
  return [
    ...access,
    ...compareUnresolved(before, after, comparison),
    ...compareNamed(
      { before: parametersOf(before), after: parametersOf(after) },
      comparison.request,
      'lost-parameter',
      comparison,
    ),
    ...compareBodies(before, after, comparison),
    ...compareResponses(before, after, comparison),
  ]
}

/**
 * Reports references to other files, or to nothing, because what's behind them can't be compared.
 */
function compareUnresolved(
  before: Operation,
  after: Operation | null,
  { report }: Comparison,
): Findings {
  const refs = [before, after ?? before].flatMap(unresolvedIn)
  return refs.map((ref) =>
    report({
      code: 'unclear-change',
      direction: 'request',
      before: before.pointer,
      after: after?.pointer ?? null,
      where: '',
      reason: `refers to ${ref}, which isn't in the document`,
    }),
  )
}

function compareBodies(before: Operation, after: Operation, comparison: Comparison): Findings {
  const [olderBody, newerBody] = [bodyOf(before), bodyOf(after)]
  const { report, request: direction } = comparison
  const pointers = {
    before: `${before.pointer}/requestBody`,
    after: `${after.pointer}/requestBody`,
  }
  if (newerBody === null) {
    if (olderBody === null) return []
    const lost = { ...pointers, after: null, code: 'lost-media-type' as const }
    return [report({ ...lost, direction, where: '', reason: 'the body is gone' })]
  }
  const isNewlyRequired = newerBody['required'] === true && olderBody?.['required'] !== true
  const isNoLongerRequired = newerBody['required'] !== true && olderBody?.['required'] === true
  const place = { ...pointers, direction, where: '' }
  const findings: DiffFinding[] = []
  if (direction === 'request' && isNewlyRequired) {
    const pointer = olderBody === null ? null : pointers.before
    const reason = 'a body is required'
    findings.push(report({ ...place, before: pointer, code: 'new-requirement', reason }))
  }
  if (direction === 'response' && isNoLongerRequired)
    findings.push(report({ ...place, code: 'response-widened', reason: 'the body may be missing' }))
  if (olderBody === null) return findings
  const content = compareContent(olderBody, newerBody, { ...place, where: 'body' }, comparison)
  return [...findings, ...content]
}

const bodyOf = ({ operation, document }: Operation) =>
  operation['requestBody'] === undefined ? null : dereference(document, operation['requestBody'])
