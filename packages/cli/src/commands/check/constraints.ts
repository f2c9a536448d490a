import type { VulnerableDiagnostics } from 'recheck'
import type { RouteFile } from '../../route-file/route-file.ts'
import { canMatch } from './can-match.ts'
import { type Finding, error } from './finding.ts'

/** The router tests values of up to 256 characters: 65,000 steps take no noticeable time, 16 million do. */
const maxDegree = 2

/** Constraints that never match, and those that take very long on a hostile value. */
export async function checkConstraints({ rows }: RouteFile): Promise<readonly Finding[]> {
  const constrained = rows.filter(({ constraints }) => Object.keys(constraints).length > 0)
  if (constrained.length === 0) return []
  const module = await import('recheck/lib/browser.js')
  const { checkSync } = module.default ?? module
  const findings = new Map<string, Finding>()
  for (const { pattern, constraints } of constrained)
    for (const [param, constraint] of Object.entries(constraints)) {
      const { source, flags } = constraint
      const judged = checkSync(source, flags, { timeout: 5000 })
      const written = source.slice('^(?:'.length, -')$'.length) // the router matches whole values
      const name = `the constraint /${written}/ of ':${param}' in ${pattern}`
      const matches = await canMatch(constraint).catch((cause: Error) => cause)
      if (matches === false) {
        const message = `${name} never matches a value of 1 to 256 characters, so no request reaches the route. Correct the pattern`
        findings.set(message, error('unmatchable-constraint', message))
      } else if (matches !== true) {
        const message = `${name} could not be judged: whether it ever matches is unknown (${matches.message.replace(/\.$/, '')})`
        findings.set(message, { code: 'not-checked', message, level: 'note' })
      }
      if (judged.status === 'unknown') {
        const message = `${name} could not be judged: the checker reports: ${judged.error.kind}`
        findings.set(message, { code: 'not-checked', message, level: 'note' })
      }
      const growth = judged.status === 'vulnerable' ? growthOf(judged.complexity) : null
      if (growth === null) continue
      const message =
        `${name} could take very long on a hostile value: its time grows ${growth} with the length. ` +
        'Separate its repetitions, or bound them: {1,20}'
      findings.set(message, error('slow-constraint', message))
    }
  return [...findings.values()]
}

function growthOf(complexity: VulnerableDiagnostics['complexity']): string | null {
  if (complexity.type === 'exponential') return 'exponentially'
  return complexity.degree > maxDegree ? `with the power of ${complexity.degree}` : null
}
