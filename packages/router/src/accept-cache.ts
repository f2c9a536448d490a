const slots = 2 ** 12
const maxLength = 512
/** How much of the end of a range is sampled: `n=12;q=0.5` tells more than any other part. */
const tail = 9
const maxRanges = 5

/**
 * A cache by header text, of fixed size whatever is sent: two entries a slot, the newer first. The slot follows from
 * the ends of the header's ranges, and the text itself is compared: that costs a fraction of hashing all of a string
 * that nobody has hashed before. Texts over 512 characters are not kept.
 *
 * @param at an offset whose three characters tell many texts apart: where the version of a lone range stands
 */
export function createAcceptCache<Value>(at: number, compute: (text: string) => Value): (text: string) => Value {
  const keys = Array.from({ length: slots * 2 }, () => '')
  const values = Array.from<Value | undefined>({ length: slots * 2 })

  return (text) => {
    if (text.length > maxLength || text.length === 0) return compute(text)
    const slot = slotOf(text, at)
    if (keys[slot] === text) return values[slot]!
    const value = keys[slot + 1] === text ? values[slot + 1]! : compute(text)
    keys[slot + 1] = keys[slot]!
    values[slot + 1] = values[slot]
    keys[slot] = text
    values[slot] = value
    return value
  }
}

function slotOf(text: string, at: number): number {
  const { length } = text
  let hash = length
  for (let i = at; i < at + 3 && i < length; i++) hash = mix(hash, text.charCodeAt(i))
  let from = 0
  for (let ranges = 1; from < length; ranges++) {
    const comma = ranges < maxRanges ? text.indexOf(',', from) : -1
    const end = comma < 0 ? length : comma
    for (let i = Math.max(end - tail, from); i < end; i++) hash = mix(hash, text.charCodeAt(i))
    from = end + 1
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) // near texts lie apart
  return ((hash ^ (hash >>> 13)) & (slots - 1)) << 1
}

const mix = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0
