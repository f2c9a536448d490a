import type { Api } from '../compile/api.ts'
import type { Row } from '../compile/route.ts'
import { httpDateOf } from '../declare/life.ts'
import type { Match, Miss } from '../match/outcome.ts'
import type { BoundAction } from './bind-actions.ts'
import { type Header, varyOnAccept } from './headers.ts'
import { contentTypeOf } from './media-type.ts'
import { type Problem, problemOf } from './problem.ts'

/** A route serves the request. */
export interface ActionAnswer<Action> {
  readonly kind: 'action'
  readonly match: Match
  readonly action: Action
  /** Content-Type of a JSON body whose type the handler does not set. */
  readonly type: string
  /** Headers of every response of the route, those of error handlers included. */
  readonly headers: readonly Header[]
}

/** No route serves the request. */
export interface ProblemAnswer {
  readonly kind: 'problem'
  readonly miss: Miss
  readonly status: number
  /** The body; null for a response without one (OPTIONS). */
  readonly problem: Problem | null
  readonly type: string
  readonly headers: readonly Header[]
}

/** The request is not this API's: no version has its path, or the `fallback` of the router serves it. */
export interface PassAnswer {
  readonly kind: 'pass'
  readonly miss: Miss
  readonly headers: readonly Header[]
}

/** The `defaultVersion` function failed. */
export interface ErrorAnswer {
  readonly kind: 'error'
  readonly error: unknown
  readonly headers: readonly Header[]
}

/** What an adapter does with a request. */
export type Answer<Action = BoundAction> = ActionAnswer<Action> | ProblemAnswer | PassAnswer | ErrorAnswer

/**
 * Creates the function that decides status, headers and body of a response. Adapters only translate its result.
 *
 * What rows of a version have in common is made once, and what a row has, on its first request.
 *
 * @param actions - the action of every row: a map, or anything with its `get`. It is called at most twice per row.
 */
export function createAnswer<Action>(
  api: Api,
  actions: Pick<ReadonlyMap<Row, Action>, 'get'>,
): (result: Match | Miss) => ActionAnswer<Action> | ProblemAnswer {
  type Prepared = Pick<ActionAnswer<Action>, 'action' | 'type' | 'headers'>
  const vendorRows = new Map<Row, Prepared>()
  const plainRows = new Map<Row, Prepared>()
  const { versions } = api.settings
  const plainType = contentTypeOf(api, 0, false)
  const vendorTypes = new Map(versions.map((version) => [version, contentTypeOf(api, version, true)]))
  const headersOf = new Map(
    versions.map((version): [number, readonly Header[]] => [
      version,
      [...varyOnAccept, ['api-version', String(version)]],
    ]),
  )

  return (result) => {
    if (result.kind === 'miss') return refuse(result)
    const rows = result.vendor ? vendorRows : plainRows
    let row = rows.get(result.route)
    if (row === undefined) rows.set(result.route, (row = prepare(result)))
    return { kind: 'action', match: result, action: row.action, type: row.type, headers: row.headers }
  }

  /** Reads the version of the frozen row: requests share the result, and the app may write to a match. */
  function prepare({ route, vendor }: Match): Prepared {
    const type = vendor ? vendorTypes.get(route.version)! : plainType
    const shared = headersOf.get(route.version)!
    return {
      action: actions.get(route)!,
      type,
      headers: route.life === null ? shared : [...shared, ...route.life.headers],
    }
  }

  function refuse(miss: Miss): ProblemAnswer {
    const { status, allow, life, until } = miss
    const headers: Header[] = [...varyOnAccept, ...(life?.headers ?? [])]
    if (allow !== undefined) headers.push(['allow', allow.join(', ')])
    // Caches may store a 410 (RFC 9110, section 15.5.11), but a brownout ends.
    if (until !== undefined)
      headers.push(['retry-after', httpDateOf(Math.ceil(until / 1000) * 1000)], ['cache-control', 'no-store'])
    const problem = status === 204 ? null : problemOf(api, miss)
    return { kind: 'problem', miss, status, problem, type: 'application/problem+json; charset=utf-8', headers }
  }
}
