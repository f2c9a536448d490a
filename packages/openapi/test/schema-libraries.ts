// Schemas that contain a user, or are made of one, in each schema library.
import type * as V from 'valibot'
import type { z as Z } from 'zod'
import type { z as Z3 } from 'zod/v3'
import type * as Mini from 'zod/mini'
import type { Type as TypeBox0 } from '@sinclair/typebox'
import type { Type as TypeBox1 } from 'typebox'

export const ann = { id: 1, fullName: 'Ann' }

/** What an action sends, by the shape of its schema. */
export const values = {
  whole: ann,
  list: [ann],
  nested: { data: ann },
  optional: { data: ann },
  nullable: ann,
  union: ann,
  record: { a: ann },
  tuple: ['a', ann],
  default: { data: ann },
  transform: ann,
  lazy: { data: ann },
  extended: { ...ann, x: 1 },
  partial: { fullName: 'Ann' },
  omitted: { fullName: 'Ann' },
  spread: { ...ann, x: 1 },
  copied: { data: ann },
}
export type Shape = keyof typeof values

export interface Library {
  /** Before and after the change. */
  readonly Older: object
  readonly User: object
  /** A library that doesn't have a shape leaves it out. */
  readonly shapes: Readonly<Partial<Record<Shape, object>>>
}
/**
 * Declares the schemas.
 *
 * @param copy - a second copy of the library, or a different release
 */
export type Declare<Module> = (module: Module, copy: Module) => Library

export const zod: Declare<typeof Z> = (z, copy) => {
  const User = z.object({ id: z.number(), fullName: z.string() })
  const x = z.number()
  return {
    Older: z.object({ id: z.number(), name: z.string() }),
    User,
    shapes: {
      whole: User,
      list: z.array(User),
      nested: z.object({ data: User }),
      optional: z.object({ data: User.optional() }),
      nullable: User.nullable(),
      union: z.union([z.string(), User]),
      record: z.record(z.string(), User),
      tuple: z.tuple([z.string(), User]),
      default: z.object({ data: User.default(ann) }),
      transform: User.transform((user) => user),
      lazy: z.object({ data: z.lazy(() => User) }),
      extended: User.extend({ x }),
      partial: User.partial(),
      omitted: User.omit({ id: true }),
      spread: z.object({ ...User.shape, x }),
      copied: copy.object({ data: User }),
    },
  }
}

export const zod3: Declare<typeof Z3> = zod as never

export const mini: Declare<typeof Mini> = (z, copy) => {
  const User = z.object({ id: z.number(), fullName: z.string() })
  const x = z.number()
  return {
    Older: z.object({ id: z.number(), name: z.string() }),
    User,
    shapes: {
      whole: User,
      list: z.array(User),
      nested: z.object({ data: User }),
      optional: z.object({ data: z.optional(User) }),
      nullable: z.nullable(User),
      union: z.union([z.string(), User]),
      record: z.record(z.string(), User),
      tuple: z.tuple([z.string(), User]),
      default: z.object({ data: z._default(User, ann) }),
      transform: z.pipe(
        User,
        z.transform((user) => user),
      ),
      lazy: z.object({ data: z.lazy(() => User) }),
      extended: z.extend(User, { x }),
      partial: z.partial(User),
      omitted: z.omit(User, { id: true }),
      spread: z.object({ ...User.shape, x }),
      copied: copy.object({ data: User }),
    },
  }
}

export const valibot: Declare<typeof V> = (v, copy) => {
  const User = v.object({ id: v.number(), fullName: v.string() })
  const x = v.number()
  return {
    Older: v.object({ id: v.number(), name: v.string() }),
    User,
    shapes: {
      whole: User,
      list: v.array(User),
      nested: v.object({ data: User }),
      optional: v.object({ data: v.optional(User) }),
      nullable: v.nullable(User),
      union: v.union([v.string(), User]),
      record: v.record(v.string(), User),
      tuple: v.tuple([v.string(), User]),
      default: v.object({ data: v.optional(User, ann) }),
      transform: v.pipe(
        User,
        v.transform((user) => user),
      ),
      lazy: v.object({ data: v.lazy(() => User) }),
      extended: v.object({ x, ...User.entries }),
      partial: v.partial(User),
      omitted: v.omit(User, ['id']),
      spread: v.object({ ...User.entries, x }),
      copied: copy.object({ data: User }),
    },
  }
}

/** @param show - wraps the older and the newer schema */
export const wrapped =
  (wrap: (schema: never) => object, show = wrap): Declare<typeof V> =>
  (v, copy) => {
    const { Older, User, shapes } = valibot(v, copy)
    const shown = show(User as never)
    const entries = Object.entries(shapes).map(([shape, schema]) => [
      shape,
      shape === 'whole' ? shown : wrap(schema as never),
    ])
    return {
      Older: show(Older as never),
      User: shown,
      shapes: Object.fromEntries(entries) as never,
    }
  }

export const typebox0: Declare<typeof TypeBox0> = (Type, copy) => {
  const User = Type.Object({ id: Type.Number(), fullName: Type.String() })
  const More = Type.Object({ x: Type.Number() })
  return {
    Older: Type.Object({ id: Type.Number(), name: Type.String() }),
    User,
    shapes: {
      whole: User,
      list: Type.Array(User),
      nested: Type.Object({ data: User }),
      optional: Type.Object({ data: Type.Optional(User) }),
      nullable: Type.Union([User, Type.Null()]),
      union: Type.Union([Type.String(), User]),
      record: Type.Record(Type.String(), User),
      tuple: Type.Tuple([Type.String(), User]),
      default: Type.Object({ data: Type.Object(User.properties, { default: ann }) }),
      transform: Type.Transform(User).Decode((user) => user).Encode((user) => user), // prettier-ignore
      lazy: Type.Unsafe({ type: 'object', properties: { data: { $ref: '#/$defs/User' } }, $defs: { User } }), // prettier-ignore
      extended: Type.Composite([User, More]),
      partial: Type.Partial(User),
      omitted: Type.Omit(User, ['id']),
      spread: Type.Object({ ...User.properties, x: Type.Number() }),
      copied: copy.Object({ data: User }),
    },
  }
}

export const typebox1: Declare<typeof TypeBox1> = (Type, copy) => {
  const User = Type.Object({ id: Type.Number(), fullName: Type.String() })
  const More = Type.Object({ x: Type.Number() })
  return {
    Older: Type.Object({ id: Type.Number(), name: Type.String() }),
    User,
    shapes: {
      whole: User,
      list: Type.Array(User),
      nested: Type.Object({ data: User }),
      optional: Type.Object({ data: Type.Optional(User) }),
      nullable: Type.Union([User, Type.Null()]),
      union: Type.Union([Type.String(), User]),
      record: Type.Record(Type.String(), User),
      tuple: Type.Tuple([Type.String(), User]),
      default: Type.Object({ data: Type.Object(User.properties, { default: ann }) }),
      transform: Type.Codec(User).Decode((user) => user).Encode((user) => user), // prettier-ignore
      lazy: Type.Unsafe({ type: 'object', properties: { data: { $ref: '#/$defs/User' } }, $defs: { User } }), // prettier-ignore
      extended: Type.Evaluate(Type.Intersect([User, More])),
      partial: Type.Partial(User),
      omitted: Type.Omit(User, ['id']),
      spread: Type.Object({ ...User.properties, x: Type.Number() }),
      copied: copy.Object({ data: User }),
    },
  }
}

export const jsonSchema: Declare<null> = () => {
  const object = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
  })
  const User = object({ id: { type: 'number' }, fullName: { type: 'string' } })
  const x = { type: 'number' }
  return {
    Older: object({ id: { type: 'number' }, name: { type: 'string' } }),
    User,
    shapes: {
      whole: User,
      list: { type: 'array', items: User },
      nested: object({ data: User }),
      optional: { ...object({ data: User }), required: [] },
      nullable: { anyOf: [User, { type: 'null' }] },
      union: { anyOf: [{ type: 'string' }, User] },
      record: { type: 'object', additionalProperties: User },
      tuple: { type: 'array', prefixItems: [{ type: 'string' }, User] },
      default: object({ data: { ...User, default: ann } }),
      lazy: { ...object({ data: { $ref: '#/$defs/User' } }), $defs: { User } },
      extended: object({ ...User.properties, x }),
      partial: { ...User, required: [] },
      omitted: object({ fullName: (User.properties as typeof ann).fullName }),
      spread: { ...User, properties: { ...User.properties, x } },
    },
  }
}
