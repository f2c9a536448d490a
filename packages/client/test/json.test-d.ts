// What arrives of a handler's result, or of a schema's values: the types that JSON.parse returns.
import { api, resources, version } from '@hv/router'
import { Type } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type ClientError, createClient, typesOf } from '../src/index.ts'

const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'show' })))
type Show<Action> = { 1: { users: { show: Action } } }
/** What `client.users.show()` returns, if the handler returns a `Value`. */
const arrivalOf = <Value>() => {
  const types = typesOf<Show<() => Value>>
  const client = createClient(routes, { baseUrl: '', version: 1, types })
  return expectTypeOf<Awaited<ReturnType<typeof client.users.show>>>()
}

declare enum Color {
  Red = 'red',
}
declare const tag: unique symbol
type Tagged = string & { readonly [tag]: 'Tagged' }
type UserId = string & { readonly __brand: 'UserId' }
type Cents = number & { readonly __brand: 'Cents' }
type ZodId = z.infer<typeof ZodId>
const ZodId = z.string().brand<'ZodId'>()
/** As in Effect 3. */
interface EffectBrand<in out Name extends string> {
  readonly [tag]: { readonly [_ in Name]: Name }
}
type EffectId = string & EffectBrand<'EffectId'>

describe('text and numbers stay what they are', () => {
  it('with a brand', () => {
    arrivalOf<UserId>().toEqualTypeOf<UserId>()
    arrivalOf<{ id: UserId; cents: Cents }>().toEqualTypeOf<{ id: UserId; cents: Cents }>()
    arrivalOf<Tagged>().toEqualTypeOf<Tagged>()
    arrivalOf<ZodId[]>().toEqualTypeOf<ZodId[]>()
    arrivalOf<{ id?: EffectId }>().toEqualTypeOf<{ id?: EffectId }>()
    interface Row {
      id: UserId
      cents: Cents | null
      at: Date
    }
    arrivalOf<Row>().toEqualTypeOf<{ id: UserId; cents: Cents | null; at: string }>()
    arrivalOf<Record<UserId, ZodId>>().toEqualTypeOf<Record<UserId, ZodId>>()
    arrivalOf<boolean & { __brand: 'Flag' }>().toEqualTypeOf<boolean & { __brand: 'Flag' }>()
  })
  it('in unions that keep completions', () => {
    type Kind = 'a' | 'b' | (string & {})
    type Code = 1 | 2 | (number & {})
    arrivalOf<{ kind: Kind; code: Code }>().toEqualTypeOf<{ kind: Kind; code: Code }>()
    arrivalOf<'a' | (string & Record<never, never>)>().toEqualTypeOf<
      'a' | (string & Record<never, never>)
    >()
    arrivalOf<{ path: `/${string}`; at: Date }>().toEqualTypeOf<{
      path: `/${string}`
      at: string
    }>()
  })
  it('and lists with a brand stay lists', () => {
    type Point = [number, number] & { readonly __brand: 'Point' }
    type Names = readonly string[] & { readonly [tag]: 'Names' }
    arrivalOf<{ at: Point; names: Names }>().toEqualTypeOf<{ at: Point; names: Names }>()
    arrivalOf<Date[] & { readonly __brand: 'Days' }>().toEqualTypeOf<string[]>()
    arrivalOf<[Date, Date] & { readonly __brand: 'Span' }>().toEqualTypeOf<string[]>()
  })
})

// Several recursive forms that a JSON value's type has in other packages.
type AnyJson = string | number | boolean | null | AnyJson[] | { [key: string]: AnyJson }
namespace Prisma {
  export type JsonObject = { [Key in string]?: JsonValue }
  export interface JsonArray extends Array<JsonValue> {}
  export type JsonValue = string | number | boolean | JsonObject | JsonArray | null
  export type InputJsonObject = { readonly [Key in string]?: InputJsonValue | null }
  export interface InputJsonArray extends ReadonlyArray<InputJsonValue | null> {}
  export type InputJsonValue =
    | string
    | number
    | boolean
    | InputJsonObject
    | InputJsonArray
    | { toJSON(): unknown }
}
namespace TypeFest {
  export type JsonObject = { [Key in string]: JsonValue }
  export type JsonArray = JsonValue[] | readonly JsonValue[]
  export type JsonValue = string | number | boolean | null | JsonObject | JsonArray
}
interface Folder {
  [name: string]: string | Folder
}
type Expression = string | ['not', Expression] | ['all', ...Expression[]]
interface Tree {
  grown: Date
  children: readonly Tree[]
}
type Deep = string | Date | Deep[] | { [key: string]: Deep }

describe('recursive types', () => {
  it('of any JSON value keep their names', () => {
    arrivalOf<AnyJson>().toEqualTypeOf<AnyJson>()
    arrivalOf<{ settings: AnyJson }>().toEqualTypeOf<{ settings: AnyJson }>()
    interface Row {
      settings: AnyJson
      prisma: Prisma.JsonValue
      fest: TypeFest.JsonValue
    }
    arrivalOf<Row>().toEqualTypeOf<{
      settings: AnyJson
      prisma: Prisma.JsonValue
      fest: TypeFest.JsonValue
    }>()
    arrivalOf<Prisma.JsonObject>().toEqualTypeOf<Prisma.JsonObject>()
    arrivalOf<Prisma.JsonArray>().toEqualTypeOf<Prisma.JsonArray>()
    arrivalOf<Folder>().toEqualTypeOf<Folder>()
  })
  it('convert at every level', () => {
    arrivalOf<Tree>().toExtend<{
      grown: string
      children: readonly { grown: string; children: readonly { grown: string }[] }[]
    }>()
    expectTypeOf<string>().toExtend<Deep>()
    arrivalOf<Deep>().exclude<string>().not.toEqualTypeOf<Date>()
    arrivalOf<{ deep: Deep }>().not.toBeAny()
    arrivalOf<Expression>().toEqualTypeOf<Expression>()
    arrivalOf<{ where: Expression; at: Date }>().toEqualTypeOf<{ where: Expression; at: string }>()
    arrivalOf<Exclude<Prisma.InputJsonValue, object>>().toEqualTypeOf<string | number | boolean>()
    arrivalOf<Prisma.InputJsonValue>().not.toBeAny()
  })
})

describe('toJSON()', () => {
  it('has its result converted', () => {
    arrivalOf<{ at: Date; toJSON(): { at: Date } }>().toEqualTypeOf<{ at: string }>()
    arrivalOf<{ toJSON(): Date[] }[]>().toEqualTypeOf<string[][]>()
    arrivalOf<{ toJSON(key: string): Map<string, Date> }>().toEqualTypeOf<{}>()
    arrivalOf<{ link: URL; at: Date | null }>().toEqualTypeOf<{ link: string; at: string | null }>()
    arrivalOf<{ toJSON(): UserId }>().toEqualTypeOf<UserId>()
  })
  it('is called once', () => {
    class Document {
      at = new Date()
      toJSON(): this {
        return this
      }
    }
    arrivalOf<Document>().toEqualTypeOf<{ at: string }>()
    arrivalOf<{ toJSON(): any }>().toBeAny()
  })
})

describe('what JSON leaves out', () => {
  it('has no property: methods, functions, classes and symbols', () => {
    class Account {
      readonly id = 1
      readonly #secret = 2
      static count = 0
      opened = new Date()
      note?: string
      listener?: () => void
      kind = Symbol('kind');
      [tag] = true
      format() {
        return `${this.id}${this.#secret}`
      }
      get age() {
        return 7
      }
    }
    arrivalOf<Account>().toEqualTypeOf<{
      readonly id: 1
      opened: string
      note?: string
      readonly age: number
    }>()
    arrivalOf<{ at: Date; Model: typeof Account; on: () => void }>().toEqualTypeOf<{ at: string }>()
    arrivalOf<{ at: Date; gone: undefined; never?: never }>().toEqualTypeOf<{
      at: string
      gone: undefined
      never?: never
    }>()
    arrivalOf<{ at: Date; text: string | (() => string) }>().toEqualTypeOf<{
      at: string
      text: string | undefined
    }>()
  })
  it('is null in a list', () => {
    arrivalOf<(string | undefined)[]>().toEqualTypeOf<(string | null)[]>()
    arrivalOf<readonly (Date | undefined)[]>().toEqualTypeOf<readonly (string | null)[]>()
    arrivalOf<[Date, () => void, symbol]>().toEqualTypeOf<[string, null, null]>()
    arrivalOf<readonly [at: Date, ...rest: undefined[]]>().toEqualTypeOf<
      readonly [at: string, ...rest: null[]]
    >()
    arrivalOf<[[undefined]][]>().toEqualTypeOf<[[null]][]>()
  })
  it('is empty: a Map, a Set and a RegExp', () => {
    arrivalOf<Map<string, number>>().toEqualTypeOf<{}>()
    arrivalOf<{ set: ReadonlySet<Date>; map: ReadonlyMap<1, 2>; like: RegExp }>().toEqualTypeOf<{
      set: {}
      map: {}
      like: {}
    }>()
    arrivalOf<{ weak: WeakMap<object, string>; set: WeakSet<object> }>().toEqualTypeOf<{
      weak: {}
      set: {}
    }>()
    arrivalOf<{ name: string; message: string; size: number; at: Date }>().toEqualTypeOf<{
      name: string
      message: string
      size: number
      at: string
    }>()
  })
  it("can't be sent at all: a bigint", () => {
    arrivalOf<{ total: bigint; count: number | bigint }>().toEqualTypeOf<{
      total: never
      count: number
    }>()
    arrivalOf<bigint[]>().toEqualTypeOf<never[]>()
  })
})

it('leaves alone what it can know nothing of', () => {
  arrivalOf<{ any: any; at: Date }>().toEqualTypeOf<{ any: any; at: string }>()
  arrivalOf<{ unknown: unknown; at: Date }>().toEqualTypeOf<{ unknown: unknown; at: string }>()
  arrivalOf<Record<string, any>>().toEqualTypeOf<Record<string, any>>()
  arrivalOf<Record<string, unknown>>().toEqualTypeOf<Record<string, unknown>>()
  arrivalOf<{ [key: string]: Date | number; at: Date }>().toEqualTypeOf<{
    [key: string]: string | number
    at: string
  }>()
  arrivalOf<null>().toEqualTypeOf<null>()
  arrivalOf<{ kind: 'a'; at: Date } | { kind: 'b'; color: Color }>().toEqualTypeOf<
    { kind: 'a'; at: string } | { kind: 'b'; color: Color }
  >()
})

describe("a schema's values", () => {
  /** What arrives of a response with the schema, with status 200 and with status 404. */
  const schemaArrival = <S>(_schema: S) => {
    type Action = { schema: { response: { 200: S; 404: S } }; handler(): unknown }
    const types = typesOf<Show<Action>>
    const client = createClient(routes, { baseUrl: '', version: 1, types })
    type Failure = Awaited<ReturnType<typeof client.users.show.result>>['error']
    return {
      ok: expectTypeOf<Awaited<ReturnType<typeof client.users.show>>>(),
      notFound: expectTypeOf<Extract<NonNullable<Failure>, { status: 404 }>['body']>(),
    }
  }
  it('arrive as JSON', () => {
    const { ok, notFound } = schemaArrival(
      z.object({
        at: z.date(),
        tags: z.map(z.string(), z.date()),
        total: z.bigint(),
        names: z.set(z.string()),
        id: ZodId,
        any: z.json(),
        list: z.array(z.date().nullable()),
      }),
    )
    type Arrived = {
      at: string
      tags: {}
      total: never
      names: {}
      id: ZodId
      any: z.core.util.JSONType
      list: (string | null)[]
    }
    ok.toEqualTypeOf<Arrived>()
    notFound.toEqualTypeOf<Arrived>()
    expectTypeOf<ClientError['body']>().toEqualTypeOf<unknown>()
  })
  it("are what the schema says, if they're JSON", () => {
    schemaArrival(Type.Object({ id: Type.Number() })).ok.toEqualTypeOf<{ id: number }>()
    schemaArrival(z.object({ id: z.number().optional() })).ok.toEqualTypeOf<{
      id?: number | undefined
    }>()
    schemaArrival({ type: 'object' }).ok.toEqualTypeOf<unknown>()
  })
})
