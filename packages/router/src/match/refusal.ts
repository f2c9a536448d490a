import type { Api } from '../compile/api.ts'
import { rowOf } from '../compile/route.ts'
import { type Life, outageAt } from '../declare/life.ts'
import type { Negotiation } from '../negotiate/negotiate.ts'
import { type Clock, type Period, beforeAll } from './calendar.ts'
import type { FindAccepted } from './check-constraints.ts'
import type { PathMatches } from './find-path-matches.ts'
import { type Miss, type MissCode, type Outage, malformedPath, unknownPath } from './outcome.ts'
import { decodeOrNull } from './path.ts'
import { type Trie, candidateOf, endpointOf, endpointsOf } from './trie.ts'

/**
 * Creates the function that says why no version serves a request: 404, 400, 204 (OPTIONS), 410 or a brownout's status, 400 or
 * 406, 405 or 404, in this order.
 */
// oxlint-disable-next-line max-lines-per-function -- short functions that share the tables of the API
export function createRefusal(
  { settings }: Api,
  trie: Trie,
  matches: PathMatches,
  clock: Clock,
  findAccepted: FindAccepted,
) {
  const { versions, lives, previews } = settings
  const allVersions = [...versions.keys()]
  const hidesPreviews = previews.length > 0 && previews.length < versions.length
  const allowLists = new Map<number, readonly string[]>() // by node and version index
  const availableLists = new Map<number, readonly number[]>() // by endpoint

  return { refuse, isServed, isMalformed }

  /** @param outages - of what would serve the request otherwise */
  function refuse(
    method: string,
    path: string,
    negotiation: Negotiation,
    outages: readonly Outage[],
  ): Miss {
    const { acceptable, malformed, requested, lacksVersion } = negotiation
    const visible = hidesPreviews
      ? allVersions.filter((index) => isVisible(index, negotiation))
      : allVersions

    // 1. No version has the path, as far as the client may know, or it contains an invalid escape.
    if (!isServed(path, visible)) return unknownPath
    if (isMalformed(path)) return malformedPath

    // 2. OPTIONS is answered for all versions.
    if (method === 'OPTIONS')
      return {
        kind: 'miss',
        status: 204,
        code: 'options',
        allow: allowOf(methodsIn(path, visible)),
      }

    // 3. What would serve the request has an outage.
    const period = clock.period()
    if (outages.length > 0) {
      const routes = outages.filter(({ what }) => what === 'route')
      if (routes.length > 0) return refuseOutage(routes, 'route-retired', requested, period)
      if (outages.length === acceptable.length && !malformed)
        return refuseOutage(outages, 'version-retired', requested, period)
    }

    // 4. The Accept header allows no version.
    if (outages.length === acceptable.length) {
      if (malformed) return miss(400, 'malformed-accept', requested, period)
      return lacksVersion
        ? miss(400, 'version-required', requested, period)
        : miss(406, 'not-acceptable', requested, period)
    }

    // 5. The best acceptable version that has the path has it for other methods, or all of these are retired.
    const time = clock.time()
    let allow: readonly string[] = []
    const open =
      outages.length === 0
        ? acceptable
        : acceptable.filter(({ version }) => outages.every((outage) => outage.version !== version))
    for (let i = 0; i < open.length && allow.length === 0; i++)
      allow = allowIn(path, open[i]!.index, time)
    if (
      clock.isNeeded &&
      allow.length === 0 &&
      open.some(({ index }) => methodsIn(path, [index]).length > 0)
    )
      allow = ['OPTIONS'] // all of them are retired
    const availableIn = versionsWith(method, path, time, period)

    // 6. Else other versions have the method and the path, or no version has them.
    const refusal =
      allow.length > 0
        ? miss(405, 'method-not-allowed', requested, period)
        : miss(404, 'not-in-version', requested, period)
    if (availableIn.length > 0) refusal.availableIn = availableIn
    if (allow.length > 0) refusal.allow = allow
    return refusal
  }

  /** The supported versions that have the method and the path. */
  function versionsWith(
    method: string,
    path: string,
    time: number,
    { supported }: Period,
  ): readonly number[] {
    let endpoint = -1
    for (let i = 0; i < matches.count; i++)
      endpoint = Math.max(endpoint, endpointOf(trie, matches.nodes[i]!, method))
    if (endpoint < 0) return nowhere
    const known = recall(availableLists, endpoint)
    if (known !== undefined) return known
    const list = supported.filter((version) => has(method, path, versions.indexOf(version), time))
    return remember(availableLists, endpoint, list)
  }

  /** The Allow header for a version; empty when it doesn't have the path. */
  function allowIn(path: string, index: number, time: number): readonly string[] {
    const key = matches.nodes[0]! * trie.versionCount + index
    return (
      recall(allowLists, key) ?? remember(allowLists, key, allowOf(methodsIn(path, [index], time)))
    )
  }

  /** Whether a list depends on nothing but its key, which contains the node of the only path match. */
  function mayRemember(): boolean {
    return !clock.isNeeded && isPlain()
  }
  function recall<T>(
    lists: ReadonlyMap<number, readonly T[]>,
    key: number,
  ): readonly T[] | undefined {
    return mayRemember() ? lists.get(key) : undefined
  }
  function remember<T>(
    lists: Map<number, readonly T[]>,
    key: number,
    list: readonly T[],
  ): readonly T[] {
    if (mayRemember()) lists.set(key, Object.freeze(list))
    return list
  }

  /** Of several outages, one that ends is reported. */
  function refuseOutage(
    all: readonly Outage[],
    code: MissCode,
    requested: readonly number[],
    period: Period,
  ): Miss {
    const { life, until, version } = all.find((outage) => outage.until < Infinity) ?? all[0]!
    const successor = openSuccessor(life, version, period.retired)
    const isBrownout = until < Infinity
    const refusal = miss(410, isBrownout ? 'brownout' : code, requested, period)
    if (isBrownout) refusal.until = until
    refusal.life = life
    if (successor !== null) refusal.successor = successor
    return refusal
  }

  /** A preview is hidden from requests that do not ask for it. */
  function isVisible(index: number, { acceptable, requested }: Negotiation): boolean {
    const version = versions[index]!
    return (
      !previews.includes(version) ||
      requested.includes(version) ||
      acceptable.some((one) => one.version === version)
    )
  }

  /** Follows successors that are retired, too. */
  function openSuccessor(
    { successor }: Life,
    version: number,
    retired: readonly number[],
  ): number | null {
    const left = new Set([version])
    let next = successor
    while (next !== null && !left.has(next) && retired.includes(next)) {
      left.add(next)
      next = lives[versions.indexOf(next)]!.successor
    }
    return next === null || left.has(next) ? null : next
  }

  /** Whether a path leads to one node, whose routes have no constraints. */
  function isPlain(): boolean {
    return matches.count === 1 && !trie.isConstrained[matches.nodes[0]!]
  }

  /** Whether one of these versions has the path. The constraints of all may refuse its values. */
  function isServed(path: string, indexes: readonly number[] = allVersions): boolean {
    return (indexes === allVersions && isPlain()) || methodsIn(path, indexes).length > 0
  }

  /** Whether a path contains an invalid escape. Static segments contain no percent sign, so it's in a value or in the extension. */
  function isMalformed(path: string): boolean {
    return matches.isEscaped && decodeOrNull(path.slice(0, matches.end)) === null
  }

  /** The methods that at least one of these versions has for the path, and that are not retired at a time. */
  function methodsIn(
    path: string,
    indexes: readonly number[],
    time = beforeAll,
  ): readonly string[] {
    const methods = new Set<string>()
    for (let pathMatch = 0; pathMatch < matches.count; pathMatch++)
      for (const endpoint of endpointsOf(trie, matches.nodes[pathMatch]!))
        methods.add(trie.methods[endpoint]!)
    return [...methods].filter((method) => indexes.some((index) => has(method, path, index, time)))
  }

  /** Whether a version has a route for a method, and the first one is not retired at a time. */
  function has(method: string, path: string, index: number, time: number): boolean {
    for (let pathMatch = 0; pathMatch < matches.count; pathMatch++) {
      const endpoint = endpointOf(trie, matches.nodes[pathMatch]!, method)
      const candidate = findAccepted(candidateOf(trie, endpoint, index), path, pathMatch)
      if (candidate === null) continue
      return (
        time === beforeAll ||
        outageAt(rowOf(settings, candidate.route, index).life, time)?.until !== Infinity
      )
    }
    return false
  }
}

/** No version has the method. */
const nowhere: readonly number[] = Object.freeze([])

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Optional properties are assigned: spreading a condition takes longer than a match. */
function miss(
  status: number,
  code: MissCode,
  requested: readonly number[],
  { supported, retired }: Period,
): Writable<Miss> {
  const refusal: Writable<Miss> =
    requested.length > 0
      ? { kind: 'miss', status, code, requested, supported }
      : { kind: 'miss', status, code, supported }
  if (retired.length > 0) refusal.retired = retired
  return refusal
}

/** The Allow header: HEAD beside GET, and OPTIONS. Empty when there is no method. */
const allowOf = (methods: readonly string[]): readonly string[] =>
  methods.length === 0
    ? []
    : [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
