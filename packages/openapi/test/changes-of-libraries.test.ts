// A change finds its schema inside zod's and Valibot's schemas, and rebuilds what's around it.
import { type Change, became, change } from '@hv/router'
import { type SchemaAction, before, translationOf } from '@hv/router/adapter'
import { toJsonSchema } from '@hv/router/internal'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'

const User = z.object({ fullName: z.string() })
const OlderUser = z.object({ name: z.string() })
const VUser = v.object({ fullName: v.string() })
const VOlderUser = v.object({ name: v.string() })
const rename = {
  up: ({ name }: { name: string }) => ({ fullName: name }),
  down: ({ fullName }: { fullName: string }) => ({ name: fullName }),
}
const zodChange = change('A name is a fullName.', became(OlderUser, User, rename))
const valibotChange = change('A name is a fullName.', became(VOlderUser, VUser, rename))
const dora = { fullName: 'Dora' }
const olderDora = { name: 'Dora' }

function derive(schema: object, changed: Change, part: 'body' | 'response' = 'response') {
  const action = {
    schema: part === 'body' ? { body: schema } : { response: { 200: schema } },
    handler: () => null,
  }
  const { users } = before({ users: { show: action } }, changed) as never as {
    users: { show: SchemaAction }
  }
  const { show } = users
  const older = part === 'body' ? show.schema!.body : show.schema!.response![200]
  return { older: older as object, translation: translationOf(show) }
}
const down = (schema: object, changed: Change, value: unknown) =>
  derive(schema, changed).translation.respond!(200, value, () => {}).body
const validate = (schema: object, value: unknown): unknown =>
  (schema as z.ZodType)['~standard'].validate(value) as unknown

interface Tree {
  readonly user: unknown
  readonly children: readonly Tree[]
}
const Kinds = { circle: z.object({ kind: z.literal('circle'), r: z.number() }) }
const places: readonly (readonly [
  where: string,
  zod: object,
  valibot: object,
  newer: unknown,
  older: unknown,
])[] = [
  ['as the body', User, VUser, dora, olderDora],
  ['in a list', z.array(User), v.array(VUser), [dora], [olderDora]],
  [
    'in an envelope',
    z.object({ items: z.array(User), next: z.string().nullable() }),
    v.looseObject({ items: v.array(VUser), next: v.nullable(v.string()) }),
    { items: [dora], next: null },
    { items: [olderDora], next: null },
  ],
  [
    'that is optional',
    z.object({ user: User.optional() }),
    v.object({ user: v.optional(VUser) }),
    {},
    {},
  ],
  [
    'that is optional, with a value',
    z.object({ user: User.optional() }),
    v.object({ user: v.exactOptional(VUser) }),
    { user: dora },
    { user: olderDora },
  ],
  ['that is nullable', User.nullable(), v.nullable(VUser), null, null],
  ['that is nullable, with a value', User.nullable(), v.nullable(VUser), dora, olderDora],
  ['that is nullish', z.array(User).nullish(), v.nullish(v.array(VUser)), [dora], [olderDora]],
  [
    'with an empty default',
    z.array(User).default([]),
    v.optional(v.array(VUser), []),
    [dora],
    [olderDora],
  ],
  ['that is read-only', z.array(User).readonly(), v.array(VUser), [dora], [olderDora]],
  [
    'in a record',
    z.record(z.string(), User),
    v.record(v.string(), VUser),
    { a: dora, b: dora },
    { a: olderDora, b: olderDora },
  ],
  [
    'in a tuple',
    z.tuple([z.string(), User], User),
    v.tupleWithRest([v.string(), VUser], VUser),
    ['a', dora, dora],
    ['a', olderDora, olderDora],
  ],
  ['beside a string', z.union([z.string(), User]), v.union([v.string(), VUser]), 'an id', 'an id'],
  [
    'beside a string, with a value',
    z.union([z.string(), User]),
    v.union([v.string(), VUser]),
    dora,
    olderDora,
  ],
  [
    'in an intersection',
    z.intersection(User, z.object({ role: z.string() })),
    v.intersect([VUser, v.object({ role: v.string() })]),
    { ...dora, role: 'admin' },
    { ...olderDora, role: 'admin' },
  ],
  [
    'in one alternative of a discriminated union',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('owned'), user: User }),
      Kinds.circle,
    ]),
    v.variant('kind', [
      v.object({ kind: v.literal('owned'), user: VUser }),
      v.object({ kind: v.literal('circle'), r: v.number() }),
    ]),
    { kind: 'owned', user: dora },
    { kind: 'owned', user: olderDora },
  ],
  [
    'in one alternative of a discriminated union, with another value',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('owned'), user: User }),
      Kinds.circle,
    ]),
    v.variant('kind', [
      v.object({ kind: v.literal('owned'), user: VUser }),
      v.object({ kind: v.literal('circle'), r: v.number() }),
    ]),
    { kind: 'circle', r: 1 },
    { kind: 'circle', r: 1 },
  ],
  ['in a lazy schema', z.object({ user: z.lazy(() => User) }), v.object({ user: v.lazy(() => VUser) }), { user: dora }, { user: olderDora }], // prettier-ignore
  [
    'in the other properties',
    z.object({ id: z.string() }).catchall(User),
    v.objectWithRest({ id: v.string() }, VUser),
    { id: '1', a: dora },
    { id: '1', a: olderDora },
  ],
]

describe.each(places)('a schema %s', (_where, zod, valibot, newer, older) => {
  it.each([
    ['zod', zod, zodChange],
    ['Valibot', valibot, valibotChange],
  ])("is found in %s, and what's around it rebuilt", async (_library, schema, changed) => {
    expect(down(schema, changed, newer)).toEqual(older)
    const derived = derive(schema, changed, 'body')
    expect(await validate(derived.older, older)).toMatchObject({ value: older })
    if (JSON.stringify(older).includes('Dora'))
      expect(await validate(derived.older, newer)).toMatchObject({
        issues: expect.any(Array) as unknown,
      })
    expect(derived.translation.request.body![0]!.convert(older)).toEqual(newer)
  })
  it('has a JSON Schema without the newer name', () => {
    const json = toJsonSchema(derive(zod, zodChange).older, 'output', '')
    expect(JSON.stringify(json)).toContain('"name"')
    expect(JSON.stringify(json)).not.toContain('fullName')
  })
})

describe('zod', () => {
  it('keeps the checks of what is around a changed schema, without its refinements', async () => {
    const schema = z
      .array(User)
      .max(1)
      .refine((list) => list.every(({ fullName }) => fullName.length > 3))
    const { older } = derive(schema, zodChange, 'body')
    expect(await validate(older, [olderDora])).toEqual({ value: [olderDora] })
    expect(await validate(older, [olderDora, olderDora])).toMatchObject({
      issues: [{ code: 'too_big' }],
    })
  })

  it('knows a described or refined schema as the same', () => {
    const schema = z.object({
      author: User.describe('The author'),
      editor: User.refine(() => true),
    })
    expect(down(schema, zodChange, { author: dora, editor: dora })).toEqual({
      author: olderDora,
      editor: olderDora,
    })
  })

  it('keeps descriptions and names of what is around, also in two places', () => {
    const Entry = z.object({ user: User }).meta({ id: 'Entry' })
    const schema = z
      .object({ first: Entry, items: z.array(Entry), id: z.string().describe('An id') })
      .meta({ id: 'Page', description: 'A page' })
    const json = toJsonSchema(derive(schema, zodChange).older, 'output', '')
    expect(json['$defs']).toMatchObject({
      Page: {
        description: 'A page',
        properties: {
          first: { $ref: '#/$defs/Entry' },
          items: { items: { $ref: '#/$defs/Entry' } },
          id: { description: 'An id' },
        },
      },
    })
    // Other tools read zod's registry, and take the newer schemas from it.
    const { schemas } = z.toJSONSchema(z.globalRegistry)
    expect(JSON.stringify(schemas['Entry'])).toContain('fullName')
  })

  it.each([true, false])('knows a schema on top of another change, named: %j', (isNamed) => {
    const itemOf = (user: z.ZodType) => z.object({ user }).meta({ id: 'Item' })
    const OlderItem = isNamed ? itemOf(OlderUser) : z.object({ user: OlderUser })
    const OlderPage = z.object({ items: z.array(OlderItem) })
    const envelope = change('x', became(z.array(OlderItem), OlderPage, { down: ({ items }) => items })) // prettier-ignore
    const schema = z.object({ items: z.array(itemOf(User)) })
    const action = { schema: { response: { 200: schema } }, handler: () => null }
    const { users } = before({ users: { show: action } }, envelope, zodChange) as never as {
      users: { show: SchemaAction }
    }
    const { respond } = translationOf(users.show)
    const { body } = respond!(200, { items: [{ user: dora }] }, () => {})
    expect(body).toEqual([{ user: olderDora }])
  })

  it('knows lists and unions of one schema as the same, also on top of another change', () => {
    const Page = z.object({ items: z.array(OlderUser), next: z.string() })
    const envelope = change('x', became(z.array(OlderUser), Page, { down: ({ items }) => items }))
    const lists = change(
      'x',
      became(z.object({ all: z.array(User) }), z.array(User), { down: (all) => ({ all }) }),
    )
    expect(down(z.array(User), lists, [dora])).toEqual({ all: [dora] })
    expect(() => down(z.array(User).max(5), lists, [dora])).toThrow('HV_CHANGE')
    expect(() => down(z.array(z.object({ fullName: z.string() })), lists, [dora])).toThrow(
      'the same schema object',
    )
    const action = {
      schema: { response: { 200: z.object({ items: z.array(User), next: z.string() }) } },
      handler: () => null,
    }
    const { users } = before({ users: { show: action } }, envelope, zodChange) as never as {
      users: { show: SchemaAction }
    }
    expect(
      translationOf(users.show).respond!(200, { items: [dora], next: '' }, () => {}).body,
    ).toEqual([olderDora])
  })

  it("doesn't follow a recursive schema, and leaves one beside the change", () => {
    const Tree: z.ZodType<Tree> = z.lazy(() => z.object({ user: User, children: z.array(Tree) }))
    expect(() => derive(Tree, zodChange)).toThrow('part of one that contains itself')
    const Nodes: z.ZodType = z.object({
      get children() {
        return z.array(Nodes)
      },
    })
    expect(
      down(z.object({ nodes: Nodes, user: User }), zodChange, {
        nodes: { children: [] },
        user: dora,
      }),
    ).toEqual({
      nodes: { children: [] },
      user: olderDora,
    })
  })

  it("doesn't follow a lazy schema whose function returns a new schema each time", () => {
    const endless = (): z.ZodType => z.object({ id: z.string(), inner: z.lazy(endless) })
    const endlessUsers = (): z.ZodType => z.object({ user: User, inner: z.lazy(endlessUsers) })
    expect(() => derive(endlessUsers(), zodChange)).toThrow('part of one that contains itself')
    expect(
      down(z.object({ nodes: endless(), user: User }), zodChange, { nodes: null, user: dora }),
    ).toEqual({ nodes: null, user: olderDora })
  })

  it('keeps a property optional if a change has made its schema', async () => {
    const [OlderPage, Page, OldestPage] = [
      z.object({ user: OlderUser }),
      z.object({ user: User }),
      z.object({ owner: OlderUser }),
    ]
    const schema = z.object({ page: Page.optional() })
    const renamed = became(OldestPage, OlderPage, { up: ({ owner }) => ({ user: owner }) })
    const action = { schema: { body: schema }, handler: () => null }
    const { users } = before(
      { users: { show: action } },
      change('x', renamed),
      zodChange,
    ) as never as { users: { show: SchemaAction } }
    const older = users.show.schema!.body as object
    expect(await validate(older, {})).toEqual({ value: {} })
    expect(await validate(older, { page: { owner: olderDora } })).toMatchObject({
      value: { page: { owner: olderDora } },
    })
  })

  it('calls no function of a schema that no change touches', () => {
    const fails = (): never => {
      throw new Error('called')
    }
    const schema = z.object({
      user: User,
      id: z.string().catch(fails),
      at: z.string().default(fails),
    })
    expect(down(schema, zodChange, { user: dora, id: '1', at: '' })).toEqual({
      user: olderDora,
      id: '1',
      at: '',
    })
  })

  it('is followed in its small edition', () => {
    const Small = mini.object({ fullName: mini.string() })
    const changed = change('x', became(mini.object({ name: mini.string() }), Small, rename))
    expect(down(mini.array(mini.optional(Small)), changed, [dora])).toEqual([olderDora])
  })
})

describe('a schema with a default', () => {
  const Page = z.object({ page: z.number() })
  const VPage = v.object({ page: v.number() })
  it.each<[what: string, newer: object, other: object]>([
    ['none', Page.default({ page: 1 }), Page.optional()],
    ['another', Page.default({ page: 1 }), Page.default({ page: 2 })],
    ['a fallback', Page.default({ page: 1 }), Page.catch({ page: 1 })],
    ['none, in Valibot', v.optional(VPage, { page: 1 }), v.optional(VPage)],
    ['another, in Valibot', v.nullable(VPage, { page: 1 }), v.nullable(VPage, { page: 2 })],
  ])("isn't the one with %s", (_what, newer, other) => {
    const one = change('x', became(OlderUser, newer, { down: () => ({ name: 'older' }) }))
    expect(down(newer, one, {})).toEqual({ name: 'older' })
    expect(() => down(other, one, {})).toThrow('its newer schema is unused')
  })
})

describe('ArkType', () => {
  const Newer = type({ fullName: 'string' })
  const Older = type({ name: 'string' })
  const changed = change('A name is a fullName.', became(Older, Newer, rename as never))

  it.each<[where: string, schema: object, newer: unknown, older: unknown]>([
    [
      'in a property',
      { type: 'object', properties: { user: Newer } },
      { user: dora },
      { user: olderDora },
    ],
    ['in a list', { type: 'array', items: Newer }, [dora], [olderDora]],
    ['beside null', { anyOf: [Newer, { type: 'null' }] }, dora, olderDora],
  ])('is found in JSON Schema %s, and replaced', (_where, schema, newer, older) => {
    expect(down(schema, changed, newer)).toEqual(older)
    const text = JSON.stringify(derive(schema, changed).older)
    expect(text).toContain('"name"')
    expect(text).not.toContain('fullName')
  })

  it('shows no parts inside JSON Schema', () => {
    const schema = { type: 'object', properties: { users: Newer.array() } }
    expect(() => derive(schema, changed)).toThrow("It's a schema of arktype")
  })
})

describe('HV_CHANGE', () => {
  const transformed = "part of a schema that can't be taken apart"
  it.each<[what: string, schema: object, changed: Change, message: string]>([
    ['a transformation', z.array(User).transform((list) => list.length), zodChange, transformed],
    ['a map', z.map(z.string(), User), zodChange, transformed],
    [
      'a pipe',
      v.object({ all: v.pipe(v.array(VUser), v.maxLength(3)) }),
      valibotChange,
      transformed,
    ],
    ['a default', User.default({ fullName: '' }), zodChange, transformed],
    ['a default', v.optional(VUser, { fullName: '' }), valibotChange, transformed],
    ['a default', z.object({ users: z.array(User).catch([dora]) }), zodChange, transformed],
    [
      'a fallback',
      v.object({ users: v.fallback(v.array(VUser), [dora]) }),
      valibotChange,
      transformed,
    ],
    [
      'a fallback of the schema',
      v.object({ user: v.fallback(VUser, dora) }),
      valibotChange,
      'made of its newer schema',
    ],
    [
      'a union of objects',
      z.union([User, z.object({ id: z.string() })]),
      zodChange,
      "doesn't show",
    ],
  ])('says what to write of %s', (_what, schema, changed, message) => {
    expect(() => derive(schema, changed)).toThrow(message)
  })
})
