// Route files whose versions depend on a flag or are made in a loop: what routers, clients and URLs take.
import { type Api, api, get, hrefs, inherit, resources, routeTable, version } from '@hv/router'
import { describe, expectTypeOf, it } from 'vitest'
import { createRouter as onExpress } from '../../express/src/index.ts'
import { createRouter as onFastify } from '../../fastify/src/index.ts'
import { createRouter as onFetch } from '../../fetch/src/index.ts'
import { openapi } from '../../openapi/src/index.ts'
import { createClient } from '../src/index.ts'

declare const flag: boolean
const options = { vendorString: 'acme' }
const only = { only: 'index' } as const
const flagged = api(
  options,
  version(1, resources('users', only)),
  ...(flag ? [version(2, inherit({ from: 1 }), resources('teams', only))] : []),
)
const newestFirst = api(
  options,
  ...(flag ? [version(2, resources('users', only))] : []),
  version(1, resources('users', only)),
)
const looped = api(options, ...[1, 2, 3].map((number) => version(number, resources('users', only))))
const chained = api(
  options,
  version(1, resources('users', only)),
  ...[2, 3].map((number) => version(number, inherit({ from: number - 1 }))),
)
const cast = api(options, ...[1, 2].map((number) => version(number, resources('users')))) as Api

const users = { index: (): never => null as never }
const teams = users
const v1 = { users }
const v2 = { users, teams }
const document = { version: 2, info: { title: 'Acme', version: '2.0.0' } } as const

describe('a version behind a flag', () => {
  it('may have controllers, or not', () => {
    expectTypeOf(() => {
      onExpress(flagged, { 1: v1, 2: v2 })
      onFastify(flagged, { 1: v1, 2: v2 })
      onFetch(flagged, { 1: v1, 2: v2 })
      onExpress(flagged, { 1: v1 })
      onFastify(flagged, { 1: v1, 2: flag ? v2 : undefined })
      onFetch(flagged, { 1: v1, ...(flag ? { 2: v2 } : {}) })
      onExpress(newestFirst, { 1: v1 })
      onFastify(newestFirst, { 1: v1, 2: v1 })
    }).returns.toBeVoid()
  })
  it('has clients, URLs, documents and rows', () => {
    expectTypeOf(createClient(flagged, { baseUrl: '', version: 2 })).toHaveProperty('teams')
    expectTypeOf(hrefs(flagged).teams.index()).toEqualTypeOf<string>()
    expectTypeOf(openapi(flagged, { 1: v1 }, document)).toHaveProperty('paths')
    expectTypeOf(routeTable(flagged)).items.toHaveProperty('version')
  })
  it('is still checked', () => {
    expectTypeOf(() => {
      // @ts-expect-error version 2's teams are missing
      onExpress(flagged, { 1: v1, 2: { users } })
      // @ts-expect-error version 1 has no controllers
      onFastify(flagged, { 2: v2 })
      // @ts-expect-error version 3 isn't declared
      onFetch(flagged, { 1: v1, 3: v1 })
      // @ts-expect-error version 3 isn't declared
      createClient(flagged, { baseUrl: '', version: 3 })
      // @ts-expect-error version 7 isn't declared
      api(options, version(1, resources('a')), ...(flag ? [version(2, inherit({ from: 7 }))] : []))
    }).returns.toBeVoid()
  })
})

describe('versions made in a loop', () => {
  it('have types as wide as their numbers', () => {
    expectTypeOf(() => {
      onExpress(looped, { 1: v1, 2: v1, 3: v1 })
      onFastify(looped, { 1: v1 })
      onFetch(looped, Object.fromEntries([1, 2, 3].map((number) => [number, v1])))
      onExpress(chained, { 1: v1, 2: v1 })
      onExpress(cast, { 1: {}, 2: v1 })
      onFastify(cast, { 1: {}, 2: v1 })
      onFetch(cast, { 1: {}, 2: v1 })
      // @ts-expect-error every version has users
      onExpress(looped, { 1: { teams } })
    }).returns.toBeVoid()
    expectTypeOf(createClient(looped, { baseUrl: '', version: 3 })).toHaveProperty('users')
    expectTypeOf(hrefs(looped).users.index()).toEqualTypeOf<string>()
    expectTypeOf(openapi(looped, {}, document)).toHaveProperty('paths')
  })
})

it("names the targets when `except` has a controller's key", () => {
  const health = version(1, get('status', { to: 'health#show' }), resources('users'))
  expectTypeOf(
    api(options, health, version(2, inherit({ from: 1, except: 'health#show' }))),
  ).toExtend<Api>()
  // @ts-expect-error version 1 has no 'health', only 'health#show'
  api(options, health, version(2, inherit({ from: 1, except: 'health' })))
})
