// Documents that small changes or a hostile author make expensive. Every comparison either ends within its budget, which counts
// steps, or stops with an error that says why.
import { describe, expect, it } from 'vitest'
import fc from '../../../tools/fast-check.ts'
import { isAll, some } from '../../../tools/test-all.ts'
import { countNodes, createBudget } from '../src/budget.ts'
import { compareWithin } from '../src/compare-documents.ts'
import { DiffError, type DiffFinding, compareDocuments } from '../src/index.ts'

type Json = Readonly<Record<string, unknown>>
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n)
const media = (schema: unknown): Json => ({ content: { 'application/json': { schema } } })
const documentOf = (schema: unknown, schemas: Json = {}): Json => ({
  openapi: '3.1.0',
  paths: { '/a': { post: { requestBody: media(schema), responses: { 200: media(schema) } } } },
  components: { schemas },
})
const nested = (depth: number, wrap: (inner: unknown) => unknown, start: unknown): unknown =>
  range(depth).reduce((inner) => wrap(inner), start)
const union = (name: string, count: number, type: string): Json => ({
  anyOf: range(count).map((n) => ({ type: 'object', properties: { [name + n]: { type } } })),
})
const product = (count: number, type: string): Json => ({
  allOf: range(count).map((n) => union(`u${n}_`, 10, type)),
})
/** An `allOf` of objects with 20 properties each. */
const allOfObjects = (count: number, type: string): Json => ({
  allOf: range(count).map((n) => ({
    properties: Object.fromEntries(range(20).map((m) => [`p${n}_${m}`, { type }])),
  })),
})
/** Components with 200 properties each, and the next component as their base. */
const levels = (count: number, type: string): Json =>
  Object.fromEntries(
    range(count).map((n) => [
      `L${n}`,
      {
        allOf: [
          n + 1 < count ? ref(`L${n + 1}`) : {},
          { properties: Object.fromEntries(range(200).map((m) => [`p${n}_${m}`, { type }])) },
        ],
      },
    ]),
  )
const chain = (length: number, last: unknown): Json =>
  Object.fromEntries(range(length).map((n) => [`C${n}`, n + 1 < length ? ref(`C${n + 1}`) : last]))
const words = (name: string, count: number): Json => ({ enum: range(count).map((n) => name + n) })
const inProperties = (inner: unknown): unknown => ({ properties: { x: inner } })
const twice = (inner: unknown): unknown => ({ type: 'object', properties: { a: inner, b: inner } })
/** A `oneOf` of objects that each require a property of their own. */
const exclusive = (count: number, type: string): Json => ({
  oneOf: range(count).map((n) => ({
    type: 'object',
    required: [`k${n}`],
    properties: Object.fromEntries(range(5).map((m) => [`k${n + m}`, { type }])),
  })),
})
/** `A` leads back to itself beside `U`, which is the same in both documents. */
const recursive = (type: string, more: Json): Json => {
  const next = { allOf: [ref('U'), ref('A')], ...more }
  return documentOf(next, {
    U: { properties: { u: { type: 'string' } } },
    A: { properties: { next, v: { type } } },
  })
}
/** An operation with callbacks, each of which has the next one as its callbacks. */
const callbacks = (count: number, names: readonly string[], type: string): Json => {
  const one = (n: number): Json => ({
    '{$url}': {
      post: {
        requestBody: media({ type }),
        responses: {},
        ...(n + 1 < count && {
          callbacks: Object.fromEntries(
            names.map((name) => [name, { $ref: `#/components/callbacks/c${n + 1}` }]),
          ),
        }),
      },
    },
  })
  return {
    openapi: '3.1.0',
    paths: {
      '/a': { get: { responses: {}, callbacks: { c: { $ref: '#/components/callbacks/c0' } } } },
    },
    components: { callbacks: Object.fromEntries(range(count).map((n) => [`c${n}`, one(n)])) },
  }
}
/** A server whose variables are made of each other. */
const servers = (count: number): Json => ({
  url: '{v0}',
  variables: Object.fromEntries(
    range(count).map((n) => [`v${n}`, { default: `{v${n + 1}}`.repeat(20) }]),
  ),
})
const constraint = (pattern: string): readonly [Json, Json] => [
  documentOf({ enum: [`${'a'.repeat(60)}b`] }),
  documentOf({ type: 'string', pattern }),
]

const resultOf = ([before, after]: readonly [object, object]): string | readonly DiffFinding[] => {
  try {
    return compareDocuments(before, after)
  } catch (error) {
    if (error instanceof DiffError) return error.code
    throw error
  }
}

describe('the work ends', () => {
  it.each<[what: string, documents: readonly [Json, Json]]>([
    ['a pattern with nested quantifiers', constraint('^(a+)+$')],
    ['a pattern with many quantifiers', constraint('^a*a*a*a*a*a*a*a*$')],
    [
      'a product of four unions',
      [documentOf(product(4, 'string')), documentOf(product(4, 'integer'))],
    ],
    [
      'a product of ten unions',
      [documentOf(product(10, 'string')), documentOf(product(10, 'integer'))],
    ],
    ['an enum of 50,000 values', [documentOf(words('a', 50_000)), documentOf(words('b', 50_000))]],
    [
      '200 levels of references',
      [
        documentOf(ref('C0'), chain(200, { type: 'string' })),
        documentOf(ref('C0'), chain(200, { type: 'integer' })),
      ],
    ],
    [
      'an enum of 2,000 values that gains a bound',
      [documentOf({ enum: range(2000) }), documentOf({ type: 'integer', maximum: 5 })],
    ],
  ])('with findings: %s', (_what, documents) => {
    expect(resultOf(documents)).toHaveLength(2)
  })

  it.each<[what: string, documentOf: (type: string) => Json]>(
    some(
      [
        [
          '400 objects in an allOf behind a reference',
          (type) => documentOf(ref('All'), { All: allOfObjects(400, type) }),
        ],
        ['1,000 objects in an allOf', (type) => documentOf(allOfObjects(1000, type))],
        ['300 alternatives of a oneOf', (type) => documentOf(exclusive(300, type))],
        ['140 levels of allOf', (type) => documentOf(ref('L0'), levels(140, type))],
      ],
      1,
    ),
  )('with a finding per property, up to a limit: %s', (_what, typed) => {
    expect(resultOf([typed('string'), typed('integer')])).toHaveLength(400)
  })

  it('with one finding for a server whose variables are made of each other', () => {
    const document = documentOf({})
    const before = { ...document, servers: [servers(8)] }
    expect(resultOf([before, { ...document, servers: [{ url: '/' }] }])).toHaveLength(1)
  })

  const tooLarge: [what: string, documents: readonly [Json, Json]][] = [
    [
      'a union of 1,000 for one of 1,000',
      [documentOf(union('a', 1000, 'string')), documentOf(union('b', 1000, 'string'))],
    ],
    [
      '4,000 references in a chain',
      [
        documentOf(ref('C0'), chain(4000, { type: 'string' })),
        documentOf(ref('C0'), chain(4000, { type: 'integer' })),
      ],
    ],
    [
      'callbacks that share callbacks, 30 levels',
      [callbacks(30, ['l', 'r'], 'string'), callbacks(30, ['l', 'r'], 'integer')],
    ],
    [
      '2,500 callbacks in a chain',
      [callbacks(2500, ['l'], 'string'), callbacks(2500, ['l'], 'integer')],
    ],
    ['100,000 levels', [documentOf(nested(100_000, inProperties, {})), documentOf({})]],
    ['an object that stands in 2^40 places', [documentOf(nested(40, twice, {})), documentOf({})]],
  ]
  it.each(some(tooLarge, 3))('with an error: %s', (_what, documents) => {
    expect(resultOf(documents)).toBe('too-large')
  })

  it('with the nearest findings of a recursion beside a reference that stays as it is', () => {
    const documents = [recursive('string', {}), recursive('integer', { minProperties: 0 })] as const
    const fields = compareDocuments(...documents).map(({ field }) => field)
    expect(fields).toEqual(['/v', '/next/v', '/v', '/next/v'])
  })

  it('with an error that names the place where an object contains itself', () => {
    const user: Record<string, unknown> = { type: 'object' }
    user['properties'] = { friend: user }
    expect(() => compareDocuments(documentOf({}), documentOf(user))).toThrow(
      'The newer document contains itself, at /paths/~1a/post/requestBody/content/application~1json/schema/properties/friend',
    )
  })
})

/** Documents in which something occurs a number of times, and has another type in the newer one. */
const both = (documentWith: (type: string) => Json): readonly [Json, Json] => [
  documentWith('string'),
  documentWith('integer'),
]
const served = (...urls: readonly string[]): Json => ({
  ...documentOf({}),
  servers: [{ url: '/{v}', variables: { v: { default: urls[0], enum: urls } } }],
})
const urls = (count: number): readonly string[] => range(count).map((n) => `v${n}`)
const chained = (count: number): readonly [Json, Json] =>
  both((type) => documentOf(ref('C0'), chain(count, { type })))
const based = (count: number, root: Json): readonly [Json, Json] =>
  both((type) => {
    const next = (n: number) => (n < count ? { allOf: [ref(`C${n}`)] } : { type })
    return documentOf(root, Object.fromEntries(range(count).map((n) => [`C${n}`, next(n + 1)])))
  })
const combined = (count: number): readonly [Json, Json] =>
  both((type) => documentOf({ allOf: [union('a', 1, type), union('b', count, 'string')] }))
const placed = (count: number): readonly [Json, Json] =>
  both((type) => {
    const properties = range(count).map((n) => [`p${n}`, { type }])
    return documentOf(ref('A'), { A: { properties: Object.fromEntries(properties) } })
  })
const mediaType = (parameters: readonly number[]): Json => {
  const type = `text/a${parameters.map((n) => `;p${n}=1`).join('')}`
  const responses = { 200: { content: { [type]: {} } } }
  return { openapi: '3.1.0', paths: { '/a': { get: { responses } } } }
}

describe('a limit', () => {
  it.each<[what: string, documents: readonly [Json, Json], findings: number | 'too-large']>([
    ['300 references', chained(300), 2],
    ['301 references', chained(301), 'too-large'],
    ['150 bases of a base', based(150, { allOf: [ref('C0')] }), 2],
    ['151 bases', based(151, ref('C0')), 'too-large'],
    ['300 callbacks in one another', both((type) => callbacks(300, ['l'], type)), 300],
    ['301 callbacks in one another', both((type) => callbacks(301, ['l'], type)), 'too-large'],
    ['100 values of a variable', [served(...urls(100)), served(...urls(99))], 1],
    ['101 values of a variable', [served(...urls(101)), served(...urls(100))], 0],
    ['2,000 characters of a URL', [served('b'.padStart(1999)), served('c'.padStart(1999))], 1],
    ['2,001 characters of a URL', [served('b'.padStart(2000)), served('c'.padStart(2000))], 0],
    ['200 places of a schema', placed(199), 398],
    ['201 places of a schema', placed(201), 400],
    ['5 parameters of a media type', [mediaType([4]), mediaType([0, 1, 2, 3, 4])], 0],
    ['6 parameters of a media type', [mediaType([5]), mediaType([0, 1, 2, 3, 4, 5])], 1],
  ])('is kept: %s', (_what, documents, findings) => {
    const result = resultOf(documents)
    expect(typeof result === 'string' ? result : result.length).toBe(findings)
  })

  it.each([
    [100, undefined],
    [101, true],
  ])('is kept: %i combinations of alternatives', (count, unclear) => {
    for (const finding of compareDocuments(...combined(count)))
      expect(finding.unclear).toBe(unclear)
  })

  it.each([
    [300, undefined],
    [301, 'too-large'],
  ])('is kept: %i levels', (depth, code) => {
    const count = () => countNodes('a', { a: nested(depth - 1, (a) => ({ a }), {}) })
    if (code === undefined) expect(count()).toBe(depth + 1)
    else expect(count).toThrow(expect.objectContaining({ code }))
  })
})

describe('the budget', () => {
  const enums = (...values: readonly string[]): Json => documentOf({ enum: values })
  const kinds = (type: string): Json =>
    documentOf({ anyOf: ['a', 'b'].map((name) => ({ properties: { [name]: { type } } })) })
  const members = (type: string): Json =>
    documentOf({ oneOf: [{ type: 'null' }, ref('A')] }, { A: { properties: { a: { type } } } })
  it.each<[what: string, documents: readonly [Json, Json], work: number]>([
    ['operations', both((type) => ({ openapi: '3.1.0', paths: { '/a': { get: { type } } } })), 20],
    ['pairs and findings', [enums('a'), enums('b')], 76.791_667],
    ['alternatives', both(kinds), 1704.041_667],
    ['references', both(members), 1009.625],
  ])('counts %s', (_what, documents, work) => {
    expect(compareWithin(...documents, false).budget.spent()).toBeCloseTo(work, 6)
  })

  it.each([
    [0, 15_000],
    [300, 15_000],
    [301, 15_050],
  ])('of %i nodes is %i', (nodes, limit) => {
    const { spend, spent } = createBudget(nodes)
    spend(limit)
    expect(spent()).toBe(limit)
    expect(() => spend(1)).toThrow(DiffError)
  })

  it('counts each two alternatives that are compared for values they have in common', () => {
    const spent = (count: number) => {
      const tagged = range(count).map((n) => ({ required: ['k'], properties: { k: { const: n } } }))
      const documents = [documentOf({ required: ['k'] }), documentOf({ oneOf: tagged })] as const
      return compareWithin(...documents, false).budget.spent()
    }
    expect(spent(400)).toBeGreaterThan(2.4 * spent(200))
  })

  it('joins a union once, however many others it may overlap', () => {
    const options = range(4).map((n) => `o${n}`)
    const released = documentOf({
      type: 'object',
      properties: Object.fromEntries(['kind', ...options].map((name) => [name, {}])),
    })
    const spent = (more: Json) => {
      const tagged = range(60).map((n) => ({ properties: { kind: { const: n } }, ...more }))
      return compareWithin(released, documentOf({ oneOf: tagged }), false).budget.spent()
    }
    const unions = { anyOf: options.map((name) => ({ required: ['kind', name] })) }
    expect(spent(unions)).toBeLessThan(10 * spent({ required: ['kind'] }))
  })

  it('has room for every schema of a large document', () => {
    const typed = (type: string) => ({
      properties: Object.fromEntries(
        range(1500).map((n) => [`p${n}`, { properties: { [`x${n}`]: { type } } }]),
      ),
    })
    const findings = compareDocuments(documentOf(typed('string')), documentOf(typed('integer')))
    expect(findings.filter(({ unclear }) => unclear)).toEqual([])
  })

  const names = range(6).map((n) => `C${n}`)
  const patterns = fc
    .array(fc.constantFrom('a', 'a*', '(a+)+', '(a|a)*', '.*', '[a-z]+', '^', '$'), {
      maxLength: 6,
    })
    .map((parts) => parts.join(''))
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...names).map(ref),
      fc.constantFrom('string', 'integer', 'null').map((type) => ({ type })),
      fc
        .uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
        .map((values) => ({ enum: values })),
      fc.integer({ min: 1, max: 300 }).map((length) => ({ enum: ['a'.repeat(length) + 'b', 'a'] })),
      patterns.map((pattern) => ({ type: 'string', pattern })),
      fc
        .tuple(
          fc.constantFrom('allOf', 'anyOf', 'oneOf'),
          fc.array(tie('schema'), { maxLength: 5 }),
        )
        .map(([key, parts]) => ({ [key]: parts })),
      fc
        .tuple(
          fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
          fc.subarray(['a', 'b']),
        )
        .map(([properties, required]) => ({ type: 'object', properties, required })),
      tie('schema').map((items) => ({ type: 'array', items })),
    ),
  }))
  const components = fc.record(Object.fromEntries(names.map((name) => [name, schema])))

  it('is kept by every comparison that ends, and no other error stops one', () => {
    fc.assert(
      fc.property(components, components, (before, after) => {
        const documents = [documentOf(ref('C0'), before), documentOf(ref('C0'), after)] as const
        const nodes = documents.reduce((sum, document) => sum + countNodes('a', document), 0)
        try {
          const { budget } = compareWithin(...documents, false)
          expect(budget.spent()).toBeLessThanOrEqual(Math.max(15_000, 50 * nodes))
        } catch (error) {
          expect(error).toMatchObject({ name: 'DiffError', code: 'too-large' })
        }
      }),
      { numRuns: isAll ? 300 : 100 },
    )
  })

  it('is never spent on an object that contains itself', () => {
    fc.assert(
      fc.property(components, fc.nat(), (schemas, place) => {
        const document = structuredClone(documentOf(ref('C0'), schemas))
        const objects: object[] = [document]
        // The list grows while it's read.
        for (const object of objects)
          objects.push(...Object.values(object).filter((value) => typeof value === 'object'))
        Object.assign(objects[place % objects.length]!, { 'x-self': document })
        expect(resultOf([documentOf({}), document])).toBe('unreadable')
      }),
      { numRuns: 100 },
    )
  })
})
