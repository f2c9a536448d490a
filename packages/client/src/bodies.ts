type RawBody = NonNullable<RequestInit['body']>

/** What fetch sends as it is. The client sends everything else as JSON. */
const isRawBody = (body: unknown): body is RawBody =>
  typeof body === 'string' ||
  ArrayBuffer.isView(body) ||
  [ArrayBuffer, Blob, FormData, ReadableStream, URLSearchParams].some(
    (Type) => body instanceof Type,
  )

interface EncodedBody {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: RawBody
  /** Node requires this for a stream. */
  readonly duplex?: 'half'
}

/** Returns a request's body and its headers, as `new Request` takes them. */
export function encodeBody(body: unknown): EncodedBody {
  if (body === undefined) return {}
  if (isRawBody(body)) return { body, duplex: 'half' }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/**
 * Encodes an object, or pairs such as URLSearchParams. A list repeats its parameter, and undefined
 * and null are left out. Dates are sent as in JSON: `2027-07-01T00:00:00.000Z`.
 *
 * @throws TypeError for any other object, because there's no usual way to write it in a query
 */
export function encodeQuery(action: string, given?: object | null): string {
  const query = given ?? {}
  if (typeof query !== 'object')
    throw new TypeError(`${action} can't send '${String(query)}' as the query. Pass an object.`)
  const entries =
    Symbol.iterator in query ? [...(query as Iterable<[string, unknown]>)] : Object.entries(query)
  const pairs: [string, string][] = []
  for (const [name, values] of entries)
    for (const value of [values].flat())
      if (value !== undefined && value !== null) pairs.push([name, textOf(action, name, value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function textOf(action: string, name: string, value: unknown): string {
  const { toJSON } = value as { toJSON?: () => unknown }
  const plain = typeof toJSON === 'function' ? toJSON.call(value) : value
  if (plain !== null && typeof plain !== 'object') return String(plain)
  throw new TypeError(
    `${action} can't send '${name}' in the query. Pass text, a number, a Date or an array.`,
  )
}

/** The media type in lower case, without its parameters. */
export const typeOf = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').split(/[;,]/)[0]!.trim().toLowerCase()

/** Parses JSON. Text becomes a string, any other type a Blob, and an empty body undefined. */
export async function decodeBody(
  response: Response,
): Promise<{ data: unknown; broken: Error | null }> {
  // A 204 has no body, whatever its type is.
  if (response.body === null) return { data: undefined, broken: null }
  const type = typeOf(response)
  const isJson = /^(application|text)\/json$|\+json$/.test(type) // not application/json-seq
  if (type !== '' && !isJson && !type.startsWith('text/'))
    return { data: await response.blob(), broken: null }
  const text = await response.text()
  if (text === '') return { data: undefined, broken: null }
  try {
    return { data: isJson ? JSON.parse(text) : text, broken: null }
  } catch (cause) {
    return { data: text, broken: cause as Error } // a truncated body, or a proxy's error page
  }
}
