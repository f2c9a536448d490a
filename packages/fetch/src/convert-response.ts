import { type Translation, isBodiless } from '@hv/router/adapter'

/** Converts JSON bodies, and every response's head. Other bodies are sent as they are. */
export async function convertResponse(
  response: Response | undefined,
  { respond, head }: Translation,
): Promise<Response | undefined> {
  if (!response) return response
  const isConverted =
    respond !== null && response.body !== null && isJson(response.headers.get('content-type'))
  if (!isConverted && head === null) return response
  const headers = new Headers(response.headers)
  let status = head?.statusOf(response.status) ?? response.status
  let body: Response['body'] | string = response.body
  if (isConverted) {
    const text = await response.text()
    body = text === '' ? null : text
    if (text !== '') {
      const sent: unknown = JSON.parse(text)
      const older = respond(response.status, sent, (name, value) => headers.set(name, value))
      status = older.status
      if (older.body !== sent) {
        headers.delete('content-length')
        body = JSON.stringify(older.body)
      }
    }
  }
  head?.rename({
    get: (name) => headers.get(name),
    set: (name, value) => headers.set(name, value),
    remove: (name) => headers.delete(name),
  })
  const hasBody = !isBodiless(status)
  if (!hasBody) for (const name of ['content-type', 'content-length']) headers.delete(name)
  const statusText = status === response.status ? response.statusText : ''
  return new Response(hasBody ? body : null, { status, statusText, headers })
}

/** Whether a Content-Type is JSON: `application/json`, `application/vnd.acme+json; version=2`. */
export const isJson = (type: string | null): boolean =>
  /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i.test(type ?? '')
