// The walker against its version with objects. FUZZ_RUNS=1000000 makes it long.
import { expect, it } from 'vitest'
import fc from '../../../../tools/fast-check.ts'
import { api, get, resources, version } from '../../src/index.ts'
import { buildTrie } from '../../src/match/build-trie.ts'
import { createPathFinder } from '../../src/match/find-path-matches.ts'
import { candidateOf } from '../../src/match/trie.ts'
import { type Found, createTree, walk } from './walker.oracle.ts'

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 1000)
const names =
  'users posts new files robots.txt robots 7 a.b a.json new.json users.json .json . x. edit search.txt search.json search'
const segment = fc.constantFrom('', ...names.split(' '))
const path = fc
  .tuple(fc.array(segment, { maxLength: 6 }), fc.constantFrom('', '', '/', '//', '?', '/?a=b/c.d'))
  .map(([segments, end]) => `/api/${segments.join('/')}${end}`)

it.each(['any', ['json'], false] as const)(
  'finds what objects find, in their order, formats %j',
  (formats) => {
    const routes = api(
      { vendorString: 'acme', formats },
      version(
        1,
        resources('users', resources('posts'), get('*rest', { to: 'rest#show' })),
        get('robots.txt', { to: 'robots#show' }),
        get('files/*path', { to: 'files#show' }),
        get('files/:name', { to: 'files#name' }),
        get(':page/edit', { to: 'pages#edit' }),
        get(':page/search/:word/edit', { to: 'pages#search' }),
        // An extension leads to both: the second of them needs the values of the first.
        get(':page/search.txt', { to: 'pages#text' }),
        get(':page/search.json', { to: 'pages#json' }),
        get(':page/search', { to: 'pages#list' }),
      ),
    )
    const trie = buildTrie(routes)
    const tree = createTree(routes)
    const { matches, findPathMatches } = createPathFinder(trie, formats)

    function find(url: string): Found[] {
      findPathMatches(url)
      return Array.from({ length: matches.count }, (_, i): Found => {
        const { route, params } = candidateOf(trie, trie.firstEndpoints[matches.nodes[i]!]!, 0)!
        const boundOf = (n: number): number => matches.bounds[i * matches.stride + n]!
        const values = params.map((__, param) =>
          url.slice(boundOf(2 * param), boundOf(2 * param + 1)),
        )
        const [from, to] = [matches.ends[i]!, matches.end]
        return [route.pattern, values, from === to ? null : url.slice(from + 1, to)]
      })
    }
    fc.assert(
      fc.property(path, (url) => {
        const segments = url
          .replace(/\?.*$/, '')
          .replace(/(?<=[^/])\/$/, '')
          .split('/')
          .slice(1)
        expect(find(url)).toEqual(walk(tree, segments, formats))
      }),
      { numRuns },
    )
  },
  3_600_000,
)
