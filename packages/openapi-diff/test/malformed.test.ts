// Values that aren't OpenAPI documents, and documents with a wrong value at any place.
import { describe, expect, it } from 'vitest'
import { some } from '../../../tools/test-all.ts'
import { DiffError, compareDocuments } from '../src/index.ts'

const document = {
  openapi: '3.1.0',
  paths: {
    '/users/{id}': {
      parameters: [{ name: 'x', in: 'header', schema: { type: 'string' } }],
      get: {
        parameters: [
          { name: 'id', in: 'path', schema: { pattern: 'a' } },
          { $ref: '#/components/parameters/P' },
        ],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
        },
        responses: {
          200: {
            headers: { etag: { schema: { type: 'string' } } },
            content: {
              'application/json': {
                schema: {
                  allOf: [
                    { $ref: '#/components/schemas/User' },
                    {
                      properties: { a: { enum: [1, 'a'] } },
                      required: ['a'],
                      additionalProperties: false,
                    },
                  ],
                  oneOf: [{ const: 1 }, { not: { type: 'null' } }],
                  prefixItems: [{}],
                  items: { type: ['integer', 'null'], minimum: 1 },
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    parameters: { P: { name: 'p', in: 'query', schema: { type: 'integer' } } },
    schemas: {
      User: { type: 'object', properties: { self: { $ref: '#/components/schemas/User' } } },
    },
  },
}
type Path = readonly string[]
const pathsIn = (value: unknown, at: Path = []): readonly Path[] =>
  Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(
    ([key, inner]) => [[...at, key], ...pathsIn(inner, [...at, key])],
  )
/** A copy of the document with another value at a path. */
function documentWith(path: Path, value: unknown): object {
  const copy = structuredClone(document)
  let at = copy as unknown as Record<string, Record<string, never>>
  for (const key of path.slice(0, -1)) at = at[key]!
  at[path.at(-1)!] = value as never
  return copy
}
const schemaAt = (path: string): Path => `components/schemas/${path}`.split('/')

describe('compareDocuments', () => {
  it('reads every document, whatever is in it', () => {
    const values = [
      null,
      0,
      '(',
      [null],
      {},
      { $ref: '#/components/schemas/User' },
      { $ref: '#/%zz' },
      { type: {} },
    ]
    const paths = pathsIn(document).filter(([key]) => key !== 'openapi')
    const failures = paths.flatMap((path) =>
      some(values, 3).flatMap((value) => {
        const other = documentWith(path, value)
        try {
          compareDocuments(document, other)
          compareDocuments(other, document)
          return compareDocuments(other, structuredClone(other)).map(
            () => `${path.join('/')} differs from itself`,
          )
        } catch (error) {
          return [`${path.join('/')} = ${JSON.stringify(value)}: ${String(error)}`]
        }
      }),
    )
    expect(failures).toEqual([])
  })

  it.each<[what: string, path: Path, value: unknown]>([
    [
      'a schema that is only a reference to itself',
      schemaAt('User'),
      { $ref: '#/components/schemas/User' },
    ],
    ['a type that is a number', schemaAt('User/type'), 7],
    ['properties that are a list', schemaAt('User/properties'), ['self']],
    ['a schema that is text', schemaAt('User'), 'object'],
  ])("can't tell about %s", (_what, path, value) => {
    const codes = compareDocuments(document, documentWith(path, value)).map(({ code }) => code)
    expect(codes).toContain('unclear-change')
  })

  it.each(['__defineGetter__', '__proto__', 'constructor'])('reads a keyword called %s', (name) => {
    const schemaOf = (minLength: number): unknown =>
      JSON.parse(`{ "allOf": [{ "${name}": 1 }, { "${name}": ${minLength} }] }`)
    const [before, after] = [1, 2].map((value) => documentWith(schemaAt('User'), schemaOf(value)))
    expect(() => compareDocuments(before!, after!)).not.toThrow()
  })

  it('reports a schema once, however many media types share it', () => {
    const documentOf = (type: string) => {
      const media = { schema: { type: 'object', properties: { name: { type } } } }
      const content = { 'application/json': media, 'application/vnd.acme+json;version=1': media }
      return {
        openapi: '3.1.0',
        paths: { '/users': { post: { requestBody: { content }, responses: {} } } },
      }
    }
    expect(compareDocuments(documentOf('string'), documentOf('integer'))).toMatchObject([
      {
        code: 'request-narrowed',
        before: '/paths/~1users/post/requestBody/content/application~1json/schema',
      },
    ])
  })

  it.each([null, undefined, 7, 'text', []])('rejects %j', (value) => {
    expect(() => compareDocuments(value as never, document)).toThrow(
      new DiffError('not-openapi', "The older document isn't OpenAPI: it has no openapi field."),
    )
  })

  it.each<[document: object, code: string, message: string]>([
    [{ name: 'x' }, 'not-openapi', "isn't OpenAPI: it has no openapi field"],
    [{ openapi: '3.1.0' }, 'not-openapi', 'has no paths, webhooks or components'],
    [{ openapi: '3.1.0', paths: [] }, 'not-openapi', 'has no paths, webhooks or components'],
    [{ swagger: 2, paths: {} }, 'unsupported-version', 'is Swagger 2. Convert it to OpenAPI 3'],
    [{ swagger: '2.0', paths: {} }, 'unsupported-version', 'is Swagger 2.0. Convert it'],
    [{ openapi: '2.0', paths: {} }, 'unsupported-version', 'has the OpenAPI version 2.0'],
    [{ openapi: '3.3.0', paths: {} }, 'unsupported-version', 'has the OpenAPI version 3.3.0'],
    [{ openapi: 31, paths: {} }, 'unsupported-version', 'has the OpenAPI version 31'],
  ])('rejects %j', (other, code, message) => {
    const expected = expect.objectContaining({ code, message: expect.stringContaining(message) })
    expect(() => compareDocuments(document, other)).toThrow(expected)
  })

  it.each<[what: string, part: object]>([
    ['the number 3 of YAML', { openapi: 3 }],
    ['the number 3.1 of YAML', { openapi: 3.1 }],
    ['3.2', { openapi: '3.2.0' }],
    ['webhooks alone', { openapi: '3.1.0', paths: undefined, webhooks: {} }],
  ])('reads %s', (_what, part) => {
    expect(compareDocuments({ paths: {}, ...part }, { paths: {}, ...part, 'x-a': 1 })).toEqual([])
  })
})
