const slots = 2 ** 11
const ways = 4
const maxLength = 512
/** By length of text: the most positions that the slot depends on. */
const maxPositions = 16

/**
 * Caches a function of a header text. The size is fixed, whatever clients send: four entries per slot.
 *
 * Headers of equal length differ in a few characters, such as the version and the q-values. The slot of a text depends on
 * its length and on these characters only, and the entries of the slot are then compared with the whole text. This costs
 * a fraction of hashing a fresh string. The cache learns the positions of these characters when two texts of equal length
 * meet in a slot.
 *
 * A text is kept when it comes a second time. A text that comes once, by accident or from an attacker, evicts nothing and
 * teaches nothing. Texts over 512 characters are not kept.
 */
export function createAcceptCache<Value>(
  compute: (text: string) => Value,
): (text: string) => Value {
  const keys = Array.from({ length: slots * ways }, () => '')
  const values = Array.from<Value | undefined>({ length: slots * ways })
  /** By length: the positions at which texts are known to differ. */
  const positions = Array.from({ length: maxLength + 1 }, (): number[] => [])
  /** Hashes of texts that came once. Each is stored twice, because another text may overwrite one of them. */
  const met = new Int32Array(slots * ways)
  let turn = 0

  return (text) => {
    if (text.length > maxLength || text.length === 0) return compute(text)
    const slot = slotOf(text, positions[text.length]!)
    for (let at = slot; at < slot + ways; at++) if (keys[at] === text) return values[at]!
    return keep(text, slot)
  }

  function keep(text: string, from: number): Value {
    const value = compute(text)
    if (!markMet(text)) return value
    for (let at = from; at < from + ways; at++) learn(text, keys[at]!)
    const slot = slotOf(text, positions[text.length]!)
    let at = slot
    while (at < slot + ways && keys[at] !== '') at++
    if (at === slot + ways) at = slot + (turn = (turn + 1) % ways)
    keys[at] = text
    values[at] = value
    return value
  }

  /** Marks a text as met. Returns whether it was met before. */
  function markMet(text: string): boolean {
    let hash = 1
    for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
    hash = scatter(hash)
    const [one, two] = [hash & (met.length - 1), (hash >>> 16) & (met.length - 1)]
    if (met[one] === hash || met[two] === hash) return true
    met[one] = met[two] = hash
    return false
  }

  /**
   * Adds the first position at which two texts of one slot differ. Nothing if the lengths or a known position differ:
   * then the texts share the slot by chance.
   */
  function learn(text: string, other: string): void {
    const known = positions[text.length]!
    if (
      other.length !== text.length ||
      known.some((at) => text.charCodeAt(at) !== other.charCodeAt(at))
    )
      return
    let at = 0
    while (text.charCodeAt(at) === other.charCodeAt(at)) at++
    if (known.length === maxPositions) known.shift()
    known.push(at)
  }
}

/** Returns the index of the first entry of a text's slot. */
function slotOf(text: string, positions: readonly number[]): number {
  let hash = text.length
  for (let i = 0; i < positions.length; i++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(positions[i]!)) | 0
  return (scatter(hash) & (slots - 1)) * ways
}

/** Spreads hashes that are close to each other. */
function scatter(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}
