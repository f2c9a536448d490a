// The same as in schema-libraries.ts, with the libraries whose schemas don't show their parts.
import type * as Ark from 'arktype'
import type * as Effect from 'effect'
import type Joi from 'joi'
import type * as Yup from 'yup'
import { type Declare, ann } from './schema-libraries.ts'

export const arktype: Declare<typeof Ark> = ({ type }, copy) => {
  const User = type({ id: 'number', fullName: 'string' })
  return {
    Older: type({ id: 'number', name: 'string' }),
    User,
    shapes: {
      whole: User,
      list: User.array(),
      nested: type({ data: User }),
      optional: type({ 'data?': User }),
      nullable: User.or('null'),
      union: User.or('string'),
      record: type({ '[string]': User }),
      tuple: type(['string', User]),
      default: type({ data: User.default(() => ann) }),
      transform: User.pipe((user) => user),
      lazy: type({ data: () => User }),
      extended: User.merge({ x: 'number' }),
      partial: User.partial(),
      omitted: User.omit('id'),
      spread: type({ '...': User, x: 'number' }),
      copied: copy.type({ data: User as never }),
    },
  }
}

export const effect: Declare<typeof Effect> = ({ Schema }, copy) => {
  const Struct = Schema.Struct({ id: Schema.Number, fullName: Schema.String })
  const User = Schema.standardSchemaV1(Struct)
  const shapes = {
    whole: User,
    list: Schema.Array(Struct),
    nested: Schema.Struct({ data: Struct }),
    optional: Schema.Struct({ data: Schema.optional(Struct) }),
    nullable: Schema.NullOr(Struct),
    union: Schema.Union(Schema.String, Struct),
    record: Schema.Record({ key: Schema.String, value: Struct }),
    tuple: Schema.Tuple(Schema.String, Struct),
    default: Schema.Struct({ data: Schema.optionalWith(Struct, { default: () => ann }) }),
    transform: Schema.transform(Struct, Schema.typeSchema(Struct), { decode: (user) => user, encode: (user) => user }), // prettier-ignore
    lazy: Schema.Struct({ data: Schema.suspend(() => Struct) }),
    extended: Schema.extend(Struct, Schema.Struct({ x: Schema.Number })),
    partial: Schema.partial(Struct),
    omitted: Struct.omit('id'),
    spread: Schema.Struct({ ...Struct.fields, x: Schema.Number }),
    copied: copy.Schema.Struct({ data: Struct }),
  }
  const standard = Object.entries(shapes).map(([shape, schema]) => [
    shape,
    shape === 'whole' ? User : Schema.standardSchemaV1(schema as never),
  ])
  return {
    Older: Schema.standardSchemaV1(Schema.Struct({ id: Schema.Number, name: Schema.String })),
    User,
    shapes: Object.fromEntries(standard) as never,
  }
}

export const yup: Declare<typeof Yup> = (y, copy) => {
  const User = y.object({ id: y.number().required(), fullName: y.string().required() })
  const x = y.number()
  return {
    Older: y.object({ id: y.number().required(), name: y.string().required() }),
    User,
    shapes: {
      whole: User,
      list: y.array(User),
      nested: y.object({ data: User }),
      optional: y.object({ data: User.optional() }),
      nullable: User.nullable(),
      tuple: y.tuple([y.string(), User]),
      default: y.object({ data: User.default(ann) }),
      transform: User.transform((user: unknown) => user),
      lazy: y.object({ data: y.lazy(() => User) }),
      extended: User.concat(y.object({ x })),
      partial: User.partial(),
      omitted: User.omit(['id']),
      spread: y.object({ ...User.fields, x }),
      copied: copy.object({ data: User }),
    },
  }
}

export const joi: Declare<typeof Joi> = (j, copy) => {
  const User = j.object({ id: j.number().required(), fullName: j.string().required() })
  return {
    Older: j.object({ id: j.number().required(), name: j.string().required() }),
    User,
    shapes: {
      whole: User,
      list: j.array().items(User),
      nested: j.object({ data: User }),
      optional: j.object({ data: User.optional() }),
      nullable: User.allow(null),
      union: j.alternatives(j.string(), User),
      record: j.object().pattern(j.string(), User),
      tuple: j.array().ordered(j.string(), User),
      default: j.object({ data: User.default(ann) }),
      transform: User.custom((user: unknown) => user),
      lazy: j.object({ data: j.link('#user') }).shared(User.id('user')),
      extended: User.keys({ x: j.number() }),
      partial: User.fork(['id', 'fullName'], (schema) => schema.optional()),
      omitted: User.fork(['id'], (schema) => schema.forbidden()),
      spread: User.append({ x: j.number() }),
      copied: copy.object({ data: User }),
    },
  }
}
