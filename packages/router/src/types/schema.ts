// An action's `schema`, and the types of the values that it describes.

/**
 * A JSON Schema, which includes TypeBox's, or a schema from a library with Standard JSON Schema:
 * zod, ArkType, Valibot.
 *
 * @see https://standardschema.dev/json-schema
 */
export type Schema = object | boolean

/**
 * What an action accepts and returns. On every adapter, it has the shape of Fastify's route schema.
 */
export interface ActionSchema {
  /** The request body. */
  readonly body?: Schema
  /** The query parameters, as one object. */
  readonly querystring?: Schema
  /** The path parameters, as one object. */
  readonly params?: Schema
  /** The request headers, as one object. */
  readonly headers?: Schema
  /** By status: `200`, `'2xx'`, `'default'`. */
  readonly response?: Readonly<Record<string | number, Schema>>

  // Only documents need the rest.
  /** Headers of successful responses, by name. */
  readonly responseHeaders?: Readonly<Record<string, Schema>>
  /** One line about the operation. */
  readonly summary?: string
  /** More about the operation. Markdown. */
  readonly description?: string
  /** Default: the controller key. */
  readonly tags?: readonly string[]
  /** Default: `users.show`. */
  readonly operationId?: string
  /** Marks the operation as deprecated. */
  readonly deprecated?: boolean
  /** The operation's security requirements. Default: the document's. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** A link to further documentation. */
  readonly externalDocs?: object
  /** Leaves the action out of documents. */
  readonly hide?: boolean
  /** Media types of the request body. Default: `application/json` and the vendor type. */
  readonly consumes?: readonly string[]
}

/** `input` is the value that a client sends, `output` what validation makes of it. */
export type SchemaDirection = 'input' | 'output'

declare global {
  namespace HvRouter {
    /**
     * How each library types its schemas' values: the type, or `never` if it's another library's
     * schema. Add a property to support one more library.
     *
     * @example
     * declare global {
     *   namespace HvRouter {
     *     interface SchemaTypes<S, Direction extends 'input' | 'output'> {
     *       yup: S extends import('yup').Schema<infer Value> ? Value : never
     *     }
     *   }
     * }
     */
    interface SchemaTypes<S, Direction extends 'input' | 'output'> {
      // A program with ES modules and CommonJS sees this declaration twice, and TypeScript takes
      // two conditional types for different ones even if they're equal.
      /** @ts-ignore */
      standard: S extends { '~standard': { types?: infer Types } }
        ? NonNullable<Types> extends { [_ in Direction]: infer Value }
          ? Value
          : never
        : never
      /** @ts-ignore TypeBox 0.34 */
      static: S extends { static: unknown; params: unknown[] } ? S['static'] : never
      // To infer an action's types, the compiler compares this for two schemas. With `S` in place of
      // `T`, it would compare what TypeBox computes from them, which takes five seconds.
      /** @ts-ignore TypeBox 1 */
      kind: S extends infer T extends { '~kind': string } ? TypeBoxValue<T> : never
    }
  }
}

// If TypeBox 1 isn't installed, these two types are errors, which we tell TypeScript to ignore.
/** @ts-ignore */
type TypeBoxSchema = import('typebox').TSchema
/** @ts-ignore */
type TypeBoxStatic<S> = import('typebox').Static<S>
/**
 * `string` for TypeBox's `TString`. If TypeBox isn't installed, it's `never`: an error's type is
 * `any`, which extends everything, while TypeBox's own type has no such property.
 */
type TypeBoxValue<S> = [TypeBoxSchema] extends [{ readonly '~hv-none': never }]
  ? never
  : TypeBoxStatic<S>

/** The type of a schema's values, or `Unknown` if no library recognizes the schema. */
export type SchemaValue<S, Direction extends SchemaDirection, Unknown = unknown> = [
  ValueIn<S, Direction>,
] extends [never]
  ? Unknown
  : ValueIn<S, Direction>

type ValueIn<S, Direction extends SchemaDirection> = HvRouter.SchemaTypes<
  S,
  Direction
>[keyof HvRouter.SchemaTypes<S, Direction>]
