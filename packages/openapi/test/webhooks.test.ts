import { compareDocuments } from '@hv/openapi-diff'
import { api, became, change, event, inherit, resources, version } from '@hv/router'
import { before } from '@hv/router/adapter'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openapi } from '../src/index.ts'

const User = z.object({ id: z.string(), fullName: z.string() }).meta({ id: 'User' })
const UserV1 = z.object({ id: z.string(), name: z.string() }).meta({ id: 'User' })
const UserCreated = z.object({
  type: z.literal('user.created'),
  api_version: z.int(),
  data: z.object({ object: User }),
})
const show = { schema: { response: { 200: User } }, handler: () => {} }
const users = {
  show,
  created: event(UserCreated, { summary: 'A user signed up.' }),
  'name.changed': event(User, { operationId: 'user.name_changed', tags: ['names'] }),
  internal: event(User, { hide: true }),
}
const v2 = { users }
const fullName = change(
  'A name is called fullName.',
  became(UserV1, User, { down: ({ fullName: name, ...user }) => ({ ...user, name }) }),
)
const v1 = before(v2, fullName)
const routes = api(
  { vendorString: 'acme' },
  version(1, { deprecated: '2027-01-01' }, resources('users', { only: 'show' })),
  version(2, inherit({ from: 1 })),
)
const info = { title: 'Acme', version: '1.0.0' }
const documentOf = (number: 1 | 2, controllers: object = { 1: v1, 2: v2 }) =>
  JSON.parse(JSON.stringify(openapi(routes, controllers, { version: number, info }))) as any

describe('webhooks', () => {
  it.each([
    [1, 'name'],
    [2, 'fullName'],
  ] as const)('has the payloads of version %s', async (number, name) => {
    const document = documentOf(number)
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect([valid, errors]).toEqual([true, undefined])
    expect(Object.keys(document.webhooks)).toEqual(['users.created', 'user.name_changed'])
    expect(Object.keys(document.components.schemas.User.properties)).toEqual(['id', name])
    const { post } = document.webhooks['users.created']
    expect(post).toEqual({
      operationId: 'users.created',
      tags: ['users'],
      summary: 'A user signed up.',
      ...(number === 1 && { deprecated: true }),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['type', 'api_version', 'data'],
              properties: {
                type: { type: 'string', const: 'user.created' },
                api_version: { type: 'integer' },
                data: {
                  type: 'object',
                  required: ['object'],
                  properties: { object: { $ref: '#/components/schemas/User' } },
                },
              },
            },
          },
        },
      },
      responses: { '2XX': { description: 'The event was received.' } },
    })
    expect(document.tags).toEqual([{ name: 'users' }, { name: 'names' }])
  })

  it('leaves out the section if there are no events', () => {
    expect(documentOf(2, { 1: { users: { show } }, 2: { users: { show } } })).not.toHaveProperty(
      'webhooks',
    )
  })

  it('has the payload of an event whose schema is also an error with another status', () => {
    const Failure = z.object({ message: z.string() })
    const FailureV1 = z.object({ error: z.string() })
    const newer = { users: { show, failed: event(Failure) } }
    const down = ({ message: error }: z.infer<typeof Failure>) => ({ error })
    const moved = became(FailureV1, Failure, { down, status: 400 })
    const older = before(newer, change('An error has a message, and is a 400.', moved))
    const { post } = documentOf(1, { 1: older, 2: newer }).webhooks['users.failed']
    const { schema } = post.requestBody.content['application/json']
    expect(Object.keys(schema.properties)).toEqual(['error'])
  })

  it("describes what's sent, which has the values of defaults", () => {
    const schema = z.object({ plan: z.string().default('free') })
    const controllers = { users: { show, created: event(schema) } }
    const { post } = documentOf(2, { 1: v1, 2: controllers }).webhooks['users.created']
    expect(post.requestBody.content['application/json'].schema.required).toEqual(['plan'])
  })

  it('rejects two events with the same name', () => {
    const twice = {
      users: { show, a: event(User, { operationId: 'x' }), b: event(User, { operationId: 'x' }) },
    }
    expect(() => documentOf(2, { 1: twice, 2: twice })).toThrow('users#b')
  })
})

describe('the comparison of webhooks', () => {
  const withEvents = (events: object) => documentOf(2, { 1: v1, 2: { users: { show, ...events } } })
  /** What would break a receiver if an event's payload changed from one schema to another. */
  const findings = (older: z.ZodType, newer: z.ZodType) =>
    compareDocuments(
      withEvents({ created: event(older) }),
      withEvents({ created: event(newer) }),
    ).map(({ operation, code }) => `${operation}: ${code}`)
  const id = z.object({ id: z.string() })

  it.each([
    ['a new property', id, id.extend({ more: z.string() })],
    [
      'a property that is always there',
      id.extend({ more: z.string().optional() }),
      id.extend({ more: z.string() }),
    ],
    ['a property that is never null', id.extend({ id: z.string().nullable() }), id],
  ])('has no finding about %s', (_, older, newer) => {
    expect(findings(older, newer)).toEqual([])
    expect(findings(newer, older)).toHaveLength(1) // the other way round
  })

  it('finds what a receiver loses', () => {
    expect(findings(id.extend({ more: z.string() }), id)).toEqual([
      'webhook users.created: POST: response-widened',
    ])
    expect(compareDocuments(withEvents({ created: event(id) }), withEvents({}))).toMatchObject([
      { operation: 'webhook users.created: POST' },
    ])
    expect(compareDocuments(withEvents({}), withEvents({ created: event(id) }))).toEqual([])
  })
})
