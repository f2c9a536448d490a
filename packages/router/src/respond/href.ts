import { compile } from 'path-to-regexp'
import { type Api, assertApi } from '../compile/api.ts'
import { joinPath, paramsOf } from '../declare/settings.ts'
import { RouterError, invalidOption, assertObject } from '../errors.ts'
import type { Hrefs } from '../types/hrefs.ts'
import { encodeSegment, pathTextOf, patternFor } from './fill-pattern.ts'

/** Path parameters by name. `format` becomes the extension. */
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

type PathBuilder = ReturnType<typeof createPathBuilder>

/**
 * Creates typed functions that build the routes' URLs: `href.<controller>.<action>(params)`. Values
 * are percent-encoded. If an action has several paths, the function uses the longest one whose
 * parameters are all given.
 *
 * @param options - `prefix` comes before every path
 * @throws RouterError HV_PARAM for a parameter that's missing, empty, `.`, `..`, an object or not
 *   well-formed Unicode
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
      functions[key][action] ??= (values) => {
        const given = values ?? {}
        return patternFor(ofAction, given).build(given)
      }
    }
  return functions as Hrefs<T>
}

/**
 * Returns a named route's path. The name is only checked at run time, so prefer {@link hrefs},
 * which is typed.
 *
 * @param name - the route's name in the route table: `api_user`
 * @param values - the path parameters, and `format` for an extension
 * @param options - `prefix` comes before the path
 * @throws RouterError HV_UNKNOWN_NAME if no route has the name
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
  const named = routes.find((route) => route.name === name)
  if (named === undefined)
    throw new RouterError('HV_UNKNOWN_NAME', {
      name,
      known: [...new Set(routes.flatMap((route) => route.name ?? []))],
    })
  return createPathBuilder(prefix, named.pattern).build(values ?? {})
}

function prefixOf(options: UrlOptions, where: string): string {
  assertObject(where, 'options', "an object like { prefix: '/v' }", options)
  const { prefix = '' } = options
  if (typeof prefix !== 'string') throw invalidOption(where, 'prefix', 'a path', prefix)
  return prefix
}

/**
 * Creates the function that builds a pattern's URLs: `/api/users/7` for `/api/users/:id`. An
 * optional `format` adds an extension.
 */
function createPathBuilder(prefix: string, pattern: string) {
  const fill = compile(`${pattern || '/'}{.:format}`, { encode: encodeSegment })
  const start = joinPath(prefix)
  const params = paramsOf(pattern)
  const isGlob = (name: string) => pattern.endsWith(`/*${name}`)
  return {
    pattern,
    params,
    build(values: PathValues): string {
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
