// Route files whose versions depend on a flag or are made in a loop, at run time.
import { type Api, RouterError, api, inherit, resources, version } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { createRouter as onExpress } from '../../express/src/index.ts'
import { createRouter as onFastify } from '../../fastify/src/index.ts'
import { createRouter as onFetch } from '../../fetch/src/index.ts'
import { createClient } from '../src/index.ts'

const users = { index: (): never => Response.json([7]) as never }
const apiWith = (flag: boolean) =>
  api(
    { vendorString: 'acme' },
    version(1, resources('users', { only: 'index' })),
    ...(flag ? [version(2, inherit({ from: 1 }))] : []),
  )
const looped = api(
  { vendorString: 'acme' },
  ...[1, 2].map((number) => version(number, resources('users', { only: 'index' }))),
)
const routers = { express: onExpress, fastify: onFastify, fetch: onFetch }

describe.each(Object.entries(routers))('%s', (_name, createRouter) => {
  const start = createRouter as unknown as (routes: Api, controllers: object) => unknown
  it('ignores the controllers of a version whose flag is off', () => {
    expect(() => start(apiWith(false), { 1: { users }, 2: { users } })).not.toThrow()
    expect(() => start(apiWith(false), { 1: { users }, 2: undefined })).not.toThrow()
  })
  it('checks at the start what the types leave open', () => {
    const missing = expect.objectContaining({ code: 'HV_MISSING_ACTIONS' })
    expect(() => start(apiWith(true), { 1: { users } })).toThrow(missing)
    expect(() => start(looped, { 1: { users } })).toThrow(missing)
    expect(() => start(looped as Api, { 1: { users } })).toThrow(RouterError)
  })
})

it('serves a version once its flag is on, and those of a loop', async () => {
  const controllers = { 1: { users }, 2: { users } }
  const options = { baseUrl: 'http://localhost', version: 2 } as const
  const flagged = apiWith(true)
  const client = createClient(flagged, { ...options, fetch: onFetch(flagged, controllers) })
  expect(await client.users.index()).toEqual([7])
  const ofLoop = createClient(looped, { ...options, fetch: onFetch(looped, controllers) })
  expect(await ofLoop.users.index()).toEqual([7])
  const off = apiWith(false)
  expect(() => createClient(off, { baseUrl: 'http://localhost', version: 2 })).toThrow(
    "Version 2 isn't declared",
  )
})
