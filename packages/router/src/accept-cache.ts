const slots = 2 ** 11
const maxLength = 256

/**
 * A cache by header text, of fixed size whatever is sent: two entries a slot, the newer first. The slot follows from
 * a sample of the text, and the text itself is compared: that costs a fraction of hashing all of a string that
 * nobody has hashed before. Texts over 256 characters are not kept.
 *
 * @param at an offset whose three characters tell many texts apart: where a version stands
 */
export function createAcceptCache<Value>(at: number, compute: (text: string) => Value): (text: string) => Value {
  const keys = new Array<string>(slots * 2).fill('')
  const values = new Array<Value | undefined>(slots * 2).fill(undefined)

  return (text) => {
    const { length } = text
    if (length > maxLength || length === 0) return compute(text)
    let hash = length
    const step = (length >> 3) + 1
    for (let i = length - 4; i >= 0; i -= step) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
    for (let i = Math.max(length - 3, 0); i < length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
    for (let i = at; i < at + 3 && i < length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
    const slot = (Math.imul(hash, 0x9e3779b1) >>> 21) << 1

    if (keys[slot] === text) return values[slot]!
    const value = keys[slot + 1] === text ? values[slot + 1]! : compute(text)
    keys[slot + 1] = keys[slot]!
    values[slot + 1] = values[slot]
    keys[slot] = text
    values[slot] = value
    return value
  }
}
