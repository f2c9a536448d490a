import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, error, note } from './finding.ts'

/** The router tests values of up to 256 characters: 65,000 steps take no noticeable time, 16 million do. */
const maxDegree = 2

/** A constraint as the route file has it: `/\\d+/`. The router matches whole values. */
export const constraintText = ({ source, flags }: RegExp): string =>
  `/${source.slice('^(?:'.length, -')$'.length)}/${flags}`

/** Constraints that take very long on a hostile value. The package `recheck` judges them, where it is installed. */
export async function checkConstraints({ rows }: RouteFile): Promise<readonly Finding[]> {
  const patterns = new Map<string, RegExp>()
  for (const { pattern, constraints } of rows)
    for (const [param, constraint] of Object.entries(constraints))
      patterns.set(
        `the constraint ${constraintText(constraint)} of ':${param}' in ${pattern}`,
        constraint,
      )
  if (patterns.size === 0) return []
  const recheck = await import('recheck/lib/browser.js').catch(() => null)
  if (recheck === null)
    return [
      note(
        'not-checked',
        'constraints are not checked for slow patterns. Install the package that does: recheck',
      ),
    ]
  const { checkSync } = recheck.default ?? recheck
  return [...patterns].flatMap(([name, { source, flags }]): readonly Finding[] => {
    const judged = checkSync(source, flags, { timeout: 20_000 })
    if (judged.status === 'unknown')
      return [note('not-checked', `${name} could not be analyzed: ${judged.error.kind}`)]
    if (judged.status === 'safe') return []
    const { complexity } = judged
    if (complexity.type !== 'exponential' && complexity.degree <= maxDegree) return []
    const growth =
      complexity.type === 'exponential' ? 'exponentially' : `with the power of ${complexity.degree}`
    const remedy = 'Separate its repetitions, or bound them: {1,20}'
    const message = `${name} could take very long on a hostile value: its time grows ${growth} with the length. ${remedy}`
    return [error('slow-constraint', message)]
  })
}
