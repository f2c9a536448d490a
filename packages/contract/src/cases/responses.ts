import { describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { acceptOf, vendorType } from '../fixture.ts'

/** A header that's a list, in alphabetical order and lower case. */
export const listOf = (header: string | null): readonly string[] =>
  (header ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .toSorted()

export function describeVary({ ask }: Client): void {
  describe('Vary', () => {
    it.each([
      [200, 'GET', '/api/users', ''],
      [406, 'GET', '/api/users', acceptOf(9)],
      [400, 'GET', '/api/users', 'vnd.acme'],
      [404, 'GET', '/api/teams', acceptOf(1)],
      [405, 'PUT', '/api/users', ''],
      [204, 'OPTIONS', '/api/users', ''],
      [500, 'GET', '/api/thrown', ''],
      [500, 'GET', '/api/rejected', ''],
    ])('is Accept on a %i: %s %s', async (status, method, path, accept) => {
      const answer = await ask(path, accept, method)
      expect([answer.status, answer.headers.get('vary')]).toEqual([status, 'Accept'])
    })

    it('keeps what the handler sets', async () => {
      expect(listOf((await ask('/api/headers')).headers.get('vary'))).toEqual(['accept', 'origin'])
      expect((await ask('/api/vary-all')).headers.get('vary')).toBe('*')
    })
  })
}

export function describeHandlers({ ask, request }: Client): void {
  describe('handlers', () => {
    it.each([
      'application/json',
      vendorType,
      'application/vnd.ACME+json; version=2',
      'application/vnd.acme;charset=utf-8',
    ])("receive a JSON body that's sent as %s", async (type) => {
      const headers = { accept: acceptOf(2), 'content-type': type }
      expect(await request('POST', '/api/users', headers, '{"name":"Zoë"}')).toMatchObject({
        status: 200,
        body: { created: { name: 'Zoë' }, version: 2 },
      })
    })

    it('may set API-Version and Content-Type', async () => {
      const { headers } = await ask('/api/headers', acceptOf(2))
      expect(headers.get('api-version')).toBe('own')
      expect(headers.get('content-type')).toContain('application/vnd.own+json')
    })

    it("may return a stream, whose type isn't changed", async () => {
      const { status, body, headers } = await ask('/api/stream', acceptOf(2))
      expect([status, body]).toEqual([200, { streamed: true }])
      expect(headers.get('api-version')).toBe('2')
      expect(headers.get('content-type') ?? '').not.toContain('json')
    })

    it("may return text, whose type isn't changed", async () => {
      const { status, text, headers } = await ask('/api/text', acceptOf(2))
      expect([status, text]).toEqual([200, 'plain text'])
      expect(headers.get('content-type')).toMatch(/^text\//)
    })

    it("may return a thenable that's not a promise", async () => {
      const { status, body, headers } = await ask('/api/thenable', acceptOf(2))
      expect([status, body]).toEqual([200, { thenable: true }])
      expect(headers.get('content-type')).toBe(`${vendorType}; version=2; charset=utf-8`)
    })

    it('run at the same time, each with its own version', async () => {
      const versions = Array.from({ length: 60 }, (_, i) => [1, 2, 4][i % 3]!)
      const answers = await Promise.all(
        versions.map((version, i) => ask(`/api/users/${i}`, acceptOf(version))),
      )
      expect(answers.map(({ body }) => [body['version'], body['params']])).toEqual(
        versions.map((version, i) => [version, { id: String(i) }]),
      )
    })
  })
}

export function describeErrors({ ask }: Client): void {
  describe("errors of handlers reach the app's error handler", () => {
    it.each([
      ['thrown', '/api/thrown', 'thrown error'],
      ['rejected', '/api/rejected', 'rejected error'],
      ['rejected by a thenable', '/api/rejected-thenable', 'error of a thenable'],
      [
        'rejected by a promise of another realm',
        '/api/foreign-rejection',
        'error of another realm',
      ],
    ])('%s', async (_how, path, message) => {
      const failed = await ask(path, acceptOf(2))
      expect(failed).toMatchObject({ status: 500, body: { caught: message as string } })
      expect(failed.headers.get('api-version')).toBe('2')
      expect(failed.headers.get('content-type')).toBe('application/json; charset=utf-8')
    })

    // Fastify answers this itself.
    it('or get a 500 when they reject without a value', async () => {
      const { status, headers } = await ask('/api/empty-rejection', acceptOf(2))
      expect([status, headers.get('api-version')]).toEqual([500, '2'])
    })
  })
}
