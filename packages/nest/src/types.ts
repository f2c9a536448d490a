import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Before, Change, EventAction } from '@hv/router'
import type { RoutingOptions } from '@hv/router/adapter'
import type { InjectionToken, Type } from '@nestjs/common'

/**
 * A controller's method. Its parameters can have any types, because decorators say what they are.
 */
type Action = (...decorated: any[]) => unknown

/** An API's controller classes: version → controller key → class. */
export type NestControllers<Table> = {
  [Version in keyof Table]: ControllersIn<Table[Version]>
}
type ControllersIn<Keys> = { [Key in keyof Keys]: ControllerOf<keyof Keys[Key]> }

/**
 * A class with these actions. `before` knows them by name only, and a written class has no names.
 */
type ControllerOf<Names extends PropertyKey> =
  | (Type<{ [Name in Names]: Action }> & Partial<Pick<DerivedClass<Names>, typeof kActions>>)
  | DerivedClass<Names>

declare const kActions: unique symbol
/**
 * A class that `before` returns. What its actions return is unknown, because that isn't what the
 * newer ones return. So its instances are `any`: a class that extends it can return anything, and
 * doesn't need the keyword `override`.
 */
export interface DerivedClass<Names extends PropertyKey> extends Function {
  new (...args: any[]): any
  readonly [kActions]: { readonly [Name in Names]: unknown }
}

/** A controller that only has events, in an object. */
export type EventController = Readonly<Record<string, EventAction<any, any>>>

/** The controllers of the version before `Newer`. Only events keep the types of what they send. */
export type OlderControllers<Newer, Changes extends readonly Change[] = readonly Change[]> = {
  readonly [Key in keyof Newer]: Newer[Key] extends EventController
    ? Before<Newer, Changes>[Key]
    : DerivedClass<
        Newer[Key] extends DerivedClass<infer Names>
          ? Names
          : Newer[Key] extends Type<infer Controller>
            ? keyof Controller
            : never
      >
}

/** The options of `VersionedApiModule.forRoot`. `Version` is what `pinVersion` may return. */
export interface VersionedApiOptions<Version extends number = number> extends RoutingOptions<
  any,
  Version,
  IncomingMessage,
  [request: any, response: any]
> {
  /**
   * A path in front of the API's. Prefer the `path` option of `api()`, because clients, documents
   * and URLs know it.
   *
   * @default '' (none)
   */
  readonly prefix?: string
  /**
   * Whether `/API/Users` and `/api/users` are different paths on Express, where Nest's own routes
   * ignore case. On Fastify, the router follows `FastifyAdapter`'s option.
   *
   * @default true
   */
  readonly caseSensitive?: boolean
  /**
   * Provides what `createEvents` returns for this API under this token, so that services of any
   * module can inject it.
   *
   * @default undefined (not provided)
   * @example constructor(@Inject('EVENTS') events: Events<typeof routes, typeof controllers>) {}
   */
  readonly eventsToken?: InjectionToken
  /**
   * How bodies with the vendor type are parsed on Express: `express.json()`'s options, except
   * `type`. Nest's parser and its `rawBody` don't see these bodies. Fastify parses them like any
   * JSON.
   */
  readonly json?:
    | {
        /** In bytes, or as in `'1mb'`. @default '100kb' */
        readonly limit?: number | string
        readonly inflate?: boolean
        readonly strict?: boolean
        readonly verify?: (
          request: IncomingMessage,
          response: ServerResponse,
          body: Buffer,
          encoding: string,
        ) => void
      }
    | false
}
