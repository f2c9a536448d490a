/**
 * Returns a request target as Fastify's and Hono's routers compare it: letters, digits, `-`, `_` and
 * `~` mean the same with and without percent-encoding (RFC 3986, section 2.3).
 */
export function decodedPath(target: string): string {
  const [path = '', ...query] = target.split('?')
  const escapes = path.split('%').slice(1)
  if (!escapes.every((escape) => /^[\dA-Fa-f]{2}/.test(escape))) return target
  const decoded = path.replaceAll(/%../g, (escape) => {
    const character = String.fromCharCode(Number(`0x${escape.slice(1)}`))
    return /[A-Za-z0-9_~-]/.test(character) ? character : escape
  })
  return [decoded, ...query].join('?')
}
