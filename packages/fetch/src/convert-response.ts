import { type Translation, changeOfText, convertText, isBodiless } from '@hv/router/adapter'

/** Converts JSON bodies, and every response's head. Other bodies are sent as they are. */
export async function convertResponse(
  response: Response | undefined,
  translation: Translation,
): Promise<Response | undefined> {
  if (!response) return response
  const { head } = translation
  const isTouched =
    response.body !== null &&
    changeOfText(translation, response.status, response.headers.get('content-type')) !== null
  if (!isTouched && head === null) return response
  const headers = new Headers(response.headers)
  const mutable = {
    get: (name: string) => headers.get(name),
    set: (name: string, value: string) => headers.set(name, value),
    remove: (name: string) => headers.delete(name),
  }
  let status = head?.statusOf(response.status) ?? response.status
  let body: Response['body'] | Uint8Array<ArrayBuffer> | string = response.body
  if (isTouched) {
    const sent = new Uint8Array(await response.arrayBuffer())
    const older = convertText(translation, {
      status: response.status,
      headers: mutable,
      body: sent,
    })
    status = older?.status ?? status
    body = older?.body ?? (sent.length === 0 ? null : sent)
  }
  head?.rename(mutable)
  const hasBody = !isBodiless(status)
  if (!hasBody) for (const name of ['content-type', 'content-length']) headers.delete(name)
  const statusText = status === response.status ? response.statusText : ''
  return new Response(hasBody ? body : null, { status, statusText, headers })
}
