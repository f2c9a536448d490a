import type { Negotiation } from '../negotiate/negotiate.ts'
import type { ConstraintCheck } from './check-constraints.ts'
import type { PathMatches } from './find-path-matches.ts'
import { type Miss, type MissCode, malformedPath, unknownPath } from './outcome.ts'
import { decodeOrNull } from './path.ts'
import { type Trie, candidateOf, endpointOf, endpointsOf } from './trie.ts'

/**
 * Creates the function that says why no version serves a request: 404, 400, 204 (OPTIONS), 406, 405 or 404, in this
 * order. It reads the path matches of the request.
 */
export function createRefusal(
  trie: Trie,
  matches: PathMatches,
  supported: readonly number[],
  findAccepted: ConstraintCheck['findAccepted'],
) {
  const allVersions = [...supported.keys()]
  /** What was computed for a node without constraints, when it was the only path match. */
  const allowLists = new Map<number, readonly string[]>()
  const availableLists = new Map<number, readonly number[]>()

  return { refuse, methodsIn }

  function refuse(method: string, path: string, negotiation: Negotiation): Miss {
    const { acceptable, malformed, requested, lacksVersion, hidden } = negotiation
    const visible = hidden === undefined ? allVersions : allVersions.filter((index) => !hidden.includes(index))
    const node = matches.nodes[0]!
    const mayCache = matches.count === 1 && !trie.isConstrained[node]

    // 1. The constraints of every version refuse the values, or the versions are hidden: no version has the path.
    if ((!mayCache || hidden !== undefined) && methodsIn(path, visible).length === 0) return unknownPath

    // 2. An invalid escape. Static segments contain no percent sign, so it is in a value or in the extension.
    if (matches.isEscaped && decodeOrNull(path.slice(0, matches.end)) === null) return malformedPath

    // 3. OPTIONS is answered for all versions.
    if (method === 'OPTIONS')
      return { kind: 'miss', status: 204, code: 'options', allow: allowOf(methodsIn(path, visible)) }

    // 4. The Accept header allows no version.
    if (acceptable.length === 0) {
      if (malformed) return miss(400, 'malformed-accept', requested)
      return lacksVersion ? miss(400, 'version-required', requested) : miss(406, 'not-acceptable', requested)
    }

    // 5. The best acceptable version that has the path has it for other methods.
    for (const { index } of acceptable) {
      const key = node * trie.versionCount + index
      const allow = cached(allowLists, mayCache, key, () => allowOf(methodsIn(path, [index])))
      if (allow.length === 0) continue
      return { ...elsewhere(405, 'method-not-allowed'), allow }
    }

    // 6. Other versions have the method and the path, or no version has them.
    return elsewhere(404, 'not-in-version')

    /** A miss that lists the versions which have the method and the path. */
    function elsewhere(status: number, code: MissCode): Miss {
      const availableIn = cached(availableLists, mayCache, endpointOf(trie, node, method), () =>
        versionsWith(path, method),
      )
      return { ...miss(status, code, requested), ...(availableIn.length > 0 && { availableIn }) }
    }
  }

  function miss(status: number, code: MissCode, requested: readonly number[]): Miss {
    return requested.length > 0
      ? { kind: 'miss', status, code, requested, supported }
      : { kind: 'miss', status, code, supported }
  }

  /** The methods that at least one of these versions has for the path. */
  function methodsIn(path: string, versions: readonly number[]): readonly string[] {
    const methods = new Set<string>()
    for (let pathMatch = 0; pathMatch < matches.count; pathMatch++)
      for (const endpoint of endpointsOf(trie, matches.nodes[pathMatch]!))
        if (versions.some((index) => serves(endpoint, index, path, pathMatch))) methods.add(trie.methods[endpoint]!)
    return [...methods]
  }

  function versionsWith(path: string, method: string): readonly number[] {
    return supported.filter((_, index) => {
      for (let pathMatch = 0; pathMatch < matches.count; pathMatch++)
        if (serves(endpointOf(trie, matches.nodes[pathMatch]!, method), index, path, pathMatch)) return true
      return false
    })
  }

  function serves(endpoint: number, index: number, path: string, pathMatch: number): boolean {
    return findAccepted(candidateOf(trie, endpoint, index), path, pathMatch) !== null
  }
}

/** The Allow header: HEAD beside GET, and OPTIONS. Empty when there is no method. */
const allowOf = (methods: readonly string[]): readonly string[] =>
  methods.length === 0
    ? []
    : [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']

/** Returns a frozen list. Computes it once per key where it may be cached. */
function cached<T>(
  lists: Map<number, readonly T[]>,
  mayCache: boolean,
  key: number,
  compute: () => readonly T[],
): readonly T[] {
  const list = (mayCache ? lists.get(key) : undefined) ?? Object.freeze(compute())
  if (mayCache) lists.set(key, list)
  return list
}
