import { type Match, createMatcher } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { type Client, sendTarget } from '../client.ts'
import { acceptOf, routes } from '../fixture.ts'
import type { AdapterUnderTest } from '../types.ts'

export function describePaths(
  { pathOf = String }: AdapterUnderTest,
  { ask, served }: Client,
  prefix: string,
): void {
  describe('paths', () => {
    it.each([
      ['GET', '/api/users/a%2Fb/posts/9', 'one post', { user_id: 'a/b', id: '9' }],
      ['POST', '/api/users/7/ban', 'one banned', { id: '7' }],
      ['GET', '/api/users/search', 'one found', {}],
      ['GET', '/api/profile', 'one profile', {}],
    ])('passes the path parameters of %s %s', async (method, path, name, params) => {
      expect((await ask(path, '', method)).body).toMatchObject({ served: name, params })
    })

    it.each([
      ['the extension', '/api/users/7.json', '', 'json'],
      ['another extension', '/api/users/7.xml', '', 'xml'],
      ['the suffix', '/api/users/7', 'application/vnd.acme+XML;version=1', 'xml'],
      ['neither', '/api/users/7', '', null],
    ])('reads the format from %s', async (_from, path, accept, format) => {
      expect((await ask(path, accept)).body).toMatchObject({ params: { id: '7' }, format })
    })

    it.each(['/api/users/', '/api/users?x=/1.y', '/api/users/?x', '/api/users.json/'])(
      'accepts a trailing slash and ignores the query: %s',
      async (path) => {
        expect((await ask(path)).body).toMatchObject({ served: 'one users' })
      },
    )
    it.each(['/api/users/7/', '/api/users/7.json/', '/api/users/7?format=xml'])(
      'accepts them after a path parameter: %s',
      async (path) => {
        expect((await ask(path)).body).toMatchObject({ served: 'one user', params: { id: '7' } })
      },
    )

    it.each([
      '/api/users/s%65arch',
      '/api/users/%73%65%61%72%63%68?x=%zz',
      '/api/users/search%2D',
      '/api/users/s%65arch%2F',
    ])('compares escapes as the framework does: %s', async (path) => {
      const found = createMatcher(routes).match('GET', pathOf(path), acceptOf(1))
      const { params, row } = found as Match
      expect((await ask(path)).body).toMatchObject({
        served: row.action === 'search' ? 'one found' : 'one user',
        params,
      })
    })

    it('accepts an absolute request target (RFC 9112, section 3.2.2)', async () => {
      const { origin } = served()
      const response = await sendTarget(origin, 'GET', `${origin}${prefix}/api/users/7`, {
        accept: acceptOf(2),
      })
      expect([response.statusCode, response.headers['api-version']]).toEqual([200, '2'])
    })

    it('prefers a static segment to a path parameter in the versions that have it', async () => {
      expect((await ask('/api/teams/new', acceptOf(2))).body).toMatchObject({
        served: 'two new team',
      })
      expect((await ask('/api/users/search', acceptOf(4))).body).toMatchObject({
        served: 'four user',
        params: { id: 'search' },
      })
    })
  })
}
