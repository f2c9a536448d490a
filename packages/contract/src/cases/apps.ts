// Apps with several APIs, with CORS handling, and with a `problem` hook.
import { describe, expect, it } from 'vitest'
import { useApp } from '../client.ts'
import { acceptOf } from '../fixture.ts'
import type { AdapterUnderTest } from '../types.ts'
import { listOf } from './responses.ts'

const otherType = 'application/vnd.other+json'

export function describeTwoApis(adapter: AdapterUnderTest): void {
  describe('two APIs in one app', () => {
    const { ask, request } = useApp(adapter, 'two APIs')

    it.each([
      ['/api/users', acceptOf(2), 200, '2', undefined],
      ['/other/users', `${otherType};version=2`, 200, '2', 2],
      ['/api/users', `${otherType};version=2`, 406, null, undefined],
      ['/other/users', acceptOf(2), 406, null, undefined],
    ])('keep their vendors apart: %s as %s', async (path, accept, status, version, body) => {
      const answer = await ask(path, accept)
      expect([answer.status, answer.headers.get('api-version'), answer.body['other']]).toEqual([
        status,
        version,
        body,
      ])
    })

    it('keep their bodies and methods apart', async () => {
      const made = await request('POST', '/other/users', { 'content-type': otherType }, '{"a":1}')
      expect(made.body).toEqual({ made: { a: 1 } })
      expect((await ask('/other/users', '', 'OPTIONS')).headers.get('allow')).toBe(
        'GET, HEAD, POST, OPTIONS',
      )
    })
  })

  describe('two APIs at one prefix', () => {
    const { ask } = useApp(adapter, 'two APIs at one prefix')

    it.each([
      ['/api/users', acceptOf(2), 200, { served: 'two users' }],
      ['/api/users', `${otherType};version=2`, 406, { type: 'urn:hv-router:not-acceptable' }],
      ['/api/things', `${otherType};version=2`, 200, { other: 2 }],
      ['/api/things', `${otherType};version=9`, 406, { type: 'urn:hv-router:not-acceptable' }],
      ['/api/things', acceptOf(2), 406, { type: 'urn:hv-router:not-acceptable' }],
    ])('serve their own paths: %s as %s', async (path, accept, status, body) => {
      const answer = await ask(path, accept)
      expect(answer).toMatchObject({ status, body })
      expect(answer.headers.get('vary')).toBe('Accept')
    })
    it('leave the other paths below it to the app', async () => {
      const { status, headers } = await ask('/api/nothing', acceptOf(2))
      expect([status, headers.get('api-version')]).toEqual([404, null])
    })
  })
}

export function describeCors(adapter: AdapterUnderTest): void {
  describe("the app's own CORS handling", () => {
    const { request } = useApp(adapter, 'its own CORS handling')

    it('receives preflight requests', async () => {
      const { status, headers } = await request('OPTIONS', '/api/users/7', {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
      })
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
      expect(headers.get('access-control-allow-methods')).toContain('PUT')
    })

    it.each([
      [200, acceptOf(2)],
      [406, acceptOf(9)],
    ])('keeps its Vary on a %i', async (status, accept) => {
      const answer = await request('GET', '/api/users/7', { origin: 'https://app.example', accept })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
      expect(listOf(answer.headers.get('vary'))).toEqual(['accept', 'origin'])
    })
  })
}

export function describeProblemHook(adapter: AdapterUnderTest): void {
  describe.each(['a problem hook', 'an async problem hook'] as const)('%s', (name) => {
    const { ask } = useApp(adapter, name)
    it('replaces the body and the type, not the status', async () => {
      const answer = await ask('/api/users', acceptOf(9))
      expect(answer).toMatchObject({
        status: 406,
        body: { type: 'urn:hv-router:not-acceptable', was: 406 },
      })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('vary')).toBe('Accept')
    })
  })

  describe.each(['a problem hook that throws', 'a problem hook that rejects'] as const)(
    '%s',
    (name) => {
      const { ask } = useApp(adapter, name)
      it("ends in the app's error handler", async () => {
        const answer = await ask('/api/users', acceptOf(9))
        expect(answer).toMatchObject({ status: 500, body: { caught: 'hook failed' } })
        expect(answer.headers.get('vary')).toBe('Accept')
      })
    },
  )
}
