import type { SchemaValue } from './schema.ts'

/**
 * A function type whose parameters are checked like a method's. So functions with narrower ones are
 * assignable, such as a handler that declares its body. TypeScript checks a function type strictly
 * unless it's taken from a method.
 */
export type Bivariant<F extends (...args: never) => unknown> = {
  method(...args: Parameters<F>): ReturnType<F>
}['method']

/**
 * The type of a validated part of a request, or `Default` if the action has no schema for it, or
 * one without a type.
 */
export type ValidatedPart<
  Schema,
  Part extends string,
  Default,
  Untyped = Default,
> = Schema extends {
  readonly [_ in Part]: infer PartSchema
}
  ? SchemaValue<PartSchema, 'output', Untyped>
  : Default

/** What `action()` returns. Clients see the type of its schema. */
export interface TypedAction<Handler, Schema> {
  readonly schema: Schema
  readonly handler: Handler
}
