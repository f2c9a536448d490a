import { DiffError } from './error.ts'
import { pointerTo } from './json.ts'

/** Counts the work of a comparison, and ends it when it's out of proportion. */
export interface Budget {
  /** @throws {@link DiffError} `too-large` */
  readonly spend: (units: number) => void
  /** The work so far. */
  readonly spent: () => number
}

/** Comparisons of small documents never need as much. */
const least = 15_000
/** Histories of large public documents need up to a tenth of it. */
const perNode = 50

/**
 * Creates the bound of a comparison. The work counted is pairs of schemas, alternatives, values of enums and joined schemas; it
 * isn't time, so the same documents give the same result on every machine.
 *
 * @param nodes - the objects and lists of both documents
 */
export function createBudget(nodes: number): Budget {
  const most = Math.max(least, perNode * nodes)
  let spent = 0
  return {
    spend(units) {
      spent += units
      if (spent > most)
        throw new DiffError(
          'too-large',
          'Comparing these documents takes too much work, because their unions, enums or allOf combine in too many ways. ' +
            'Compare fewer paths at a time, or split the largest unions.',
        )
    },
    spent: () => spent,
  }
}

const deepest = 300

/** Throws if objects or references lead deeper than any document that people write. */
export function assertDepth(depth: number): void {
  if (depth > deepest)
    throw new DiffError(
      'too-large',
      `These documents are nested, or chain references, over more than ${deepest} levels. Split what's nested into components.`,
    )
}

/** A document of 40 MB has as many. */
const mostNodes = 1_000_000

interface Visit {
  readonly value: object
  readonly key: string
  readonly entries: Iterator<[string, unknown]>
  /** How many levels the visited values need, and how many nodes they would have as JSON text. */
  height: number
  size: number
}

/**
 * Counts a document's objects and lists, before anything recursive reads it. An object that stands in several places counts
 * several times, as in its JSON text.
 *
 * @param name - how a message starts: `The older document`
 * @throws {@link DiffError} `unreadable` for an object that contains itself, `too-large` for more than 300 levels or a million
 *   nodes
 */
export function countNodes(name: string, document: object): number {
  const visited = new Map<object, Visit>()
  const isOpen = new Set<object>([document])
  const root = visit(document, '')
  const open = [root]
  for (let current = root; ; current = open.at(-1)!) {
    const next = current.entries.next()
    if (next.done === true) {
      open.pop()
      isOpen.delete(current.value)
      visited.set(current.value, current)
      const around = open.at(-1)
      if (around === undefined) return current.size
      include(around, current)
      continue
    }
    const [key, value] = next.value
    if (typeof value !== 'object' || value === null) continue
    if (isOpen.has(value)) {
      const steps = [...open.slice(1).map((level) => level.key), key]
      throw new DiffError(
        'unreadable',
        `${name} contains itself, at ${pointerTo(steps)}. Pass it with its references, before a parser resolves them.`,
      )
    }
    const earlier = visited.get(value)
    assertDepth(open.length + (earlier?.height ?? 0))
    if (earlier !== undefined) include(current, earlier)
    else {
      isOpen.add(value)
      open.push(visit(value, key))
    }
  }

  function include(around: Visit, { height, size }: Visit): void {
    around.height = Math.max(around.height, height + 1)
    around.size += size
    if (around.size > mostNodes)
      throw new DiffError(
        'too-large',
        `${name} has more than a million nodes. Pass it with its references, before a parser resolves them.`,
      )
  }
}

const visit = (value: object, key: string): Visit => ({
  value,
  key,
  entries: Object.entries(value).values(),
  height: 0,
  size: 1,
})
