// A client of the service for the tests.
import { request } from 'node:http'

export const password = 'correct horse'

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
  readonly body: any
}

export const bearer = (token: string): { authorization: string } => ({
  authorization: `Bearer ${token}`,
})

/** Sends a request. A string or bytes are sent as they are, any other body as JSON. */
export async function send(
  origin: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(origin + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  } as RequestInit)
  const text = await response.text()
  const isJson = text.startsWith('{') || text.startsWith('[')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : null,
  }
}

/** Creates a user and logs it in. */
export async function register(
  origin: string,
  username: string,
): Promise<{ id: number; jwt: string }> {
  await send(origin, 'POST', '/users', { username, password })
  return (await send(origin, 'POST', '/users/login', { username, password })).body
}

/** Sends the headers of a request at once, and its body when `finish` is called: then it returns the status. */
export function holdBody(
  origin: string,
  method: string,
  path: string,
  token: string,
  body: object,
): { finish(): Promise<number> } {
  const text = JSON.stringify(body)
  const headers = {
    ...bearer(token),
    'content-type': 'application/json',
    'content-length': text.length,
  }
  const outgoing = request(origin + path, { method, headers })
  outgoing.flushHeaders()
  return {
    finish: () =>
      new Promise((resolve, reject) => {
        outgoing
          .on('response', (response) => resolve(response.resume().statusCode!))
          .on('error', reject)
        outgoing.end(text)
      }),
  }
}
