import { expect, it } from 'vitest'
import { bindActions } from '../../src/internal.ts'
import { api, resources, routeTable, version, withResponses } from '../../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['index', 'show'] })),
)
const failure = { type: 'object' }
const own = { type: 'array' }

it('adds responses to every action, below its own, and keeps the controller and its options', () => {
  class Users {
    readonly #names = ['Dora']
    index() {
      return this.#names
    }
    show = {
      schema: { body: own, response: { 404: own } },
      config: { a: 1 },
      handler: () => this.#names,
    }
  }
  const users = new Users()
  const controllers = withResponses({ users }, { 404: failure, '5xx': failure })
  const actions = bindActions(routes, { 1: controllers })
  const [index, show] = routeTable(routes).map((row) => actions.get(row)!)
  expect(index!.options).toEqual({ schema: { response: { 404: failure, '5xx': failure } } })
  expect(show!.options).toEqual({
    schema: { body: own, response: { 404: own, '5xx': failure } },
    config: { a: 1 },
  })
  expect([index!.handler(), show!.handler()]).toEqual([['Dora'], ['Dora']])
  expect(users.show.schema.response).toEqual({ 404: own })
  expect(
    Object.keys(
      withResponses(controllers, { default: failure, '4XX': failure }).users.show.schema.response,
    ),
  ).toEqual(['404', 'default', '4XX', '5xx'])
})

it('leaves what createRouter reports', () => {
  const broken = { users: { index: { schema: undefined, handler: () => 1 } }, teams: undefined }
  const { users, teams } = withResponses(broken, { 404: failure })
  expect([users.index, teams]).toEqual([broken.users.index, undefined])
  expect(users.index).toHaveProperty('schema', undefined)
})

it.each<[string, unknown, unknown]>([
  ['controllers to be the controllers of a version', undefined, { 404: failure }],
  ['responses to be schemas by status', {}, undefined],
  ["responses.4x to be a schema by status, such as 404, '4xx' or 'default'", {}, { '4x': failure }],
  [
    "responses.404 to be a schema by status, such as 404, '4xx' or 'default'",
    {},
    { 404: undefined },
  ],
])('requires %s', (expected, controllers, responses) => {
  const loose = withResponses as (...args: unknown[]) => unknown
  expect(() => loose(controllers, responses)).toThrow(
    `HV_OPTION: withResponses() requires ${expected}`,
  )
})
