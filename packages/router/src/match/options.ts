import { assertFunction, assertObject } from '../errors.ts'

/** The options of `createMatcher`. */
export interface MatcherOptions<Request = unknown, Version extends number = number> {
  /**
   * The clock, in milliseconds since 1970. It's only read if a version or route has a sunset, and
   * it may go back.
   *
   * @default Date.now
   */
  readonly now?: () => number
  /**
   * Chooses the version of a request that doesn't ask for one, such as the version that an account
   * started with. Null and undefined mean the default version. It's only called for such requests,
   * and only for the API's paths. If it returns an undeclared version, the matcher throws, and a
   * router responds with status 500. On Fastify it receives Node's request, because Fastify only
   * creates its own once the route is known.
   */
  readonly pinVersion?: (request: Request) => Version | null | undefined
}

/** Options that adapters set, depending on their framework. */
export interface PathOptions {
  /**
   * Whether `/API/Users` and `/api/users` are different paths. Values keep their case, and
   * constraints test them as sent.
   *
   * @default true
   */
  readonly caseSensitive?: boolean
  /**
   * Whether a path with an extension is a miss that redirects to the same path without it, unless
   * the API declares `formats`. Middleware for `/users` doesn't run for `/users.json`, so no
   * handler should either.
   *
   * @default false
   */
  readonly redirectsExtensions?: boolean
}

export function assertOptions(where: string, options: MatcherOptions<never>): void {
  assertObject(where, 'options', 'an object', options)
  assertFunction(where, 'now', options.now)
  assertFunction(where, 'pinVersion', options.pinVersion)
}
