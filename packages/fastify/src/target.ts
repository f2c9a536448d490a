import type { Match } from '@hv/router'
import type { Answer } from '@hv/router/adapter'
import { decodeUnreserved, fillPattern } from '@hv/router/internal'
import type { FastifyInstance } from 'fastify'

/** A request target's parts, such as `/mounted`, `/api/users/7.json` and `?page=2`. */
export interface Target {
  /** The prefix and the path as the client sent them: `/mounted/api/%75sers/7.json`. */
  readonly sent: string
  /** The part that the plugin's prefix matches: `/acme` for the prefix `/:tenant`. */
  readonly prefix: string
  readonly path: string
  readonly query: string
}

/** A path without empty segments and without an extension. */
const canonical = /^(?:\/[^/]+)*\/[^/.]+$/
const origin = /^https?:\/\/[^/?#]+/i

/**
 * Creates the functions that read request targets as Fastify's router does, and spell URLs so that
 * it finds the plugin's routes.
 *
 * @param prefix - the plugin's: `/acme`, `/:tenant`, or `''`
 * @param apiPath - the API's path prefix: `/api`, or `''`
 */
export function createTargets(
  { initialConfig, version }: FastifyInstance,
  prefix: string,
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
  // Fastify registers the route `/` at the prefix exactly as it's written.
  const root = prefix === '' || prefix.endsWith('/') ? '/' : ''

  return { read, spell }

  /** Returns null if the URL is outside of the prefix. */
  function read(url: string): Target | null {
    const rest = url.startsWith('/') ? url : withoutOrigin(url)
    const end = rest.search(delimiter)
    const whole = end < 0 ? rest : rest.slice(0, end)
    const sent = ignoreDuplicateSlashes ? whole.replaceAll(/\/{2,}/g, '/') : whole
    const path = decodeUnreserved(sent)
    const length = prefix === '' ? 0 : inPrefix.exec(path)?.[0].length
    return length === undefined || path === ''
      ? null
      : {
          sent,
          prefix: path.slice(0, length),
          path: path.slice(length),
          query: end < 0 ? '' : rest.slice(end),
        }
  }

  /**
   * Returns a match's URL as its route declares it, but keeps escapes that Fastify's router decodes.
   * Any other request's URL stays as sent, unless Fastify's router would reject it. Then it becomes
   * the API's path.
   */
  function spell({ sent, prefix: mount, path, query }: Target, answer: Answer<unknown>): string {
    if (answer.kind === 'action') {
      if (caseSensitive && canonical.test(path)) return sent + query
      const { row, params } = answer.match
      return mount + (row.pattern === '/' ? root : pathOf(row.pattern, params)) + query
    }
    const isRoutable =
      answer.kind === 'problem' && answer.miss.code !== 'malformed-path' && inApi.test(path)
    return (isRoutable ? sent : mount + (apiPath || '/')) + query
  }
}

/**
 * Returns the path of a URL in absolute form (RFC 9112, section 3.2.2), or `''` for any other form.
 */
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

// The characters to encode in a path (RFC 3986, section 3.3). The semicolon is among them, because
// Fastify may end the path there.
const notInSegment = /[^\w.~!$&'()*+,=:@-]/gu
const notInPath = /[^\w.~!$&'()*+,=:@/-]/gu
