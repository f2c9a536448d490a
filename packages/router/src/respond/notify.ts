import { assertFunction } from '../errors.ts'
import type { MatcherOptions } from '../match/options.ts'
import type { Match, Miss } from '../match/outcome.ts'
import type { Answer } from './answer.ts'
import type { Problem } from './problem.ts'

/**
 * The options that every adapter's `createRouter` takes from the core. `Target` is the request before it is routed, and `Native`
 * what the `problem` hook receives.
 */
export interface RoutingOptions<
  Request,
  Version extends number = number,
  Target = Request,
  Native extends readonly unknown[] = readonly any[],
> extends MatcherOptions<Target, Version> {
  /**
   * Called for every request to a path of the API, before the handler: with what serves it, or why nothing does. It must
   * return at once. Its errors are logged and do not change the response.
   *
   * @example onRouted: (found) => found.kind === 'match' && calls.inc({ version: found.version, source: found.source })
   */
  readonly onRouted?: (found: Match | Miss, request: Request) => void
  /**
   * Returns the body of a response to a request that no route serves, or a promise of it. The status stays. It may set headers
   * on the framework's response. Content-Type is `application/problem+json` unless it sets another.
   */
  readonly problem?: (problem: Problem, ...native: Native) => unknown
}

/** The declared versions of an API with this table, or any number when the table is not known. */
export type VersionOf<Table> = unknown extends Table ? number : keyof Table & number

/**
 * Creates the function that calls `onRouted`. Undefined without one, so that nothing is called then.
 *
 * @param log - receives what `onRouted` throws, or what a promise that it returns rejects with
 */
export function createNotify<Request>(
  onRouted: ((found: Match | Miss, request: Request) => unknown) | undefined,
  log: (error: unknown, request: Request) => void,
): ((answer: Answer<unknown>, request: Request) => void) | undefined {
  if (onRouted === undefined) return undefined
  assertFunction('createRouter()', 'onRouted', onRouted)
  return (answer, request) => {
    const found =
      answer.kind === 'action' ? answer.match : answer.kind === 'problem' ? answer.miss : null
    if (found === null) return
    try {
      const result = onRouted(found, request)
      if (result instanceof Promise) result.catch((error: unknown) => log(error, request))
    } catch (error) {
      log(error, request)
    }
  }
}
