// The types of events: what an API sends by itself.
import type { KeyOfAny } from './hrefs.ts'
import type { ActionSchema, Schema, SchemaValue } from './schema.ts'

/** What an event's handler learns besides its argument. */
export interface EventContext {
  /** The receiver's version. */
  readonly version: number
}

/** What documents say about an event. */
export type EventDescription = Pick<
  ActionSchema,
  'summary' | 'description' | 'tags' | 'operationId' | 'deprecated' | 'externalDocs' | 'hide'
>

/** An event's handler, and what documents say about the event. */
export interface EventOptions<Input, Payload> extends EventDescription {
  /**
   * Makes the payload from what the app passes. It can't be async. Older versions that `before`
   * derives get the payload from the same handler, converted.
   *
   * @default (payload) => payload
   */
  readonly handler?: (input: Input, context: EventContext) => Payload
}

/** A value whose lists and objects may be readonly, as those of literals are. */
export type Readable<Value> = unknown extends Value
  ? Value
  : { readonly [Key in keyof Value]: Readable<Value[Key]> }

/** An action that no request calls. Its payload has the type of the schema. */
export interface EventAction<S extends Schema, Input> {
  readonly event: true
  readonly schema: { readonly response: { readonly default: S } }
  readonly handler: (input: Input, context: EventContext) => unknown
}

interface AnyEvent {
  readonly event: true
  readonly schema: { readonly response: { readonly default: unknown } }
  readonly handler: (input: never, context: EventContext) => unknown
}

/**
 * The payload of an event, as one version's receivers get it. For several events, it's a union.
 *
 * @example
 * type UserCreatedV1 = PayloadOf<typeof v1.users.created>
 * type AnyPayloadV1 = PayloadOf<(typeof v1.users)[keyof typeof v1.users]>
 */
export type PayloadOf<Event> = Event extends AnyEvent
  ? SchemaValue<Event['schema']['response']['default'], 'output'>
  : never

/**
 * What `createEvents` returns for a route file's API and its controllers.
 *
 * @example type AppEvents = Events<typeof routes, typeof controllers>
 */
export type Events<Routes, C> = EventsOf<
  Routes extends { readonly '~table'?: infer T } ? T : unknown,
  C
>

/** The functions that make an API's payloads: controller key → event → function. */
export type EventsOf<Table, C> = {
  readonly [Key in KeyOfAny<C> as [NamesIn<At<C[keyof C], Key>>] extends [never] ? never : Key]: {
    readonly [Name in NamesIn<At<C[keyof C], Key>>]: MakePayload<Table, C, Key, Name>
  }
}

/** The result is null if the version doesn't have the event. */
type MakePayload<Table, C, Key, Name> = <Version extends number>(
  input: InputOf<At<At<C[keyof C], Key>, Name>>,
  options: { readonly version: DeclaredIn<Table, Version> },
) => Made<
  At<
    At<
      | (Version extends keyof C ? C[Version] : undefined)
      | (number extends Version ? C[keyof C] : never),
      Key
    >,
    Name
  >
>

/** A member of each object of a union, or undefined. */
type At<Union, Key> = Union extends { readonly [_ in Key & PropertyKey]: infer Member }
  ? Member
  : undefined
/** `loadControllers` has never as each action's type. */
type NamesIn<Controllers> = Controllers extends unknown
  ? {
      [Name in keyof Controllers]: [Controllers[Name]] extends [never]
        ? never
        : Controllers[Name] extends AnyEvent
          ? Name
          : never
    }[keyof Controllers]
  : never
/** What the handlers of all versions accept. */
type InputOf<Union> = [Extract<Union, AnyEvent>['handler']] extends [
  (input: infer Input, context: never) => unknown,
]
  ? Input
  : never
type Made<Event> = Event extends AnyEvent ? PayloadOf<Event> : null

/** Only accepts declared versions. A `number` that isn't a literal is checked at run time. */
export type DeclaredIn<Table, Version extends number> = number extends Version
  ? Version
  : unknown extends Table
    ? Version
    : Version & keyof Table
