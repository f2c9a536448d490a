import type { FastifyInstance } from 'fastify'

/** The router options of an app that change how it reads a path. */
export interface PathOptions {
  /** The prefix of the plugin, without a slash at the end. It may contain parameters. */
  readonly prefix: string
  /** The path of the route `/` below the prefix. Fastify registers it at the prefix as it is written. */
  readonly root: '' | '/'
  readonly caseSensitive: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly useSemicolonDelimiter: boolean
  readonly maxParamLength: number
}

/** Reads the router options of an app, with Fastify's defaults. */
export function readPathOptions({ initialConfig, prefix, version }: FastifyInstance): PathOptions {
  const options: Partial<PathOptions> = { ...initialConfig, ...initialConfig.routerOptions }
  return {
    prefix: prefix.replace(/\/$/, ''),
    root: prefix === '' || prefix.endsWith('/') ? '/' : '',
    caseSensitive: options.caseSensitive ?? true,
    ignoreDuplicateSlashes: options.ignoreDuplicateSlashes ?? false,
    useSemicolonDelimiter: options.useSemicolonDelimiter ?? version.startsWith('4.'),
    maxParamLength: options.maxParamLength ?? 100,
  }
}

/** A request target in parts, such as `/mounted`, `/api/users/7` and `?page=2`. */
export interface Target {
  readonly prefix: string
  readonly path: string
  readonly query: string
}

/** Reads request targets as Fastify's router does. */
export interface TargetReader {
  /** The path without the prefix of the plugin, as the matcher takes it. Null when the URL is outside the prefix. */
  pathOf(url: string): string | null
  /** The parts of a URL inside the prefix; null when it is outside. */
  read(url: string): Target | null
  /** Whether the URL of a matched request is certainly spelled as its route declares it. */
  isCanonical(url: string): boolean
}

const slash = '/'.charCodeAt(0)
/** No empty segment, no extension, and nothing that could be a delimiter. */
const canonical = /^(?:\/[^/?#;]+)*\/[^/.?#;]+(?:\?[^#;]*)?$/
const origin = /^https?:\/\/[^/?#]+/i

/** Creates the reader of request targets for the options of an app. */
export function createTargetReader(options: PathOptions): TargetReader {
  const { prefix, caseSensitive, ignoreDuplicateSlashes, useSemicolonDelimiter, maxParamLength } = options
  const delimiter = useSemicolonDelimiter ? /[;?#]/ : /[?#]/
  const prefixPattern = new RegExp(`^${prefix.split('/').map(toPattern).join('/')}(?=/|$)`, caseSensitive ? '' : 'i')
  const isStatic = caseSensitive && !prefix.includes(':')

  return { pathOf, read, isCanonical }

  function pathOf(url: string): string | null {
    if (isStatic && isPlain(url) && url.charCodeAt(prefix.length) === slash)
      return url.startsWith(prefix) ? url.slice(prefix.length) : null
    const target = read(url)
    return target && (target.path || '/')
  }

  function read(url: string): Target | null {
    const rest = url.charCodeAt(0) === slash ? url : withoutOrigin(url)
    const end = rest.search(delimiter)
    const sent = end < 0 ? rest : rest.slice(0, end)
    const path = ignoreDuplicateSlashes ? sent.replaceAll(/\/{2,}/g, '/') : sent
    const length = prefixPattern.exec(path)?.[0].length
    return length === undefined || path === ''
      ? null
      : { prefix: path.slice(0, length), path: path.slice(length), query: end < 0 ? '' : rest.slice(end) }
  }

  function isCanonical(url: string): boolean {
    return caseSensitive && url.length <= maxParamLength && canonical.test(url)
  }

  /** Only its query and a static prefix have to be cut. */
  function isPlain(url: string): boolean {
    return (
      url.charCodeAt(0) === slash &&
      (!ignoreDuplicateSlashes || !url.includes('//')) &&
      (!useSemicolonDelimiter || !url.includes(';'))
    )
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

/**
 * The path of a route with the values that a request sends: `/Users/7.json/` and the pattern `/users/:id` give `/users/7`.
 * Values keep their spelling, percent-encoding included.
 */
export function respell(path: string, pattern: string, params: Readonly<Record<string, string>>): string {
  const sent = path.split('/')
  return pattern
    .split('/')
    .map((segment, i) => {
      if (!/^[:*]/.test(segment)) return segment
      const value = segment.startsWith('*') ? sent.slice(i).join('/').replace(/\/$/, '') : sent[i]!
      const isWhole = decodeURIComponent(value).length === params[segment.slice(1)]!.length
      return isWhole ? value : value.slice(0, value.lastIndexOf('.'))
    })
    .join('/')
}
