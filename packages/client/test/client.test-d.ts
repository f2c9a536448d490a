// The types of a client: what it takes and returns, and the mistakes that the compiler reports.
import {
  type SchemaValue,
  api,
  cache,
  collection,
  inherit,
  post,
  resources,
  version,
  withResponses,
} from '@hv/router'
import { Type as TypeBox034 } from '@sinclair/typebox'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { ClientError, type ClientTable, clientTable, createClient, typesOf } from '../src/index.ts'

/** What TypeScript knows of a JSON file. */
declare const json: {
  version: number
  accept: string
  actions: { users: { show: string[]; index: string[] } }
}

const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    cache({ as: 'v1' }, resources('users', { except: ['new', 'edit'] }, collection(post('login')))),
  ),
  version(2, inherit({ from: 'v1' })),
)
const User = TypeBox034.Object({
  id: TypeBox034.Integer(),
  name: TypeBox034.Union([TypeBox034.String(), TypeBox034.Null()]),
})
const Credentials = TypeBox034.Object({
  username: TypeBox034.String(),
  password: TypeBox034.String(),
})
const Page = TypeBox034.Object({ limit: TypeBox034.Optional(TypeBox034.String()) })

declare class UsersV1 {
  index: {
    schema: { querystring: typeof Page; response: { 200: ReturnType<typeof listOf> } }
    handler(): unknown
  }
  show: { schema: { response: { 200: typeof User; 404: typeof Credentials } }; handler(): unknown }
  create: {
    schema: { body: typeof Credentials; response: { 201: typeof User } }
    handler(): unknown
  }
  login: {
    schema: { body: typeof Credentials }
    handler(): Promise<{ jwt: string; at: Date; when?: Date[] }>
  }
  update(request: { body: { name?: string } }): { changed: number } | undefined
  destroy(request: object, reply: { sent: boolean; raw: object }): Promise<void>
}
declare class UsersV2 {
  index(req: { body: any }, res: { headersSent: boolean }): { headersSent: boolean }
}
const listOf = () => TypeBox034.Array(User)
interface Controllers {
  1: { users: UsersV1 }
  2: { users: Omit<UsersV1, 'index'> & UsersV2 }
}
const options = { baseUrl: 'https://acme.example' }
const untyped = createClient(routes, { ...options, version: 2 })
const client = createClient(routes, { ...options, version: 1, types: typesOf<Controllers> })
const second = createClient(routes, { ...options, version: 2, types: typesOf<Controllers> })

type User = { id: number; name: string | null }

describe('a typed client', () => {
  it('takes params, bodies and queries, and returns what the schema says', () => {
    expectTypeOf(untyped.users.show({ id: 7 })).resolves.toEqualTypeOf<unknown>()
    expectTypeOf(untyped.users.create({ body: { any: 'thing' } })).resolves.toEqualTypeOf<unknown>()
    expectTypeOf(client.users.show({ id: '7' })).resolves.toEqualTypeOf<User>()
    expectTypeOf(client.users.index()).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(
      client.users.index({ query: { limit: '10' }, headers: { a: 'b' } }),
    ).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(client.users.index.response()).resolves.toEqualTypeOf<Response>()
  })

  it('returns errors by status: exact ones, ranges, the others', () => {
    const Message = TypeBox034.Object({ message: TypeBox034.String() })
    const Problem = TypeBox034.Object({ title: TypeBox034.String() })
    type Show<Response> = { schema: { response: Response }; handler(): unknown }
    type Types<Response> = { 1: { users: { show: Show<Response> } } }
    type Everything = {
      200: typeof User
      404: typeof Credentials
      '4xx': typeof Message
      default: typeof Problem
    }
    const show = createClient(routes, { ...options, version: 1, types: typesOf<Types<Everything>> })
      .users.show
    const rest = createClient(routes, {
      ...options,
      version: 1,
      types: typesOf<Types<{ 200: typeof User }>>,
    }).users.show
    const untypedShow = untyped.users.show
    expectTypeOf(async () => {
      const { data, error } = await show.result({ id: 7 })
      if (error === null) expectTypeOf(data).toEqualTypeOf<User>()
      else if (error.status === 404)
        expectTypeOf(error.body).toEqualTypeOf<{ username: string; password: string }>()
      else if (error.status === 410) expectTypeOf(error.body).toEqualTypeOf<{ message: string }>()
      else if (error.status === 500) expectTypeOf(error.body).toEqualTypeOf<{ title: string }>()
      const others = await rest.result({ id: 7 })
      if (others.error?.status === 404) expectTypeOf(others.error.body).toEqualTypeOf<unknown>()
      const unknown = await untypedShow.result({ id: 7 })
      if (unknown.error !== null) expectTypeOf(unknown.error).toEqualTypeOf<ClientError>()
    }).returns.resolves.toBeVoid()
  })

  it('is the same for a table in place of the route file', () => {
    const table: ClientTable<typeof routes> = JSON.parse('') as typeof json
    const fromTable = createClient(table, { ...options, version: 1, types: typesOf<Controllers> })
    expectTypeOf(fromTable).toEqualTypeOf<typeof client>()
    // @ts-expect-error version 3 isn't declared
    createClient(table, { ...options, version: 3 })
    // @ts-expect-error version 3 isn't declared
    clientTable(routes, { version: 3 })
  })

  it("returns the JSON of what the handler returns when there's no schema", () => {
    expectTypeOf(
      client.users.login({ body: { username: 'a', password: 'b' } }),
    ).resolves.toEqualTypeOf<{
      jwt: string
      at: string
      when?: string[]
    }>()
    expectTypeOf(client.users.update({ id: 7, body: { name: 'x' } })).resolves.toEqualTypeOf<{
      changed: number
    }>()
    expectTypeOf(client.users.destroy({ id: 7 })).resolves.toEqualTypeOf<unknown>()
    expectTypeOf(second.users.index()).resolves.toEqualTypeOf<unknown>()
  })

  it('takes any body and returns unknown for a handler of fetch without a schema', () => {
    interface OnFetch {
      1: { users: { [Name in keyof UsersV1]: (request: Request) => Promise<Response> } }
    }
    const fetched = createClient(routes, { ...options, version: 1, types: typesOf<OnFetch> })
    expectTypeOf(fetched.users.create({ body: { any: 'thing' } })).resolves.toEqualTypeOf<unknown>()
    expectTypeOf(fetched.users.index()).resolves.toEqualTypeOf<unknown>()
  })
  it('returns what the handler returns when all its responses are errors', () => {
    const users = withResponses({ users: { show: () => ({ id: 7 }) } }, { '4xx': User })
    const own = {
      users: {
        ...users.users,
        index: { schema: { response: { '4xx': User } }, handler: () => [7] },
      },
    }
    const shared = createClient(routes, {
      ...options,
      version: 1,
      types: typesOf<{ 1: typeof own }>,
    })
    expectTypeOf(shared.users.show({ id: 7 })).resolves.toEqualTypeOf<{ id: number }>()
    expectTypeOf(shared.users.index()).resolves.toEqualTypeOf<number[]>()
  })
  it('throws typed problem documents', () => {
    expectTypeOf<NonNullable<ClientError['problem']>['availableIn']>().toEqualTypeOf<
      readonly number[] | undefined
    >()
  })

  it('reports eleven mistakes', () => {
    expectTypeOf(async () => {
      // @ts-expect-error the input is missing
      await client.users.show()
      // @ts-expect-error id is missing
      await client.users.show({})
      // @ts-expect-error idd isn't a parameter
      await client.users.show({ id: 7, idd: 8 })
      // @ts-expect-error the route has no action edit
      await client.users.edit({ id: 7 })
      // @ts-expect-error the version has no resource teams
      await client.teams.index()
      // @ts-expect-error the body is missing
      await client.users.create()
      // @ts-expect-error the body has no password
      await client.users.create({ body: { username: 'dora' } })
      // @ts-expect-error name is text
      await client.users.update({ id: 7, body: { name: 7 } })
      // @ts-expect-error a user has no email
      void (await client.users.show({ id: 7 })).email
      // @ts-expect-error limit is text
      await client.users.index({ query: { limit: 10 } })
      // @ts-expect-error version 3 isn't declared
      createClient(routes, { ...options, version: 3 })
    }).returns.resolves.toBeVoid()
  })
})

describe('six schema libraries', () => {
  const libraries = api(
    { vendorString: 'acme' },
    version(
      1,
      { only: 'create' },
      resources('zod'),
      resources('arktype'),
      resources('valibot'),
      resources('typebox'),
      resources('typebox034'),
      resources('none'),
    ),
  )
  const actionOf = <Body, Result>(body: Body, result: Result) => ({
    create: {
      schema: { body, response: { 201: result, 400: { type: 'object' } } },
      handler: (): unknown => null,
    },
  })
  const ZodBody = z.object({ name: z.string(), age: z.coerce.number<string>() })
  const controllers = {
    1: {
      zod: actionOf(ZodBody, z.object({ id: z.number() })),
      arktype: actionOf(
        type({ name: 'string', age: 'string.numeric.parse' }),
        type({ id: 'number' }),
      ),
      valibot: actionOf(
        toStandardJsonSchema(
          v.object({ name: v.string(), age: v.pipe(v.string(), v.transform(Number)) }),
        ),
        v.object({ id: v.number() }),
      ),
      typebox: actionOf(
        Type.Object({ name: Type.String(), age: Type.String() }),
        Type.Object({ id: Type.Number() }),
      ),
      typebox034: actionOf(
        TypeBox034.Object({ name: TypeBox034.String(), age: TypeBox034.String() }),
        TypeBox034.Object({ id: TypeBox034.Number() }),
      ),
      none: {
        create: (request: { body: { name: string; age: string } }) =>
          Promise.resolve({ id: request.body.name.length }),
      },
    },
  }
  type Created = { id: number }

  it('give undefined for a response without a body', () => {
    const users = api(
      { vendorString: 'acme' },
      version(1, resources('users', { only: ['update', 'destroy'] })),
    )
    const schemaOf = <Response>(response: Response) => ({
      schema: { response },
      handler: (): unknown => null,
    })
    const bodiless = {
      1: {
        users: {
          destroy: schemaOf({ 204: Type.Null() }),
          update: schemaOf({ 200: Type.Object({ id: Type.Number() }), 204: Type.Null() }),
        },
      },
    }
    const empty = createClient(users, { ...options, version: 1, types: typesOf<typeof bodiless> })
    expectTypeOf(empty.users.destroy({ id: 1 })).resolves.toEqualTypeOf<undefined>()
    expectTypeOf(empty.users.update({ id: 1 })).resolves.toEqualTypeOf<Created | undefined>()
  })

  const typed = createClient(libraries, {
    ...options,
    version: 1,
    types: typesOf<typeof controllers>,
  })
  const input = { body: { name: 'dora', age: '7' } }

  it('give one type', () => {
    expectTypeOf(typed.zod.create(input)).resolves.toEqualTypeOf<Created>()
    expectTypeOf(typed.arktype.create(input)).resolves.toEqualTypeOf<Created>()
    expectTypeOf(typed.valibot.create(input)).resolves.toEqualTypeOf<Created>()
    expectTypeOf(typed.typebox.create(input)).resolves.toEqualTypeOf<Created>()
    expectTypeOf(typed.typebox034.create(input)).resolves.toEqualTypeOf<Created>()
    expectTypeOf(typed.none.create(input)).resolves.toEqualTypeOf<Created>()
  })

  it('take the input of a schema that transforms', () => {
    expectTypeOf<SchemaValue<typeof ZodBody, 'input'>>().toEqualTypeOf<{
      name: string
      age: string
    }>()
    expectTypeOf<SchemaValue<typeof ZodBody, 'output'>>().toEqualTypeOf<{
      name: string
      age: number
    }>()
    expectTypeOf(() => {
      const wrong = { body: { name: 'dora', age: 7 } }
      // @ts-expect-error age is text
      void typed.zod.create(wrong)
      // @ts-expect-error age is text
      void typed.arktype.create(wrong)
      // @ts-expect-error age is text
      void typed.valibot.create(wrong)
      // @ts-expect-error age is text
      void typed.typebox.create(wrong)
      // @ts-expect-error age is text
      void typed.typebox034.create(wrong)
      // @ts-expect-error age is text
      void typed.none.create(wrong)
      // @ts-expect-error the body is required
      void typed.zod.create()
    }).returns.toBeVoid()
  })
})
