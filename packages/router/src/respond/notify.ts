import { assertFunction } from '../errors.ts'
import type { MatcherOptions } from '../match/options.ts'
import type { Match, Miss } from '../match/outcome.ts'
import type { Answer } from './answer.ts'
import type { Problem } from './problem.ts'

/**
 * The options that every adapter's `createRouter` takes. `Target` is the request before it's
 * routed, and `Native` is what the `problem` hook receives after the problem document.
 */
export interface RoutingOptions<
  Request,
  Version extends number = number,
  Target = Request,
  Native extends readonly unknown[] = readonly any[],
> extends MatcherOptions<Target, Version> {
  /**
   * Called for every request to one of the API's paths, before the handler. It receives the match
   * that serves the request, or the miss that says why nothing does. The response waits until the
   * hook returns. If the hook fails, the error is logged, and the response stays the same.
   *
   * @example onRouted: (found) => found.kind === 'match' && calls.inc({ version: found.version })
   */
  readonly onRouted?: (found: Match | Miss, request: Request) => void
  /**
   * Returns the body for a request that no route serves, or a promise for it. The hook can't change
   * the status, but it can set headers on the framework's response, such as a Content-Type other
   * than `application/problem+json`.
   */
  readonly problem?: (problem: Problem, ...native: Native) => unknown
}

/** The versions that an API with this table declares, or any number if the table is unknown. */
export type VersionOf<Table> = unknown extends Table ? number : keyof Table & number

/**
 * Creates the function that calls `onRouted`. Undefined if the app has none, so that nothing is
 * called.
 *
 * @param log - receives what `onRouted` throws, or what its promise rejects with
 */
export function createNotify<Request>(
  onRouted: ((found: Match | Miss, request: Request) => unknown) | undefined,
  log: (error: unknown, request: Request) => void,
): ((answer: Answer<unknown>, request: Request) => void) | undefined {
  if (onRouted === undefined) return undefined
  assertFunction('createRouter()', 'onRouted', onRouted)
  return (answer, request) => {
    if (answer.kind === 'pass' || answer.kind === 'error') return
    try {
      const result = onRouted(answer.kind === 'action' ? answer.match : answer.miss, request)
      if (result instanceof Promise) result.catch((error: unknown) => log(error, request))
    } catch (error) {
      log(error, request)
    }
  }
}
