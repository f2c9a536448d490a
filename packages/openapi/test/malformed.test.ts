// Arguments and documents that TypeScript would refuse, and JSON that's no OpenAPI document.
import { RouterError, api, resources, version } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { openapi } from '../src/index.ts'

const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'show' })))
const controllers = { 1: { users: { show: () => ({}) } } }
const info = { title: 'Acme', version: '1.0.0' }
const loose = openapi as (...args: unknown[]) => ReturnType<typeof openapi>
const withResponse = (schema: object) =>
  loose(
    routes,
    { 1: { users: { show: { schema: { response: { 200: schema } }, handler: () => ({}) } } } },
    { version: 1, info },
  )

describe('openapi', () => {
  it.each<[what: string, make: () => unknown, message: string]>([
    [
      'no routes',
      () => loose(),
      'openapi() requires api to be what api() returns. Received: undefined. Is there a circular import?',
    ],
    [
      'swapped arguments',
      () => loose(controllers, routes),
      'openapi() requires api to be what api() returns.',
    ],
    [
      'no controllers',
      () => loose(routes, null, {}),
      'openapi() requires controllers to be the controllers by version.',
    ],
    [
      'a promise for controllers',
      () => loose(routes, Promise.resolve(controllers), { version: 1, info }),
      "openapi()'s controllers are a promise. Write: await loadControllers(…).",
    ],
    [
      'no options',
      () => loose(routes, controllers),
      'openapi() requires options to be an object like { version: 1,',
    ],
    [
      'no info',
      () => loose(routes, controllers, { version: 1 }),
      "openapi() requires info to be an object like { title: 'Acme',",
    ],
    [
      'a list for info',
      () => loose(routes, controllers, { version: 1, info: [info] }),
      "openapi() requires info to be an object like { title: 'Acme',",
    ],
    [
      'one schema',
      () => loose(routes, controllers, { version: 1, info, schemas: {} }),
      'openapi() requires schemas to be a list of schemas.',
    ],
  ])('rejects %s', (_what, make, message) => {
    expect(make).toThrow(RouterError)
    expect(make).toThrow(`HV_OPTION: ${message}`)
  })

  it("leaves out what's null", () => {
    const schema = { security: null, summary: null, deprecated: null }
    const document = loose(
      routes,
      { 1: { users: { show: { schema, handler: () => ({}) } } } },
      { version: 1, info, servers: null },
    )
    expect(document).not.toHaveProperty('servers')
    expect(JSON.stringify(document)).not.toContain('null')
  })

  it('names the schema that a $ref refers to before those beside it', () => {
    const document = withResponse({
      $defs: { User: { type: 'object' } },
      $ref: '#/$defs/User',
      properties: { name: { $id: 'https://acme.example/User', type: 'string' } },
    })
    expect(document.components.schemas).toMatchObject({
      User: { type: 'object' },
      User2: { type: 'string' },
    })
  })

  it.each(['#/%zz', '#%zz'])('rejects a reference with an invalid percent-encoding: %s', ($ref) =>
    expect(() => withResponse({ $ref })).toThrow(
      `HV_UNKNOWN_SCHEMA: users.show.200 refers to '${$ref}'`,
    ),
  )

  it.each([
    ['constructor', 'constructor'],
    ['__proto__', '__proto__2'],
  ])('keeps a schema with the name %s', ($id, name) => {
    const { components, paths } = withResponse({ $id, type: 'string' })
    expect(Object.entries(components['schemas']!)).toContainEqual([name, { type: 'string' }])
    expect(JSON.stringify(paths)).toContain(`"#/components/schemas/${name}"`)
  })
})
