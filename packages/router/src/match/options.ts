import { assertFunction, assertObject } from '../errors.ts'

/** The options of `createMatcher`. */
export interface MatcherOptions<Request = unknown, Version extends number = number> {
  /**
   * The clock, in milliseconds since 1970. It is read only for routes and versions that end, and may go backwards.
   *
   * @default Date.now
   */
  readonly now?: () => number
  /**
   * Chooses the version of a request that leaves it open, such as the version to which an account is pinned. Null or
   * undefined means the default version. It is called only for such requests, and only for paths of the API. If it returns a
   * number that is not declared, the matcher throws, and a router responds with status 500. On Fastify it receives Node's
   * request, because Fastify creates its own when it has the route.
   */
  readonly pinVersion?: (request: Request) => Version | null | undefined
}

/** What an adapter adds to the options, from those of its framework. */
export interface PathOptions {
  /**
   * Whether `/API/Users` is another path than `/api/users`. Values keep their case, and constraints test them as they are.
   *
   * @default true
   */
  readonly caseSensitive?: boolean
}

export function assertOptions(where: string, options: MatcherOptions<never>): void {
  assertObject(where, 'options', 'an object', options)
  for (const option of ['now', 'pinVersion'] as const)
    if (options[option] !== undefined) assertFunction(where, option, options[option])
}
