import type { Api } from '../compile/api.ts'
import { outageAt } from '../declare/life.ts'
import { beforeAll } from './clock.ts'
import type { FindAccepted } from './check-constraints.ts'
import type { PathMatches } from './find-path-matches.ts'
import { decodeOrNull } from './path.ts'
import { type Trie, candidateOf, endpointOf, methodsOf } from './trie.ts'

/**
 * Answers questions about the path that `findPathMatches` has followed last, which has at least one
 * path match.
 */
export type PathFacts = ReturnType<typeof createPathFacts>

/** Versions are passed as their indexes. Routes that are retired at `time` are left out. */
export function createPathFacts(
  { settings, rowOf }: Api,
  trie: Trie,
  matches: PathMatches,
  findAccepted: FindAccepted,
) {
  const { versions } = settings
  const allVersions: readonly number[] = [...versions.keys()]
  const indexOf = new Map(versions.map((version, index) => [version, index]))
  const allowLists = new Map<number, readonly string[]>() // by node and version
  const availableLists = new Map<number, readonly number[]>() // by endpoint

  return { isServed, isMalformed, methodsIn, allowIn, versionsWith }

  /**
   * Whether any of these versions has the path. A version whose constraints reject the path's
   * values doesn't.
   */
  function isServed(path: string, indexes = allVersions): boolean {
    return (isPlain() && indexes === allVersions) || methodsIn(path, indexes).length > 0
  }

  /**
   * Whether the path contains an invalid escape, such as `%zz`. Since static segments have none,
   * it's in a value or in the extension.
   */
  function isMalformed(path: string): boolean {
    return matches.isEscaped && decodeOrNull(path.slice(0, matches.end)) === null
  }

  /** Returns the methods that at least one of these versions has for the path. */
  function methodsIn(path: string, indexes = allVersions, time = beforeAll): readonly string[] {
    const methods = new Set<string>()
    for (let pathMatch = 0; pathMatch < matches.count; pathMatch++)
      for (const method of methodsOf(trie, matches.nodes[pathMatch]!)) methods.add(method)
    return [...methods].filter((method) => indexes.some((index) => has(method, path, index, time)))
  }

  /** Returns the Allow header of one version, or an empty list if it doesn't have the path. */
  function allowIn(path: string, index: number, time: number): readonly string[] {
    const key = matches.nodes[0]! * trie.versionCount + index
    return cached(allowLists, key, time, () => allowOf(methodsIn(path, [index], time)))
  }

  /** Returns those of the supported versions that have the method and the path. */
  function versionsWith(
    method: string,
    path: string,
    supported: readonly number[],
    time: number,
  ): readonly number[] {
    const endpoint = endpointOf(trie, matches.nodes[0]!, method)
    return cached(availableLists, endpoint, time, () =>
      supported.filter((version) => has(method, path, indexOf.get(version)!, time)),
    )
  }

  /** Caches a list, unless it depends on the time, on the path's values or on a second path match. */
  function cached<T>(
    lists: Map<number, readonly T[]>,
    key: number,
    time: number,
    read: () => readonly T[],
  ): readonly T[] {
    if (time !== beforeAll || !isPlain()) return read()
    let list = lists.get(key)
    if (list === undefined) lists.set(key, (list = Object.freeze(read())))
    return list
  }

  /** Whether the path leads to a single node, and the routes there have no constraints. */
  function isPlain(): boolean {
    return matches.count === 1 && !trie.isConstrained[matches.nodes[0]!]
  }

  /** Whether a version has a route for the method, and the first such route isn't retired. */
  function has(method: string, path: string, index: number, time: number): boolean {
    for (let pathMatch = 0; pathMatch < matches.count; pathMatch++) {
      const endpoint = endpointOf(trie, matches.nodes[pathMatch]!, method)
      const candidate = findAccepted(candidateOf(trie, endpoint, index), path, pathMatch)
      if (candidate === null) continue
      if (time === beforeAll) return true
      return outageAt(rowOf(candidate.route, index).life, time)?.until !== Infinity
    }
    return false
  }
}

/**
 * The Allow header for these methods: HEAD beside GET, and OPTIONS. It's empty if there's no
 * method.
 */
export function allowOf(methods: readonly string[]): readonly string[] {
  if (methods.length === 0) return []
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...allow, 'OPTIONS']
}
