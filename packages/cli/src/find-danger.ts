/** The longest value that a constraint reads, and in how many ways its parts may share it. */
const maxLength = 256
const maxWays = 2 ** 17

interface Group {
  /** What stands in it, one after the other; a group inside as its closing bracket. */
  readonly atoms: Atom[]
  alternatives: boolean
  /** In how many ways its parts can share one value, at most. */
  ways: number
}
interface Atom {
  readonly source: string
  /** Its repetition varies in length. */
  varies: boolean
}

const tokens =
  /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|k<\w+>|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|\)|\||(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/giu

const openGroup = (): Group => ({ atoms: [], alternatives: false, ways: 1 })

/**
 * Finds what makes a backtracking engine slow: a repeated group whose turns cannot be told apart, many repetitions
 * that can share a value, back references, look-arounds. It refuses some patterns that are harmless, too.
 */
export function findDanger(source: string, flags: string): string | null {
  const stack = [openGroup()]
  let closed: Group | null = null

  for (const [token] of source.matchAll(tokens)) {
    const top = stack.at(-1)!
    if (/^(?:[*+?]|\{\d)/.test(token)) {
      const [min, max] = boundsOf(token)
      if (closed !== null && max > 1 && closed.ways > 1) {
        if (!isSeparated(closed, flags)) return 'a repetition within a repetition'
        top.ways /= closed.ways // its turns are told apart
      }
      top.ways *= Math.min(max, maxLength) - Math.min(min, maxLength) + 1
      top.atoms.at(-1)!.varies ||= min !== max
      closed = null
      continue
    }
    closed = null
    if (/^\(\?<?[=!]/.test(token)) return 'it looks ahead or behind'
    if (/^\\(?:[1-9]|k<)/.test(token)) return 'it refers back to a group'
    if (token.startsWith('(')) stack.push(openGroup())
    else if (token === ')') {
      closed = stack.pop()!
      const outer = stack.at(-1)!
      outer.ways *= closed.ways
      outer.atoms.push({ source: token, varies: closed.ways > 1 })
    } else if (token === '|') {
      top.alternatives = true
      top.ways *= 2
    } else if (token !== '^' && token !== '$') top.atoms.push({ source: token, varies: false })
  }
  return stack[0]!.ways > maxWays ? 'its repetitions can share a value in too many ways' : null
}

function boundsOf(quantifier: string): readonly [min: number, max: number] {
  if (quantifier[0] === '?') return [0, 1]
  if (quantifier[0] === '*') return [0, Infinity]
  if (quantifier[0] === '+') return [1, Infinity]
  const [, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier)!
  return [Number(min), comma === '' ? Number(min) : max === '' ? Infinity : Number(max)]
}

/**
 * One part alone varies in length, and a literal character at an end of the group, which no other part matches,
 * says where a turn ends: `-[a-z]+`, `\d{1,3}\.`.
 */
function isSeparated({ atoms, alternatives }: Group, flags: string): boolean {
  if (alternatives || atoms.filter(({ varies }) => varies).length > 1) return false
  return [atoms[0]!, atoms.at(-1)!].some((edge) => {
    const literal = edge.varies ? undefined : literalOf(edge.source)
    if (literal === undefined) return false
    const others = atoms.filter((atom) => atom !== edge)
    return others.every(({ source }) => source !== ')' && !new RegExp(`^${source}$`, flags).test(literal))
  })
}

/** `-` and `\.`, not `\d` or `.`: the one character that an atom stands for. */
const literalOf = (source: string): string | undefined =>
  /^(?:\\([^\w\s])|([^\\^$.*+?()[\]{}|]))$/.exec(source)?.slice(1).find(Boolean)
