// The document's components of the router never take a name that the app uses.
import { api, event, resources, version } from '@hv/router'
import { Type as TypeBox034 } from '@sinclair/typebox'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type OpenApiOptions, openapi } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, { sunset: '2027-07-01' }, resources('users', { only: ['index', 'show'] })),
)
const info = { title: 'Acme', version: '1.0.0' }

type Parts = Readonly<Record<string, any>> // oxlint-disable-line typescript/no-explicit-any

interface App {
  /** The 404 response's schema. */
  readonly response?: object
  readonly options?: Partial<OpenApiOptions<1>>
  readonly webhook?: object
}

function documentOf({ response = {}, options = {}, webhook }: App): Parts {
  const show = { schema: { response: { 200: { type: 'object' }, 404: response } }, handler() {} }
  const users = {
    index: { schema: { response: { 200: { type: 'object' } } }, handler() {} },
    show,
    ...(webhook && { created: event(webhook as never) }),
  }
  return openapi(routes, { 1: { users } }, { version: 1, info, ...options })
}

/** Replaces references, so that only their targets matter. */
function resolved(part: unknown, document: Parts): unknown {
  if (Array.isArray(part)) return part.map((item) => resolved(item, document))
  if (typeof part !== 'object' || part === null) return part
  const { $ref, ...rest } = part as Parts
  if (typeof $ref === 'string') {
    const [, , kind, name] = $ref.split('/')
    return resolved(document['components'][kind!][name!], document)
  }
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, resolved(value, document)]),
  )
}

const codes = { type: 'object', required: ['code'], properties: { code: { type: 'integer' } } }
const own = { $id: 'Problem', ...codes }

/** The operation without a response of the app's, which only has what's the router's. */
const refusalsOf = (document: Parts): unknown =>
  resolved(document['paths']['/api/users'].get.responses, document)
const missingOf = (document: Parts): unknown => {
  const { content } = document['paths']['/api/users/{id}'].get.responses[404]
  const [media] = Object.values<Parts>(content)
  return resolved(media!['schema'], document)
}

const plain = documentOf({})

describe("an app's schema called Problem", () => {
  it.each<[how: string, app: App]>([
    ['by $id', { response: own }],
    ['by a URL', { response: { ...own, $id: 'https://acme.example/Problem.json' } }],
    ['by TypeBox', { response: Type.Object({ code: Type.Integer() }, { $id: 'Problem' }) }],
    [
      'by TypeBox 0.34',
      { response: TypeBox034.Object({ code: TypeBox034.Integer() }, { $id: 'Problem' }) },
    ],
    ['by zod', { response: z.looseObject({ code: z.number() }).meta({ id: 'Problem' }) }],
    ['in $defs', { response: { $defs: { Problem: codes }, $ref: '#/$defs/Problem' } }],
    [
      'in definitions',
      { response: { definitions: { Problem: codes }, $ref: '#/definitions/Problem' } },
    ],
    [
      'by an anchor',
      { response: { $defs: { a: { $anchor: 'Problem', ...codes } }, $ref: '#Problem' } },
    ],
    ['in content', { response: { content: { 'application/problem+json': { schema: own } } } }],
    ['in schemas', { response: { $ref: 'Problem#' }, options: { schemas: [own] } }],
    [
      'in components',
      {
        response: { $ref: '#/components/schemas/Problem' },
        options: { components: { schemas: { Problem: codes } } },
      },
    ],
  ])('%s keeps its name, and the problem documents theirs', (_how, app) => {
    const document = documentOf(app)
    const { Problem } = document['components'].schemas
    expect(Problem).toMatchObject({ type: 'object', required: ['code'] })
    expect(missingOf(document)).toEqual(Problem)
    expect(refusalsOf(document)).toEqual(refusalsOf(plain))
  })

  it('in a webhook keeps its name as well', () => {
    const document = documentOf({ webhook: own })
    expect(document['components'].schemas.Problem).toEqual(codes)
    expect(refusalsOf(document)).toEqual(refusalsOf(plain))
  })

  it('in each of these places at once has one component', () => {
    const { components } = documentOf({
      response: own,
      options: { components: { schemas: { Problem: own } }, schemas: [own] },
    })
    expect(Object.keys(components.schemas)).toEqual(['Problem', 'Problem2'])
  })
})

it.each(['MalformedRequest', 'NotAcceptable', 'Gone'])(
  "an app's response called %s keeps its name",
  (name) => {
    const mine = { description: 'mine' }
    const document = documentOf({ options: { components: { responses: { [name]: mine } } } })
    expect(document['components'].responses[name]).toEqual(mine)
    expect(refusalsOf(document)).toEqual(refusalsOf(plain))
  },
)

it("an app's header called API-Version keeps its name", () => {
  const mine = { schema: { type: 'string' } }
  const document = documentOf({ options: { components: { headers: { 'API-Version': mine } } } })
  expect(document['components'].headers['API-Version']).toEqual(mine)
  expect(refusalsOf(document)).toEqual(refusalsOf(plain))
})

it("an action's schema and a different one in components have two names", () => {
  const user = { $id: 'User', type: 'string' }
  const given = { User: { type: 'integer' } }
  const document = documentOf({ response: user, options: { components: { schemas: given } } })
  expect(document['components'].schemas).toMatchObject({ ...given, User2: { type: 'string' } })
  expect(missingOf(document)).toEqual({ type: 'string' })
})

describe('a named zod schema that others contain is one component', () => {
  const user = z.object({ id: z.number(), address: z.object({}).meta({ id: 'Address' }) })
  const tree = z
    .object({
      get children() {
        return z.array(tree)
      },
    })
    .meta({ id: 'User' })
  const named = {
    'with another one inside': user.meta({ id: 'User' }),
    'that contains itself': tree,
    'without any other': z.object({ id: z.number() }).meta({ id: 'User' }),
  }
  it.each(Object.entries(named))('%s', (_title, User) => {
    const list = z.object({ items: z.array(User), first: User }).meta({ id: 'UserList' })
    for (const [one, many] of [
      [User, list],
      [list, User],
    ] as const) {
      const index = { schema: { response: { 200: many } }, handler() {} }
      const show = { schema: { response: { 200: one } }, handler() {} }
      const document = openapi(routes, { 1: { users: { index, show } } }, { version: 1, info })
      const names = Object.keys(document.components!.schemas!)
      expect(names.filter((name) => /\d$/.test(name))).toEqual([])
      expect(names).toEqual(expect.arrayContaining(['User', 'UserList']))
    }
  })
})
