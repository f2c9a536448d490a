import type { Api } from '../compile/api.ts'
import type { Row } from '../compile/route.ts'
import { httpDateOf } from '../declare/life.ts'
import type { Match, Miss } from '../match/outcome.ts'
import type { BoundAction } from './bind-actions.ts'
import { type Header, varyOnAccept } from './headers.ts'
import { plainContentType, vendorContentType } from './media-type.ts'
import { type Problem, problemOf } from './problem.ts'

/** A route serves the request. */
export interface ActionAnswer<Action> {
  readonly kind: 'action'
  readonly match: Match
  readonly action: Action
  /** The Content-Type for a JSON body, unless the handler sets one. */
  readonly type: string
  /** Headers for every response of the route, even if an error handler sends it. */
  readonly headers: readonly Header[]
}

/** No route serves the request. */
export interface ProblemAnswer {
  readonly kind: 'problem'
  readonly miss: Miss
  readonly status: number
  /** The body. Null if the response has none, as for OPTIONS and redirects. */
  readonly problem: Problem | null
  readonly type: string
  readonly headers: readonly Header[]
}

/** No version has the path, so the rest of the app may serve the request. */
export interface PassAnswer {
  readonly kind: 'pass'
  readonly miss: Miss
  readonly headers: readonly Header[]
}

/** The `pinVersion` function failed. */
export interface ErrorAnswer {
  readonly kind: 'error'
  readonly error: unknown
  readonly headers: readonly Header[]
}

/** What an adapter has to do with a request. */
export type Answer<Action = BoundAction> =
  | ActionAnswer<Action>
  | ProblemAnswer
  | PassAnswer
  | ErrorAnswer

/**
 * Creates the functions that turn a match and a miss into the status, headers and body of a
 * response. Adapters only translate what they return.
 *
 * @param actions - each row's action: a map, or anything with a map's `get()`, which is called on a
 *   row's first request
 */
export function createAnswer<Action>(api: Api, actions: Pick<ReadonlyMap<Row, Action>, 'get'>) {
  const served = new Map<Row, ReturnType<typeof prepare>>()

  return { serve, refuse }

  function serve(match: Match): ActionAnswer<Action> {
    let row = served.get(match.row)
    if (row === undefined) served.set(match.row, (row = prepare(match.row)))
    const type = match.usesVendorType ? row.vendorType : plainContentType
    return { kind: 'action', match, action: row.action, type, headers: row.headers }
  }

  /**
   * Prepares the parts that all of a row's answers share. The version comes from the row, which is
   * frozen, because the app may write to a match.
   */
  function prepare(row: Row) {
    const { version, life } = row
    const headers: Header[] = [
      ...varyOnAccept,
      ['api-version', String(version)],
      ...(life?.headers ?? []),
    ]
    return { action: actions.get(row)!, vendorType: vendorContentType(api, version), headers }
  }

  function refuse(miss: Miss): ProblemAnswer {
    const { status, allow, life, until, location } = miss
    const headers: Header[] = [...varyOnAccept, ...(life?.headers ?? [])]
    if (allow !== undefined) headers.push(['allow', allow.join(', ')])
    if (location !== undefined) headers.push(['location', location])
    // Caches may store a 410 (RFC 9110, section 15.5.11), but a brownout ends.
    if (until !== undefined)
      headers.push(
        ['retry-after', httpDateOf(Math.ceil(until / 1000) * 1000)],
        ['cache-control', 'no-store'],
      )
    const problem = status < 400 ? null : problemOf(api, miss)
    return {
      kind: 'problem',
      miss,
      status,
      problem,
      type: 'application/problem+json; charset=utf-8',
      headers,
    }
  }
}
