import { createAcceptCache } from '../negotiate/accept-cache.ts'
import { type Api, checked } from '../compile/api.ts'
import { type Acceptable, type Negotiation, createNegotiator } from '../negotiate/negotiate.ts'
import { requireFunction, requireObject } from '../errors.ts'
import { type Row, rowOf } from '../compile/route.ts'
import { buildTrie } from './build-trie.ts'
import { createConstraintCheck } from './check-constraints.ts'
import { createPathFinder } from './find-path-matches.ts'
import { type MatcherOptions, createLifeMatcher, hasLife } from './life-matcher.ts'
import { type Match, type Miss, malformedPath, unknownPath } from './outcome.ts'
import { decode, originOf } from './path.ts'
import { createRefusal } from './refusal.ts'
import { type Trace, createTrace } from './trace.ts'
import { candidateOf, endpointOf } from './trie.ts'

/** What `createMatcher` returns. */
export interface Matcher<Request = unknown> {
  /**
   * Finds the route that serves a request. Stores nothing of a request but its Accept header, in a bounded cache.
   *
   * @param path - the request target, as the framework shows it to other middleware. It ends at `?` or `#`
   * @param accept - the Accept header; undefined without one
   * @param request - what `defaultVersion` receives
   * @throws only what `defaultVersion` throws, and RouterError HV_DEFAULT_VERSION when it returns another number
   */
  match(method: string, path: string, accept: string | undefined, request?: Request): Match | Miss
}

/**
 * Builds the matcher of an API, once, at start-up: one trie over all versions, no generated code.
 *
 * @throws RouterError HV_OPTION
 * @example
 * const { match } = createMatcher(routes)
 * match('GET', '/api/users/7', 'application/vnd.acme+json;version=2')
 * // { kind: 'match', version: 2, params: { id: '7' }, format: 'json', route: { … }, … }
 */
export function createMatcher<Request>(api: Api, options: MatcherOptions<Request> = {}): Matcher<Request> {
  const decide = createDecision(checked(api, 'createMatcher()'))
  assertOptions('createMatcher()', options)
  if (hasLife(api) || options.defaultVersion !== undefined) return createLifeMatcher(api, options, decide)
  const negotiate = createNegotiator(api.settings)
  const negotiateCached = createAcceptCache(negotiate)
  const withoutHeader = negotiate('')
  return {
    match: (method, path, accept) => decide(method, path, accept ? negotiateCached(accept) : withoutHeader, null),
  }
}

function assertOptions(where: string, options: MatcherOptions<never>): void {
  requireObject(where, 'options', 'an object', options)
  for (const option of ['now', 'defaultVersion'] as const)
    if (options[option] !== undefined) requireFunction(where, option, options[option])
}

/** Matches one request and returns, beside the result, what the matcher did. */
export function traceMatch(
  api: Api,
  method: string,
  path: string,
  accept = '',
  options: Pick<MatcherOptions, 'now'> = {},
): Trace & { result: Match | Miss } {
  assertOptions('explain()', options)
  const trace = createTrace()
  const { match } = createLifeMatcher(api, options, createDecision(api), trace)
  const result = match(method, path, accept)
  return { ...trace, result }
}

// oxlint-disable-next-line max-lines-per-function -- short functions that share scratch arrays; as closures they are fastest
function createDecision(api: Api) {
  const trie = buildTrie(api)
  const { matches, findPathMatches } = createPathFinder(trie, api.settings.formats)
  const { bounds, stride } = matches
  const { findAccepted } = createConstraintCheck(trie, matches)
  const { refuse, methodsIn } = createRefusal(trie, matches, api.settings.versions, findAccepted)
  /** By endpoint and version index, as `trie.cells`: the rows of endpoints that always serve the same. */
  const rows = Array.from<Row | undefined>({ length: trie.cells.length })
  const { params, versionCount } = trie
  const onlyId = params.find((names) => names?.join() === 'id')

  return decide

  function decide(method: string, path: string, negotiation: Negotiation, trace: Trace | null): Match | Miss {
    // 1. The path.
    findPathMatches(path)
    if (matches.count === 0) {
      const origin = path.startsWith('/') ? '' : originOf(path)
      return origin === '' ? unknownPath : decide(method, path.slice(origin.length) || '/', negotiation, trace)
    }

    // 2. The best acceptable version that has the path and the method.
    const { acceptable } = negotiation
    const routed = method === 'HEAD' ? 'GET' : method
    for (let i = 0; i < acceptable.length; i++) {
      const wanted = acceptable[i]!
      for (let pathMatch = 0; pathMatch < matches.count; pathMatch++) {
        const endpoint = endpointOf(trie, matches.nodes[pathMatch]!, routed)
        if (endpoint < 0) continue
        const route = rows[endpoint * versionCount + wanted.index]
        const result =
          route === undefined
            ? findMatch(endpoint, path, pathMatch, wanted)
            : toMatch(route, params[endpoint]!, path, pathMatch, wanted)
        if (result !== null) return result
      }
      if (trace !== null) trace.tried.push({ version: wanted.version, methods: methodsIn(path, [wanted.index]) })
    }

    // 3. No version serves the request.
    return refuse(routed, path, negotiation)
  }

  function findMatch(endpoint: number, path: string, pathMatch: number, wanted: Acceptable): Match | Miss | null {
    const candidate = findAccepted(candidateOf(trie, endpoint, wanted.index), path, pathMatch)
    if (candidate === null) return null
    const route = rowOf(api.settings, candidate.route, wanted.index)
    if (params[endpoint] !== null) rows[endpoint * versionCount + wanted.index] = route
    return toMatch(route, candidate.params, path, pathMatch, wanted)
  }

  function toMatch(
    route: Row,
    names: readonly string[],
    path: string,
    pathMatch: number,
    { version, format, vendor, source }: Acceptable,
  ): Match | Miss {
    try {
      // A literal is created faster than an object that gets its keys one by one.
      const values = names === onlyId ? { id: valueOf(path, pathMatch, 0) } : valuesOf(path, pathMatch, names)
      const { ends, end } = matches
      const extension = ends[pathMatch] === end ? format : textOf(path, ends[pathMatch]! + 1, end)
      return { kind: 'match', route, version, params: values, format: extension, vendor, source }
    } catch {
      return malformedPath
    }
  }

  function valuesOf(path: string, pathMatch: number, names: readonly string[]): Record<string, string> {
    const values: Record<string, string> = {}
    for (let i = 0; i < names.length; i++) values[names[i]!] = valueOf(path, pathMatch, i)
    return values
  }

  function valueOf(path: string, pathMatch: number, param: number): string {
    const at = pathMatch * stride + 2 * param
    return textOf(path, bounds[at]!, bounds[at + 1]!)
  }

  function textOf(path: string, from: number, to: number): string {
    const text = path.slice(from, to)
    return matches.isEscaped ? decode(text) : text
  }
}
