import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RoutingOptions } from '@hv/router/adapter'
import type { Type } from '@nestjs/common'

/**
 * A controller's method. Its parameters can have any types, because decorators say what they are.
 */
type Action = (...decorated: any[]) => unknown

/** An API's controller classes: version → controller key → class. */
export type NestControllers<Table> = {
  [Version in keyof Table]: {
    [Key in keyof Table[Version]]: Type<{ [Name in keyof Table[Version][Key]]: Action }>
  }
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
   * How bodies with the vendor type are parsed on Express: the options of `express.json()`, except
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
