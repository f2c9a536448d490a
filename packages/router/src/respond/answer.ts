import type { Api } from '../compile/api.ts'
import type { Row } from '../compile/route.ts'
import { httpDateOf } from '../declare/life.ts'
import type { Match, Miss } from '../match/outcome.ts'
import type { Header } from './headers.ts'
import { contentTypeOf } from './media-type.ts'
import { type Problem, problemOf } from './problem.ts'

/** How an adapter answers a request: with the action of a match, or with the problem document of a miss. */
export type Answer<Action> =
  | {
      readonly kind: 'action'
      readonly action: Action
      /** Content-Type of a JSON body whose type the handler does not set. */
      readonly type: string
      /** Headers of every response of the route. */
      readonly headers: readonly Header[]
    }
  | {
      readonly kind: 'problem'
      readonly status: number
      /** The body; null for a response without one (OPTIONS). */
      readonly problem: Problem | null
      readonly type: string
      readonly headers: readonly Header[]
    }

/**
 * Creates the function that decides status, headers and body of a response. Adapters only translate its result.
 *
 * Answers to matches are made once per row and shared between requests. Those of a version share their headers and types.
 *
 * @param actions - the action of every row: a map, or anything with its `get`. It is called at most twice per row.
 */
export function createAnswer<Action>(
  api: Api,
  actions: Pick<ReadonlyMap<Row, Action>, 'get'>,
): (found: Match | Miss) => Answer<Action> {
  const vendorAnswers = new Map<Row, Answer<Action>>()
  const plainAnswers = new Map<Row, Answer<Action>>()
  const { versions } = api.settings
  const plainType = contentTypeOf(api, 0, false)
  const vendorTypes = new Map(versions.map((version) => [version, contentTypeOf(api, version, true)]))
  const headersOf = new Map(
    versions.map((version): [number, readonly Header[]] => [version, [varyOnAccept, ['api-version', String(version)]]]),
  )

  return (found) => {
    if (found.kind === 'miss') return refuse(found)
    const answers = found.vendor ? vendorAnswers : plainAnswers
    let answer = answers.get(found.route)
    if (answer === undefined) answers.set(found.route, (answer = serve(found)))
    return answer
  }

  /** Reads the version of the frozen row: all requests share the answer, and the app may write to a match. */
  function serve({ route, vendor }: Match): Answer<Action> {
    const type = vendor ? vendorTypes.get(route.version)! : plainType
    const shared = headersOf.get(route.version)!
    const headers = route.life === null ? shared : [...shared, ...route.life.headers]
    return { kind: 'action', action: actions.get(route)!, type, headers }
  }

  function refuse(miss: Miss): Answer<Action> {
    const { status, allow, life, until } = miss
    const headers: Header[] = [varyOnAccept, ...(life?.headers ?? [])]
    if (allow !== undefined) headers.push(['allow', allow.join(', ')])
    // Caches may store a 410 (RFC 9110, section 15.5.11), but a brownout ends.
    if (until !== undefined)
      headers.push(['retry-after', httpDateOf(Math.ceil(until / 1000) * 1000)], ['cache-control', 'no-store'])
    const problem = status === 204 ? null : problemOf(api, miss)
    return { kind: 'problem', status, problem, type: 'application/problem+json; charset=utf-8', headers }
  }
}

const varyOnAccept: Header = ['vary', 'Accept']
