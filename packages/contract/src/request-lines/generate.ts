// Generates request lines that are nearly right: odd authorities, escapes, fragments, dots,
// slashes, extensions. A seed repeats a run.

/**
 * What a request asks for. `ranked` is what its Accept header means: the versions that it allows,
 * best first.
 */
export interface RequestLine {
  readonly method: string
  readonly target: string
  readonly host: string
  readonly accept: string
  readonly ranked: readonly number[]
}

/**
 * Where the APIs of the test are served. Only the first has extensions, which it doesn't declare.
 */
export const bases = ['/api', '/strict', '/mounted/api'] as const

type Random = () => number

/** Mulberry32: the same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']
const paths = [
  '/users',
  '/users/7',
  '/users/me',
  '/users/7/secret',
  '/users/me/secret',
  '/files/a/b',
  '/users/new',
]
const schemes = ['http', 'http', 'http', 'HTTP', 'https', 'ftp', 'javascript', 'ws', 'file', 'x']
// prettier-ignore
const authorities = [
  'x', 'localhost', '127.0.0.1:80', '[::1]', '[::1', 'x:80', 'x:80a', 'x:', 'x:99999', 'x;', "x'", 'x%', 'x%2F', 'x%zz', 'u:p@x',
  'x@y@z', '', 'x"', 'x`', 'x{', 'x|', 'x\\', 'x^', 'x<', 'x*', 'x,y', 'x&', 'x=', 'x$', 'x!', '\u00e9', '\u00a0', 'x#', 'x?', 'x/',
  'x_y', 'x..y', '.', '0x7f.1',
]
// prettier-ignore
const oddities = [
  '#', '#/', '/secret', '?', '?x=/y', ';', ';x', '%', '%zz', '%2F', '%2f', '%23', '%3F', '%25', '%2E', '%0A', '%00', '%C3', '%C3%A9',
  '%75', '/', '//', '/.', '/..', '/../', '.', '..', '.json', '.JSON', '.xml', '.json/', "'", '"', '\\', '|', '^', '{', '<', '`', '*',
  '+', '~', ',', '$', '&', '=', '@', ':', '!', '(', '\u00a0', '\u00e9', '\u00ff', '/api', '/users', 'constructor', '__proto__',
]

export function createGenerator(random: Random): () => RequestLine {
  const below = (count: number): number => Math.floor(random() * count)
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!

  return () => {
    const target = createTarget()
    const { accept, ranked } = createAccept()
    const isOddHost = below(20) === 0
    return {
      method: oneOf(methods),
      target,
      host: isOddHost ? oneOf(authorities) : 'localhost',
      accept,
      ranked,
    }
  }

  function createTarget(): string {
    let path = oneOf(bases) + oneOf(paths)
    for (let edits = Math.max(0, below(4) - 1); edits > 0; edits--) path = edit(path)
    if (below(4) === 0)
      path += oneOf(['/', '.json', '.json/', '?a=b', '/?a=b', '#', '#/secret', '#/me', '#?/secret'])
    return below(8) === 0 ? `${oneOf(schemes)}://${oneOf(authorities)}${path}` : path || '/'
  }

  function edit(path: string): string {
    // Half of the edits are at the end of a segment, where they matter most.
    const ends = [...path.matchAll(/(?<=[^/])(?=\/|$)/g)].map(({ index }) => index)
    const at = below(2) === 0 && ends.length > 0 ? oneOf(ends) : below(path.length + 1)
    if (below(8) > 1) return path.slice(0, at) + oneOf(oddities) + path.slice(at)
    const letter = path.charAt(at)
    const changed = below(2) === 0 ? letter.toUpperCase() : escapeOf(letter)
    return path.slice(0, at) + changed + path.slice(at + 1)
  }

  /** `m` gives `%6d` or `%6D`. */
  function escapeOf(letter: string): string {
    const digits = Buffer.from(letter, 'latin1').toString('hex')
    const escape = digits === '' ? '' : `%${digits}`
    return below(2) === 0 ? escape : escape.toUpperCase()
  }

  /**
   * Well-formed ranges, and what they mean by the rules: q first, then named versions, then the
   * order.
   */
  function createAccept(): Pick<RequestLine, 'accept' | 'ranked'> {
    const ranges = Array.from({ length: below(4) }, (_, order) => {
      const named = below(4) > 0 ? 1 + below(4) : null
      const q = oneOf(['', '', ';q=1', ';q=0.9', ';q=0.5', ';Q=0.001'])
      const type = oneOf([
        'application/vnd.acme+json',
        'application/vnd.acme',
        'Application/VND.Acme+JSON',
      ])
      const any = oneOf([type, 'application/json', '*/*', 'application/*'])
      const version = oneOf([
        `;version=${named}`,
        `; Version="${named}"`,
        ` ;charset=utf-8;version=${named}`,
      ])
      return {
        text: named === null ? any + q : type + version + q,
        version: named ?? 1,
        named,
        weight: weightOf(q),
        order,
      }
    })
    const ranked = ranges
      .filter(({ version }) => version <= 3)
      .toSorted(
        (a, b) =>
          b.weight - a.weight ||
          Number(a.named === null) - Number(b.named === null) ||
          a.order - b.order,
      )
    return {
      accept: ranges.map(({ text }) => text).join(oneOf([',', ', ', ' ,'])),
      ranked: ranges.length === 0 ? [1] : ranked.map(({ version }) => version),
    }
  }
}

const weightOf = (q: string): number => (q === '' ? 1 : Number(q.slice(3)))
