/** A method and path of an action. */
export interface Endpoint {
  readonly method: string
  /** `/api/users/:id` */
  readonly pattern: string
  readonly params: readonly string[]
}

/** @param route - `GET /api/users/:id` */
export function readEndpoint(route: string): Endpoint {
  const [method, pattern] = route.split(' ') as [string, string]
  return { method, pattern, params: pattern.match(/(?<=\/[:*])\w+/g) ?? [] }
}

type Params = Readonly<Record<string, unknown>>

/** The endpoint with the most parameters that are all given, else the first, whose path cannot be built. */
export function endpointFor(endpoints: readonly Endpoint[], given: Params): Endpoint {
  const byParams = endpoints.toSorted((a, b) => b.params.length - a.params.length)
  return (
    byParams.find(({ params }) => params.every((name) => given[name] !== undefined)) ??
    endpoints[0]!
  )
}

/**
 * The path with its parameters, percent-encoded. Dots, too: the server would read what follows one as the format.
 *
 * @throws TypeError for a parameter that is missing, empty, `.`, `..`, an object or not well-formed Unicode
 */
export const pathOf = (action: string, pattern: string, given: Params): string =>
  (pattern || '/').replace(/\/([:*])(\w+)/g, (_parameter, kind: string, name: string) => {
    const text = textOf(action, name, given[name])
    const segments = kind === '*' ? text.split('/') : [text]
    const relative = segments.find((segment) => ['', '.', '..'].includes(segment))
    if (relative !== undefined)
      throw new TypeError(
        `${action}: cannot send '${relative}' in the path as '${name}'. Pass another value.`,
      )
    return segments
      .map((segment) => `/${encodeURIComponent(segment).replaceAll('.', '%2E')}`)
      .join('')
  })

function textOf(action: string, name: string, value: unknown): string {
  if (value === undefined || value === null || value === '')
    throw new TypeError(`${action} requires '${name}'. Pass { ${name}: ... }.`)
  if (hasText(value) && !/\p{Surrogate}/u.test(String(value))) return String(value)
  throw new TypeError(
    `${action}: cannot send '${name}' in the path. Pass well-formed text or a number.`,
  )
}

/** An object of a database may have a text, such as the id of a document. A plain object and a list have none. */
const hasText = (value: unknown): boolean =>
  typeof value !== 'object' ||
  (!Array.isArray(value) &&
    typeof value?.toString === 'function' &&
    value.toString !== Object.prototype.toString)
