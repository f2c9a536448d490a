import type { Api } from '../compile/api.ts'
import type { Row } from '../compile/route.ts'
import { assertKnown, assertObject } from '../errors.ts'
import { type Matcher, createMatcher } from '../match/matcher.ts'
import { type Answer, type PassAnswer, type ProblemAnswer, createAnswer } from './answer.ts'
import { type BoundAction, bindActions } from './bind-actions.ts'
import { varyOnAccept } from './headers.ts'
import { type RoutingOptions, createNotify } from './notify.ts'

/**
 * Decides what an adapter does with a request.
 *
 * @param path - the request target as the framework shows it to other middleware, without the path where the router is mounted
 * @param request - what `pinVersion` receives
 * @param mount - the path where the router is mounted. It warns once if the paths of the API start with it, too
 */
export type Dispatch<Target, Action> = (
  method: string,
  path: string,
  accept: string | undefined,
  request: Target,
  mount?: string,
) => Answer<Action>

/** The response to a refused request. */
export interface Reply {
  readonly status: number
  /** Content-Type, unless the `problem` hook sets another. */
  readonly type: string
  /** The problem document, or what the hook returns in its place. Null for a response without a body (OPTIONS). */
  readonly body: unknown
}

/** What {@link createDispatcher} returns. */
export interface Dispatcher<Target, Request, Native extends readonly unknown[], Action> {
  /** Each row's action, as the adapter has prepared it. */
  readonly actions: Pick<ReadonlyMap<Row, Action>, 'get'>
  readonly dispatch: Dispatch<Target, Action>
  /** Creates `dispatch` with another matcher of the API. */
  dispatchWith(match: Matcher<Target>['match']): Dispatch<Target, Action>
  /** Calls `onRouted`. Undefined without one, so that nothing is called then. */
  readonly notify: ((answer: Answer<Action>, request: Request) => void) | undefined
  /**
   * Asks the `problem` hook for the body of a refusal. Set the status before, so that the hook sees it, and again afterwards:
   * the status stays. The hook may have sent the response itself.
   *
   * @param native - what the hook receives after the problem document
   * @throws what the hook throws, and an Error in place of a falsy value
   */
  reply(answer: ProblemAnswer | PassAnswer, ...native: Native): Promise<Reply>
}

/** The options of `createRouter` that the dispatcher reads. */
export type DispatcherOptions<
  Target = unknown,
  Request = Target,
  Native extends readonly unknown[] = [],
> = RoutingOptions<Request, number, Target, Native>

/** What one adapter has beside what all have. */
export interface AdapterParts<Request, Action> {
  /** Its own options of `createRouter`. */
  readonly options?: readonly string[]
  /** Its options of an action, beside `schema` and `handler`. Without the list, the framework checks them. */
  readonly actionOptions?: readonly string[]
  /** Prepares the actions, once, at start-up. `get` is called on the first request of a row. Default: the bound actions */
  readonly prepare?: (
    actions: ReadonlyMap<Row, BoundAction>,
  ) => Pick<ReadonlyMap<Row, Action>, 'get'>
  /** Receives what `onRouted` throws. Default: `console.error` */
  readonly log?: (error: unknown, request: Request) => void
}

declare const console: { error(error: unknown): void }
/** Node, Bun and Deno have it. */
declare const process:
  | { emitWarning?(text: string, options: { readonly code: string }): void }
  | undefined

/**
 * Creates what all adapters share. It checks the options and the controllers, matches requests, and decides status, headers and
 * body of the responses. An adapter reads a request, calls the action or sends the reply, and adds the headers.
 *
 * @param controllers - version → controller key → action
 * @throws RouterError HV_OPTION; HV_MISSING_ACTIONS when the controllers lack an action of the routes
 * @example const { dispatch, notify, reply } = createDispatcher(routes, controllers, options)
 */
export function createDispatcher<
  Target = unknown,
  Request = Target,
  Native extends readonly unknown[] = [],
  Action = BoundAction,
>(
  api: Api,
  controllers: object,
  options: DispatcherOptions<Target, Request, Native>,
  parts: AdapterParts<Request, Action> = {},
): Dispatcher<Target, Request, Native, Action> {
  assertObject('createRouter()', 'options', 'an object', options)
  assertKnown('createRouter()', options, [
    'problem',
    'onRouted',
    'pinVersion',
    'now',
    ...(parts.options ?? []),
  ])
  const { match } = createMatcher(api, options)
  const bound = bindActions(api, controllers, parts.actionOptions)
  const actions = parts.prepare?.(bound) ?? (bound as ReadonlyMap<Row, never>)
  const { serve, refuse } = createAnswer<Action>(api, actions)

  return {
    actions,
    dispatch: dispatchWith(match),
    dispatchWith,
    notify: createNotify(options.onRouted, parts.log ?? ((error) => console.error(error))),

    async reply(answer, ...native) {
      const { status, problem, type } = answer.kind === 'pass' ? refuse(answer.miss) : answer
      if (problem === null || options.problem === undefined) return { status, type, body: problem }
      try {
        return { status, type, body: await options.problem(problem, ...native) }
      } catch (error) {
        throw error || new Error('The problem hook failed.', { cause: error })
      }
    },
  }

  function dispatchWith(matchWith: typeof match): Dispatch<Target, Action> {
    let isMountChecked = false
    return (method, path, accept, request, mount = '') => {
      try {
        const result = matchWith(method, path, accept, request)
        if (result.kind === 'miss' && result.code === 'unknown-path') {
          isMountChecked ||= warnOfMount(matchWith, api.settings.prefix, mount, path)
          return { kind: 'pass', miss: result, headers: varyOnAccept }
        }
        isMountChecked = true
        return result.kind === 'match' ? serve(result) : refuse(result)
      } catch (thrown) {
        const error = thrown || new Error('pinVersion failed', { cause: thrown })
        return { kind: 'error', error, headers: varyOnAccept }
      }
    }
  }
}

/**
 * Warns when a router is mounted at the path that its API has already, such as `app.use('/api', router)` or
 * `app.register(router, { prefix: '/api' })`: the paths then start with `/api/api`.
 *
 * @param apiPath - the path prefix of the API: `/api`, or `''`
 * @param path - a path below the mount path that no version has
 * @returns whether it has warned: the API has the path with the end of the mount path in front
 */
function warnOfMount(
  match: Matcher['match'],
  apiPath: string,
  mount: string,
  path: string,
): boolean {
  const start = apiPath === '' ? -1 : mount.lastIndexOf(apiPath)
  if (start < 0) return false
  const found = match('OPTIONS', mount.slice(start) + path, undefined)
  if (found.kind === 'miss' && found.code === 'unknown-path') return false
  if (typeof process === 'object')
    process.emitWarning?.(
      `The versioned router is mounted at '${mount}', and the paths of its API start with '${apiPath}' too, so they start with ` +
        `'${mount}${apiPath}' now. Set { path: '' } in api(), or mount the router without a path.`,
      { code: 'HV_MOUNT' },
    )
  return true
}
