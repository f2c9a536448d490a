// What the compiler reports about changes.
import {
  type SchemaValue,
  api,
  became,
  cache,
  change,
  inherit,
  resources,
  version,
} from '@hv/router'
import { Type } from '@sinclair/typebox'
import { Type as TypeBox1 } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { action, before, createRouter } from '../src/index.ts'

const User = Type.Object({ id: Type.Integer(), fullName: Type.String() })
const OlderUser = Type.Object({ id: Type.Integer(), name: Type.String() })

describe('became', () => {
  it('types both directions by the schemas', () => {
    became(OlderUser, User, { down: ({ fullName, ...user }) => ({ ...user, name: fullName }) })
    // @ts-expect-error -- the older schema requires name
    became(OlderUser, User, { down: ({ fullName, ...user }) => ({ ...user, nam: fullName }) })
    // @ts-expect-error -- the newer schema has no name
    became(OlderUser, User, { down: ({ name, ...user }) => ({ ...user, name }) })
    // @ts-expect-error -- a number isn't a name
    became(OlderUser, User, { down: ({ id }) => ({ id, name: id }) })
    // @ts-expect-error -- a misspelled option
    became(OlderUser, User, { donw: ({ id }) => ({ id, name: '' }) })
    const older = TypeBox1.Object({ name: TypeBox1.String() })
    const newer = TypeBox1.Object({ fullName: TypeBox1.String() })
    became(older, newer, { down: ({ fullName }) => ({ name: fullName }) })
    // @ts-expect-error -- TypeBox 1 has types as well
    became(older, newer, { down: ({ name }) => ({ name }) })
    became({ type: 'string' }, { type: 'integer' }, { down: (value) => String(value) }) // plain JSON Schema has no type
  })
})

describe('before', () => {
  const show = {
    schema: { response: { 200: Type.Union([User, Type.Null()]) } },
    handler: () => null,
  }
  const v2 = { users: { show, destroy: () => 'gone' } }
  const fullName = change(
    'x',
    became(OlderUser, User, { down: ({ id, fullName: name }) => ({ id, name }) }),
  )
  const routes = api(
    { vendorString: 'acme' },
    version(1, cache({ as: 'v1' }, resources('users', { only: ['show', 'destroy'] }))),
    version(2, inherit({ from: 'v1' })),
  )
  it('has the types of the older schemas, and leaves the rest', () => {
    const v1 = before(v2, fullName)
    type Output = NonNullable<
      (typeof v1.users.show.schema.response)[200]['~standard']['types']
    >['output']
    expectTypeOf<Output>().toEqualTypeOf<{ id: number; name: string } | null>()
    expectTypeOf(v1.users.destroy).toEqualTypeOf<() => string>()
    // A list without `as const` doesn't say which changes it has. The types of the newer schemas would be wrong.
    const list = [fullName]
    const listed = before(v2, ...list)
    type Listed = NonNullable<
      (typeof listed.users.show.schema.response)[200]['~standard']['types']
    >['output']
    expectTypeOf<Listed>().toEqualTypeOf<unknown>()
    expectTypeOf(listed.users.destroy).toEqualTypeOf<() => string>()
    createRouter(routes, { 1: listed, 2: v2 })
    // @ts-expect-error -- a change, not a became
    before(v2, fullName.became[0])
  })
})

describe('what a change leaves alone', () => {
  const handler = (): unknown => null
  const Name = z.object({ name: z.string() })
  const FullName = z.object({ fullName: z.string() })
  const down = (): { name: string } => ({ name: '' })
  const renamed = change('x', became(Name, FullName, { down }))
  class Teams {
    readonly #secret = 1
    index = { schema: { response: { 200: z.array(Name) } }, handler: () => this.#secret }
    show() {}
  }

  it('keeps its type', () => {
    const users = { index: { schema: { response: { 200: z.array(FullName) } }, handler } }
    const older = before({ users, teams: new Teams() }, renamed)
    expectTypeOf(older.teams).toEqualTypeOf<Teams>()
    expectTypeOf(older.users.index).not.toEqualTypeOf(users.index)
  })

  it('has nothing newer at any depth, in any kind of type', () => {
    const Deep = z.object({
      a: z.object({ b: z.object({ c: z.object({ d: z.object({ e: FullName }) }) }) }),
    })
    type Body = { schema: { body: typeof FullName }; handler: () => null }
    const v2 = {
      deep: { index: { schema: { body: Deep }, handler } },
      deeper: {
        index: { schema: { response: { 201: z.array(z.object({ deep: Deep })) } }, handler },
      },
      nullable: {
        index: { schema: { response: { 200: z.union([FullName, z.null()]) } }, handler },
      },
      either: { index: handler as typeof handler | Body },
      optional: { index: { schema: {} as { response?: { 200: typeof FullName } }, handler } },
    }
    const v1 = before(v2, renamed)
    expectTypeOf(v1.deep).not.toEqualTypeOf(v2.deep)
    expectTypeOf(v1.deeper).not.toEqualTypeOf(v2.deeper)
    expectTypeOf(v1.nullable).not.toEqualTypeOf(v2.nullable)
    expectTypeOf(v1.either).not.toEqualTypeOf(v2.either)
    expectTypeOf(v1.optional).not.toEqualTypeOf(v2.optional)
  })

  it("has nothing newer that isn't an object", () => {
    const ids = { show: { schema: { params: z.object({ ids: z.array(z.int()) }) }, handler } }
    const numbers = change('x', became(z.string(), z.int(), { up: Number }))
    const lists = change('x', became(z.string(), z.array(z.int()), { up: () => [] }))
    expectTypeOf(before({ ids }, numbers).ids).not.toEqualTypeOf(ids)
    expectTypeOf(before({ ids }, lists).ids).not.toEqualTypeOf(ids)
    expectTypeOf(before({ ids }, renamed).ids).toEqualTypeOf(ids)
  })
})

describe('values that differ before and after validation', () => {
  const Item = z.object({ sku: z.string(), quantity: z.int().default(1) })
  const Order = z.object({ total: z.int(), items: z.array(Item), note: z.string().default('') })
  const OlderOrder = z.object({ total: z.string(), items: z.array(Item) })
  const cents = change(
    'x',
    became(OlderOrder, Order, { up: () => ({ total: 1, items: [], note: '' }) }),
  )
  const create = { schema: { body: z.object({ order: Order }) }, handler: () => null }

  it('have both types, in a chain as well', () => {
    const { body } = before({ orders: { create } }, cents).orders.create.schema
    expectTypeOf<SchemaValue<typeof body, 'input'>>().toEqualTypeOf<{
      order: { total: string; items: { sku: string; quantity?: number | undefined }[] }
    }>()
    expectTypeOf<SchemaValue<typeof body, 'output'>>().toEqualTypeOf<{
      order: { total: string; items: { sku: string; quantity: number }[] }
    }>()

    const OldestOrder = z.object({ price: z.string().default('0') })
    const price = change(
      'x',
      became(OldestOrder, OlderOrder, { up: () => ({ total: '', items: [] }) }),
    )
    const { body: oldest } = before(before({ orders: { create } }, cents), price).orders.create
      .schema
    expectTypeOf<SchemaValue<typeof oldest, 'input'>>().toEqualTypeOf<{
      order: { price?: string | undefined }
    }>()
    expectTypeOf<SchemaValue<typeof oldest, 'output'>>().toEqualTypeOf<{
      order: { price: string }
    }>()
  })
})

describe('fields that are optional', () => {
  const optional = Type.Optional(Type.String())
  const Article = Type.Object({ title: optional, tags: optional })
  const OlderArticle = Type.Object({ title: optional, tagList: optional })
  const Profile = Type.Object({ id: Type.Integer(), name: optional })
  const OlderProfile = Type.Object({ id: Type.Integer() })
  const Colour = Type.Object({ title: optional, colour: optional }) // assignable to Article, and Article to it
  const handler = (): unknown => null
  const v2 = {
    users: {
      create: action({ schema: { body: Article, response: { 201: Profile } }, handler }),
      index: { schema: { response: { 200: Type.Array(Profile) } }, handler },
      show: { schema: { response: { 200: Type.Tuple([Profile, Type.String()]) } }, handler },
      update: {
        schema: {
          body: Type.Object({
            article: Type.Optional(Article),
            by: Type.Union([Profile, Type.Null()]),
          }),
          querystring: Type.Object({
            at: Type.Date(),
            any: Type.Any(),
            extra: Type.Record(Type.String(), Type.Unknown()),
          }),
        },
        handler,
      },
      destroy: action({
        schema: { body: Colour, response: { 200: z.object({ at: z.coerce.date() }) } },
        handler,
      }),
    },
  }
  const tags = change(
    'x',
    became(OlderArticle, Article, { up: ({ tagList, ...rest }) => ({ ...rest, tags: tagList! }) }),
  )
  const names = change('y', became(OlderProfile, Profile, { down: ({ id }) => ({ id }) }))
  const v1 = before(v2, tags, names).users

  it('are those of the older version', () => {
    interface Older {
      title?: string
      tagList?: string
    }
    expectTypeOf<SchemaValue<typeof v1.create.schema.body, 'input'>>().toEqualTypeOf<Older>()
    expectTypeOf<SchemaValue<(typeof v1.create.schema.response)[201], 'output'>>().toEqualTypeOf<{
      id: number
    }>()
    expectTypeOf<SchemaValue<(typeof v1.index.schema.response)[200], 'output'>>().toEqualTypeOf<
      { id: number }[]
    >()
    expectTypeOf<SchemaValue<(typeof v1.show.schema.response)[200], 'output'>>().toEqualTypeOf<
      [{ id: number }, string]
    >()
    expectTypeOf<SchemaValue<typeof v1.update.schema.body, 'input'>>().toEqualTypeOf<{
      article?: Older
      by: { id: number } | null
    }>()
  })

  it("don't make another schema the same", () => {
    expectTypeOf(v1.destroy.schema.body).toEqualTypeOf(Colour)
    expectTypeOf(v1.destroy.schema.response).toEqualTypeOf(v2.users.destroy.schema.response)
    expectTypeOf(v1.update.schema.querystring).toEqualTypeOf(v2.users.update.schema.querystring)
  })

  it('of a recursive schema compile', () => {
    interface Tree {
      readonly name: string
      readonly children: readonly Tree[]
    }
    const Tree: z.ZodType<Tree> = z.lazy(() =>
      z.object({ name: z.string(), children: z.array(Tree) }),
    )
    const Owned = z.object({ tree: Tree })
    const { trees } = before(
      { trees: { show: { schema: { response: { 200: Owned, 201: Profile } }, handler } } },
      names,
    )
    expectTypeOf(trees.show.schema.response[200]).toEqualTypeOf(Owned)
  })
})
