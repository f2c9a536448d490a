// What a client notices of a change, and what it doesn't.
import { describe, expect, it } from 'vitest'
import { compareDocuments } from '../src/index.ts'

type Part = Readonly<Record<string, unknown>>
const documentOf = (operation: Part, root: Part = {}): Part => ({
  openapi: '3.1.0',
  paths: { '/users/{id}': { post: { responses: { 200: { description: '' } }, ...operation } } },
  ...root,
})
const withQuery = (parameter: Part, root?: Part): Part =>
  documentOf({ parameters: [{ in: 'query', name: 'q', ...parameter }] }, root)
const withBody = (schema: Part, media?: Part): Part =>
  documentOf({ requestBody: { content: { 'application/json': { schema, ...media } } } })
const withForm = (media: Part): Part =>
  documentOf({ requestBody: { content: { 'multipart/form-data': media } } })
const withResponses = (responses: Part): Part => documentOf({ responses })
const withSecurity = (security: readonly object[], scheme?: Part): Part =>
  documentOf({ security }, scheme && { components: { securitySchemes: { key: scheme } } })
const token = { tokenUrl: 'https://a.test/token' }
const oauthWith = (flows: Part): Part => ({ type: 'oauth2', flows })
const responseOf = (...properties: string[]): Part => ({
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: Object.fromEntries(properties.map((name) => [name, { type: 'string' }])),
      },
    },
  },
})
const list = { type: 'array', items: { type: 'string' } }
const limit = (value: number): Part => ({
  components: { schemas: { Limit: { type: 'integer', default: value } } },
})
const limitRef = { schema: { $ref: '#/components/schemas/Limit' } }

describe('compareDocuments', () => {
  it('names both values of $self', () => {
    const [before, after] = ['a', 'b'].map((name) => documentOf({}, { $self: `/${name}.json` }))
    expect(compareDocuments(before!, after!)[0]?.message).toBe(
      'the document\'s $self was "/a.json", and is "/b.json"',
    )
  })

  it('lists the nearest findings first, whatever other operations refer to', () => {
    const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
    const sends = (schema: Part): Part => ({
      post: { requestBody: { content: { 'application/json': { schema } } }, responses: {} },
    })
    const typed = (type: string): Part => ({
      openapi: '3.1.0',
      paths: {
        '/far': sends({ properties: { far: ref('Far') } }),
        '/both': sends({ properties: { next: ref('Next'), near: ref('Near') } }),
      },
      components: {
        schemas: { Far: { type }, Near: { type }, Next: { properties: { far: ref('Far') } } },
      },
    })
    const findings = compareDocuments(typed('integer'), typed('string'))
    expect(findings.map(({ field }) => field)).toEqual(['/far', '/near', '/next/far'])
  })

  it.each<[what: string, released: Part, current: Part]>([
    [
      'an integer above 0 that is at least 1',
      withBody({ type: 'integer', exclusiveMinimum: 0 }),
      withBody({ type: 'integer', minimum: 1 }),
    ],
    [
      'an integer below 10 that is at most 9',
      withBody({ type: 'integer', exclusiveMaximum: 10 }),
      withBody({ type: 'integer', maximum: 9 }),
    ],
    [
      'an integer in the query that is text',
      withQuery({ schema: { type: 'integer' } }),
      withQuery({ schema: { type: 'string' } }),
    ],
    [
      'numbers in the query that are text',
      withQuery({ schema: { enum: [1, 2], type: 'integer' } }),
      withQuery({ schema: { type: 'string', enum: ['1', '2'] } }),
    ],
    [
      'a style that is the default',
      withQuery({ schema: list }),
      withQuery({ schema: list, style: 'form', explode: true }),
    ],
    [
      'a range of statuses that is one of them',
      withResponses({ '2XX': {} }),
      withResponses({ 201: responseOf('name') }),
    ],
    ['an undocumented 304', withResponses({ 200: {}, 304: {} }), withResponses({ 200: {} })],
    ["security that isn't required any more", withSecurity([{ key: [] }]), withSecurity([])],
    [
      'another scheme that may be used',
      withSecurity([{ key: [] }]),
      withSecurity([{ key: [] }, { other: [] }]),
    ],
    [
      'an OAuth flow that is added',
      withSecurity([{ key: ['a'] }], oauthWith({ password: token })),
      withSecurity([{ key: ['a'] }], oauthWith({ clientCredentials: token, password: token })),
    ],
    [
      'new scopes of an OAuth flow',
      withSecurity([{ key: ['a'] }], oauthWith({ password: { ...token, scopes: { a: '' } } })),
      withSecurity(
        [{ key: ['a'] }],
        oauthWith({ password: { ...token, scopes: { a: '', b: '' } } }),
      ),
    ],
    [
      'a scheme with another name',
      withSecurity([{ key: [] }], { type: 'http', scheme: 'Bearer' }),
      documentOf(
        { security: [{ token: [] }] },
        { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } },
      ),
    ],
    [
      'security of the document in place of the operation',
      withSecurity([{ key: [] }]),
      documentOf({}, { security: [{ key: [] }] }),
    ],
  ])("doesn't report %s", (_what, released, current) => {
    expect(compareDocuments(released, current)).toEqual([])
  })

  it.each<[what: string, released: Part, current: Part, code: string, message: string]>([
    [
      'a default behind a reference',
      withQuery(limitRef, limit(10)),
      withQuery(limitRef, limit(20)),
      'changed-default',
      'query parameter q had the default 10, and has 20',
    ],
    [
      'an integer above another bound',
      withBody({ type: 'integer', exclusiveMinimum: 0 }),
      withBody({ type: 'integer', minimum: 2 }),
      'request-narrowed',
      'body: it must keep to its minimum of 2 now',
    ],
    [
      'numbers in the query that are other text',
      withQuery({ schema: { enum: [1, 2], type: 'integer' } }),
      withQuery({ schema: { type: 'string', enum: ['1'] } }),
      'request-narrowed',
      'query parameter q may no longer be "2"',
    ],
    [
      "a list in the query that isn't repeated",
      withQuery({ schema: list }),
      withQuery({ schema: list, explode: false }),
      'unclear-change',
      'query parameter q is serialized in another form',
    ],
    [
      'a parameter that is JSON',
      withQuery({ schema: list }),
      withQuery({ content: { 'application/json': { schema: list } } }),
      'unclear-change',
      'query parameter q is serialized in another form',
    ],
    [
      'another encoding of a body',
      withForm({ encoding: { a: { contentType: 'text/plain' } } }),
      withForm({ encoding: { a: { contentType: 'text/csv' } } }),
      'unclear-change',
      'body: multipart/form-data has another encoding: "a"',
    ],
    [
      'a status of a range with another body',
      withResponses({ '2XX': responseOf('name') }),
      withResponses({ 200: responseOf('fullName') }),
      'response-widened',
      'status 200: /name is gone',
    ],
    [
      'a new status of a range with another body',
      withResponses({ '2XX': responseOf('name') }),
      withResponses({ '2XX': responseOf('name'), 202: responseOf('job') }),
      'response-widened',
      'status 202: /name is gone',
    ],
    [
      'a redirect that is gone',
      withResponses({ 302: {} }),
      withResponses({ 200: {} }),
      'lost-status',
      'status 302 is gone',
    ],
    [
      'security that is required',
      withSecurity([]),
      withSecurity([{ key: [] }]),
      'unclear-change',
      'the security was none, and is key',
    ],
    [
      'security of the whole document that is required',
      documentOf({}),
      documentOf({}, { security: [{ key: [] }] }),
      'unclear-change',
      'the security was none, and is key',
    ],
    [
      'another scope',
      withSecurity([{ key: ['read'] }]),
      withSecurity([{ key: ['read', 'write'] }]),
      'unclear-change',
      'the security was key (read), and is key (read, write)',
    ],
    [
      'a scope in place of another one',
      withSecurity([{ key: ['read'] }]),
      withSecurity([{ key: ['users:read'] }]),
      'unclear-change',
      'the security was key (read), and is key (users:read)',
    ],
    [
      "a list in the query, beside an integer that's text as well",
      withQuery({ schema: { type: ['integer', 'array'] } }),
      withQuery({ schema: { type: 'string' } }),
      'request-narrowed',
      'query parameter q must be string now, not array',
    ],
    [
      'a scope of one of two schemes',
      withSecurity([{ token: [] }, { key: [] }]),
      withSecurity([{ token: [] }, { key: ['read'] }]),
      'unclear-change',
      'the security was token or key, and is token or key (read)',
    ],
    [
      'many schemes, of which one is gone',
      withSecurity(['a', 'b', 'c'].map((name) => ({ [name]: ['x'] }))),
      withSecurity(['b', 'c', 'd'].map((name) => ({ [name]: ['x'] }))),
      'unclear-change',
      'the security was a (x) or b (x) or c (x), and is b (x) or c (x) or d (x)',
    ],
    [
      'another scheme of the same name',
      withSecurity([{ key: [] }], { type: 'apiKey', in: 'header', name: 'x-key' }),
      withSecurity([{ key: [] }], { type: 'apiKey', in: 'query', name: 'key' }),
      'unclear-change',
      'the security was key (in: "header", name: "x-key"), and is key (in: "query", name: "key")',
    ],
    [
      'an OAuth flow that is gone',
      withSecurity([{ key: ['a'] }], oauthWith({ clientCredentials: token, password: token })),
      withSecurity([{ key: ['a'] }], oauthWith({ clientCredentials: token })),
      'unclear-change',
      'the security was key (a, password: {"tokenUrl":"https://a.test/token"}), and is key (a)',
    ],
    [
      'an OAuth flow at another address',
      withSecurity([{ key: [] }], oauthWith({ password: token })),
      withSecurity([{ key: [] }], oauthWith({ password: { tokenUrl: 'https://a.test/t' } })),
      'unclear-change',
      'the security was key (password: {"tokenUrl":"https://a.test/token"}), and is key (password: {"tokenUrl":"https://a.test/t"})',
    ],
    [
      'a device flow at another address',
      withSecurity(
        [{ key: [] }],
        oauthWith({ deviceAuthorization: { deviceAuthorizationUrl: 'https://a.test/1' } }),
      ),
      withSecurity(
        [{ key: [] }],
        oauthWith({ deviceAuthorization: { deviceAuthorizationUrl: 'https://a.test/2' } }),
      ),
      'unclear-change',
      'the security was key (deviceAuthorization: {"deviceAuthorizationUrl":"https://a.test/1"}), and is key (deviceAuthorization: {"deviceAuthorizationUrl":"https://a.test/2"})',
    ],
    [
      'another scheme at the same address',
      withSecurity([{ '#/components/securitySchemes/key': [] }], { type: 'http', scheme: 'basic' }),
      withSecurity([{ '#/components/securitySchemes/key': [] }], {
        type: 'http',
        scheme: 'bearer',
      }),
      'unclear-change',
      'the security was #/components/securitySchemes/key (scheme: "basic"), and is #/components/securitySchemes/key (scheme: "bearer")',
    ],
    [
      "a scheme that isn't defined any more",
      withSecurity([{ key: [] }], { type: 'http', scheme: 'basic' }),
      withSecurity([{ key: [] }]),
      'unclear-change',
      'the security was key (type: "http", scheme: "basic"), and is key',
    ],
    [
      "a pattern that isn't a regular expression",
      withBody({ const: 'a' }),
      withBody({ type: 'string', pattern: '(' }),
      'unclear-change',
      'body: it must match its pattern (, so check "a"',
    ],
  ])('reports %s', (_what, released, current, code, message) => {
    expect(compareDocuments(released, current)).toMatchObject([{ code, message }])
  })
})
