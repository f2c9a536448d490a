// What JavaScript may pass to createRouter of each adapter: a clear error at start-up, or none. This package has all of them.
import { RouterError, api, resources, version } from '@hv/router'
import * as onExpress from '@hv/router-express'
import * as onFastify from '@hv/router-fastify'
import * as onFetch from '@hv/router-fetch'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'

const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
const controllers = { 1: { users: { index: () => new Response() } } }
type Create = (...args: unknown[]) => unknown
const adapters: readonly (readonly [string, Create])[] = [
  ['express', onExpress.createRouter as Create],
  ['fetch', onFetch.createRouter as Create],
  [
    'fastify',
    async (...args) =>
      fastify()
        .register((onFastify.createRouter as Create)(...args) as never)
        .ready(),
  ],
]

describe.each(adapters)('createRouter on %s', (_name, create) => {
  const errorOf = async (...args: unknown[]): Promise<unknown> => {
    try {
      await create(...args)
      return undefined
    } catch (error) {
      return error
    }
  }

  it.each<[what: string, args: unknown[], message: string]>([
    ['nothing', [], 'requires api to be what api() returns. Received: undefined.'],
    ['swapped arguments', [controllers, routes], 'requires api to be what api() returns.'],
    [
      'no controllers',
      [routes],
      'createRouter() requires controllers to be the controllers by version.',
    ],
    [
      'no version',
      [routes, {}],
      "the routes require actions that the controllers don't have:\n  controllers[1].users\n",
    ],
    [
      'null as options',
      [routes, controllers, null],
      'requires options to be an object. Received: null.',
    ],
    [
      'a default version',
      [routes, controllers, { pinVersion: 1 }],
      'requires pinVersion to be a function.',
    ],
    ['a time', [routes, controllers, { now: 0 }], 'requires now to be a function. Received: 0.'],
    [
      'an emitter',
      [routes, controllers, { onRouted: {} }],
      'requires onRouted to be a function. Received: {}.',
    ],
  ])('rejects %s', async (_what, args, message) => {
    const error = await errorOf(...args)
    expect(error).toBeInstanceOf(RouterError)
    expect((error as Error).message).toContain(message)
  })

  it('has no error from inside, whatever it gets', async () => {
    const values = [
      null,
      0,
      '',
      'a',
      true,
      Symbol('a'),
      [],
      [null],
      {},
      () => {},
      new Map(),
      { 1: null },
      { 1: 'a' },
    ]
    const failures: string[] = []
    for (const [i, value] of values.entries())
      for (const args of [
        [value],
        [routes, value],
        [routes, { 1: value }],
        [routes, { 1: { users: value } }],
        [routes, controllers, value],
      ]) {
        const error = await errorOf(...args)
        if (error !== undefined && !(error instanceof RouterError))
          failures.push(`${i}, ${args.length}: ${String(error)}`)
      }
    expect(failures).toEqual([])
  })
})
