import type { MutableHeaders, OlderResponse, Translation } from '../changes/translation.ts'

/** A response whose body is already text or bytes. */
export interface SentText {
  readonly status: number
  readonly headers: MutableHeaders
  readonly body: string | Uint8Array | null
}

/** Whether a Content-Type is JSON: `application/json`, `application/vnd.acme+json; version=2`. */
export const isJson = (type: unknown): boolean =>
  /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i.test(String(type ?? ''))

/**
 * Returns the change that converts the body of a response that's sent as text, as bytes or as a
 * stream. Null if the body isn't JSON, or if no change concerns its status. A part of a body (206)
 * has the schema of the whole body.
 *
 * @param translation - what converts the version's responses
 */
export function changeOfText(
  { changeOf }: Translation,
  status: number,
  contentType: unknown,
): string | null {
  if (!isJson(contentType)) return null
  return changeOf(status) ?? (status === 206 ? changeOf(200) : null)
}

/**
 * Converts a response's status, and its body if that's JSON that changed. Any other body stays the
 * same. The older response's headers are set, but {@link finishHead} has to finish its head.
 *
 * @param translation - what converts the version's responses
 * @param sent - the newer response
 * @throws Error that names the change, if converting the body would lose something
 */
export function convertText(
  translation: Translation,
  { status, headers, body }: SentText,
): OlderResponse<SentText['body']> {
  const about = changeOfText(translation, status, headers.get('content-type'))
  if (about === null || body === null || body.length === 0) {
    if (about !== null) removeDescription(headers) // it responds to HEAD
    return { status: translation.statusOf(status), body }
  }
  if (status === 206) throw unconvertible(about, 'a part of a body (status 206)')
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity')
    throw unconvertible(about, `a body with the Content-Encoding ${String(encoding)}`)
  let text: string
  let newer: unknown
  try {
    text = typeof body === 'string' ? body.replace(/^\uFEFF/, '') : decoder.decode(body)
    newer = JSON.parse(text)
  } catch (cause) {
    throw unconvertible(about, "a body that isn't JSON in UTF-8", cause)
  }

  const set = (name: string, value: string) => headers.set(name, value as never)
  const older = translation.respond(status, newer, set)
  if (older.body === newer) return { status: older.status, body }
  const number = lostNumberIn(text)
  if (number !== null)
    throw unconvertible(about, `the number ${number}, which JavaScript can't hold`)
  removeDescription(headers)
  return { status: older.status, body: JSON.stringify(older.body) ?? '' }
}

// The core is compiled without the types of a runtime. All of them have this class.
declare const TextDecoder: new (
  encoding: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array): string }
const decoder = new TextDecoder('utf-8', { fatal: true }) // it also skips the byte order mark

/** The error about a body that can't be converted without a loss. */
export const unconvertible = (about: string, what: string, cause?: unknown): Error =>
  new Error(
    `the change '${about}' can't convert ${what}. Send the whole body as one JSON value, or write ` +
      'a controller for the older version',
    { cause },
  )

/** Removes the headers that describe the newer body's bytes (RFC 9110, section 8; RFC 9530). */
function removeDescription(headers: Pick<MutableHeaders, 'delete'>): void {
  for (const name of descriptions) headers.delete(name)
}
const descriptions = [
  'content-length',
  'etag',
  'digest',
  'content-digest',
  'repr-digest',
  'content-md5',
]

/** Makes a response that has no body yet ready for an error. */
export function prepareForError(headers: Pick<MutableHeaders, 'delete'>): void {
  removeDescription(headers)
  for (const name of ['content-type', 'content-encoding', 'content-range']) headers.delete(name)
}

/**
 * Finds a number in a JSON text that JavaScript can't hold: an integer that it would round, or a
 * number that it would turn into Infinity or 0. A decimal stays the same for every reader that uses
 * doubles.
 */
export function lostNumberIn(text: string): string | null {
  if (!/\d{16}|\de[-+]?\d{3}/i.test(text)) return null // hardly any text has such a number
  let inString = false
  for (const [token] of text.matchAll(/\\.|"|-?\d[\d.e+-]*/gi))
    if (token === '"') inString = !inString
    else if (!inString && isLost(token)) return token
  return null
}

function isLost(token: string): boolean {
  const number = Number(token)
  if (!Number.isFinite(number)) return true
  if (/[.e]/i.test(token)) return number === 0 && /^[^e]*[1-9]/i.test(token)
  return BigInt(token) !== BigInt(number)
}
