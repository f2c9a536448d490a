// A client's type. TypeScript computes nothing of an action until it's used.
import type { SchemaValue } from '@hv/router'
import type { ClientError, ClientErrorOf } from './client-error.ts'
import type { Json } from './json.ts'

/**
 * A version's client: controller key → action → call. `Controllers` are those of this version only,
 * so that editors don't show the other versions'.
 */
export type Client<Table, Version extends keyof Table, Controllers> = {
  readonly [Key in keyof NonNullable<Table[Version]>]: {
    readonly [Name in keyof NonNullable<Table[Version]>[Key]]: CallOf<
      NonNullable<Table[Version]>[Key][Name],
      ActionIn<Get<Controllers, Key>, Name>
    >
  }
}

/** What every call takes besides its parameters, query and body. */
export interface CallOptions {
  /** This request's headers. They replace the client's. */
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

/**
 * A method of the client, which calls one action. The types of its errors are only computed if you
 * use `result`.
 */
export interface Call<Input, Output, Action = unknown> {
  /**
   * Sends the request and returns the response's body.
   *
   * @throws ClientError for a status other than 2xx, redirects included
   */
  (...input: Arguments<Input>): Promise<Output>
  /**
   * Returns the error instead of throwing it. Its type follows from its status. `response` has the
   * headers.
   *
   * @example
   * const { data, error } = await client.users.show.result({ id: 7 })
   * if (error?.status === 404) console.log(error.body)
   */
  result(...input: Arguments<Input>): Promise<Result<Output, ErrorOf<Action>>>
  /**
   * Returns the response, whatever its status, without reading its body. Use it for streams and
   * files.
   */
  response(...input: Arguments<Input>): Promise<Response>
}

/** Either data or an error. */
export type Result<Output, Failure extends ClientError = ClientError> =
  | { readonly data: Output; readonly error: null; readonly response: Response }
  | { readonly data: undefined; readonly error: Failure; readonly response: Response }

type Arguments<Input> = {} extends Input ? [input?: Input] : [input: Input]
type CallOf<Params, Action> = Call<InputOf<Params, Action>, OutputOf<Action>, Action>

export type Get<T, Key extends PropertyKey> = T extends { [_ in Key]: infer Value }
  ? Value
  : unknown
/**
 * An action. Nest's controllers are classes, whose decorators say what parameters are, so only what
 * a method returns has a type. It's unknown for a class that `before` derived.
 */
type ActionIn<Controller, Name extends PropertyKey> = Controller extends abstract new (
  ...args: never[]
) => infer Instance
  ? Get<Instance, Name> extends (...args: never[]) => infer Result
    ? () => Result extends Observable<infer Value> ? Value : Result
    : unknown
  : Get<Controller, Name>
/** What RxJS's type has, and a list doesn't. */
interface Observable<Value> {
  forEach(next: (value: Value) => void): Promise<void>
}
type HandlerOf<Action> = Action extends (...args: never[]) => unknown
  ? Action
  : Get<Action, 'handler'>

// ---- what a call takes --------------------------------------------------------------------------

type InputOf<Params, Action> = Flat<
  { readonly [Name in keyof Params]: string | number } & Body<PartOf<Action, 'body', 'body'>> &
    Query<PartOf<Action, 'querystring', 'query'>> &
    CallOptions
>
/** Makes editors show one object, rather than an intersection. */
type Flat<T> = T extends infer Parts ? { [Key in keyof Parts]: Parts[Key] } : never

/**
 * The schema's input type. Without a schema, the type in the handler's request: `body` in
 * `Request<{}, {}, { name: string }>`.
 */
type PartOf<Action, InSchema extends string, InRequest extends string> =
  Get<Action, 'schema'> extends { [_ in InSchema]: infer S }
    ? WithDefaults<SchemaValue<S, 'input', Get<RequestOf<Action>, InRequest>>, S>
    : Get<RequestOf<Action>, InRequest>
/**
 * Properties whose schema has a default are optional, if the schema's type shows it: with
 * `{ properties: { page: { type: 'number', default: 1 } } }`, `page` is.
 */
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
/** A fetch Request's `body` is a stream, whose type doesn't tell what it contains. */
type RequestOf<Action> =
  HandlerOf<Action> extends (request: infer Received, ...rest: never[]) => unknown
    ? Received extends { arrayBuffer(): unknown }
      ? unknown
      : Received
    : unknown

/** A declared body is required. */
type Body<T> = unknown extends T ? { readonly body?: unknown } : { readonly body: T }
/** The query is required if any of its parameters is. */
type Query<T> = unknown extends T
  ? { readonly query?: object }
  : {} extends T
    ? { readonly query?: T }
    : { readonly query: T }

// ---- what a call returns ------------------------------------------------------------------------

/**
 * The output type of the 2xx responses' schemas. Without those, what the handler returns, as JSON.
 */
type OutputOf<Action> =
  Get<Action, 'schema'> extends { response: infer Responses }
    ? IsUnknown<Success<Responses>> extends true
      ? Returned<Action>
      : Success<Responses>
    : Returned<Action>

/** Also true for `never`, which is what `Success` gives without a 2xx response. */
type IsUnknown<T> = [T] extends [never] ? true : unknown extends T ? true : false

/** 204 and 205 responses have no body, whatever their schema is. */
type Success<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `2${infer Rest}`
    ? Rest extends '04' | '05'
      ? undefined
      : Json<SchemaValue<Responses[Status], 'output'>>
    : never
}[keyof Responses]

type Returned<Action> =
  HandlerOf<Action> extends (...args: never[]) => infer Value
    ? Payload<Exclude<Awaited<Value>, FrameworkResponse>>
    : unknown
type Payload<Value> = [Value] extends [never] ? unknown : Json<Value>

/**
 * What handlers return when it isn't the payload: nothing, Fastify's reply, Express's response, a
 * fetch Response, or Nest's StreamableFile.
 */
type FrameworkResponse =
  | void
  | { sent: boolean; raw: unknown }
  | { headersSent: boolean }
  | { arrayBuffer(): unknown; headers: unknown }
  | { getStream(): unknown; getHeaders(): unknown }

// ---- what a call fails with ---------------------------------------------------------------------

type ErrorOf<Action> =
  Get<Action, 'schema'> extends { response: infer Responses } ? ErrorIn<Responses> : ClientError

/**
 * A union of errors: one for each declared status, one for each range, and one for all other
 * statuses. For `{ 404: NotFound, '4xx': Refused }`, `error.status === 404` makes `error.body` a
 * `NotFound`.
 */
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
  : ClientErrorOf<Status, Json<SchemaValue<S, 'output'>>>

/**
 * The error statuses that a key of `response` covers: `404` is itself, and `'4xx'` is all from 400
 * to 499 but `Others`.
 */
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
