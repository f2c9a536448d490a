/** The part of Fastify that {@link injectInto} uses. */
export interface InjectableApp {
  inject(options: {
    method: never
    url: string
    headers: Record<string, string>
    payload?: Buffer
  }): PromiseLike<{ statusCode: number; headers: object; rawPayload: Uint8Array }>
}

/**
 * Creates a function like `fetch` that sends requests to a Fastify app without a socket. When a request is aborted, the
 * function rejects, and the app finishes its work.
 *
 * @example const response = await injectInto(app)(new Request('http://localhost/api/users'))
 */
export const injectInto =
  (app: InjectableApp): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const { signal } = request
    const payload = Buffer.from(await request.arrayBuffer())
    signal.throwIfAborted()
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    const responded = app.inject({
      method: request.method as never,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      ...(payload.length > 0 && { payload }),
    })
    const { statusCode, headers, rawPayload } = await Promise.race([responded, aborted])
    const isEmpty = [204, 205, 304].includes(statusCode)
    return new Response(isEmpty ? null : Uint8Array.from(rawPayload), {
      status: statusCode,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      ),
    })
  }
