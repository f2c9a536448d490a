import type { Translation } from '@hv/router/adapter'

/** Converts a JSON response. Responses of other types are sent as they are. */
export async function convertResponse(
  response: Response | undefined,
  respond: NonNullable<Translation['respond']>,
): Promise<Response | undefined> {
  if (!response || response.body === null || !isJson(response.headers.get('content-type'))) return response
  const text = await response.text()
  if (text === '') return new Response(null, response)
  const body: unknown = JSON.parse(text)
  const headers = new Headers(response.headers)
  const converted = respond(response.status, body, (name, value) => headers.set(name, value))
  if (converted !== body) headers.delete('content-length')
  const { status, statusText } = response
  return new Response(converted === body ? text : JSON.stringify(converted), { status, statusText, headers })
}

/** Whether a Content-Type is JSON: `application/json`, `application/vnd.acme+json; version=2`. */
export const isJson = (type: string | null): boolean => /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i.test(type ?? '')
