import { decodeUnreserved } from '@hv/router/internal'
import { describe, expect, it } from 'vitest'

describe('decodeUnreserved', () => {
  it.each([
    ['/users/%6De', '/users/me'],
    ['/users/%6de?x=%6D', '/users/me?x=%6D'],
    ['/users/%6De#%6D', '/users/me#%6D'],
    ['/line%2Ditems/%5F%7e', '/line-items/_~'],
    ['/users/a%2Fb%2Ejson%3a', '/users/a%2Fb%2Ejson%3a'],
    ['/users/%256D', '/users/%256D'],
    ['/users/%C3%A9%41', '/users/%C3%A9A'],
    ['/users/%6D?x=%zz', '/users/m?x=%zz'],
    ['/users/%2%35', '/users/%2%35'],
    ['/users/%6D%zz', '/users/%6D%zz'],
    ['/users/%6D%', '/users/%6D%'],
    ['/users/me', '/users/me'],
  ])('%s gives %s', (target, expected) => {
    expect(decodeUnreserved(target)).toBe(expected)
  })

  it("decodes RFC 3986's unreserved characters but the dot, and nothing else", () => {
    for (let code = 0; code < 256; code++) {
      const escape = `%${code.toString(16).padStart(2, '0')}`
      const character = String.fromCodePoint(code)
      const expected = /^[A-Za-z0-9_~-]$/.test(character) ? character : escape
      expect(decodeUnreserved(`/${escape}`)).toBe(`/${expected}`)
      expect(decodeUnreserved(`/${escape.toUpperCase()}`).toLowerCase()).toBe(
        `/${expected}`.toLowerCase(),
      )
    }
  })
})
