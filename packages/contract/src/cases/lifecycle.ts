// Worked cases: the policy of a route file, the time, a request, and the response. Dates and headers follow the RFCs.
import { readFileSync } from 'node:fs'
import {
  type Api,
  RouterError,
  type RouterErrorCode,
  type VersionOptions,
  api,
  cache,
  get,
  inherit,
  post,
  version,
} from '@hv/router'
import { describe, expect, it } from 'vitest'
import type { AdapterUnderTest, NeutralAction } from '../types.ts'
import { listOf } from './responses.ts'

interface Expectation {
  readonly status: number
  readonly version?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly absent?: readonly string[]
  readonly links?: readonly object[]
  readonly problem?: Readonly<Record<string, unknown>>
  readonly problemAbsent?: readonly string[]
  readonly allow?: readonly string[]
  readonly bodyBytes?: number
  /** False when the app, not the API, handles the request. */
  readonly ours?: boolean
  readonly definitionError?: string
}

type Policy = VersionOptions & { readonly routes?: readonly string[] }

export interface LifecycleCase {
  readonly id: string
  readonly why: string
  readonly policy: {
    readonly versions?: Readonly<Record<number, Policy>>
    readonly routes?: Readonly<Record<string, Policy>>
    readonly default?: number
    readonly whenDefaultRetires?: 'oldest'
  }
  /** One time, or the times of several requests. */
  readonly now?: string | readonly string[]
  readonly request?: {
    readonly method: string
    readonly path: string
    readonly accept: string
    readonly handler?: 'throws' | { readonly sets: Readonly<Record<string, string>> }
  }
  readonly expect: Expectation | readonly Expectation[]
}

interface Response {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Serves an API at a time that a test sets, and sends requests to it. */
export interface LifecycleServer {
  request(method: string, path: string, accept: string): Promise<Response>
  close(): Promise<void>
}
export type ServeLifecycle = (routes: Api, controllers: object, now: () => number) => Promise<LifecycleServer>

const { about, rows } = JSON.parse(readFileSync(new URL('./lifecycle.json', import.meta.url), 'utf8')) as {
  readonly about: { readonly base: { readonly default: number; readonly routes: Record<number, readonly string[]> } }
  readonly rows: readonly LifecycleCase[]
}

const codes: Partial<Record<RouterErrorCode, string>> = {
  HV_DATE: 'not-a-date',
  HV_SUNSET: 'sunset-before-deprecated',
  HV_SUCCESSOR: 'unknown-successor',
  HV_EMPTY_VERSION: 'empty-version',
  HV_BROWNOUT: 'brownout-outside',
}

/** Version 2 inherits from version 1 what both have. */
function routesOf({
  versions = {},
  routes = {},
  default: defaultVersion,
  whenDefaultRetires,
}: LifecycleCase['policy']) {
  const verbOf = (number: number, route: string) => {
    const [method, path] = route.split(' /api/') as [string, string]
    const action = method === 'POST' ? 'create' : path.includes(':') ? 'show' : 'index'
    const to = `${path.split('/')[0]}#${action}`
    return (method === 'POST' ? post : get)(path, { to, ...routes[`${number} ${route}`] })
  }
  const inherits = versions[1]?.routes === undefined
  const nodes = [1, 2, 3].map((number) => {
    const { routes: own = about.base.routes[number]!, ...policy } = versions[number] ?? {}
    const verbs = own.map((route) => verbOf(number, route))
    if (!inherits || number === 3) return version(number, policy, ...verbs)
    if (number === 1) return version(1, policy, cache({ as: 'v1' }, ...verbs))
    const teams = verbs.filter(({ name }) => name === 'teams')
    return version(2, policy, inherit({ from: 'v1', except: 'sessions' } as never), ...teams)
  })
  return (api as (...args: unknown[]) => Api)(
    { vendorString: 'acme', defaultVersion: whenDefaultRetires ?? defaultVersion ?? about.base.default },
    ...nodes,
  )
}

const linksOf = (header: string | null): readonly Record<string, string>[] =>
  [...(header ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[\w-]+="[^"]*")*)/g)].map(([, uri, params]) => ({
    uri: uri!,
    ...Object.fromEntries([...params!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!])),
  }))

export function describeLifecycle(native: AdapterUnderTest['native'], serve: ServeLifecycle): void {
  describe('the life of an API', () => {
    it.each(rows.map((row) => [row.id, row.why, row] as const))('%s: %s', async (_id, _why, row) => {
      const expected = [row.expect].flat() as readonly Expectation[]
      if (expected[0]!.definitionError !== undefined) {
        expect(definitionErrorOf(row)).toBe(expected[0]!.definitionError)
        return
      }
      const routes = routesOf(row.policy)
      const { method, path, accept, handler } = row.request!
      const action: NeutralAction = ({ setHeader }) => {
        if (handler === 'throws') throw new Error('thrown error')
        for (const [name, value] of Object.entries(handler?.sets ?? {})) setHeader(name, value)
        return {}
      }
      const controller = { index: native(action), show: native(action), create: native(action) }
      const controllers = { users: controller, sessions: controller, teams: controller }
      let time = 0
      const server = await serve(routes, { 1: controllers, 2: controllers, 3: controllers }, () => time)
      try {
        for (const [i, now] of [row.now!].flat().entries()) {
          time = Date.parse(now)
          expectResponse(await server.request(method, path, accept), expected[i]!)
        }
      } finally {
        await server.close()
      }
    })
  })
}

function definitionErrorOf({ policy }: LifecycleCase): string | undefined {
  try {
    routesOf(policy)
  } catch (error) {
    if (error instanceof RouterError) return codes[error.code] ?? error.code
    throw error
  }
  return undefined
}

function expectResponse({ status, headers, text }: Response, expected: Expectation): void {
  expect(status).toBe(expected.status)
  if (expected.ours === false) return expect(headers.get('vary')).toBeNull()
  if (expected.version !== undefined) expect(headers.get('api-version')).toBe(String(expected.version))
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
