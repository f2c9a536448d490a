import type { Api } from '../compile/api.ts'
import { entryAt, locate } from '../match/locate.ts'
import { type Match, type Miss, createMatcher } from '../match/matcher.ts'
import { type Reading, createNegotiator, createReader } from '../negotiate/negotiate.ts'
import { type MediaRange, parseAccept } from '../negotiate/parse-accept.ts'
import { type Problem, problemOf } from './problem.ts'
import { createTrie, endpointsAt } from '../match/trie.ts'

/** Why a request gets what it gets. */
export interface Explanation {
  /** What `createMatcher(api).match` answers. */
  readonly result: Match | Miss
  /** The problem document that an adapter sends; null where a route serves, for OPTIONS, and for paths that are not ours. */
  readonly problem: Problem | null
  /** The decision in sentences: how the header was read, which versions were asked, what came of it. */
  readonly story: readonly string[]
}

/**
 * Tells how a request is decided: what each range of its Accept header means, which versions are asked in which order,
 * why each is refused, and what serves it or is answered instead. For people; `createMatcher` decides without words.
 *
 * @example explain(routes, 'GET', '/api/users/7', 'application/vnd.acme+json;version=2').story.join('\n')
 */
export function explain(api: Api, method: string, path: string, accept?: string): Explanation {
  const result = createMatcher(api).match(method, path, accept)
  const versions = api.settings.versions
  const { acceptable, malformed } = createNegotiator(api.settings)(accept ?? '')
  const ranges = parseAccept(accept ?? '')
  const read = createReader(api.settings)
  const story: string[] = []

  if (ranges === null) story.push('The header is over 4 KiB or over 50 ranges: malformed as a whole.')
  else if (ranges.length === 0) story.push(`No Accept header: the default version, ${api.settings.defaultVersion}.`)
  else for (const range of ranges) story.push(`${textOf(range)}: ${meaningOf(range, read(range), versions)}.`)
  if (
    ranges !== null &&
    ranges.length > 0 &&
    acceptable.some(({ vendor }) => !vendor) &&
    ranges.every((range) => read(range) === 'foreign')
  )
    story.push('Only foreign types, as browsers send them: the default version, because the API is not strict.')
  story.push(
    acceptable.length > 0
      ? `Versions to ask, best first: ${acceptable.map(({ version }) => version).join(', ')}.`
      : `No version is acceptable${malformed ? ', and a range was malformed' : ''}.`,
  )

  const trie = createTrie(api)
  const places = locate(trie, path, api.settings.formats)
  const asked = method === 'HEAD' ? 'GET' : method
  if (places.length === 0) story.push(`No version has the path ${path}: it is left to the app.`)
  else if (result.kind === 'match' || !['options', 'malformed-path'].includes(result.code))
    for (const { version, index } of acceptable) {
      const methods = places.flatMap((place) =>
        endpointsAt(trie, place.node)
          .map((endpoint) => trie.methods[endpoint]!)
          .filter((one) => entryAt(trie, place, one, index) !== null),
      )
      if (methods.includes(asked)) {
        story.push(`Version ${version} has ${asked} ${path}.`)
        break
      }
      story.push(
        methods.length === 0
          ? `Version ${version} does not have this path.`
          : `Version ${version} has this path for ${[...new Set(methods)].join(', ')}, not for ${asked}.`,
      )
    }

  const problem =
    result.kind === 'match' || result.status === 204 || result.code === 'unknown-path' ? null : problemOf(api, result)
  if (result.kind === 'match') {
    const { route, params, format } = result
    const from = route.inheritedFrom === null ? '' : `, declared by version ${route.inheritedFrom}`
    story.push(
      `${route.controller}#${route.action} serves it (${route.path}${from}), with params ${JSON.stringify(params)} and format ${format}.`,
    )
  } else if (result.status === 204)
    story.push(`OPTIONS is answered for all versions: 204, Allow: ${result.allow!.join(', ')}.`)
  else if (problem !== null) story.push(`${problem.status} ${problem.title}: ${problem.detail}`)
  return { result, problem, story }
}

function textOf({ type, version, q, malformed }: MediaRange): string {
  if (malformed) return `${type || 'a range'} …`
  return `${type}${version === null ? '' : `;version=${version}`}${q === 1 ? '' : `;q=${q}`}`
}

function meaningOf({ version, q }: MediaRange, reading: Reading, versions: readonly number[]): string {
  switch (reading) {
    case 'malformed':
      return 'malformed'
    case 'bad-version':
      return 'malformed, a version is one whole number without leading zeros'
    case 'not-declared':
      return `version ${version} is not declared (there are ${versions.join(', ')})`
    case 'not-a-format':
      return 'its suffix is none of the formats of this API'
    case 'other-vendor':
      return "another vendor's type"
    case 'foreign':
      return 'a type that this API does not serve'
    default:
      return `${q === 0 ? 'never ' : ''}${reading.level === 3 ? 'version' : 'the default version,'} ${reading.version}`
  }
}
