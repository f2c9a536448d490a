import { compile } from 'path-to-regexp'
import type { Api } from '../compile/api.ts'
import { RouterError } from '../errors.ts'
import { segmentsOf } from '../match/trie.ts'
import type { Hrefs } from '../types/hrefs.ts'

/** Params by name; `format` becomes the extension. */
export type PathValues = Readonly<Record<string, string | number | undefined>>

interface PathBuilder {
  readonly params: readonly string[]
  readonly build: (values: PathValues) => string
}

/**
 * URL helpers, typed by the routes: `href.<controller>.<action>(params)`. Values are percent-encoded.
 * Where one action has several paths, the longest is taken whose params are all given.
 *
 * @throws RouterError HV_PARAM for a param that is missing, empty, `.` or `..`
 * @example
 * const href = hrefs(routes)
 * href.users.show({ id: 7 }) // '/api/users/7'
 */
export function hrefs<T>(api: Api<T>): Hrefs<T> {
  const builders = new Map<string, Map<string, PathBuilder>>()
  const helpers: Record<string, Record<string, (values?: PathValues) => string>> = Object.create(null)

  for (const { key, action, pattern: path } of new Set(api.table.flatMap(({ routes }) => routes))) {
    const paths = builders.get(`${key}#${action}`) ?? new Map<string, PathBuilder>()
    builders.set(`${key}#${action}`, paths)
    if (!paths.has(path)) paths.set(path, createPathBuilder(path))
    ;(helpers[key] ??= Object.create(null) as Record<string, never>)[action] ??= (values = {}) => {
      const all = [...paths.values()].toSorted((a, b) => b.params.length - a.params.length)
      const fitting = all.find(({ params }) => params.every((name) => values[name] !== undefined))
      return (fitting ?? [...paths.values()][0]!).build(values)
    }
  }
  return helpers as Hrefs<T>
}

/**
 * The path of a named route.
 *
 * @throws RouterError HV_UNKNOWN_NAME, HV_PARAM
 * @example pathTo(routes, 'api_user', { id: 7, format: 'json' }) // '/api/users/7.json'
 */
export function pathTo(api: Api, name: string, values: PathValues = {}): string {
  const all = api.table.flatMap(({ routes }) => routes)
  const route = all.find((one) => one.name === name)
  if (route === undefined) {
    throw new RouterError('HV_UNKNOWN_NAME', { name, known: [...new Set(all.flatMap((one) => one.name ?? []))] })
  }
  return createPathBuilder(route.pattern).build(values)
}

function createPathBuilder(path: string): PathBuilder {
  const params = segmentsOf(path).flatMap(({ text, param }) => (param ? [text] : []))
  const fill = compile(path || '/', { encode: false }) // valueOf encodes
  return {
    params,
    build(values) {
      const filled = fill(Object.fromEntries(params.map((name) => [name, valueOf(name, values[name])])))
      return filled + (values['format'] === undefined ? '' : `.${valueOf('format', values['format'])}`)
    },
  }

  function valueOf(name: string, value: string | number | undefined): string {
    const text = value === undefined || value === null ? '' : String(value)
    // Clients resolve '.' and '..' as a relative path, however they are encoded.
    if (['', '.', '..'].includes(text) || /\p{Surrogate}/u.test(text))
      throw new RouterError('HV_PARAM', { path: path || '/', param: name, received: value })
    // A dot is encoded too: what stands after it would be read as the format.
    return encodeURIComponent(text).replaceAll('.', '%2E')
  }
}
