// Changes of the document of version 1: those that break released clients are findings, the others aren't.
import { compareDocuments } from '@hv/openapi-diff'
import { describe, expect, it } from 'vitest'
import { createUsersController } from '../controllers/api/v1/users_controller.ts'
import { UsersController } from '../controllers/api/v2/users_controller.ts'
import { createDocument } from '../src/http/docs.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- documents are changed anywhere
type Json = any
const users = new UsersController({} as never)
const controllers = { 1: { users: createUsersController(users) }, 2: { users } }
const documentOf = (version: 1 | 2): Json =>
  JSON.parse(JSON.stringify(createDocument(version, controllers)))
const released = documentOf(1)

const vendor = 'application/vnd.users+json;version=1'
const json = 'application/json'
const list = (d: Json) => d.paths['/users'].get
const show = (d: Json) => d.paths['/users/{id}'].get
const create = (d: Json) => d.paths['/users'].post
const update = (d: Json) => d.paths['/users/{id}'].put
const login = (d: Json) => d.paths['/users/login'].post
const body = (operation: Json) => operation.requestBody.content[json].schema
const response = (operation: Json, status = 200) =>
  operation.responses[status].content[vendor].schema
const data = (d: Json) => response(create(d), 201).properties.data
const param = (operation: Json, index = 0) => operation.parameters[index]
const without = (names: string[], name: string) => names.filter((one) => one !== name)
const optional = (schema: Json, name: string) => (schema.required = without(schema.required, name))
const remove = (schema: Json, name: string) => {
  delete schema.properties[name]
  if (schema.required) optional(schema, name)
}

type Mutation = readonly [what: string, code: string, mutate: (document: Json) => unknown]
const breaking: readonly Mutation[] = [
  ['an operation is gone', 'lost-operation', (d) => delete d.paths['/users/{id}'].delete],
  ['a path is gone', 'lost-operation', (d) => delete d.paths['/users/login']],
  [
    'a method changed',
    'lost-operation',
    (d) => ((d.paths['/users/{id}'].patch = update(d)), delete d.paths['/users/{id}'].put),
  ],
  [
    'a path is plural',
    'lost-operation',
    (d) => ((d.paths['/logins'] = d.paths['/users/login']), delete d.paths['/users/login']),
  ],
  [
    'a status changed',
    'lost-status',
    (d) => ((create(d).responses[200] = create(d).responses[201]), delete create(d).responses[201]),
  ],
  ['a response is empty', 'lost-media-type', (d) => delete show(d).responses[200].content],
  [
    'a media type of a response changed',
    'lost-media-type',
    (d) => (show(d).responses[200].content = { [json]: {} }),
  ],
  [
    'a media type of a request is gone',
    'lost-media-type',
    (d) => delete create(d).requestBody.content[json],
  ],
  ['a body is gone', 'lost-media-type', (d) => delete create(d).requestBody],
  ['a header is gone', 'lost-header', (d) => delete show(d).responses[200].headers['API-Version']],
  ['a query parameter is gone', 'lost-parameter', (d) => list(d).parameters.splice(0, 1)],
  ['a query parameter is renamed', 'lost-parameter', (d) => (param(list(d)).name = 'size')],
  ['a query parameter is required', 'new-requirement', (d) => (param(list(d)).required = true)],
  [
    'a required query parameter is new',
    'new-requirement',
    (d) => list(d).parameters.push({ name: 'tenant', in: 'query', required: true, schema: {} }),
  ],
  [
    'a required header is new',
    'new-requirement',
    (d) => list(d).parameters.push({ name: 'x-tenant', in: 'header', required: true, schema: {} }),
  ],
  [
    'a body is required',
    'new-requirement',
    (d) => (d.paths['/users/{id}'].delete.requestBody = { required: true, content: {} }),
  ],
  ['a default is new', 'changed-default', (d) => (param(list(d)).schema.default = '10')],
  [
    'a query parameter has an enum',
    'request-narrowed',
    (d) => (param(list(d)).schema.enum = ['10', '50']),
  ],
  [
    'a path parameter has a higher minimum',
    'request-narrowed',
    (d) => (param(show(d)).schema.minimum = 10),
  ],
  [
    'a pattern of a parameter changed',
    'unclear-change',
    (d) => (param(list(d)).schema.pattern = '^[0-9]{1,3}$'),
  ],
  [
    'a property of a request is required',
    'request-narrowed',
    (d) => body(create(d)).required.push('name'),
  ],
  [
    'a required property of a request is new',
    'request-narrowed',
    (d) => (
      (body(create(d)).properties.email = { type: 'string' }),
      body(create(d)).required.push('email')
    ),
  ],
  [
    'a property of a request is refused',
    'request-narrowed',
    (d) => delete body(create(d)).properties.name,
  ],
  [
    'a property of a request is renamed',
    'request-narrowed',
    (d) => (
      (body(update(d)).properties.nick = body(update(d)).properties.name),
      delete body(update(d)).properties.name
    ),
  ],
  [
    'a maximum length is shorter',
    'request-narrowed',
    (d) => (body(create(d)).properties.password.maxLength = 64),
  ],
  [
    'a minimum length is longer',
    'request-narrowed',
    (d) => (body(create(d)).properties.password.minLength = 12),
  ],
  [
    'a maximum length is new',
    'request-narrowed',
    (d) => (body(create(d)).properties.username.maxLength = 16),
  ],
  [
    'null is refused',
    'request-narrowed',
    (d) => (body(create(d)).properties.name = body(create(d)).properties.name.anyOf[0]),
  ],
  [
    'a type of a request changed',
    'request-narrowed',
    (d) => (body(login(d)).properties.password = { type: 'integer' }),
  ],
  [
    'a pattern is new',
    'request-narrowed',
    (d) => (body(login(d)).properties.username.pattern = '^[a-z]+$'),
  ],
  [
    'a pattern of a request changed',
    'unclear-change',
    (d) => (body(create(d)).properties.username.pattern = '^[a-z]+$'),
  ],
  [
    'a format is new',
    'request-narrowed',
    (d) => (body(login(d)).properties.username.format = 'email'),
  ],
  [
    'a request requires more properties',
    'request-narrowed',
    (d) => (body(update(d)).minProperties = 2),
  ],
  [
    'a request allows fewer properties',
    'request-narrowed',
    (d) => (body(update(d)).maxProperties = 1),
  ],
  ['a condition is new', 'unclear-change', (d) => (body(create(d)).if = { required: ['name'] })],
  [
    'a property of a response is gone',
    'response-widened',
    (d) => remove(response(show(d)), 'username'),
  ],
  [
    'a property of a response is optional',
    'response-widened',
    (d) => optional(response(show(d)), 'username'),
  ],
  [
    'an optional property of a response is gone',
    'response-widened',
    (d) => delete data(d).properties.changedRows,
  ],
  [
    'a property of a response is renamed',
    'response-widened',
    (d) => ((response(show(d)).properties.nick = {}), remove(response(show(d)), 'name')),
  ],
  ['a property deep in a response is gone', 'response-widened', (d) => remove(data(d), 'insertId')],
  [
    'a type of a response changed',
    'response-widened',
    (d) => (response(show(d)).properties.id = { type: 'string' }),
  ],
  [
    'a property of a response may be null',
    'response-widened',
    (d) => (response(show(d)).properties.username = { type: ['string', 'null'] }),
  ],
  [
    'an integer of a response is a number',
    'response-widened',
    (d) => (data(d).properties.affectedRows = { type: 'number' }),
  ],
  [
    'an element of a list changed',
    'response-widened',
    (d) => (response(list(d)).items.properties.id = { type: 'number' }),
  ],
  [
    'a list is an envelope',
    'response-widened',
    (d) =>
      (list(d).responses[200].content[vendor].schema = {
        type: 'object',
        properties: { items: response(list(d)) },
      }),
  ],
  [
    'a constant changed',
    'response-widened',
    (d) => (response(create(d), 201).properties.message.const = 'ok'),
  ],
  [
    'a constant is any string',
    'response-widened',
    (d) => delete response(create(d), 201).properties.message.const,
  ],
  [
    'a response may be anything',
    'response-widened',
    (d) => (show(d).responses[200].content[vendor].schema = {}),
  ],
]

type Harmless = readonly [what: string, mutate: (document: Json) => unknown]
const nothing = { responses: { 200: { description: '' } } }
const harmless: readonly Harmless[] = [
  ['nothing', () => null],
  ['a new path', (d) => (d.paths['/teams'] = { get: nothing })],
  ['a new operation', (d) => (d.paths['/users/{id}'].patch = nothing)],
  ['a new success status', (d) => (list(d).responses[206] = { description: '' })],
  ['a new error status', (d) => (show(d).responses[404] = { description: '' })],
  ['an error status is gone', (d) => delete show(d).responses.default],
  ['a new media type of a response', (d) => (show(d).responses[200].content['text/csv'] = {})],
  ['a new media type of a request', (d) => (create(d).requestBody.content['text/csv'] = {})],
  [
    'a media type in other letters',
    (d) => (
      (show(d).responses[200].content['application/vnd.users+json; VERSION=1'] =
        show(d).responses[200].content[vendor]),
      delete show(d).responses[200].content[vendor]
    ),
  ],
  [
    'a new header of a response',
    (d) => (show(d).responses[200].headers.ETag = { schema: { type: 'string' } }),
  ],
  [
    'a header in other letters',
    (d) =>
      (show(d).responses[200].headers = {
        'api-version': show(d).responses[200].headers['API-Version'],
      }),
  ],
  [
    'a new optional query parameter',
    (d) => list(d).parameters.push({ name: 'q', in: 'query', schema: { type: 'string' } }),
  ],
  [
    'a new optional header',
    (d) => list(d).parameters.push({ name: 'x-q', in: 'header', schema: {} }),
  ],
  [
    'a renamed path parameter',
    (d) => (
      (d.paths['/users/{key}'] = d.paths['/users/{id}']),
      delete d.paths['/users/{id}'],
      ['get', 'put', 'delete'].forEach(
        (m) => (d.paths['/users/{key}'][m].parameters[0].name = 'key'),
      )
    ),
  ],
  ['parameters in another order', (d) => (list(d).parameters = list(d).parameters.toReversed())],
  [
    'parameters of the path item',
    (d) => ((d.paths['/users/{id}'].parameters = show(d).parameters), delete show(d).parameters),
  ],
  [
    'a parameter in components',
    (d) => (
      (d.components.parameters = { limit: param(list(d)) }),
      (list(d).parameters[0] = { $ref: '#/components/parameters/limit' })
    ),
  ],
  ['a parameter without a pattern', (d) => delete param(list(d)).schema.pattern],
  ['a parameter of any type', (d) => (param(show(d)).schema = {})],
  ['a deprecated parameter', (d) => (param(list(d)).deprecated = true)],
  ["a body that isn't required", (d) => delete create(d).requestBody.required],
  [
    'a body in components',
    (d) => (
      (d.components.requestBodies = { b: create(d).requestBody }),
      (create(d).requestBody = { $ref: '#/components/requestBodies/b' })
    ),
  ],
  [
    'a new optional property of a request',
    (d) => (body(create(d)).properties.email = { type: 'string' }),
  ],
  ['a property of a request that is optional', (d) => optional(body(create(d)), 'password')],
  ['a request that is open', (d) => delete body(create(d)).additionalProperties],
  ['a longer maximum', (d) => (body(create(d)).properties.password.maxLength = 256)],
  ['a shorter minimum', (d) => (body(create(d)).properties.password.minLength = 4)],
  ['no maximum', (d) => delete body(create(d)).properties.password.maxLength],
  ['no pattern', (d) => delete body(create(d)).properties.username.pattern],
  [
    'a request that may be null',
    (d) => (body(login(d)).properties.username.type = ['string', 'null']),
  ],
  [
    'another type of a request',
    (d) =>
      (body(login(d)).properties.password = { anyOf: [{ type: 'string' }, { type: 'integer' }] }),
  ],
  [
    'types instead of anyOf',
    (d) =>
      (body(create(d)).properties.name = {
        ...body(create(d)).properties.name.anyOf[0],
        type: ['string', 'null'],
      }),
  ],
  [
    'anyOf in another order',
    (d) =>
      (body(create(d)).properties.name.anyOf = body(create(d)).properties.name.anyOf.toReversed()),
  ],
  ['no minimum of properties', (d) => delete body(update(d)).minProperties],
  [
    'a new property of a response',
    (d) => (
      (response(show(d)).properties.email = { type: 'string' }),
      response(show(d)).required.push('email')
    ),
  ],
  ['a property of a response that is required', (d) => data(d).required.push('changedRows')],
  [
    'a property of a response that is never null',
    (d) => (response(show(d)).properties.name = { type: 'string' }),
  ],
  [
    'a narrower string in a response',
    (d) =>
      (response(show(d)).properties.username = {
        type: 'string',
        maxLength: 32,
        pattern: '^[a-z]+$',
        format: 'email',
      }),
  ],
  ['a constant in a response', (d) => (response(show(d)).properties.username = { const: 'dora' })],
  [
    'an enum of a constant',
    (d) => (response(create(d), 201).properties.message = { enum: ['success'] }),
  ],
  [
    'a schema in components',
    (d) => (
      (d.components.schemas.User = response(show(d))),
      (show(d).responses[200].content[vendor].schema = { $ref: '#/components/schemas/User' })
    ),
  ],
  [
    'a schema in allOf',
    (d) => (show(d).responses[200].content[vendor].schema = { allOf: [response(show(d))] }),
  ],
  [
    'a response in components',
    (d) => (
      (d.components.responses = { User: show(d).responses[200] }),
      (show(d).responses[200] = { $ref: '#/components/responses/User' })
    ),
  ],
  [
    'titles, descriptions and examples',
    (d) => (
      (d.info.title = 'x'),
      (show(d).summary = 'x'),
      Object.assign(response(show(d)), { title: 'x', description: 'x', examples: [1] })
    ),
  ],
  ['a deprecated operation', (d) => (show(d).deprecated = true)],
  [
    'another operationId and other tags',
    (d) => Object.assign(show(d), { operationId: 'x', tags: ['x'] }),
  ],
  ['an extension', (d) => (response(show(d))['x-acme'] = 1)],
]

describe('compareDocuments', () => {
  const mutated = (mutate: (document: Json) => unknown) => {
    const document = structuredClone(released)
    mutate(document)
    return compareDocuments(released, document)
  }
  it.each(breaking)('finds that %s', (_what, code, mutate) => {
    const findings = mutated(mutate)
    expect(findings.map((finding) => finding.code)).toContain(code)
    for (const { before, after, remedy, message } of findings) {
      expect(before ?? after).toMatch(/^\/paths\//)
      expect([remedy, message].every((text) => text.length > 5)).toBe(true)
    }
  })
  it.each(harmless)('accepts %s', (_what, mutate) => expect(mutated(mutate)).toEqual([]))
  it('has at least forty of each', () =>
    expect(Math.min(breaking.length, harmless.length)).toBeGreaterThanOrEqual(40))

  it('finds what changed from version 1 to version 2', () => {
    const second = JSON.parse(
      JSON.stringify(documentOf(2))
        .replaceAll('version=2', 'version=1')
        .replaceAll('"const":2', '"const":1'),
    )
    const bodyOfList =
      '/paths/~1users/get/responses/200/content/application~1vnd.users+json;version=1/schema'
    expect(compareDocuments(released, second)).toMatchObject([
      {
        code: 'response-widened',
        operation: 'GET /users',
        direction: 'response',
        before: bodyOfList,
        after: bodyOfList,
        message: "status 200: the body may be object, which isn't array",
        cause: "status 200: the body may be object, which isn't array",
        severity: 'error',
        remedy: 'Respond with what was released, or change the schema in a new version.',
      },
    ])
  })
})
