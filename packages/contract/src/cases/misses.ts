import { describe, expect, it } from 'vitest'
import { createApps } from '../apps.ts'
import { type Client, sendTarget } from '../client.ts'
import { acceptOf, vendorType } from '../fixture.ts'
import type { AdapterUnderTest } from '../types.ts'

export function describeMisses({ ask, request }: Client): void {
  describe('requests that no route serves', () => {
    it('responds 406 to an unknown version, with the declared versions', async () => {
      const unknown = await ask('/api/users', acceptOf(3))
      expect(unknown.status).toBe(406)
      expect(unknown.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      expect(unknown.headers.has('api-version')).toBe(false)
      expect(unknown.body).toEqual({
        type: 'urn:hv-router:not-acceptable',
        title: 'Version not acceptable',
        status: 406,
        detail:
          "Version 3 doesn't exist. " +
          'Send Accept: application/vnd.acme+json;version=<n>, where <n> is 1, 2 or 4.',
        requested: [3],
        supported: [1, 2, 4],
      })
    })

    it.each(['abc', '1.5', ''])('responds 400 to version=%s', async (version) => {
      expect(await ask('/api/users', `${vendorType};version=${version}`)).toMatchObject({
        status: 400,
        body: { type: 'urn:hv-router:malformed-accept' },
      })
    })

    it('responds 404 to a route of other versions, and names them', async () => {
      expect(await ask('/api/teams', acceptOf(1))).toMatchObject({
        status: 404,
        body: { type: 'urn:hv-router:not-in-version', availableIn: [2, 4] },
      })
    })

    it('responds before it reads the body', async () => {
      const headers = { accept: acceptOf(9), 'content-type': 'text/odd' }
      expect((await request('POST', '/api/users', headers, '{')).status).toBe(406)
    })

    it.each([
      '/api/nothing',
      '/api/users/7/nothing',
      '/apix/users',
      '/api/users//',
      '/api/users/.json',
      '/api/f%6Fo',
    ])('leaves %s, which no version has, to the app', async (path) => {
      const answer = await ask(path)
      expect(answer.status).toBe(404)
      expect(answer.headers.has('vary')).toBe(false)
    })
  })
}

/** An app with the router responds to its other requests as an app without it does. */
export function describeRestOfApp(adapter: AdapterUnderTest, client: Client): void {
  describe('the rest of the app', () => {
    it.each([
      ['GET', '/plain'],
      ['HEAD', '/plain'],
      ['POST', '/plain'],
      ['GET', '/missing'],
      ['GET', '/plain?x=%zz'],
    ])('is unchanged: %s %s', async (method, path) => {
      const bare = await adapter.serve(createApps(adapter.native).get('without an API')!())
      try {
        const headers = {
          accept: acceptOf(99),
          ...(method === 'POST' && { 'content-type': 'application/json' }),
        }
        const [withRouter, without] = await Promise.all(
          [client.served().origin, bare.origin].map(async (origin) => {
            const answer = await fetch(origin + path, {
              method,
              headers,
              ...(method === 'POST' && { body: '{' }),
            })
            return [answer.status, [...answer.headers.keys()], await answer.text()]
          }),
        )
        expect(withRouter).toEqual(without)
      } finally {
        await bare.close()
      }
    })

    it.each(['OPTIONS', 'GET'])('is unchanged in asterisk form: %s *', async (method) => {
      const bare = await adapter.serve(createApps(adapter.native).get('without an API')!())
      try {
        const [withRouter, without] = await Promise.all(
          [client.served().origin, bare.origin].map(async (origin) => {
            const answer = await sendTarget(origin, method, '*', { accept: acceptOf(2) })
            return [answer.statusCode, Object.keys(answer.headers)]
          }),
        )
        expect(withRouter).toEqual(without)
      } finally {
        await bare.close()
      }
    })
  })
}
