// What JavaScript may pass to createRouter of each adapter: a clear error at start-up, or none. This package has all of them.
import { RouterError, api, became, change, event, inherit, resources, version } from '@hv/router'
import * as onExpress from '@hv/router-express'
import * as onFastify from '@hv/router-fastify'
import * as onFetch from '@hv/router-fetch'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'

const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
const controllers = { 1: { users: { index: () => new Response() } } }
type Create = (...args: unknown[]) => unknown
const packages = { express: onExpress, fetch: onFetch, fastify: onFastify }
const adapters: readonly (readonly [keyof typeof packages, Create])[] = [
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

describe.each(adapters)('createRouter on %s', (name, create) => {
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
      'an event as the action of a route',
      [routes, { 1: { users: { index: event({ type: 'object' }) } } }],
      'controllers[1].users.index (an event)',
    ],
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

  it("takes its own adapter's action()s, and rejects the others'", async () => {
    for (const [maker, { action }] of Object.entries(packages)) {
      const index = (action as Create)({ handler: () => null })
      const error = await errorOf(routes, { 1: { users: { index } } })
      if (maker === name) expect(error).toBeUndefined()
      else
        expect((error as Error).message).toBe(
          `HV_OPTION: api/v1/users#index in version 1 requires action() to be imported from '@hv/router-${name}'. ` +
            `Received: '@hv/router-${maker}'.`,
        )
    }
  })

  it("rejects an adapter's action() in an older version, and with a route", async () => {
    const two = api(
      { vendorString: 'acme' },
      version(1, resources('users', { only: 'index' })),
      version(2, inherit({ from: 1 })),
    )
    const other = name === 'fastify' ? onExpress : onFastify
    const index = (other.action as Create)(two, 'users', 'index', { handler: () => null })
    const error = await errorOf(two, {
      1: { users: { index } },
      2: { users: { index: () => null } },
    })
    expect((error as Error).message).toContain('api/v1/users#index in version 1 requires action()')
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

describe.each(Object.entries(packages))('before on %s', (_name, { before }) => {
  const User = { type: 'object', properties: { fullName: { type: 'string' } } }
  const OlderUser = { type: 'object', properties: { name: { type: 'string' } } }
  const handler = (): unknown => null
  const newer = { users: { show: { schema: { response: { 200: User } }, handler } } }

  it('rejects a change that fits no action', () => {
    const unused = change('A name.', became(OlderUser, { type: 'string' }, { down: () => ({}) }))
    expect(() => before(newer, unused)).toThrow(
      "HV_CHANGE: the change 'A name.' can't be undone: its newer schema is unused.",
    )
  })

  it("rejects a change without down if it's in a response", () => {
    const withoutDown = change('A name.', became(OlderUser, User, { up: () => ({}) }))
    expect(() => before(newer, withoutDown)).toThrow(
      "HV_CHANGE: the change 'A name.' can't be undone in users.show: a response contains its newer schema. Add down",
    )
  })
})
