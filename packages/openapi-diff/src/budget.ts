import { DiffError } from './error.ts'
import { pointerTo } from './json.ts'

/**
 * Counts a comparison's work, and stops the comparison when the work is out of proportion to the
 * documents.
 */
export interface Budget {
  /** @throws {@link DiffError} `too-large` */
  readonly spend: (units: number) => void
  /** The work so far. */
  readonly spent: () => number
}

/** What any comparison may spend. Small documents never need as much. */
const maxWork = 15_000
/**
 * What a comparison may spend per node. Nearly all public documents need a sixth of it at most, even
 * between distant releases.
 */
const maxWorkPerNode = 50

/**
 * Creates the bound of a comparison. The work counted is operations, pairs of schemas,
 * alternatives, joined schemas and findings; it isn't time, so the same documents give the same
 * result on every machine.
 *
 * @param nodes - the objects and lists of both documents
 */
export function createBudget(nodes: number): Budget {
  const limit = Math.max(maxWork, maxWorkPerNode * nodes)
  let spent = 0
  return {
    spend(units) {
      spent += units
      if (spent > limit)
        throw new DiffError(
          'too-large',
          'Comparing these documents takes too much work, because their unions, enums or allOf combine in too many ways. ' +
            'Compare fewer paths at a time, or split the largest unions.',
        )
    },
    spent: () => spent,
  }
}

const maxDepth = 300

/**
 * Throws if objects are nested, or references chained, more deeply than in any document that people
 * write.
 */
export function assertDepth(depth: number): void {
  if (depth > maxDepth)
    throw new DiffError(
      'too-large',
      `These documents are nested, or chain references, over more than ${maxDepth} levels. Split what's nested into components.`,
    )
}

/** About as many as a document of 40 MB has. */
const maxNodes = 1_000_000

/**
 * Counts a document's objects and lists, before anything else recursive reads it. An object that
 * occurs in several places counts once for each, as in the JSON text.
 *
 * @param name - how a message starts: `The older document`
 * @throws {@link DiffError} `unreadable` for an object that contains itself, `too-large` for more
 *   than 300 levels or a million nodes
 */
export function countNodes(name: string, document: object): number {
  const advice = 'Pass it with its references, before a parser resolves them.'
  let nodes = 0
  const open: object[] = []
  const steps: string[] = []
  visit(document)
  return nodes

  function visit(value: object): void {
    if (open.includes(value))
      throw new DiffError(
        'unreadable',
        `${name} contains itself, at ${pointerTo(steps)}. ${advice}`,
      )
    assertDepth(open.length)
    nodes++
    if (nodes > maxNodes)
      throw new DiffError('too-large', `${name} has more than a million nodes. ${advice}`)
    open.push(value)
    for (const [step, inner] of Object.entries(value) as readonly (readonly [string, unknown])[]) {
      if (typeof inner !== 'object' || inner === null) continue
      steps.push(step)
      visit(inner)
      steps.pop()
    }
    open.pop()
  }
}
