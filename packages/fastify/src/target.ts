import type { Match } from '@hv/router'
import type { Answer } from '@hv/router/adapter'
import { fillPattern } from '@hv/router/internal'
import type { FastifyInstance } from 'fastify'

/** A request target in parts, such as `/mounted`, `/api/users/7.json` and `?page=2`. */
export interface Target {
  /** What the prefix of the plugin matches. */
  readonly prefix: string
  readonly path: string
  readonly query: string
}

/** No empty segment and no extension. */
const canonical = /^(?:\/[^/]+)*\/[^/.]+$/
const origin = /^https?:\/\/[^/?#]+/i

/**
 * Reads request targets as Fastify's router does, and spells URLs so that it finds the routes of the plugin.
 *
 * @param apiPath - the path prefix of the API: `/api`, or `''`
 */
export function createTargets(
  { initialConfig, prefix, version }: FastifyInstance,
  apiPath: string,
) {
  const {
    caseSensitive = true,
    ignoreDuplicateSlashes = false,
    useSemicolonDelimiter = version.startsWith('4.'),
  }: Partial<FastifyInstance['initialConfig']> = {
    ...initialConfig,
    ...initialConfig.routerOptions,
  }
  const delimiter = useSemicolonDelimiter ? /[;?#]/ : /[?#]/
  const segments = prefix.replace(/\/$/, '').split('/').map(toPattern)
  const inPrefix = new RegExp(`^${segments.join('/')}(?=/|$)`, caseSensitive ? '' : 'i')
  const inApi = new RegExp(`^${toPattern(apiPath)}/`, caseSensitive ? '' : 'i')
  // Fastify registers the route `/` at the prefix as it is written.
  const root = prefix === '' || prefix.endsWith('/') ? '/' : ''

  return { read, spell }

  /** Null when the URL is outside the prefix. */
  function read(url: string): Target | null {
    const rest = url.startsWith('/') ? url : withoutOrigin(url)
    const end = rest.search(delimiter)
    const sent = end < 0 ? rest : rest.slice(0, end)
    const path = ignoreDuplicateSlashes ? sent.replaceAll(/\/{2,}/g, '/') : sent
    const length = prefix === '' ? 0 : inPrefix.exec(path)?.[0].length
    return length === undefined || path === ''
      ? null
      : {
          prefix: path.slice(0, length),
          path: path.slice(length),
          query: end < 0 ? '' : rest.slice(end),
        }
  }

  /**
   * The URL of a match, spelled as its route declares it, and that of any other request as it was sent, or that of the API
   * where Fastify's router would not take it.
   */
  function spell({ prefix: mount, path, query }: Target, answer: Answer<unknown>): string {
    if (answer.kind === 'action') {
      if (caseSensitive && canonical.test(path)) return mount + path + query
      const { row, params } = answer.match
      return mount + (row.pattern === '/' ? root : pathOf(row.pattern, params)) + query
    }
    const isRoutable =
      answer.kind === 'problem' && answer.miss.code !== 'malformed-path' && inApi.test(path)
    return mount + (isRoutable ? path : apiPath || '/') + query
  }
}

/** The path of a URL in absolute form (RFC 9112, section 3.2.2). Empty when it is not one. */
function withoutOrigin(url: string): string {
  if (!origin.test(url)) return ''
  const path = url.replace(origin, '')
  return path.startsWith('/') ? path : `/${path}`
}

const toPattern = (segment: string): string =>
  segment.includes(':') ? '[^/]+' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A route's path with a request's values: `/users/:id` and `{ id: 'a/b' }` give `/users/a%2Fb`. */
const pathOf = (pattern: string, params: Match['params']): string =>
  fillPattern(pattern, (name, isGlob) =>
    params[name]!.replaceAll(isGlob ? notInPath : notInSegment, encodeURIComponent),
  )

// The characters of a path (RFC 3986, section 3.3), but for the semicolon, at which Fastify may end it.
const notInSegment = /[^\w.~!$&'()*+,=:@-]/gu
const notInPath = /[^\w.~!$&'()*+,=:@/-]/gu
