import { describe, expect, it } from 'vitest'
import { createAcceptCache } from '../src/accept-cache.ts'

const vendor = 'application/vnd.acme+json;version='

describe('the cache of Accept headers', () => {
  it('computes a text once', () => {
    const computed: string[] = []
    const lookUp = createAcceptCache(vendor.length, (text) => (computed.push(text), text.length))
    for (let round = 0; round < 3; round++)
      for (let n = 0; n < 40; n++)
        for (const text of [`${vendor}${n}`, `${vendor}"${n}"`, `text/html;q=0.8, ${vendor}${n}`])
          expect(lookUp(text)).toBe(text.length)
    expect(computed).toHaveLength(120)
  })

  it('is right whatever is sent, and forgets what is too much', () => {
    const lookUp = createAcceptCache(vendor.length, (text) => `of ${text}`)
    for (let n = 0; n < 50_000; n++) {
      const text = `${vendor}${n % 7};p=${n}`
      expect(lookUp(text)).toBe(`of ${text}`)
    }
    expect(lookUp('')).toBe('of ')
    for (const text of ['a', 'ab', 'abc', 'abcd', 'x'.repeat(256), 'x'.repeat(257), 'x'.repeat(5000)]) {
      expect(lookUp(text)).toBe(`of ${text}`)
      expect(lookUp(text)).toBe(`of ${text}`)
    }
  })
})
