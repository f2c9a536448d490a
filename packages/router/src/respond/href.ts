import { compile, parse } from 'path-to-regexp'
import type { Api } from '../compile/api.ts'
import { joinPath } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import type { Hrefs } from '../types/hrefs.ts'

/** Path parameters by name. `format` is the extension. */
export type PathValues = Readonly<Record<string, string | number | undefined>>

export interface UrlOptions {
  /**
   * Where the router is mounted: `app.use('/v', …)` or `app.register(…, { prefix: '/v' })`.
   *
   * @default ''
   */
  readonly prefix?: string
}

interface PathBuilder {
  readonly params: readonly string[]
  readonly build: (values: PathValues) => string
}

/**
 * Creates URL helpers that the routes type: `href.<controller>.<action>(params)`. Values are percent-encoded.
 * When an action has several paths, the helper uses the longest one whose parameters are all given.
 *
 * @throws RouterError HV_PARAM for a parameter that is missing, empty, `.`, `..` or not well-formed Unicode
 * @example
 * const href = hrefs(routes)
 * href.users.show({ id: 7 }) // '/api/users/7'
 */
export function hrefs<T>(api: Api<T>, { prefix = '' }: UrlOptions = {}): Hrefs<T> {
  const patterns = new Map<string, Map<string, Set<string>>>() // controller key → action → patterns
  for (const { key, action, pattern } of new Set(api.table.flatMap(({ routes }) => routes))) {
    const actions = patterns.get(key) ?? new Map<string, Set<string>>()
    patterns.set(key, actions.set(action, (actions.get(action) ?? new Set()).add(pattern)))
  }

  const helpers: Record<string, Record<string, (values?: PathValues) => string>> = Object.create(null)
  for (const [key, actions] of patterns) {
    const controller = (helpers[key] = Object.create(null) as Record<string, (values?: PathValues) => string>)
    for (const [action, all] of actions) {
      const builders = Array.from(all, (pattern) => createPathBuilder(prefix, pattern))
      const longestFirst = builders.toSorted((a, b) => b.params.length - a.params.length)
      controller[action] = (values = {}) => {
        const fitting = longestFirst.find(({ params }) => params.every((name) => values[name] !== undefined))
        return (fitting ?? builders[0]!).build(values)
      }
    }
  }
  return helpers as Hrefs<T>
}

/**
 * Returns the path of a named route.
 *
 * @throws RouterError HV_UNKNOWN_NAME when no route has the name
 * @throws RouterError HV_PARAM as {@link hrefs} does
 * @example pathTo(routes, 'api_user', { id: 7, format: 'json' }) // '/api/users/7.json'
 */
export function pathTo(api: Api, name: string, values: PathValues = {}, { prefix = '' }: UrlOptions = {}): string {
  const routes = api.table.flatMap((version) => version.routes)
  const route = routes.find((one) => one.name === name)
  if (route === undefined)
    throw new RouterError('HV_UNKNOWN_NAME', { name, known: [...new Set(routes.flatMap((one) => one.name ?? []))] })
  return createPathBuilder(prefix, route.pattern).build(values)
}

/** Creates the function that builds the URLs of a pattern, such as `/api/users/:id`. The extension is optional. */
function createPathBuilder(prefix: string, pattern: string): PathBuilder {
  const template = parse(`${pattern || '/'}{.:format}`)
  const params = template.tokens.flatMap((token) => (token.type === 'param' ? [token.name] : []))
  const fill = compile(template, { encode: encodeValue })
  const start = joinPath(prefix)
  return {
    params,
    build(values) {
      const given = values['format'] === undefined ? params : [...params, 'format']
      return start + fill(Object.fromEntries(given.map((name) => [name, textOf(pattern, name, values[name])])))
    },
  }
}

/** Encodes dots, too: the matcher would read what follows a dot as the format. */
const encodeValue = (value: string): string => encodeURIComponent(value).replaceAll('.', '%2E')

/** A value as text. Clients resolve `.` and `..` as a relative path, however they are encoded. */
function textOf(pattern: string, param: string, value: string | number | undefined): string {
  const text = String(value ?? '')
  if (['', '.', '..'].includes(text) || /\p{Surrogate}/u.test(text))
    throw new RouterError('HV_PARAM', { path: pattern || '/', param, received: value })
  return text
}
