// Checks that whatever a router serves, the guards on that path have run, and the version is one
// that Accept asks for.
import { type Api, api, cache, del, get, inherit, post, put, version } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { isAll } from '../../../../tools/test-all.ts'
import { decodedPath } from '../decoded-path.ts'
import type { RunningApp } from '../types.ts'
import { isCertain, pipeline } from './connection.ts'
import { type RequestLine, bases, createGenerator, createRandom } from './generate.ts'

/**
 * An API of the test, and the paths of the guards in front of it, such as `/api/users/:id/secret`.
 */
export interface GuardedApi {
  /** The path where the router is mounted: `/mounted`, or `''`. */
  readonly mount: string
  readonly routes: Api
  readonly guards: readonly string[]
  /** All actions are the same handler. It responds with {@link report} in the header `x-served`. */
  controllers(handler: unknown): object
}

export interface GuardedAdapter {
  readonly name: string
  /** Serves the APIs behind their guards, all on one app. */
  serve(apis: readonly GuardedApi[]): Promise<RunningApp>
}

/** What a handler saw of a request. */
export const report = (number: number, pattern: string, guards: Iterable<string>): string =>
  JSON.stringify([number, pattern, [...guards]])

/**
 * Whether a path that a framework shows to its hooks is a guard's, for frameworks that mount no
 * middleware on paths. Letters compare as in {@link decodedPath}, because their routers do.
 */
export function createGuardTest(guard: string): (path: string) => boolean {
  const pattern = new RegExp(`^${guard.replace(':id', '[^/]+')}(?:/|$)`)
  return (path) => pattern.test(decodedPath(path))
}

const guardPaths = ['', '/users', '/users/:id', '/users/me', '/users/:id/secret']
const show = [get('users/me', { to: 'all#me' }), get('users/:id', { to: 'all#show' })]
const secret = [
  get('users/:id/secret', { to: 'all#secret' }),
  post('users/:id/secret', { to: 'all#secret' }),
]
const declare = (path: string, formats: readonly string[] | false | undefined): Api =>
  api(
    { vendorString: 'acme', path, ...(formats !== undefined && { formats }) },
    version(1, cache({ as: 'v1' }, get('users', { to: 'all#index' }), ...show, ...secret)),
    version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }), post('users', { to: 'all#create' }))),
    version(
      3,
      inherit({ from: 'v2' }),
      del('users/:id', { to: 'all#destroy' }),
      put('users/:id', { to: 'all#update' }),
    ),
    version(3, get('files/*path', { to: 'all#file' })),
  )
/** The first version with a route; the later ones inherit it. */
const firstVersions: Readonly<Record<string, number>> = {
  'POST /users': 2,
  'DELETE /users/:id': 3,
  'PUT /users/:id': 3,
  'GET /files/*path': 3,
}

const actions = ['index', 'me', 'show', 'secret', 'create', 'destroy', 'update', 'file']
const apis: readonly GuardedApi[] = bases.map((base, i) => {
  const path = base.replace('/mounted', '')
  return {
    mount: base.slice(0, -path.length),
    routes: declare(path, i === 0 ? undefined : false),
    guards: guardPaths.map((guard) => path + guard),
    controllers(handler) {
      const all = Object.fromEntries(actions.map((action) => [action, handler]))
      return { 1: { all }, 2: { all }, 3: { all } }
    },
  }
})

const adapters = 5 // Express 4 and 5, Fastify 4 and 5, fetch on Node
const total = Number(process.env['FUZZ_REQUESTS'] ?? (isAll ? 15_000 : 5_000))
const seed = Number(
  process.env['FUZZ_SEED'] ?? (process.env['FUZZ_REQUESTS'] === undefined ? 28 : Date.now() % 1e9),
)

/** Sends generated requests over real sockets. `npm run fuzz` sends many. */
export function runRequestLines(adapter: GuardedAdapter): void {
  const count = Math.ceil(total / adapters)
  describe(`request lines on ${adapter.name}`, () => {
    it(`reach no handler past a guard, and none of another version (${count} requests, FUZZ_SEED=${seed})`, async () => {
      const running = await adapter.serve(apis)
      const port = Number(new URL(running.origin).port)
      const generate = createGenerator(createRandom(seed))
      let left = count
      let servedCount = 0
      let unanswered = 0
      try {
        await Promise.all(
          Array.from({ length: 4 }, async () => {
            while (left > 0) {
              let lines = Array.from({ length: Math.min(left, 64) }, generate)
              left -= lines.length
              lines.sort((a, b) => Number(isCertain(b)) - Number(isCertain(a)))
              while (lines.length > 0) {
                const received = await pipeline(port, lines)
                for (const [i, { status, served }] of received.entries()) {
                  const fault =
                    status >= 500 ? `status ${status}` : served && findFault(lines[i]!, served)
                  expect(
                    fault ?? '',
                    `FUZZ_SEED=${seed} ${JSON.stringify(lines[i])} ${served}`,
                  ).toBe('')
                  if (served !== undefined) servedCount++
                }
                // Node closes the connection after a request that it rejects, so the next
                // connection starts with the rest.
                unanswered += received.length === 0 ? 1 : 0
                lines = lines.slice(Math.max(received.length, 1))
              }
            }
          }),
        )
      } finally {
        await running.close()
      }
      expect(servedCount).toBeGreaterThan(count / 10)
      expect(unanswered).toBe(0)
      if (process.env['FUZZ_REQUESTS'] !== undefined)
        console.log(`${adapter.name}: ${count} requests, ${servedCount} served, FUZZ_SEED=${seed}`)
    }, 36_000_000)
  })
}

/** Says what's wrong with a request that a handler served. Empty if nothing is. */
function findFault(line: RequestLine, served: string): string {
  const [number, pattern, ran] = JSON.parse(served) as [number, string, readonly string[]]
  const [, path = '', route = ''] = /^(\/[^/]+)(\/.*)?$/.exec(pattern)!
  const skipped = guardPaths.filter(
    (guard) => createGuardTest(guard)(route) && !ran.includes(path + guard),
  )
  if (skipped.length > 0) return `the guards ${skipped.join()} of ${path} didn't run`
  const method = line.method === 'HEAD' ? 'GET' : line.method
  const expected = line.ranked.find(
    (candidate) => candidate >= (firstVersions[`${method} ${route}`] ?? 1),
  )
  return number === expected ? '' : `version ${number} instead of ${expected}`
}
