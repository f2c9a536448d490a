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
 * Creates a function like `fetch` that sends requests to a Fastify app without a socket.
 *
 * @example const response = await injectInto(app)(new Request('http://localhost/api/users'))
 */
export const injectInto =
  (app: InjectableApp): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const { pathname, search } = new URL(request.url)
    const payload = Buffer.from(await request.arrayBuffer())
    const { statusCode, headers, rawPayload } = await app.inject({
      method: request.method as never,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(payload.length > 0 && { payload }),
    })
    const isEmpty = [204, 205, 304].includes(statusCode)
    return new Response(isEmpty ? null : Uint8Array.from(rawPayload), {
      status: statusCode,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      ),
    })
  }
