import { expect, it } from 'vitest'
import { bindActions } from '../../src/internal.ts'
import { api, cache, get, inherit, resources, routeTable, version } from '../../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' })),
)
const [index1, show1, index2, show2] = routeTable(routes)

class Users {
  readonly #name: string
  constructor(name: string) {
    this.#name = name
  }
  readonly show = { config: { limit: 2 }, handler: () => this.#name }
  index() {
    return this.#name
  }
}

it('binds an action once for all versions that have the same controller', () => {
  const users = new Users('one')
  const actions = bindActions(routes, { 1: { users }, 2: { users } })
  expect(actions.get(index2!)).toBe(actions.get(index1!))
  expect(actions.get(show2!)).toBe(actions.get(show1!))
  expect([...actions.values()].map(({ handler, options }) => [handler(), options])).toEqual([
    ['one', {}],
    ['one', { config: { limit: 2 } }],
    ['one', {}],
    ['one', { config: { limit: 2 } }],
  ])
})

it('binds the same function to the controller of each version', () => {
  const actions = bindActions(routes, {
    1: { users: new Users('one') },
    2: { users: new Users('two') },
  })
  expect([actions.get(index1!)!.handler(), actions.get(index2!)!.handler()]).toEqual(['one', 'two'])
})

it('finds no controller and no action in what every object inherits', () => {
  const odd = api(
    { vendorString: 'acme' },
    version(
      1,
      get('a', { to: 'users#toString' }),
      get('b', { to: 'users#constructor' }),
      get('c', { to: 'valueOf#index' }),
    ),
  )
  expect(() => bindActions(odd, { 1: { users: new Users('one') } })).toThrow(
    expect.objectContaining({
      details: {
        missing: [
          'controllers[1].users.toString',
          'controllers[1].users.constructor',
          'controllers[1].valueOf',
        ],
      },
    }),
  )
  const action = () => 'own'
  const users = { toString: action, constructor: action }
  expect(
    [...bindActions(odd, { 1: { users, valueOf: { index: action } } }).values()].map(
      ({ handler }) => handler(),
    ),
  ).toEqual(['own', 'own', 'own'])
})

it("writes a missing controller's place as code does", () => {
  const keyed = api({ vendorString: 'acme' }, version(1, get('codes', { to: '2fa#index' })))
  expect(() => bindActions(keyed, { 1: {} })).toThrow(
    expect.objectContaining({ details: { missing: ["controllers[1]['2fa']"] } }),
  )
})
