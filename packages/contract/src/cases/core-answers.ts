// Sends every path with every method, and every Accept header, over real sockets. The response has
// to be what the core decides.
import type { IncomingMessage } from 'node:http'
import { type Match, type Miss, createMatcher } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { type Client, sendTarget } from '../client.ts'
import { routes, vendorType } from '../fixture.ts'
import { accepts, methods, paths } from '../requests.ts'
import type { AdapterUnderTest } from '../types.ts'

/** What a client sees of the core's result. */
function expectedOf(result: Match | Miss): string {
  if (result.kind === 'miss')
    return result.code === 'unknown-path'
      ? '404'
      : `${result.status} ${result.allow?.join(', ') ?? ''} Accept`
  const { version, usesVendorType } = result
  const contentType = usesVendorType ? `${vendorType}; version=${version}` : 'application/json'
  return `200 ${version} ${contentType}; charset=utf-8 Accept`
}

function readAnswer({ statusCode, headers }: IncomingMessage): string {
  if (headers.vary === undefined) return String(statusCode) // the app's own answer
  if (statusCode === 200)
    return `200 ${String(headers['api-version'])} ${headers['content-type']} ${headers.vary}`
  return `${statusCode} ${headers.allow ?? ''} ${headers.vary}`
}

export function describeCoreAnswers(
  { pathOf = String }: AdapterUnderTest,
  client: Client,
  prefix: string,
): void {
  const { match } = createMatcher(routes)

  const send = async (method: string, path: string, accept: string): Promise<string> => {
    const headers = {
      ...(accept !== '' && { accept }),
      ...(method.startsWith('P') && { 'content-type': 'application/json' }),
    }
    return readAnswer(await sendTarget(client.served().origin, method, prefix + path, headers))
  }
  const sendAll = async (requests: readonly (readonly [string, string, string])[]) => {
    const answers = []
    for (const [method, path, accept] of requests) answers.push(await send(method, path, accept))
    return answers
  }
  const expectedOfAll = (requests: readonly (readonly [string, string, string])[]) =>
    requests.map(([method, path, accept]) =>
      expectedOf(match(method, pathOf(prefix + path).slice(prefix.length), accept)),
    )

  describe.each(methods)('answers %s as the core does:', (method) => {
    it.each(paths)('%s', async (path) => {
      const headers = ['', ...['2', '99', 'x'].map((number) => `${vendorType};version=${number}`)]
      const requests = headers.map((accept) => [method, path, accept] as const)
      expect(await sendAll(requests)).toEqual(expectedOfAll(requests))
    })
  })

  describe('answers an Accept header as the core does:', () => {
    it.each(accepts)('%s', async (accept) => {
      const requests = ['/api/users/7', '/api/teams', '/api/nothing'].map(
        (path) => ['GET', path, accept] as const,
      )
      expect(await sendAll(requests)).toEqual(expectedOfAll(requests))
    })
  })
}
