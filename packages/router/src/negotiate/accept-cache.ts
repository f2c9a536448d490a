const slots = 2 ** 11
const ways = 4
const maxLength = 512
/** How many positions of a text its slot depends on, at most. */
const maxPositions = 16

/**
 * Caches what a function returns for a header. The cache's size is fixed, whatever clients send,
 * with four entries per slot.
 *
 * Headers of the same length usually only differ in a few characters, such as the version and the
 * q-values. So a text's slot only depends on its length and on those characters, and the whole text
 * is then compared with the slot's entries. That's much faster than hashing a fresh string. The
 * cache learns the positions of those characters when two texts of the same length meet in a slot.
 *
 * A text is only kept when it's seen for the second time. Texts that are only sent once, by
 * accident or by an attacker, replace no entry, and the cache learns nothing from them. Texts over
 * 512 characters are never kept.
 */
export function createAcceptCache<Value>(
  compute: (text: string) => Value,
): (text: string) => Value {
  const keys = Array.from({ length: slots * ways }, () => '')
  const values = Array.from<Value | undefined>({ length: slots * ways })
  /** By length: the positions at which texts have turned out to differ. */
  const positions = Array.from({ length: maxLength + 1 }, (): number[] => [])
  /**
   * The hashes of texts that were seen once. Each is stored in two places, because another text may
   * overwrite one of them.
   */
  const seen = new Int32Array(slots * ways)
  /** Which entry of a full slot is replaced next. */
  let turn = 0

  return (text) => {
    if (text.length > maxLength || text.length === 0) return compute(text)
    const slot = slotOf(text, positions[text.length]!)
    for (let at = slot; at < slot + ways; at++) if (keys[at] === text) return values[at]!
    return keep(text, slot)
  }

  function keep(text: string, from: number): Value {
    const value = compute(text)
    if (!markSeen(text)) return value
    for (let at = from; at < from + ways; at++) learn(text, keys[at]!)
    // What was just learned may have moved the text to a different slot.
    const slot = slotOf(text, positions[text.length]!)
    let at = slot
    while (at < slot + ways && keys[at] !== '') at++
    if (at === slot + ways) at = slot + (turn = (turn + 1) % ways)
    keys[at] = text
    values[at] = value
    return value
  }

  /** Marks a text as seen, and returns whether it already was. */
  function markSeen(text: string): boolean {
    let hash = 1
    for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
    hash = scatter(hash)
    const low = hash & (seen.length - 1)
    const high = (hash >>> 16) & (seen.length - 1)
    if (seen[low] === hash || seen[high] === hash) return true
    seen[low] = seen[high] = hash
    return false
  }

  /**
   * Adds the first position at which two texts in the same slot differ. If their lengths differ, or
   * if they already differ at a learned position, they only share the slot by chance, so there's
   * nothing to learn.
   */
  function learn(text: string, other: string): void {
    if (other.length !== text.length) return
    const learned = positions[text.length]!
    if (learned.some((at) => text.charCodeAt(at) !== other.charCodeAt(at))) return
    let at = 0
    while (text.charCodeAt(at) === other.charCodeAt(at)) at++
    if (learned.length === maxPositions) learned.shift()
    learned.push(at)
  }
}

/** Returns the index of the first entry in a text's slot. */
function slotOf(text: string, positions: readonly number[]): number {
  let hash = text.length
  for (let i = 0; i < positions.length; i++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(positions[i]!)) | 0
  return (scatter(hash) & (slots - 1)) * ways
}

/** Spreads hashes that are close together. */
function scatter(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}
