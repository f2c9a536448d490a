import { describe, expect, it } from 'vitest'
import { compareDocuments, groupFindings } from '../src/index.ts'

/** Operations that send and receive the component `User`, with one property. */
const documentOf = (property: object, paths = ['/a'], query: object = {}) => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/User' } } }
  const parameters = [{ name: 'limit', in: 'query', schema: query }]
  const post = {
    parameters,
    requestBody: { content },
    responses: { 200: { description: '', content } },
  }
  const User = { type: 'object', properties: { role: property } }
  return {
    openapi: '3.1.0',
    paths: Object.fromEntries(paths.map((path) => [path, { post }])),
    components: { schemas: { User } },
  }
}
const found = (was: object, is: object, options = {}) =>
  compareDocuments(documentOf(was), documentOf(is), options).map(
    ({ severity, code, message }) => `${severity} ${code} ${message.replace(/.*\/role /, '')}`,
  )
const enumOf = (...values: unknown[]) => ({ enum: values })
const withNull = (one: object) => ({ anyOf: [one, { type: 'null' }] })

describe('one more value of an enum', () => {
  it.each<[string, object, object, string[]]>([
    ['in a response', enumOf('a', 'b'), enumOf('a', 'b', 'c'), ['may be "c", which is new']],
    [
      'of an alternative',
      withNull(enumOf('a', 'b')),
      withNull(enumOf('a', 'b', 'c')),
      ['may be "c", which is new'],
    ],
  ])('is a warning, and nothing with openEnums: %s', (_what, was, is, texts) => {
    expect(found(was, is)).toEqual(texts.map((text) => `warning response-widened ${text}`))
    expect(found(was, is, { openEnums: true })).toEqual([])
  })
  it.each<[string, object, object, string]>([
    [
      "a value that isn't accepted any more",
      enumOf('a', 'b', 'c'),
      enumOf('a', 'b'),
      'request-narrowed may no longer be "c"',
    ],
    ['another constant', { const: 'a' }, { const: 'b' }, 'response-widened may be "b"'],
    ['null', enumOf('a', 'b'), enumOf('a', 'b', null), 'response-widened may be null'],
    [
      'a value of another type',
      { ...enumOf('a', 'b'), type: 'string' },
      enumOf('a', 'b', 1),
      'response-widened may be 1',
    ],
    [
      'any text',
      enumOf('a', 'b'),
      { type: 'string' },
      'response-widened may be other than "a", "b"',
    ],
  ])("isn't %s", (_what, was, is, text) => {
    for (const options of [{}, { openEnums: true }])
      expect(found(was, is, options)).toContainEqual(expect.stringContaining(`error ${text}`))
  })
})

it.each<[what: string, was: object, is: object, message: string]>([
  ['a new property', {}, { requestBody: true }, 'body: /size is new and required'],
  ['a property', { requestBody: false }, { requestBody: true }, 'body: /size is required now'],
  ['a new parameter', {}, { parameters: true }, 'query parameter size is new and required'],
  [
    'a parameter',
    { parameters: false },
    { parameters: true },
    'query parameter size is required now',
  ],
])('%s that is required is a warning if it has a default', (_what, was, is, message) => {
  const operationOf = (part: object, schema: object) => {
    const [kind, required] = Object.entries(part)[0] ?? []
    const properties = kind === 'requestBody' ? { size: schema } : {}
    const body = { type: 'object', properties, required: required ? Object.keys(properties) : [] }
    return {
      openapi: '3.0.3',
      paths: {
        '/a': {
          post: {
            parameters:
              kind === 'parameters' ? [{ name: 'size', in: 'query', required, schema }] : [],
            requestBody: { required: true, content: { 'application/json': { schema: body } } },
            responses: {},
          },
        },
      },
    }
  }
  const integer = { type: 'integer' }
  const withDefault = { ...integer, default: 1 }
  const findings = (schema: object) =>
    compareDocuments(operationOf(was, schema), operationOf(is, schema)).map(
      (finding) => `${finding.severity} ${finding.message}`,
    )
  expect(findings(integer)).toEqual([`error ${message}`])
  expect(findings(withDefault)).toEqual([
    `warning ${message}, and only some validators fill in the default`,
  ])
})

it('another default is a warning', () => {
  const [was, is] = [
    { type: 'integer', default: 1 },
    { type: 'integer', default: 2 },
  ]
  expect(found(was, is)).toEqual(['warning changed-default had the default 1, and has 2'])
  const findings = compareDocuments(documentOf({}, ['/a'], was), documentOf({}, ['/a'], is))
  expect(findings).toMatchObject([{ severity: 'warning', code: 'changed-default' }])
})

it.each([
  ['a warning if an older one allows it', { type: 'string' }, 'warning'],
  ['an error if no older one allows it', { type: 'integer' }, 'error'],
])('a new alternative of a response is %s', (_what, id, severity) => {
  const objectOf = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => name !== 'note'),
  })
  const string = { type: 'string' }
  const [Plain, Sized] = [
    objectOf({ id: string, note: string }),
    objectOf({ id: string, size: string }),
  ]
  const documentWith = (schemas: object) => ({
    openapi: '3.1.0',
    paths: {
      '/events': {
        get: {
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: {
                    anyOf: Object.keys(schemas).map((name) => ({
                      $ref: `#/components/schemas/${name}`,
                    })),
                  },
                },
              },
            },
          },
        },
      },
    },
    components: { schemas },
  })
  const findings = compareDocuments(
    documentWith({ Plain, Sized }),
    documentWith({ Plain, Sized, New: objectOf({ id, when: string }) }),
  )
  expect(findings).toMatchObject([
    { severity, message: 'status 200: the body may be New, which is new' },
  ])
})

describe('groupFindings', () => {
  it('lists the operations of a cause, errors first', () => {
    const paths = ['/a', '/b', '/c']
    const released = documentOf(enumOf('a', 'b'), [...paths, '/d', '/e'])
    const current = documentOf(enumOf('a', 'c'), paths)
    const findings = compareDocuments(released, current)
    expect(findings).toHaveLength(8)
    expect(groupFindings(findings)).toMatchObject([
      {
        cause: 'User/role may no longer be "b"',
        code: 'request-narrowed',
        severity: 'error',
        operations: ['POST /a', 'POST /b', 'POST /c'],
        findings: [
          {
            operation: 'POST /a',
            message: 'body: /role may no longer be "b"',
          },
          {},
          {},
        ],
      },
      { cause: 'POST /d is gone', code: 'lost-operation', operations: ['POST /d'] },
      { cause: 'POST /e is gone', code: 'lost-operation', operations: ['POST /e'] },
      {
        cause: 'User/role may be "c", which is new',
        severity: 'warning',
        operations: paths.map((path) => `POST ${path}`),
      },
    ])
  })
})
