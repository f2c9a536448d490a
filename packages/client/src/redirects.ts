// Redirects are followed within their origin. fetch would send the caller's headers and body to any address a server names.

type Send = (request: Request) => Promise<Response>

/** As many as fetch follows. */
const maxRedirects = 20

/**
 * Sends a request, and follows redirects to the same origin as fetch does.
 *
 * @returns the last request, and its response: a redirect that leads elsewhere, or cannot be followed
 */
export async function sendWithinOrigin(
  action: string,
  send: Send,
  href: string,
  init: RequestInit,
): Promise<[Request, Response]> {
  let request = new Request(href, { ...init, ...modeOf(href) })
  let next = init
  for (let count = 0; ; count++) {
    const response = (await send(request)) as Response | undefined
    if (!response?.headers) throw new TypeError(`${action}: fetch did not return a Response.`)
    const target = targetOf(request, response)
    if (target?.origin !== new URL(request.url).origin || count === maxRedirects)
      return [request, response]
    next = redirected(next, response.status)
    if (next.body instanceof ReadableStream) return [request, response] // it cannot be sent again
    await response.body?.cancel()
    request = new Request(target, { ...next, redirect: 'manual' })
  }
}

/**
 * A page cannot see where a redirect leads. On its own origin the browser keeps the request there; on another one, it
 * returns a response without a status.
 */
const modeOf = (href: string): RequestInit => {
  const own = (
    globalThis as { readonly location?: { readonly origin: string; readonly href: string } }
  ).location
  return own !== undefined && new URL(href, own.href).origin === own.origin
    ? { mode: 'same-origin' }
    : { redirect: 'manual' }
}

function targetOf({ url }: Request, { status, headers }: Response): URL | null {
  const location = headers.get('location')
  const isRedirect = [301, 302, 303, 307, 308].includes(status)
  return isRedirect && location !== null && URL.canParse(location, url)
    ? new URL(location, url)
    : null
}

/** A redirected POST becomes a GET, except with 307 and 308. */
function redirected(init: RequestInit, status: number): RequestInit {
  const becomesGet = status === 303 || (status < 303 && init.method === 'POST')
  if (!becomesGet) return init
  const headers = new Headers(init.headers)
  for (const name of ['content-type', 'content-encoding', 'content-language']) headers.delete(name)
  const { body: _body, ...rest } = init
  return { ...rest, method: 'GET', headers }
}

/** Why a redirect was not followed. Undefined for another response. */
export function redirectMessage(request: Request, response: Response): string | undefined {
  const target = targetOf(request, response)
  if (target === null && response.type !== 'opaqueredirect') return undefined
  const where =
    target === null ? 'an address that a page cannot see' : `${target.protocol}//${target.host}`
  if (target?.origin === new URL(request.url).origin) return 'redirects too often, or for a stream'
  return (
    `redirects to ${where}. Redirects to another origin are not followed, because it would receive your headers and body. ` +
    'Set baseUrl to the new origin, or follow the redirect in the fetch option.'
  )
}
