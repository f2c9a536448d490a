// Paths with an extension, such as `/api/users.json`, in an API that declares no `formats`.
import { describe, expect, it } from 'vitest'
import { sendTarget, useApp } from '../client.ts'
import { acceptOf } from '../fixture.ts'
import type { AdapterUnderTest } from '../types.ts'

/** What clients send, and where it redirects. */
const redirects = [
  ['/api/users.json', './users'],
  ['/api/users.JSON', './users'],
  ['/api/users.json/', '../users'],
  ['/api/users/7.json', './7'],
  ['/api/users/7.json/', '../7'],
  ['/api/users.json?a=b.json&c=/d', './users?a=b.json&c=/d'],
  ['/api/users.json/?a=b', '../users?a=b'],
  ['/api/users/a:b.json', './a:b'],
  ['/api/users/a%2Fb.json', './a%2Fb'],
  ['/api/users/ann@x.org.json', './ann@x.org'],
  ['/api/files/a/b.c.json', './b.c'],
] as const

export function describeExtensions(adapter: AdapterUnderTest): void {
  const { servesExtensions = false } = adapter
  const expected = servesExtensions ? 200 : 308

  describe.each([
    ['an API without formats', ''],
    ['an API without formats at a prefix', '/mounted'],
  ] as const)('an extension in %s', (app, prefix) => {
    const { ask, request, served } = useApp(adapter, app, prefix)
    const send = async (method: string, target: string) => {
      const { statusCode, headers } = await sendTarget(served().origin, method, target, {
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      })
      return { status: statusCode, location: headers.location, vary: headers.vary }
    }

    it.each(redirects)(
      '%s redirects to %s, unless hooks see the path without it',
      async (path, location) => {
        for (const method of ['GET', 'HEAD'])
          expect(await send(method, prefix + path)).toEqual({
            status: expected,
            location: servesExtensions ? undefined : location,
            vary: 'Accept',
          })
        if (servesExtensions) return
        const { origin } = served()
        const { pathname, search } = new URL(location, origin + prefix + path)
        expect(await send('GET', pathname + search)).toMatchObject({ status: 200 })
      },
    )

    it('keeps the query of an absolute request target', async () => {
      const target = `${served().origin}${prefix}/api/users.json?a=b`
      expect(await send('GET', target)).toMatchObject({
        status: expected,
        location: servesExtensions ? undefined : './users?a=b',
      })
    })

    it('keeps the method and the body', async () => {
      if (!servesExtensions)
        expect(await send('POST', `${prefix}/api/users.json`)).toMatchObject({
          status: 308,
          location: './users',
        })
      const headers = { 'content-type': 'application/json' }
      const followed = await request('POST', '/api/users.json', headers, '{"a":1}')
      expect(followed.body).toEqual({ created: { a: 1 }, version: 1 })
    })

    it.each([
      ['GET', '/api/users.xml', '', 404],
      ['GET', '/api/users/.json', '', 404],
      ['GET', '/api/users/7.xml', '', 200],
      ['GET', '/api/users.json', acceptOf(9), 406],
      ['DELETE', '/api/users.json', '', 405],
      ['OPTIONS', '/api/users.json', '', 204],
    ])(
      'decides everything else as ever: %s %s (%s) gets a %i',
      async (method, path, accept, status) => {
        expect((await ask(path, accept, method)).status).toBe(status)
      },
    )
  })

  describe('an extension in an API at the root', () => {
    const { served } = useApp(adapter, 'an API at the root without formats')

    it.each([
      ['/users.json', expected, servesExtensions ? undefined : './users'],
      ['//host/x.json', 404, undefined],
      ['/a/x.json?y=//host', expected, servesExtensions ? undefined : './x?y=//host'],
    ])('never redirects to a different host: %s', async (target, status, location) => {
      const { statusCode, headers } = await sendTarget(served().origin, 'GET', target, {})
      expect([statusCode, headers.location]).toEqual([status, location])
    })
  })
}
