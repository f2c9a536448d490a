import { expect, it } from 'vitest'
import { type Pair, createPair, noRule } from '../src/schemas/pair.ts'
import { decide } from '../src/schemas/solve.ts'
import { gap } from '../src/schemas/gap.ts'

it.each([false, true])(
  'reads constants first, whatever the order of the properties: reversed %s',
  (isReversed) => {
    const kind = createPair({ const: 'a' }, { const: 'b' })
    const next = createPair({ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' })
    const others = createPair({ type: 'array', items: {} }, { type: 'array', items: {} })
    const parts = [kind, next, others].map((pair) => ({ at: '/*', pair }))
    const root = createPair({ type: 'object' }, { type: 'object' })
    const rules = new Map([
      [root, { ...noRule, parts: isReversed ? parts.toReversed() : parts }],
      [kind, { ...noRule, gaps: [gap('may be "a"')] }],
    ])
    const read: Pair[] = []
    const fits = decide(root, (pair) => {
      read.push(pair)
      return rules.get(pair) ?? noRule
    })
    expect(fits).toBe(false)
    expect(read).toEqual([root, kind])
  },
)
