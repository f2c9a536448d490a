import { encodeSegment, fillPattern, paramsOf, pathTextOf } from '@hv/router/internal'

/** One of an action's methods and paths. */
export interface Endpoint {
  readonly method: string
  /** `/api/users/:id` */
  readonly pattern: string
  readonly params: readonly string[]
}

/** @param route - `GET /api/users/:id` */
export function readEndpoint(route: string): Endpoint {
  const [method, pattern] = route.split(' ') as [string, string]
  return { method, pattern, params: paramsOf(pattern) }
}

/**
 * Returns the path with its parameters, percent-encoded.
 *
 * @throws TypeError for a parameter that's missing, empty, `.`, `..`, an object or not well-formed
 *   Unicode
 */
export const pathOf = (
  action: string,
  pattern: string,
  given: Readonly<Record<string, unknown>>,
): string =>
  fillPattern(pattern || '/', (name, isGlob) => {
    const value = given[name]
    const text = pathTextOf(value, isGlob)
    if (text !== null)
      return isGlob ? text.split('/').map(encodeSegment).join('/') : encodeSegment(text)
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${action} requires '${name}'. Pass { ${name}: ... }.`)
    throw new TypeError(
      `${action} can't send this '${name}' in the path. ` +
        "Pass a number, or well-formed text other than '.' and '..'.",
    )
  })
