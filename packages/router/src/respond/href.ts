import { compile } from 'path-to-regexp'
import { type Api, assertApi } from '../compile/api.ts'
import { joinPath, paramsOf } from '../declare/settings.ts'
import { RouterError, invalidOption, assertObject } from '../errors.ts'
import type { Hrefs } from '../types/hrefs.ts'
import { encodeSegment, pathTextOf } from './fill-pattern.ts'

/** Path parameters by name. `format` is the extension. */
export type PathValues = Readonly<Record<string, string | number | undefined>>

/** The options of `hrefs` and `pathTo`. */
export interface UrlOptions {
  /**
   * Where the router is mounted: `app.use('/v', …)` or `app.register(…, { prefix: '/v' })`.
   *
   * @default ''
   */
  readonly prefix?: string
}

interface PathBuilder {
  readonly pattern: string
  readonly params: readonly string[]
  readonly build: (values: PathValues) => string
}

/**
 * Creates functions that build URLs, typed by the routes: `href.<controller>.<action>(params)`. Values are percent-encoded.
 * When an action has several paths, the function uses the longest one whose parameters are all given.
 *
 * @param api - the API
 * @param options - `prefix` comes before every path
 * @throws RouterError HV_PARAM for a parameter that is missing, empty, `.`, `..`, an object or not well-formed Unicode
 * @example
 * const href = hrefs(routes)
 * href.users.show({ id: 7 }) // '/api/users/7'
 */
export function hrefs<T>(api: Api<T>, options: UrlOptions = {}): Hrefs<T> {
  const prefix = prefixOf(options, 'hrefs()')
  const functions: Record<string, Record<string, (values?: PathValues) => string>> = Object.create(
    null,
  )
  const builders = new Map<string, PathBuilder[]>() // by controller key and action
  for (const { routes } of assertApi(api, 'hrefs()').table)
    for (const { key, action, pattern } of routes) {
      const ofAction = builders.get(`${key}#${action}`) ?? []
      builders.set(`${key}#${action}`, ofAction)
      if (ofAction.every((builder) => builder.pattern !== pattern))
        ofAction.push(createPathBuilder(prefix, pattern))
      functions[key] ??= Object.create(null) as object as (typeof functions)[string]
      functions[key][action] ??= (values) => build(ofAction, values ?? {})
    }
  return functions as Hrefs<T>
}

/** The longest path whose parameters are all given; else the first one, which says what it lacks. */
function build(builders: readonly PathBuilder[], values: PathValues): string {
  const fitting = builders.filter(({ params }) =>
    params.every((name) => values[name] !== undefined),
  )
  return (fitting.toSorted((a, b) => b.params.length - a.params.length)[0] ?? builders[0]!).build(
    values,
  )
}

/**
 * Returns the path of a named route.
 *
 * @param api - the API
 * @param name - the name in the route table: `api_user`. It's checked at run time; {@link hrefs} is the typed way.
 * @param values - the path parameters, and `format` for an extension
 * @param options - `prefix` comes before the path
 * @throws RouterError HV_UNKNOWN_NAME when no route has the name
 * @throws RouterError HV_PARAM as {@link hrefs} does
 * @example pathTo(routes, 'api_user', { id: 7, format: 'json' }) // '/api/users/7.json'
 */
export function pathTo(
  api: Api,
  name: string,
  values: PathValues = {},
  options: UrlOptions = {},
): string {
  const prefix = prefixOf(options, 'pathTo()')
  const routes = assertApi(api, 'pathTo()').table.flatMap((version) => version.routes)
  const route = routes.find((one) => one.name === name)
  if (route === undefined)
    throw new RouterError('HV_UNKNOWN_NAME', {
      name,
      known: [...new Set(routes.flatMap((one) => one.name ?? []))],
    })
  return createPathBuilder(prefix, route.pattern).build(values ?? {})
}

function prefixOf(options: UrlOptions, where: string): string {
  assertObject(where, 'options', "an object like { prefix: '/v' }", options)
  const { prefix = '' } = options
  if (typeof prefix !== 'string') throw invalidOption(where, 'prefix', 'a path', prefix)
  return prefix
}

/** Creates the function that builds a pattern's URLs, such as those of `/api/users/:id`. Their extension is optional. */
function createPathBuilder(prefix: string, pattern: string): PathBuilder {
  const fill = compile(`${pattern || '/'}{.:format}`, { encode: encodeSegment })
  const start = joinPath(prefix)
  const params = paramsOf(pattern)
  const isGlob = (name: string): boolean => pattern.endsWith(`/*${name}`)
  return {
    pattern,
    params,
    build(values) {
      const texts: Record<string, string | string[]> = {}
      for (const name of values['format'] === undefined ? params : [...params, 'format']) {
        const text = pathTextOf(values[name], isGlob(name))
        if (text === null)
          throw new RouterError('HV_PARAM', {
            path: pattern || '/',
            param: name,
            received: values[name],
          })
        texts[name] = isGlob(name) ? text.split('/') : text
      }
      return start + fill(texts)
    },
  }
}
