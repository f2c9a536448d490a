// The type of a client. Nothing is computed until an action is used.
import type { SchemaValue } from '@hv/router'
import type { ClientError, ClientErrorOf } from './client-error.ts'

/** The client of a version: controller key → action → call. */
export type Client<Table, Version extends keyof Table, Controllers> = {
  readonly [Key in keyof Table[Version]]: {
    readonly [Name in keyof Table[Version][Key]]: CallOf<
      Table[Version][Key][Name],
      Get<Get<Get<Controllers, Version>, Key>, Name>
    >
  }
}

/** The options of every call, beside its parameters, query and body. */
export interface CallOptions {
  /** Headers of this request. They replace equal ones of the client. */
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

/** A method of the client: one action. The types of its errors are computed when `result` is used. */
export interface Call<Input, Output, Action = unknown> {
  /**
   * Sends the request and returns the body of the response.
   *
   * @throws ClientError for a status other than 2xx
   */
  (...input: Arguments<Input>): Promise<Output>
  /**
   * Returns the error instead of throwing it, typed by its status, and the response for its headers.
   *
   * @example
   * const { data, error } = await client.users.show.result({ id: 7 })
   * if (error?.status === 404) console.log(error.body)
   */
  result(...input: Arguments<Input>): Promise<Result<Output, ErrorOf<Action>>>
  /** Returns the response of any status with its body unread, for a stream or a file. */
  response(...input: Arguments<Input>): Promise<Response>
}

/** What a request led to: data, or an error. */
export type Result<Output, Failure extends ClientError = ClientError> =
  | { readonly data: Output; readonly error: null; readonly response: Response }
  | { readonly data: undefined; readonly error: Failure; readonly response: Response }

type Arguments<Input> = {} extends Input ? [input?: Input] : [input: Input]
type CallOf<Params, Action> = Call<InputOf<Params, Action>, OutputOf<Action>, Action>

type Get<T, Key extends PropertyKey> = T extends { [_ in Key]: infer Value } ? Value : unknown
type HandlerOf<Action> = Action extends (...args: never[]) => unknown
  ? Action
  : Get<Action, 'handler'>

// ---- what a call takes --------------------------------------------------------------------------

type InputOf<Params, Action> = Flat<
  { readonly [Name in keyof Params]: string | number } & Body<PartOf<Action, 'body', 'body'>> &
    Query<PartOf<Action, 'querystring', 'query'>> &
    CallOptions
>
/** Editors show one object in place of an intersection. */
type Flat<T> = T extends infer Parts ? { [Key in keyof Parts]: Parts[Key] } : never

/** The input type of the schema, else the type in the handler's request. */
type PartOf<Action, InSchema extends string, InRequest extends string> =
  Get<Action, 'schema'> extends { [_ in InSchema]: infer S }
    ? WithDefaults<SchemaValue<S, 'input', Get<RequestOf<Action>, InRequest>>, S>
    : Get<RequestOf<Action>, InRequest>
/** Properties whose schema has a default, as far as its type shows it, are optional. */
type WithDefaults<Value, S> = S extends { readonly properties: infer Properties }
  ? [DefaultsOf<Properties>] extends [never]
    ? Value
    : Omit<Value, DefaultsOf<Properties>> &
        Partial<Pick<Value, DefaultsOf<Properties> & keyof Value>>
  : Value
type DefaultsOf<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown } ? Name : never
}[keyof Properties] &
  PropertyKey
/** The `body` of a fetch Request is a stream, which says nothing about what it contains. */
type RequestOf<Action> =
  HandlerOf<Action> extends (request: infer Received, ...rest: never[]) => unknown
    ? Received extends { arrayBuffer(): unknown }
      ? unknown
      : Received
    : unknown

/** A declared body is required. */
type Body<T> = unknown extends T ? { readonly body?: unknown } : { readonly body: T }
/** A query is required if one of its parameters is. */
type Query<T> = unknown extends T
  ? { readonly query?: object }
  : {} extends T
    ? { readonly query?: T }
    : { readonly query: T }

// ---- what a call returns ------------------------------------------------------------------------

/** The output type of the schemas of 2xx, else the return type of the handler as JSON. */
type OutputOf<Action> =
  Get<Action, 'schema'> extends { response: infer Responses }
    ? IsUnknown<Success<Responses>> extends true
      ? Returned<Action>
      : Success<Responses>
    : Returned<Action>

/** Also when there is no 2xx. */
type IsUnknown<T> = [T] extends [never] ? true : unknown extends T ? true : false

/** A response of 204 or 205 has no body, whatever its schema is. */
type Success<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `2${infer Rest}`
    ? Rest extends '04' | '05'
      ? undefined
      : SchemaValue<Responses[Status], 'output'>
    : never
}[keyof Responses]

type Returned<Action> =
  HandlerOf<Action> extends (...args: never[]) => infer Value
    ? Payload<Exclude<Awaited<Value>, FrameworkResponse>>
    : unknown
type Payload<Value> = [Value] extends [never] ? unknown : Json<Value>

/** What handlers return instead of a payload: nothing, Fastify's reply, Express's response, or a fetch Response. */
type FrameworkResponse =
  | void
  | { sent: boolean; raw: unknown }
  | { headersSent: boolean }
  | { arrayBuffer(): unknown; headers: unknown }

/** The value after JSON.stringify and JSON.parse. */
type Json<Value> = Value extends { toJSON(): infer Encoded }
  ? Encoded
  : Value extends object
    ? { [Key in keyof Value]: Json<Value[Key]> }
    : Value

// ---- what a call fails with ---------------------------------------------------------------------

type ErrorOf<Action> =
  Get<Action, 'schema'> extends { response: infer Responses } ? ErrorIn<Responses> : ClientError

/** An error for each declared status, for each range, and for all other statuses. */
type ErrorIn<Responses> =
  | {
      [Key in keyof Responses]: ErrorWith<ErrorStatus<Key, keyof Responses>, Responses[Key]>
    }[keyof Responses]
  | ErrorWith<
      Exclude<StatusIn<2 | 3 | 4 | 5>, ErrorStatus<keyof Responses, never>>,
      Get<Responses, 'default'>
    >
type ErrorWith<Status extends number, S> = [Status] extends [never]
  ? never
  : ClientErrorOf<Status, SchemaValue<S, 'output'>>

/** The statuses of a key of `response`, unless it is a success: `404` itself, or those of `'4xx'` without `Others`. */
type ErrorStatus<Key, Others> = Key extends string | number
  ? `${Key}` extends `${infer First extends 3 | 4 | 5}${'xx' | 'XX'}`
    ? Exclude<StatusIn<First>, ErrorStatus<Extract<Others, number>, never>>
    : `${Key}` extends `${3 | 4 | 5}${string}`
      ? NumberOf<`${Key}`>
      : never
  : never
type StatusIn<First extends number> = NumberOf<`${First}${Digit}${Digit}`>
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never
