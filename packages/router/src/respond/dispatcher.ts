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
 * @param request - what `pinVersion` and the `fallback` receive
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
  /** Lets a router be the `fallback` of another one. Returns it. */
  asFallback<Router extends object>(
    router: Router,
    answerOf: (request: Target) => Answer<Action>,
  ): Router
}

/** The options of `createRouter` that the dispatcher reads. */
export interface DispatcherOptions<
  Target = unknown,
  Request = Target,
  Native extends readonly unknown[] = [],
> extends RoutingOptions<Request, number, Target, Native> {
  /** The router that serves what this one does not: APIs of two vendors may share their paths. */
  readonly fallback?: unknown
}

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

/** A property of every router: whether it, or its fallback, serves a request. All copies of the packages share the symbol. */
const kServes = Symbol.for('@hv/router.serves')
interface MaybeRouter<Target> {
  readonly [kServes]?: (request: Target) => boolean
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
  const actions = bindActions(api, controllers, parts.actionOptions)
  const answerTo = createAnswer(
    api,
    parts.prepare?.(actions) ?? (actions as ReadonlyMap<Row, never>),
  )
  const fallbackServes = (options.fallback as MaybeRouter<Target> | undefined)?.[kServes]

  return {
    dispatch: dispatchWith(match),
    dispatchWith,
    notify: createNotify(options.onRouted, parts.log ?? ((error) => console.error(error))),

    async reply(answer, ...native) {
      const { status, problem, type } = (
        answer.kind === 'pass' ? answerTo(answer.miss) : answer
      ) as ProblemAnswer
      if (problem === null || options.problem === undefined) return { status, type, body: problem }
      try {
        return { status, type, body: await options.problem(problem, ...native) }
      } catch (error) {
        throw error || new Error('The problem hook failed.', { cause: error })
      }
    },

    asFallback(router, answerOf) {
      const serves = (request: Target): boolean => {
        const answer = answerOf(request)
        if (answer.kind !== 'pass') return answer.kind !== 'problem'
        return answer.miss.code !== 'unknown-path' || fallbackServes?.(request) === true
      }
      return Object.defineProperty(router, kServes, { value: serves })
    },
  }

  function dispatchWith(matchWith: typeof match): Dispatch<Target, Action> {
    let isMountChecked = false
    return (method, path, accept, request, mount = '') => {
      try {
        const result = matchWith(method, path, accept, request)
        const isUnknown = result.kind === 'miss' && result.code === 'unknown-path'
        isMountChecked ||=
          !isUnknown || warnOfMount(matchWith as Matcher['match'], api.settings.prefix, mount, path)
        if (isUnknown || (result.kind === 'miss' && fallbackServes?.(request) === true))
          return { kind: 'pass', miss: result, headers: varyOnAccept }
        return answerTo(result)
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
