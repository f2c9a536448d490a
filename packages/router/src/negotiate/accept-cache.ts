const slots = 2 ** 11
const ways = 4
const maxLength = 512
/** At most as many positions tell the texts of one length apart. */
const maxPositions = 16

/**
 * A cache by header text, of fixed size whatever is sent: four entries a slot. Headers of one length differ in a few
 * characters, their versions and qualities: which ones, the cache learns where two meet in a slot. The slot follows
 * from these characters alone, and then the text itself is compared: that costs a fraction of hashing all of a string
 * that nobody has hashed before. A text is kept when it comes a second time: those that come once, by accident or on
 * purpose, neither push others out nor teach anything. Texts over 512 characters are not kept.
 */
export function createAcceptCache<Value>(compute: (text: string) => Value): (text: string) => Value {
  const keys = Array.from({ length: slots * ways }, () => '')
  const values = Array.from<Value | undefined>({ length: slots * ways })
  /** By length: where its texts differ, as far as is known. */
  const positions = Array.from({ length: maxLength + 1 }, (): number[] => [])
  /** Hashes of texts that came once, each in two places: it is enough that one of them is still there. */
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
    if (isNew(text)) return value
    for (let at = from; at < from + ways; at++) learn(text, keys[at]!)
    const slot = slotOf(text, positions[text.length]!)
    let at = slot
    while (at < slot + ways && keys[at] !== '') at++
    if (at === slot + ways) at = slot + (turn = (turn + 1) % ways)
    keys[at] = text
    values[at] = value
    return value
  }

  function isNew(text: string): boolean {
    let hash = 1
    for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
    hash = scatter(hash)
    const [one, two] = [hash & (met.length - 1), (hash >>> 16) & (met.length - 1)]
    if (met[one] === hash || met[two] === hash) return false
    met[one] = met[two] = hash
    return true
  }

  /** Both stand in one slot: the first character that differs, unless they share it by chance. */
  function learn(text: string, other: string): void {
    const known = positions[text.length]!
    if (other.length !== text.length || known.some((at) => text.charCodeAt(at) !== other.charCodeAt(at))) return
    let at = 0
    while (text.charCodeAt(at) === other.charCodeAt(at)) at++
    if (known.length === maxPositions) known.shift()
    known.push(at)
  }
}

/** The first entry of the slot of a text. */
function slotOf(text: string, positions: readonly number[]): number {
  let hash = text.length
  for (let i = 0; i < positions.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(positions[i]!)) | 0
  return (scatter(hash) & (slots - 1)) * ways
}

/** Puts the hashes of near texts far apart. */
function scatter(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}
