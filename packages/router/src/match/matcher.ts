import { type Api, assertApi } from '../compile/api.ts'
import type { Row } from '../compile/route.ts'
import type { Life } from '../declare/life.ts'
import type { Negotiation } from '../negotiate/negotiate.ts'
import type { VersionRange } from '../negotiate/read-range.ts'
import { buildTrie } from './build-trie.ts'
import { createClock } from './clock.ts'
import { createConstraintCheck } from './check-constraints.ts'
import { createHeaderReader } from './default-version.ts'
import { createPathFinder } from './find-path-matches.ts'
import { type MatcherOptions, type PathOptions, assertOptions } from './options.ts'
import { type Match, type Miss, type Outage, malformedPath, unknownPath } from './outcome.ts'
import { decode } from './path.ts'
import { createPathFacts } from './path-facts.ts'
import { createRefusal } from './refusal.ts'
import { candidateOf, endpointOf } from './trie.ts'

/** What `createMatcher` returns. */
export interface Matcher<Request = unknown> {
  /**
   * Finds the route that serves a request. It keeps nothing from the request but its Accept header,
   * in a bounded cache.
   *
   * @param path - the request target, as the framework shows it to middleware. Matching ends at `?`
   *   or `#`
   * @param accept - the Accept header, or undefined if there's none
   * @param request - what `pinVersion` receives
   * @throws only what `pinVersion` throws, and RouterError HV_DEFAULT_VERSION if it returns an
   *   undeclared version
   */
  match(method: string, path: string, accept: string | undefined, request?: Request): Match | Miss
}

/**
 * Builds an API's matcher. Do this once, at start-up. All versions share a trie, and no code is
 * generated.
 *
 * @throws RouterError HV_OPTION
 * @example
 * const { match } = createMatcher(routes)
 * match('GET', '/api/users/7', 'application/vnd.acme+json;version=2')
 * // { kind: 'match', version: 2, params: { id: '7' }, format: 'json', row: { … }, … }
 */
// oxlint-disable-next-line max-lines-per-function -- functions that share tables, fastest as closures
export function createMatcher<Request>(
  api: Api,
  options: MatcherOptions<Request> & PathOptions = {},
): Matcher<Request> {
  const { settings, rowOf } = assertApi(api, 'createMatcher()')
  assertOptions('createMatcher()', options)
  const clock = createClock(api, options.now)
  const { negotiate, negotiateFor } = createHeaderReader(settings, options)
  const trie = buildTrie(api, options.caseSensitive)
  const { matches, findPathMatches } = createPathFinder(trie, settings.formats)
  const { bounds, stride } = matches
  const findAccepted = createConstraintCheck(trie, matches)
  const facts = createPathFacts(api, trie, matches, findAccepted)
  const refuse = createRefusal(settings, facts, clock)
  /**
   * The rows of endpoints without constraints, which always serve the same route. Indexed like
   * `trie.cells`.
   */
  const rows = Array.from<Row | undefined>({ length: trie.cells.length })
  const { params, versionCount } = trie
  const { isNeeded } = clock
  const redirects = options.redirectsExtensions && settings.redirectsExtensions
  const varies = isNeeded || negotiateFor !== undefined
  const withoutHeader = negotiate('')
  const onlyId = params.find((names) => names?.join() === 'id')

  return {
    match(method, path, accept, request) {
      const negotiation = accept ? negotiate(accept) : withoutHeader
      findPathMatches(path)
      if (matches.count === 0) return unknownPath
      return decide(
        method,
        path,
        varies ? choose(method, path, negotiation, accept, request) : negotiation,
      )
    },
  }

  // V8 only inlines this function while it's short, so what few APIs need is in separate functions.
  function decide(method: string, path: string, negotiation: Negotiation): Match | Miss {
    // 1. Find the best acceptable version that has the path and the method, and is open.
    const { acceptable } = negotiation
    const routed = method === 'HEAD' ? 'GET' : method
    let outages = noOutages
    for (let i = 0; i < acceptable.length; i++) {
      const wanted = acceptable[i]!
      let life: Life | null = null
      for (let pathMatch = 0; pathMatch < matches.count; pathMatch++) {
        const endpoint = endpointOf(trie, matches.nodes[pathMatch]!, routed)
        if (endpoint < 0) continue
        const row = rows[endpoint * versionCount + wanted.index]
        const result =
          row === undefined
            ? findMatch(endpoint, path, pathMatch, wanted)
            : toMatch(row, params[endpoint]!, path, pathMatch, wanted)
        if (result === null) continue
        // With many routes, reading the row's dates would cost a cache miss.
        if (!isNeeded || result.kind === 'miss' || clock.outageOf(result.row.life) === null)
          return result
        life = result.row.life
        break
      }
      if (isNeeded) outages = pass(method, wanted, life, outages)
    }

    // 2. No version serves the request.
    return refuse(routed, path, negotiation, outages)
  }

  /**
   * Starts the clock, and lets the app choose the default version. The app isn't asked if that
   * makes no difference, as for OPTIONS and for an unknown or malformed path.
   */
  function choose(
    method: string,
    path: string,
    negotiation: Negotiation,
    accept: string | undefined,
    request: Request | undefined,
  ): Negotiation {
    clock.start()
    if (negotiateFor === undefined || !negotiation.usesDefault || method === 'OPTIONS')
      return negotiation
    if (!facts.isServed(path) || facts.isMalformed(path)) return negotiation
    const chosen = negotiateFor(accept ?? '', request)
    findPathMatches(path) // pinVersion may have matched another path
    return chosen ?? negotiation
  }

  /** Skips a version: adds its outage, or else its route's. */
  function pass(
    method: string,
    { version, index }: VersionRange,
    ofRoute: Life | null,
    outages: readonly Outage[],
  ): readonly Outage[] {
    const ofVersion = settings.lives[index]!
    const versionOutage = method === 'OPTIONS' ? null : clock.outageOf(ofVersion)
    const outage = versionOutage ?? clock.outageOf(ofRoute)
    if (outage === null) return outages
    const what = versionOutage === null ? 'route' : 'version'
    const life = what === 'route' ? ofRoute! : ofVersion!
    return [...outages, { version, what, life, until: outage.until }]
  }

  function findMatch(
    endpoint: number,
    path: string,
    pathMatch: number,
    wanted: VersionRange,
  ): Match | Miss | null {
    const candidate = findAccepted(candidateOf(trie, endpoint, wanted.index), path, pathMatch)
    if (candidate === null) return null
    const row = rowOf(candidate.route, wanted.index)
    if (params[endpoint] !== null) rows[endpoint * versionCount + wanted.index] = row
    return toMatch(row, candidate.params, path, pathMatch, wanted)
  }

  function toMatch(
    row: Row,
    names: readonly string[],
    path: string,
    pathMatch: number,
    { version, format, usesVendorType, source }: VersionRange,
  ): Match | Miss {
    try {
      // A literal is created faster than an object that gets its keys one by one.
      const values =
        names === onlyId ? { id: valueOf(path, pathMatch, 0) } : valuesOf(path, pathMatch, names)
      const { ends, end } = matches
      let extension = format
      if (ends[pathMatch] !== end) {
        if (redirects && clock.outageOf(row.life) === null)
          return withoutExtension(path, ends[pathMatch]!, end)
        extension = textOf(path, ends[pathMatch]! + 1, end).toLowerCase()
      }
      return {
        kind: 'match',
        row,
        version,
        params: values,
        format: extension,
        usesVendorType,
        source,
      }
    } catch {
      return malformedPath
    }
  }

  function valuesOf(
    path: string,
    pathMatch: number,
    names: readonly string[],
  ): Record<string, string> {
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

const noOutages: readonly Outage[] = []

/**
 * Redirects to a path without its extension. The location is relative to the last segment, so it's
 * right below any mount path or gateway, and never leads to a different host.
 *
 * @param stem - where the last segment ends without its extension
 * @param end - where it ends with its extension
 * @throws URIError for half a surrogate pair
 */
function withoutExtension(path: string, stem: number, end: number): Miss {
  const segment = path.slice(path.lastIndexOf('/', stem) + 1, stem)
  const parent = path[end] === '/' ? '..' : '.'
  const query = /^[^?#]*(\?[^#]*)?/.exec(path.slice(end))?.[1] ?? ''
  // Middleware may have decoded the URL, and headers can't contain every character.
  const location = `${parent}/${segment}${query}`.replaceAll(
    /[^!-~\x80-\xff]/gu,
    encodeURIComponent,
  )
  return { kind: 'miss', status: 308, code: 'extension', location }
}
