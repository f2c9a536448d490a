import { describe, expect, it } from 'vitest'
import { createAcceptCache } from '../../src/negotiate/accept-cache.ts'

const vendor = 'application/vnd.acme+json;version='

describe('the cache of Accept headers', () => {
  it('learns what tells headers apart, and then computes hardly any again', () => {
    let computed = 0
    const lookUp = createAcceptCache((text) => (computed++, text.length))
    const texts = Array.from({ length: 400 }, (_, n) => [
      `${vendor}${n}`,
      `${vendor}"${n}"`,
      `text/html;q=0.8, ${vendor}${n}`,
      `${vendor}${n % 7};q=0.${n % 9}, ${vendor}${n};charset=utf-8`,
    ]).flat()
    const round = () => {
      computed = 0
      for (const text of texts) expect(lookUp(text)).toBe(text.length)
      return computed
    }
    expect(round()).toBeGreaterThanOrEqual(texts.length)
    for (let i = 0; i < 8; i++) round()
    expect(round()).toBeLessThan(texts.length / 100) // five in one slot, by chance
  })

  it('keeps what it has through a flood of texts that come once', () => {
    let computed = 0
    const lookUp = createAcceptCache((text) => (computed++, text.length))
    const known = Array.from({ length: 100 }, (_, n) => `${vendor}${n};q=0.5, */*;q=0.1`)
    for (let round = 0; round < 8; round++) for (const text of known) lookUp(text)
    for (let n = 0; n < 20_000; n++) lookUp(`${vendor}${n % 100};q=0.5, */*;q=0.1;x=${n}`)
    computed = 0
    for (const text of known) lookUp(text)
    expect(computed).toBeLessThan(10)
  })

  it("is right whatever is sent, and forgets what's too much", () => {
    const lookUp = createAcceptCache((text) => `of ${text}`)
    for (let n = 0; n < 50_000; n++) {
      const text = `${vendor}${n % 7};p=${n}`
      expect(lookUp(text)).toBe(`of ${text}`)
    }
    expect(lookUp('')).toBe('of ')
    for (const text of [
      'a',
      'ab',
      'abc',
      'abcd',
      'x'.repeat(512),
      'x'.repeat(513),
      'x'.repeat(5000),
    ]) {
      expect(lookUp(text)).toBe(`of ${text}`)
      expect(lookUp(text)).toBe(`of ${text}`)
    }
  })
})
