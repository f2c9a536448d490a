// What the histories of public documents taught: unchanged parts are silent, nothing is skipped in silence, and the work
// grows with the documents and not with the paths through them.
import { describe, expect, it } from 'vitest'
import fc from '../../../tools/fast-check.ts'
import { isAll } from '../../../tools/test-all.ts'
import { compareDocuments } from '../src/index.ts'

type Json = Readonly<Record<string, unknown>>
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: unknown): Json => ({ content: { 'application/json': { schema } } })
const sends = (schema: unknown): Json => ({ requestBody: json(schema), responses: {} })
const returns = (schema: unknown): Json => ({ responses: { 200: json(schema) } })
const documentOf = (operation: Json, schemas: Json = {}, root: Json = {}): Json => ({
  openapi: '3.1.0',
  paths: { '/users': { post: operation } },
  components: { schemas },
  ...root,
})
const object = (properties: Json, more: Json = {}): Json => ({
  type: 'object',
  properties,
  ...more,
})
const messages = (released: object, current: object): readonly string[] =>
  compareDocuments(released, current).map(
    ({ code, operation, message }) => `${code} ${operation}: ${message}`,
  )

describe('an unchanged operation', () => {
  const names = ['A', 'B', 'C', 'D']
  const { schemas: schema } = fc.letrec<{ schemas: Json }>((tie) => ({
    schemas: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>(
        { type: 'string' },
        { type: 'integer', format: 'int32' },
        { enum: ['a', 'b'] },
        {},
      ),
      fc.constantFrom(...names).map(ref),
      fc.array(tie('schemas'), { minLength: 1, maxLength: 3 }).chain((list) =>
        fc
          .record({
            keyword: fc.constantFrom('anyOf', 'oneOf', 'allOf'),
            more: fc.constantFrom({}, { nullable: true }),
          })
          .map(({ keyword, more }): Json => ({ [keyword]: list, ...more })),
      ),
      fc
        .record({
          properties: fc.dictionary(fc.constantFrom('p', 'q'), tie('schemas')),
          nullable: fc.boolean(),
        })
        .map(({ properties, nullable }) =>
          object(properties, { nullable, required: Object.keys(properties) }),
        ),
      tie('schemas').map((items): Json => ({ type: 'array', items })),
    ),
  }))
  const documents = fc
    .tuple(
      fc.constantFrom('3.0.3', '3.1.0'),
      schema,
      schema,
      fc.tuple(schema, schema, schema, schema),
    )
    .map(([openapi, body, response, components]) => ({
      openapi,
      paths: { '/users': { post: { ...sends(body), ...returns(response) } } },
      components: {
        schemas: Object.fromEntries(names.map((name, index) => [name, components[index]])),
      },
    }))

  it('has no findings, whatever else changes', () => {
    fc.assert(
      fc.property(documents, fc.boolean(), (released, isReordered) => {
        const { paths } = structuredClone(released)
        const post = isReordered
          ? Object.fromEntries(Object.entries(paths['/users'].post).toReversed())
          : paths['/users'].post
        const schemas = { ...released.components.schemas, Other: object({}) }
        const current = {
          ...released,
          paths: { '/users': { post }, '/new': { get: returns({}) } },
          components: { schemas },
        }
        expect(messages(released, current)).toEqual([])
      }),
      { numRuns: Math.min(Number(process.env['FUZZ_RUNS'] ?? (isAll ? 500 : 150)), 100_000) },
    )
  })

  it.each<[what: string, schema: Json]>([
    [
      'nullable beside anyOf',
      { nullable: true, anyOf: [object({ a: {} }, { type: 'object' }), object({ b: {} })] },
    ],
    [
      'nullable beside oneOf',
      { nullable: true, type: 'object', oneOf: [ref('User'), object({ b: {} })] },
    ],
    [
      'nullable beside allOf of a union',
      { nullable: true, allOf: [{ anyOf: [ref('User'), { type: 'string' }] }] },
    ],
    ['extensions in allOf', { allOf: [{ 'x-a': 1, type: 'object' }, { 'x-a': 2 }] }],
  ])('has no findings when another component changes: %s', (_what, nullable) => {
    const user = object({ name: { type: 'string' } })
    const shape = { allOf: [nullable, object({ other: ref('Other') })] }
    const documentWith = (type: string) =>
      documentOf(returns(shape), { User: user, Other: { type } })
    expect(messages(documentWith('string'), documentWith('integer'))).toHaveLength(1)
  })
})

describe('the work', () => {
  const everyRef = (count: number): Json =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `C${i}`,
        object(
          Object.fromEntries(Array.from({ length: count }, (_inner, j) => [`p${j}`, ref(`C${j}`)])),
        ),
      ]),
    )
  const diamonds = (count: number, last: Json): Json =>
    Object.fromEntries([
      ['C0', last],
      ...Array.from({ length: count }, (_, i) => [
        `C${i + 1}`,
        object({ a: ref(`C${i}`), b: ref(`C${i}`) }),
      ]),
    ])
  const tree = (depth: number, leaf: Json): Json =>
    depth === 0
      ? leaf
      : {
          anyOf: ['a', 'b', 'c', 'd'].map((name) =>
            object({ [name]: {}, next: tree(depth - 1, leaf) }, { required: ['next'] }),
          ),
        }

  it.each<[what: string, released: Json, current: Json, findings: number]>([
    [
      'components that all refer to each other, with a new path',
      documentOf(returns(ref('C0')), everyRef(60)),
      {
        ...documentOf(returns(ref('C0')), everyRef(60)),
        paths: { '/new': { get: {} }, '/users': { post: returns(ref('C0')) } },
      },
      0,
    ],
    [
      'components that all refer to each other, with a change',
      documentOf(returns(ref('C0')), { ...everyRef(60), C9: object({ p0: ref('C0') }) }),
      documentOf(returns(ref('C0')), { ...everyRef(60), C9: { type: 'string' } }),
      1,
    ],
    [
      'a chain of 400 diamonds with a change at its end',
      documentOf(returns(ref('C400')), diamonds(400, { type: 'string' })),
      documentOf(returns(ref('C400')), diamonds(400, { type: 'integer' })),
      1,
    ],
    [
      'nested unions with a change at their end',
      documentOf(returns(tree(5, { type: 'string' }))),
      documentOf(returns(tree(5, { type: 'integer' }))),
      1,
    ],
  ])('ends for %s', (_what, released, current, findings) => {
    expect(messages(released, current)).toHaveLength(findings)
  })
})

describe('the work for twice as much', () => {
  /** Look-ups and texts: what the comparison does with every pair of schemas and every finding. */
  const workOf = (run: () => unknown): number => {
    let count = 0
    const restored = [
      ...(['get', 'has', 'set'] as const).map((name) => [Map.prototype, name] as const),
      [JSON, 'stringify'] as const,
    ].map(([owner, name]) => {
      const original = (owner as never)[name] as (...args: unknown[]) => unknown
      const counting = function (this: unknown, ...args: readonly unknown[]): unknown {
        count++
        return original.apply(this, [...args])
      }
      Object.assign(owner, { [name]: counting })
      return () => Object.assign(owner, { [name]: original })
    })
    try {
      run()
    } finally {
      for (const restore of restored) restore()
    }
    return count
  }
  const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)
  const c = (n: number, count: number): Json => ref(`C${n % count}`)
  const shapes: Readonly<Record<string, (n: number, count: number) => Json>> = {
    'components that refer to each other': (n, count) => ({
      a: c(n + 1, count),
      b: c(n * 7, count),
      c: c(n * 5, count),
    }),
    'lists and maps of them': (n, count) => ({
      a: { type: 'array', items: c(n + 1, count) },
      b: object({}, { additionalProperties: c(n * 7, count) }),
    }),
    diamonds: (n) => (n === 0 ? {} : { a: ref(`C${n - 1}`), b: object({ c: ref(`C${n - 1}`) }) }),
    'unions that a constant tells apart': (n, count) => ({
      kind: { const: `c${n}` },
      a: { oneOf: [c(n + 1, count), c(n * 7, count)] },
    }),
    'unions that nothing tells apart': (n, count) => ({
      a: { anyOf: [c(n + 1, count), c(n * 7, count), { type: 'null' }] },
    }),
    'unions in unions': (n, count) => ({
      a: { anyOf: [{ oneOf: [c(n + 1, count), { type: 'null' }] }, c(n * 7, count)] },
    }),
    'schemas of allOf': (n, count) => ({
      a: { allOf: [c(n + 1, count), object({ more: c(n * 7, count) })] },
    }),
  }

  it.each(Object.entries(shapes))('is at most three times as much: %s', (_what, shapeOf) => {
    const documentWith = (count: number, changed: number): Json => ({
      ...documentOf({}),
      paths: Object.fromEntries(
        range(count).map((n) => [
          `/p${n}`,
          { post: { ...sends(c(n * 3, count)), ...returns(c(n, count)) } },
        ]),
      ),
      components: {
        schemas: Object.fromEntries(
          range(count).map((n) => [
            `C${n}`,
            object(
              { ...shapeOf(n, count), name: { type: n < changed ? 'integer' : 'string' } },
              { required: ['kind'] },
            ),
          ]),
        ),
      },
    })
    for (const changed of [0, 3]) {
      const [once, twice] = [60, 120].map((count) =>
        workOf(() =>
          compareDocuments(documentWith(count, 0), { ...documentWith(count, changed), 'x-a': 1 }),
        ),
      )
      expect(twice).toBeLessThan(3 * once!)
    }
  })

  const properties = range(300)
  const names = properties.map((n) => `p${n}`)
  const large = (enumOf: (n: number) => readonly string[], other: Json): Json =>
    object(
      {
        ...Object.fromEntries(
          names.map((name, n) => [name, n % 2 === 0 ? { enum: enumOf(n) } : { type: 'string' }]),
        ),
        other,
      },
      { required: names },
    )
  it.each<[what: string, enumOf: (index: number) => readonly string[], most: number]>([
    ['identical but for a change', () => ['a', 'b', 'c'], 50_000],
    ['told apart by half of their properties', (index) => ['a', 'b', `c${index}`], 350_000],
  ])('is bounded for a union of large objects: %s', (_what, enumOf, most) => {
    const [released, current] = ['string', 'integer'].map((type) =>
      documentOf(
        returns({
          oneOf: range(5).map((index) =>
            large(() => enumOf(index), { type: index === 2 ? type : 'string' }),
          ),
        }),
      ),
    )
    const work = workOf(() => expect(messages(released!, current!)).toHaveLength(1))
    expect(work).toBeLessThan(most)
  })

  it('is about twice as much when every operation leads to a few changed components', () => {
    const chain = (count: number, last: Json): Json => ({
      ...documentOf({}),
      paths: Object.fromEntries(
        range(count).map((n) => [`/p${n}`, { get: returns(ref(`C${n}`)) }]),
      ),
      components: {
        schemas: Object.fromEntries(
          range(count).map((n) => [
            `C${n}`,
            n + 1 === count ? last : object({ next: ref(`C${n + 1}`) }),
          ]),
        ),
      },
    })
    const [once, twice] = [150, 300].map((count) =>
      workOf(() =>
        expect(
          compareDocuments(chain(count, { type: 'string' }), chain(count, { type: 'integer' })),
        ).toHaveLength(count),
      ),
    )
    expect(twice).toBeLessThan(2.5 * once!)
  })
})

describe('a component', () => {
  const user = (type: string) => ({ User: object({ name: { type }, friend: ref('User') }) })
  it('that changes has one cause, in every operation that uses it', () => {
    const operations = (type: string): Json => ({
      ...documentOf(returns(ref('User')), user(type)),
      paths: Object.fromEntries(
        ['/a', '/b', '/c'].map((path) => [
          path,
          { get: returns({ type: 'array', items: ref('User') }) },
        ]),
      ),
    })
    const findings = compareDocuments(operations('string'), operations('integer'))
    expect(findings.map(({ operation }) => operation)).toEqual(['GET /a', 'GET /b', 'GET /c'])
    expect(findings[0]?.message).toBe("status 200: /*/name may be integer, which isn't string")
    expect(new Set(findings.map(({ cause }) => cause))).toEqual(
      new Set(["User/name may be integer, which isn't string"]),
    )
  })

  it('is reported as the alternative that has changed, also in nested unions without a discriminator', () => {
    const shapes = (type: string): Json =>
      Object.fromEntries(
        [
          ['A', 'B'],
          ['C', 'D'],
        ].flatMap(([first, second], n) => [
          [`Union${n}`, { anyOf: [ref(first!), ref(second!)] }],
          ...[first!, second!].map((name) => [
            name,
            object({
              x: { enum: [name, 'x'] },
              y: { enum: [name, 'y'] },
              size: { type: name === 'D' ? type : 'string' },
            }),
          ]),
        ]),
      )
    const [before, after] = ['string', 'integer'].map((type) =>
      documentOf(returns({ anyOf: [ref('Union0'), ref('Union1')] }), shapes(type)),
    )
    const causes = new Set(compareDocuments(before!, after!).map(({ cause }) => cause))
    expect(causes).toEqual(new Set(["D/size may be integer, which isn't string"]))
  })

  it('is the base, not its children, for a base with one more child', () => {
    const documentWith = (...names: readonly string[]): Json => {
      const mapping = Object.fromEntries(names.map((name) => [name, ref(name)['$ref']]))
      const base = { ...object({ kind: {} }), discriminator: { propertyName: 'kind', mapping } }
      const children = names.map((name) => [name, { allOf: [ref('Middle')] }])
      const schemas = { Base: base, Middle: { allOf: [ref('Base')] } }
      return documentOf(returns(ref('Base')), { ...schemas, ...Object.fromEntries(children) })
    }
    const findings = compareDocuments(documentWith('a', 'b'), documentWith('a', 'b', 'c'))
    expect(findings.map(({ cause }) => cause)).toEqual(['Base may have the kind "c", which is new'])
  })

  it.each([
    ['a union of one schema', { oneOf: [ref('Team')] }],
    ['a schema', ref('Team')],
  ])('is the new alternative beside %s', (_what, alone) => {
    const schemas = {
      Team: { ...object({ id: {}, rights: {} }), required: ['id'] },
      Group: object({ slug: {} }),
    }
    const both = { oneOf: [ref('Team'), ref('Group')] }
    const findings = compareDocuments(
      documentOf(returns(alone), schemas),
      documentOf(returns(both), schemas),
    )
    expect(findings.map(({ cause }) => cause)).toEqual([
      'status 200: the body may be Group, which is new: /id is missing, and was required',
    ])
  })

  it('is the new alternative beside the only component of a union, not its replacement', () => {
    const schemas = {
      User: { ...object({ id: {}, name: {} }), required: ['id'] },
      Gone: object({}),
    }
    const withId = { anyOf: [{ type: 'string' }, ref('User')] }
    const causes = (after: Json) =>
      compareDocuments(
        documentOf(returns(withId), schemas),
        documentOf(returns(after), schemas),
      ).map(({ cause }) => cause)
    expect(causes({ anyOf: [...withId.anyOf, ref('Gone')] })).toEqual([
      'status 200: the body may be Gone, which is new',
    ])
    expect(causes({ anyOf: [{ type: 'string' }, ref('Gone')] })).toEqual([
      'User (now Gone)/id is missing, and was required',
      'User (now Gone)/name is gone',
    ])
  })

  it("isn't a number's format for a value that's text now", () => {
    const [before, after] = [{ type: 'integer', format: 'int64' }, { type: 'string' }].map(
      (marker) => documentOf(returns(object({ marker }))),
    )
    expect(compareDocuments(before!, after!).map(({ reason }) => reason)).toEqual([
      "may be string, which isn't integer",
    ])
  })

  it('has the name that the older document has for it', () => {
    const key = (type: string, ...names: readonly string[]): Json =>
      object({ kind: { enum: [type] }, ...Object.fromEntries(names.map((name) => [name, {}])) })
    const schemas = { Key: key('RSA', 'alg', 'use'), Ec: key('EC', 'use'), Rsa: key('RSA') }
    const before = documentOf(returns(ref('Key')), schemas)
    const { Key: _, ...others } = schemas
    const after = documentOf(returns({ oneOf: [ref('Rsa'), ref('Ec')] }), others)
    const lost = compareDocuments(before, after).filter(({ field }) => field === '/alg')
    expect(lost.map(({ cause }) => cause)).toEqual(['Key/alg is gone'])
  })

  it('is reported once for media types and statuses that share it', () => {
    const [before, after] = ['string', 'integer'].map((type) => {
      const { content } = json(ref('User'))
      const shared = { ...(content as Json), 'application/xml': Object.values(content as Json)[0] }
      return documentOf({ responses: { 200: { content: shared } } }, user(type))
    })
    expect(messages(before!, after!)).toHaveLength(1)
  })

  it('is reported where it is nearest to the operation', () => {
    const team = { Team: object({ lead: ref('User'), first: object({ user: ref('User') }) }) }
    const [before, after] = ['string', 'integer'].map((type) =>
      documentOf(returns(ref('Team')), { ...user(type), ...team }),
    )
    expect(messages(before!, after!)).toEqual([
      "response-widened POST /users: status 200: /lead/name may be integer, which isn't string",
    ])
  })
})

describe('nothing is skipped in silence', () => {
  const hook = (schema: Json): Json => ({
    webhooks: { userCreated: { post: { ...sends(schema), responses: {} } } },
  })
  const callback = (schema: Json): Json => ({
    ...returns({}),
    callbacks: {
      onEvent: { '{$request.body#/url}': { post: { ...sends({}), ...returns(schema) } } },
    },
  })
  const union = (schema: Json): Json => documentOf(returns({ anyOf: [schema, { type: 'object' }] }))
  const tagged = (propertyName: string): Json =>
    documentOf(
      returns({ oneOf: [object({ kind: { const: 'a' } })], discriminator: { propertyName } }),
    )

  it.each<[what: string, released: Json, current: Json, expected: readonly string[]]>([
    [
      'a webhook that is gone',
      documentOf({}, {}, hook({})),
      documentOf({}),
      ['lost-operation webhook userCreated: POST: the operation is gone'],
    ],
    [
      'the body of a webhook, which the API sends',
      documentOf({}, {}, hook(object({ id: { type: 'string' } }))),
      documentOf({}, {}, hook(object({ id: { type: 'integer' } }))),
      ["response-widened webhook userCreated: POST: body: /id may be integer, which isn't string"],
    ],
    [
      'the response to a callback, which the client sends',
      documentOf(callback({ type: 'string' })),
      documentOf(callback({ type: 'string', maxLength: 3 })),
      [
        'request-narrowed POST /users callback onEvent: POST: status 200: the body must keep to its maxLength of 3 now',
      ],
    ],
    [
      'another file',
      documentOf(returns({ $ref: './user.yml' })),
      documentOf(returns({ $ref: './other.yml' })),
      [
        "unclear-change POST /users: refers to ./user.yml, which isn't in the document",
        "unclear-change POST /users: refers to ./other.yml, which isn't in the document",
      ],
    ],
    [
      'a reference to nothing',
      documentOf({ parameters: [{ $ref: '#/components/parameters/Page' }], responses: {} }),
      documentOf({ parameters: [{ $ref: '#/components/parameters/Limit' }], responses: {} }),
      [
        "unclear-change POST /users: refers to #/components/parameters/Page, which isn't in the document",
        "unclear-change POST /users: refers to #/components/parameters/Limit, which isn't in the document",
      ],
    ],
    [
      'another discriminator',
      tagged('kind'),
      tagged('type'),
      [
        'unclear-change POST /users: status 200: the body is told apart by another property, which was kind, and is type',
      ],
    ],
    [
      'another server',
      documentOf({}, {}, { servers: [{ url: 'https://api.acme.test/v1' }] }),
      documentOf({}, {}, { servers: [{ url: 'https://api.acme.test/v2' }] }),
      ['lost-server every operation: the server https://api.acme.test/v1 is gone'],
    ],
    [
      'the default of a property',
      documentOf(sends(object({ limit: { type: 'integer', default: 10 } }))),
      documentOf(sends(object({ limit: { type: 'integer', default: 50 } }))),
      ['changed-default POST /users: body: /limit had the default 10, and has 50'],
    ],
    [
      'a property that clients may not send any more',
      documentOf(sends(object({ id: { type: 'string' } }))),
      documentOf(sends(object({ id: { type: 'string', readOnly: true } }))),
      ['unclear-change POST /users: body: /id is read-only now'],
    ],
    [
      'an alternative beside one that allows everything',
      union(object({ id: { type: 'string' } }, { required: ['id'] })),
      union(object({ id: { type: 'integer' } }, { required: ['id'] })),
      [
        "unclear-change POST /users: status 200: the body only matches a different alternative now: /id may be integer, which isn't string",
      ],
    ],
  ])('%s', (_what, released, current, expected) => {
    expect(messages(released, current)).toEqual(expected)
  })

  it.each<[what: string, released: Json, current: Json]>([
    [
      'a 32-bit integer of requests that has 64 bits',
      documentOf(sends({ type: 'integer', format: 'int32' })),
      documentOf(sends({ type: 'integer', format: 'int64' })),
    ],
    [
      'a format of an unchanged enum',
      documentOf(sends({ type: 'string', enum: ['GET', 'POST'] })),
      documentOf(sends({ type: 'string', enum: ['GET', 'POST'], format: 'http-method' })),
    ],
    [
      'an enum whose values are in another order',
      documentOf(returns({ enum: ['a', 'b'] })),
      documentOf(returns({ enum: ['b', 'a'] })),
    ],
  ])('but %s is no change for a client', (_what, released, current) => {
    expect(messages(released, current)).toEqual([])
  })
})
