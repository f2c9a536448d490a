type RawBody = NonNullable<RequestInit['body']>

/** What fetch sends as it is. Everything else is sent as JSON. */
const isRawBody = (body: unknown): body is RawBody =>
  typeof body === 'string' ||
  ArrayBuffer.isView(body) ||
  [ArrayBuffer, Blob, FormData, ReadableStream, URLSearchParams].some((Type) => body instanceof Type)

/** The body of a request and its headers, as `new Request` takes them. */
export function encodeBody(body: unknown): { headers: Record<string, string>; init: RequestInit } {
  if (body === undefined) return { headers: {}, init: {} }
  if (!isRawBody(body)) return { headers: { 'content-type': 'application/json' }, init: { body: JSON.stringify(body) } }
  const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half' } // Node requires duplex for a stream
  return { headers: {}, init }
}

/** Arrays repeat their parameter. Undefined values are left out. */
export function encodeQuery(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one) => (one === undefined || one === null ? [] : [[name, String(one)] as [string, string]])),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** JSON is parsed, text is a string, other types are a Blob, no content is undefined. */
export async function decodeBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  const isJson = /^[^;]*[/+]json\b/i.test(type)
  if (type !== '' && !isJson && !/^text\//i.test(type)) return response.blob()
  const text = await response.text()
  if (text === '') return undefined
  try {
    return isJson ? JSON.parse(text) : text
  } catch {
    return text // a truncated body, or the error page of a proxy: the status decides
  }
}
