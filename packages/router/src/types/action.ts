import type { SchemaValue } from './schema.ts'

/**
 * A function type with method parameters: a function that declares narrower ones is assignable, such as a handler that declares
 * its body. Indexing a method is the only way to write it; a property of a function type is checked strictly.
 */
export type Bivariant<F extends (...args: never) => unknown> = {
  method(...args: Parameters<F>): ReturnType<F>
}['method']

/** The type of a validated part of a request; `Default` when the action has no schema for it, or one without a type. */
export type ValidatedPart<
  Schema,
  Part extends string,
  Default,
  Untyped = Default,
> = Schema extends {
  readonly [_ in Part]: infer Own
}
  ? SchemaValue<Own, 'output', Untyped>
  : Default

/** What `action()` returns: an action as a controller holds it. The type of its schema is the type that a client sees. */
export interface TypedAction<Handler, Schema> {
  readonly schema: Schema
  readonly handler: Handler
}
