import { describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { acceptOf } from '../fixture.ts'
import type { AdapterUnderTest } from '../types.ts'

export function describeMethods({ measuresHead = true }: AdapterUnderTest, { ask }: Client): void {
  describe('methods', () => {
    it('responds to HEAD as to GET, without a body', async () => {
      const head = await ask('/api/users', acceptOf(2), 'HEAD')
      expect(head).toMatchObject({ status: 200, text: '' })
      expect(head.headers.get('api-version')).toBe('2')
      if (measuresHead) expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
    })

    it.each([
      ['/api/teams/7', acceptOf(1), 'GET, HEAD, OPTIONS'],
      ['/api/users', 'nonsense', 'GET, HEAD, POST, OPTIONS'],
    ])(
      'responds to OPTIONS %s with the methods of all versions, whatever Accept is',
      async (path, accept, allow) => {
        const options = await ask(path, accept, 'OPTIONS')
        expect(options).toMatchObject({ status: 204, text: '' })
        expect(options.headers.get('allow')).toBe(allow)
      },
    )

    it("responds 405 to a method that the version doesn't have, with the methods that it has", async () => {
      const wrong = await ask('/api/users/7', acceptOf(4), 'DELETE')
      expect(wrong).toMatchObject({
        status: 405,
        body: {
          type: 'urn:hv-router:method-not-allowed',
          status: 405,
          allow: ['GET', 'HEAD', 'OPTIONS'],
          availableIn: [1, 2],
        },
      })
      expect(wrong.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      expect((await ask('/api/users/7', '', 'POST')).headers.get('allow')).toBe(
        'GET, HEAD, PUT, DELETE, OPTIONS',
      )
    })
  })
}
