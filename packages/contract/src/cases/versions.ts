import { describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { acceptOf, vendorType } from '../fixture.ts'

export function describeVersions({ ask }: Client): void {
  describe('versions', () => {
    it('serves version 1 and its override in version 2 at one URL', async () => {
      expect(await ask('/api/users/7', acceptOf(1))).toMatchObject({
        status: 200,
        body: { served: 'one user', params: { id: '7' }, version: 1 },
      })
      expect(await ask('/api/users/7', acceptOf(2))).toMatchObject({
        status: 200,
        body: { served: 'two overridden user', params: { id: '7' }, version: 2 },
      })
    })

    it('serves an inherited action with the controller of the requested version', async () => {
      expect((await ask('/api/users', acceptOf(2))).body).toMatchObject({
        served: 'two users',
        version: 2,
      })
    })

    it.each(['', '*/*', 'application/json', vendorType, 'text/html'])(
      'serves the default version for %j',
      async (accept) => {
        expect((await ask('/api/users', accept)).body).toMatchObject({ version: 1 })
      },
    )

    it('sends the vendor type and API-Version of a requested version', async () => {
      const { headers } = await ask('/api/users', acceptOf(2))
      expect(headers.get('api-version')).toBe('2')
      expect(headers.get('content-type')).toBe(`${vendorType}; version=2; charset=utf-8`)
    })

    it('sends application/json and API-Version of the default version', async () => {
      const { headers } = await ask('/api/users')
      expect(headers.get('api-version')).toBe('1')
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    })

    it('serves the best version that has the route', async () => {
      const accept = `${acceptOf(1)}, ${acceptOf(4, ';q=0.5')}, ${acceptOf(2, ';q=0.7')}`
      expect((await ask('/api/teams', accept)).body).toMatchObject({ version: 2 })
    })
  })
}
