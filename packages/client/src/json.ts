// What arrives of a value that's sent as JSON.

/**
 * What `JSON.parse(JSON.stringify(value))` returns: `{ at: string }` for `{ at: Date }`. It's
 * `never` for a bigint, which JSON can't have. A type that's JSON already keeps its name, and
 * branded text its brand.
 */
export type Json<Value> = Value extends JsonData
  ? Value
  : Value extends { toJSON(...args: never[]): infer Encoded }
    ? Plain<Encoded>
    : Plain<Value>

type JsonData =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly JsonItem[]
  | { readonly [key: string]: JsonData }
type JsonItem = Exclude<JsonData, undefined>

/** JSON leaves these out of objects, and writes null for them in lists. */
type LeftOut =
  | symbol
  | ((...args: never[]) => unknown)
  | (abstract new (...args: never[]) => unknown)
/** Their contents aren't properties. */
type Empty = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | RegExp

/** JSON doesn't call the `toJSON` of what a `toJSON` returns. */
type Plain<Value> = Value extends JsonData
  ? Value
  : Value extends bigint
    ? never
    : Value extends LeftOut
      ? undefined
      : Value extends readonly (infer Item)[]
        ? List<Value, Item>
        : Value extends Empty
          ? {}
          : Value extends object
            ? Properties<Value, LeftOutIn<Value>>
            : Value

/** A mapped type makes a list of a list, but an object of a list with a brand. */
type List<Items extends readonly unknown[], Item> = Item[] extends Items
  ? Items extends unknown[]
    ? ItemOf<Item>[]
    : readonly ItemOf<Item>[]
  : { [Index in keyof Items]: ItemOf<Items[Index]> } extends infer Tuple extends readonly unknown[]
    ? Tuple
    : ItemOf<Item>[]
type ItemOf<Value> = Value extends LeftOut | undefined ? null : Json<Value>

/** TypeScript remembers where a property was declared, unless a mapped type renames its keys. */
type Properties<Value, Names> = [Names] extends [never]
  ? { [Name in keyof Value]: Json<Value[Name]> }
  : Picked<Value, Exclude<keyof Value, Names>>
type Picked<Value, Names extends keyof Value> = { [Name in Names]: Json<Value[Name]> }
/** The names of symbols, methods and the like. A property that's always undefined stays. */
type LeftOutIn<Value> = {
  [Name in keyof Value]-?: Name extends symbol
    ? Name
    : [Value[Name]] extends [undefined]
      ? never
      : [Value[Name]] extends [LeftOut | undefined]
        ? Name
        : never
}[keyof Value]
