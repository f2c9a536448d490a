import { describe, expect, it } from 'vitest'
import {
  type Validate,
  type Validator,
  ValidationError,
  ajvValidator,
  createValidation,
  validatePart,
} from '../../src/adapter.ts'
import { api, resources, routeTable, version } from '../../src/index.ts'

const [row] = routeTable(
  api({ vendorString: 'acme' }, version(1, resources('users', { only: 'create' }))),
)

/** A schema of a library that validates itself. */
const standard = (validate: Validate) => ({ '~standard': { version: 1, vendor: 'test', validate } })
const doubled = standard((value) => ({ value: Number(value) * 2 }))

describe('createValidation', () => {
  it.each([
    ['no schema', undefined],
    [
      'a schema for documents and responses only',
      { summary: 'Creates', response: { 201: { type: 'object' } } },
    ],
  ])('has nothing to do for %s', (_what, schema) => {
    expect(createValidation(row!, { schema }, undefined)).toEqual([])
  })

  it('validates params, then the query, the headers and the body', async () => {
    const seen: string[] = []
    const validator: Validator = (schema, part) => {
      seen.push(`${part} ${JSON.stringify(schema)}`)
      return (value) => ({ value })
    }
    const schema = { body: doubled, headers: true, querystring: { type: 'object' }, params: false }
    const validation = createValidation(row!, { schema }, validator)
    expect(validation.map(([part]) => part)).toEqual(['params', 'querystring', 'headers', 'body'])
    expect(seen).toEqual(['params {"not":{}}', 'querystring {"type":"object"}', 'headers {}'])
    expect(await validatePart(validation[3]!, '21')).toBe(42)
  })

  it('requires a validator for JSON Schema, or false', () => {
    const schema = { body: { type: 'object' } }
    expect(() => createValidation(row!, { schema }, undefined)).toThrow(
      'HV_NO_VALIDATOR: api/v1/users#create in version 1 declares its body as JSON Schema, and nothing validates it. ' +
        'Pass a validator to createRouter: { validator: ajvValidator(new Ajv()) }, or validator: false for no validation.',
    )
    expect(createValidation(row!, { schema: { ...schema, params: doubled } }, false)).toEqual([])
  })

  it.each<[string, unknown, string]>([
    [
      'a misspelled part',
      { query: { type: 'object' } },
      "users#create in version 1 has no option 'query'. Its options: params",
    ],
    [
      'a schema in place of its parts',
      standard((value) => ({ value })),
      "in version 1 has no option '~standard'",
    ],
    [
      'no object',
      null,
      'users#create in version 1 requires schema to be an object. Received: null.',
    ],
    ['a list', [], 'users#create in version 1 requires schema to be an object. Received: [].'],
    [
      'one schema per media type',
      { body: { content: { 'text/csv': { schema: {} } } } },
      'requires schema.body to be one',
    ],
    [
      'a Standard Schema without validate',
      { body: { '~standard': {} } },
      'requires schema.body to be one JSON Schema',
    ],
    [
      'a part that is null',
      { params: null },
      'requires schema.params to be one JSON Schema, or a schema that validates',
    ],
    [
      'a part that is undefined',
      { body: undefined },
      'requires schema.body to be one JSON Schema, or a schema that',
    ],
    ['a part that is text', { params: 'User#' }, "Received: 'User#'."],
  ])('rejects %s', (_what, schema, message) => {
    const validator: Validator = () => (value) => ({ value })
    expect(() => createValidation(row!, { schema }, validator)).toThrow(message)
  })

  it('accepts the documentation of a schema, and properties of the app', () => {
    const schema = {
      summary: '',
      description: '',
      tags: [],
      operationId: '',
      deprecated: true,
      security: [],
    }
    const more = { externalDocs: {}, hide: true, consumes: [], response: {}, 'x-owner': 'team' }
    expect(createValidation(row!, { schema: { ...schema, ...more } }, undefined)).toEqual([])
  })
})

describe('validatePart', () => {
  const failure = async (validate: Validate) => {
    const validation = createValidation(row!, { schema: { body: standard(validate) } }, undefined)
    return validatePart(validation[0]!, {}).catch((error: unknown) => error)
  }

  it('throws the issues with their paths', async () => {
    const issues = [
      { message: 'is required' },
      { message: 'is too short', path: ['user', { key: 'tags' }, 0] },
    ]
    const error = await failure(() => Promise.resolve({ issues }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({
      name: 'ValidationError',
      status: 400,
      statusCode: 400,
      expose: true,
      part: 'body',
      message: 'body is required, body/user/tags/0 is too short',
      issues: [
        { message: 'is required', path: [] },
        { message: 'is too short', path: ['user', 'tags', 0] },
      ],
    })
  })

  it('has a problem document with JSON Pointers', async () => {
    const path = ['a/b', '~', 0, Symbol('s')]
    const validate = standard(() => ({
      issues: [{ message: 'is wrong', path }, { message: 'is missing' }],
    }))
    const [part] = createValidation(row!, { schema: { querystring: validate } }, undefined)
    const error: unknown = await validatePart(part!, {}).catch((reason: unknown) => reason)
    expect((error as ValidationError).problem).toEqual({
      type: 'urn:hv-router:invalid-request',
      title: 'Invalid request',
      status: 400,
      detail: 'query/a/b/~/0/Symbol(s) is wrong, query is missing',
      part: 'query',
      issues: [
        { pointer: '/a~1b/~0/0/Symbol(s)', message: 'is wrong' },
        { pointer: '', message: 'is missing' },
      ],
    })
  })

  it('keeps only the keys of a path, not the values of the request', async () => {
    const input = { password: 'secret' }
    const path = [{ type: 'object', origin: 'value', input, key: 'password', value: 'secret' }]
    const error = (await failure(() => ({
      issues: [{ message: 'is too short', path }],
    }))) as ValidationError
    expect(error.issues).toEqual([{ message: 'is too short', path: ['password'] }])
  })

  it('has the issues as the schema library reported them as its cause', async () => {
    const issues = [{ message: 'is wrong', path: [{ key: 'a' }], code: 'invalid_type' }]
    expect(((await failure(() => ({ issues }))) as ValidationError).cause).toBe(issues)
  })

  it('limits the issues and the message', async () => {
    const issues = Array.from({ length: 50_000 }, (_, i) => ({ message: 'is wrong', path: [i] }))
    const error = (await failure(() => ({ issues }))) as ValidationError
    expect(error.issues).toHaveLength(100)
    expect(error.message).toMatch(/^body\/0 is wrong, (?:body\/\d is wrong, ){4}and 49995 more$/)
  })

  it('shortens long issues, and keeps only message and path', async () => {
    const error = (await failure(() => ({
      issues: [{ message: 'x'.repeat(9999), keys: ['x'] } as never],
    }))) as ValidationError
    expect(error.issues).toEqual([{ message: `${'x'.repeat(199)}…`, path: [] }])
    expect(error.message).toHaveLength(200)
  })

  it('shortens long paths, and long keys in them', async () => {
    const path = ['x'.repeat(9999), ...Array.from({ length: 9999 }, (_, i) => i)]
    const error = (await failure(() => ({
      issues: [{ message: 'is wrong', path }],
    }))) as ValidationError
    expect(error.issues).toEqual([
      {
        message: 'is wrong',
        path: [`${'x'.repeat(199)}…`, ...Array.from({ length: 49 }, (_, i) => i)],
      },
    ])
  })

  it('reports a stack overflow as an issue', async () => {
    const overflow = (): never => overflow()
    expect(await failure(overflow)).toMatchObject({
      status: 400,
      message: 'body is nested too deeply',
    })
  })

  it.each([new TypeError('a bug of the app'), new RangeError('Invalid time value')])(
    'leaves other errors as they are: %s',
    async (bug) => {
      expect(await failure(() => Promise.reject(bug))).toBe(bug)
    },
  )
})

describe('ajvValidator', () => {
  it("translates Ajv's errors", async () => {
    const compile = (schema: object) =>
      Object.assign((value: unknown) => value === schema, {
        errors: [
          { instancePath: '/a~1b/0', message: 'must be string', keyword: 'type' },
          { instancePath: '' },
        ],
      })
    const schema = { type: 'object' }
    const validate = ajvValidator({ compile })(schema, 'body')
    expect(await validate(schema)).toEqual({ value: schema })
    expect(await validate(1)).toEqual({
      issues: [
        { instancePath: '/a~1b/0', keyword: 'type', message: 'must be string', path: ['a/b', '0'] },
        { instancePath: '', message: 'is invalid', path: [] },
      ],
    })
  })
})

describe('ValidationError', () => {
  it('recognizes errors of another copy of the package', () => {
    const brand = Symbol.for('@hv/router.ValidationError')
    expect(new ValidationError('body', []) instanceof ValidationError).toBe(true)
    expect(brand in new ValidationError('body', [])).toBe(true)
    expect({ [brand]: true } instanceof ValidationError).toBe(true)
    expect(new Error('other') instanceof ValidationError).toBe(false)
    expect((undefined as unknown) instanceof ValidationError).toBe(false)
  })
})
