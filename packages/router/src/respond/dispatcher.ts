import type { Api } from '../compile/api.ts'
import type { Row } from '../compile/route.ts'
import { assertKnown } from '../errors.ts'
import { type Matcher, createMatcher } from '../match/matcher.ts'
import { assertOptions } from '../match/options.ts'
import { type Answer, type PassAnswer, type ProblemAnswer, createAnswer } from './answer.ts'
import { type BoundAction, bindActions } from './bind-actions.ts'
import { varyOnAccept } from './headers.ts'
import { type RoutingOptions, createNotify } from './notify.ts'

/**
 * Decides what an adapter does with a request.
 *
 * @param path - the request target as the framework shows it to middleware, without the path where
 *   the router is mounted
 * @param request - what `pinVersion` receives
 * @param mount - the path where the router is mounted. If the API's paths also start with it, the
 *   app gets a warning, once
 */
export type Dispatch<Target, Action> = (
  method: string,
  path: string,
  accept: string | undefined,
  request: Target,
  mount?: string,
) => Answer<Action>

/** The response to a request that no route serves. */
export interface Reply {
  readonly status: number
  /** The Content-Type, unless the `problem` hook sets a different one. */
  readonly type: string
  /**
   * The problem document, or what the hook returns instead. Null if the response has no body
   * (OPTIONS, redirects).
   */
  readonly body: unknown
}

/** What {@link createDispatcher} returns. */
export interface Dispatcher<Target, Request, Native extends readonly unknown[], Action> {
  /** Each row's action, as the adapter has prepared it. */
  readonly actions: Pick<ReadonlyMap<Row, Action>, 'get'>
  readonly dispatch: Dispatch<Target, Action>
  /** Creates `dispatch` with a different matcher for the API. */
  dispatchWith(match: Matcher<Target>['match']): Dispatch<Target, Action>
  /** Calls the app's `onRouted`. Undefined if it has none. */
  readonly notify: ((answer: Answer<Action>, request: Request) => void) | undefined
  /**
   * Asks the `problem` hook for a refusal's body. Set the status before you call this, so that the
   * hook sees it, and again afterwards, in case the hook changed it, which it isn't supposed to do.
   * The hook may have sent the response itself.
   *
   * @param native - what the hook receives after the problem document
   * @throws what the hook throws, or an Error if that's falsy
   */
  reply(answer: ProblemAnswer | PassAnswer, ...native: Native): Promise<Reply>
}

/** The options of `createRouter` that the dispatcher reads. */
export type DispatcherOptions<
  Target = unknown,
  Request = Target,
  Native extends readonly unknown[] = [],
> = RoutingOptions<Request, number, Target, Native>

/** What differs between adapters. */
export interface AdapterParts<Request, Action> {
  /**
   * The adapter's package. Actions that a different adapter's `action()` made with {@link madeBy}
   * are then an error.
   */
  readonly name?: string
  /** The names of the options that only its `createRouter` has. */
  readonly options?: readonly string[]
  /**
   * The names of an action's options besides `schema` and `handler`. Leave them out if the
   * framework checks options.
   */
  readonly actionOptions?: readonly string[]
  /**
   * Prepares the actions, once, at start-up. `get()` is called on each row's first request.
   * Default: the actions stay as they are
   */
  readonly prepare?: (
    actions: ReadonlyMap<Row, BoundAction>,
  ) => Pick<ReadonlyMap<Row, Action>, 'get'>
  /**
   * Whether paths with an extension are served even if the API declares no `formats`. Set it only
   * if the framework's middleware sees paths without it; otherwise, they redirect. Default: false
   */
  readonly servesExtensions?: boolean
  /** Receives what `onRouted` throws. Default: `console.error` */
  readonly log?: (error: unknown, request: Request) => void
}

declare const console: { error(error: unknown): void }
/** Only Node, Bun and Deno have it. */
declare const process:
  | { emitWarning?(text: string, options: { readonly code: string }): void }
  | undefined

/** The options of every adapter's `createRouter`. */
const optionNames = Object.keys({
  problem: true,
  onRouted: true,
  pinVersion: true,
  now: true,
} satisfies Record<keyof RoutingOptions<unknown>, true>)

/**
 * Creates what all adapters share. It checks the options and the controllers, matches requests, and
 * decides the responses' status, headers and body. All that's left for the adapter is to read the
 * request, call the action or send the reply, and add the headers.
 *
 * @param controllers - version → controller key → action
 * @throws RouterError HV_OPTION; HV_MISSING_ACTIONS if the controllers lack one of the routes'
 *   actions
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
  assertOptions('createRouter()', options)
  assertKnown('createRouter()', options, [...optionNames, ...(parts.options ?? [])])
  const bound = bindActions(api, controllers, parts.actionOptions, parts.name)
  const redirectsExtensions = parts.servesExtensions !== true
  const { match } = createMatcher(api, { ...options, redirectsExtensions })
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
 * Warns if a router is mounted at the path that its API already has, as in `app.use('/api',
 * router)` and `app.register(router, { prefix: '/api' })`. The paths then start with `/api/api`.
 *
 * @param apiPath - the API's path prefix: `/api`, or `''`
 * @param path - a path below the mount path that no version has
 * @returns whether it has warned. It does if the API has the path that consists of the mount path's
 *   end and `path`
 */
function warnOfMount(
  match: Matcher['match'],
  apiPath: string,
  mount: string,
  path: string,
): boolean {
  const start = apiPath === '' ? -1 : mount.lastIndexOf(apiPath)
  if (start < 0) return false
  const result = match('OPTIONS', mount.slice(start) + path, undefined)
  if (result.kind === 'miss' && result.code === 'unknown-path') return false
  if (typeof process === 'object')
    process.emitWarning?.(
      `The versioned router is mounted at '${mount}', and its API's paths also start with ` +
        `'${apiPath}', so they start with '${mount}${apiPath}' now. ` +
        "Set { path: '' } in api(), or leave out the mount path (on Fastify, the prefix).",
      { code: 'HV_MOUNT' },
    )
  return true
}
