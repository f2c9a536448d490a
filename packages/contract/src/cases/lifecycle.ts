// The worked cases for an API's lifecycle.
import { RouterError, type RouterErrorCode } from '@hv/router'
import { describe, expect, it } from 'vitest'
import {
  type Expectation,
  type LifecycleCase,
  lifecycleCases,
  lifecycleRoutes,
} from '../life-apps.ts'
import { listOf } from './responses.ts'

interface Response {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Serves a case's API at the time that a test sets, and sends requests to it. */
export interface LifecycleServer {
  setTime(time: number): Promise<void>
  request(method: string, path: string, accept: string): Promise<Response>
  close(): Promise<void>
}
const codes: Partial<Record<RouterErrorCode, string>> = {
  HV_DATE: 'not-a-date',
  HV_SUNSET: 'sunset-before-deprecated',
  HV_SUCCESSOR: 'unknown-successor',
  HV_EMPTY_VERSION: 'empty-version',
  HV_BROWNOUT: 'brownout-outside',
}

const linksOf = (header: string | null): readonly Record<string, string>[] =>
  [...(header ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[\w-]+="[^"]*")*)/g)].map(([, uri, params]) => ({
    uri: uri!,
    ...Object.fromEntries(
      [...params!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
    ),
  }))

export function describeLifecycle(serve: (row: LifecycleCase) => Promise<LifecycleServer>): void {
  describe('the life of an API', () => {
    it.each(lifecycleCases.map((row) => [row.id, row.why, row] as const))(
      '%s: %s',
      async (_id, _why, row) => {
        const expected = [row.expect].flat() as readonly Expectation[]
        if (expected[0]!.definitionError !== undefined) {
          expect(definitionErrorOf(row)).toBe(expected[0]!.definitionError)
          return
        }
        const { method, path, accept } = row.request!
        const server = await serve(row)
        try {
          for (const [i, now] of [row.now!].flat().entries()) {
            await server.setTime(Date.parse(now))
            expectResponse(await server.request(method, path, accept), expected[i]!)
          }
        } finally {
          await server.close()
        }
      },
    )
  })
}

function definitionErrorOf({ policy }: LifecycleCase): string | undefined {
  try {
    lifecycleRoutes(policy)
  } catch (error) {
    if (error instanceof RouterError) return codes[error.code] ?? error.code
    throw error
  }
  return undefined
}

function expectResponse({ status, headers, text }: Response, expected: Expectation): void {
  expect(status).toBe(expected.status)
  if (expected.ours === false) return expect(headers.get('vary')).toBeNull()
  if (expected.version !== undefined)
    expect(headers.get('api-version')).toBe(String(expected.version))
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const sent = headers.get(name)
    if (name === 'vary') expect(listOf(sent)).toContain(value.toLowerCase())
    else expect(name === 'content-type' ? sent?.split(';')[0] : sent, name).toBe(value)
  }
  for (const name of expected.absent ?? []) expect(headers.get(name), name).toBeNull()
  if (expected.links !== undefined) {
    const sent = linksOf(headers.get('link'))
    expect(sent).toHaveLength(expected.links.length)
    expect(sent).toEqual(expect.arrayContaining([...expected.links]))
  }
  if (expected.allow !== undefined)
    expect(headers.get('allow')?.split(', ').toSorted()).toEqual([...expected.allow].toSorted())
  if (expected.bodyBytes !== undefined) expect(text).toHaveLength(expected.bodyBytes)
  const problem = text.startsWith('{') ? (JSON.parse(text) as object) : {}
  expect(problem).toMatchObject(expected.problem ?? {})
  for (const name of expected.problemAbsent ?? []) expect(problem).not.toHaveProperty(name)
}
