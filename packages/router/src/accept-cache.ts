const slots = 2 ** 11
const ways = 4
const maxLength = 512
/** At most as many positions tell the texts of one length apart. */
const maxPositions = 16

/**
 * A cache by header text, of fixed size whatever is sent: four entries a slot. Headers of one length differ in a few
 * characters, their versions and qualities: which ones, the cache learns where two meet in a slot. The slot follows
 * from these characters alone, and then the text itself is compared: that costs a fraction of hashing all of a string
 * that nobody has hashed before. Texts over 512 characters are not kept.
 */
export function createAcceptCache<Value>(compute: (text: string) => Value): (text: string) => Value {
  const keys = Array.from({ length: slots * ways }, () => '')
  const values = Array.from<Value | undefined>({ length: slots * ways })
  /** By length: where its texts differ, as far as is known. */
  const positions = Array.from({ length: maxLength + 1 }, (): number[] => [])
  let turn = 0

  return (text) => {
    if (text.length > maxLength || text.length === 0) return compute(text)
    const slot = slotOf(text, positions[text.length]!)
    for (let at = slot; at < slot + ways; at++) if (keys[at] === text) return values[at]!
    return keep(text, slot)
  }

  function keep(text: string, met: number): Value {
    const value = compute(text)
    for (let at = met; at < met + ways; at++) learn(text, keys[at]!)
    const slot = slotOf(text, positions[text.length]!)
    let at = slot
    while (at < slot + ways && keys[at] !== '') at++
    if (at === slot + ways) at = slot + (turn = (turn + 1) % ways)
    keys[at] = text
    values[at] = value
    return value
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
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) // near texts lie apart
  return ((hash ^ (hash >>> 13)) & (slots - 1)) * ways
}
