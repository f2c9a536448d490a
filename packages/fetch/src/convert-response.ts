import { type Translation, changeOfText, convertText, finishHead } from '@hv/router/adapter'

/** Converts JSON bodies, and every response's head. Other bodies are sent as they are. */
export async function convertResponse(
  response: Response | undefined,
  translation: Translation,
): Promise<Response | undefined> {
  if (!response || response.status === 101) return response // with a Worker's WebSocket
  const { status: sentStatus, headers: sentHeaders } = response
  const isTouched = changeOfText(translation, sentStatus, sentHeaders.get('content-type')) !== null
  if (!isTouched && !translation.changesHeads) return response
  const headers = new Headers(sentHeaders)
  const text = isTouched && response.body ? new Uint8Array(await response.arrayBuffer()) : null
  const older = convertText(translation, { status: sentStatus, headers, body: text })
  const hasBody = finishHead(translation, sentStatus, older.status, headers)
  if (!hasBody) response.body?.cancel().catch(() => {}) // nobody reads it, so its source may fail
  return new Response(hasBody ? ((older.body ?? response.body) as string | null) : null, {
    status: older.status,
    statusText: older.status === sentStatus ? response.statusText : '',
    headers,
  })
}
