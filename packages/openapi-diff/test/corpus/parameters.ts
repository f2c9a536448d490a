// Parameters in the path, the query, headers and cookies.
import {
  type DocumentRow,
  type Json,
  documentOf,
  integer,
  json,
  list,
  object,
  ref,
  string,
} from './row.ts'

const parameter = (where: string, name: string, more: Json = {}): Json => ({
  in: where,
  name,
  schema: string,
  ...more,
})
const withParameters = (...parameters: readonly Json[]): Json => documentOf({ parameters })
const query = (schema: unknown, more: Json = {}): Json =>
  withParameters(parameter('query', 'q', { schema, ...more }))
const path = (schema: unknown, more: Json = {}): Json =>
  withParameters(parameter('path', 'id', { required: true, schema, ...more }))
const none = documentOf({})
const form = (schema: unknown, more: Json = {}): Json => ({
  content: { 'application/x-www-form-urlencoded': { schema, ...more } },
})
const bracketed = { encoding: { a: { style: 'deepObject', explode: true } } }
const overlapping = (more: Json): readonly Json[] => [
  { ...integer, ...more, enum: [32_000, 48_000] },
  { ...integer, ...more, minimum: 4000, maximum: 650_000 },
  { ...integer, ...more, minimum: 4000, maximum: 192_000 },
]
const nullable = { type: ['string', 'null'] }

export const parameters: readonly DocumentRow[] = [
  // ---- parameters -------------------------------------------------------------------------------
  ['a new optional parameter', none, query(string), 'silent', 'clients do not send it'],
  ['a new required parameter', none, query(string, { required: true }), 'new-requirement', ''],
  [
    'a path parameter that was not described',
    none,
    path(string),
    'silent',
    'the path says that it is required',
  ],
  ['a path parameter that is not described', path(string), none, 'silent', 'likewise'],
  [
    'a parameter with properties that is an object now',
    query({ properties: { a: string } }),
    query({ type: 'object', properties: { a: string } }),
    'unclear-change',
    'its author probably meant an object',
  ],
  [
    'a number in the path that was not described',
    none,
    path(integer),
    'request-narrowed',
    'it could be any text',
  ],
  [
    'a path parameter that the path does not have',
    none,
    withParameters(parameter('path', 'key', { required: true })),
    'silent',
    'nobody can send it',
  ],
  [
    'a number that is text or null',
    query(integer),
    query({ anyOf: [string, { type: 'null' }] }),
    'silent',
    'a number is text in a query',
  ],
  ['a number that is nullable text', query(integer), query(nullable), 'silent', 'likewise'],
  [
    'a number that is a date or null',
    query(integer),
    query({ anyOf: [{ ...string, format: 'date' }, { type: 'null' }] }),
    'request-narrowed',
    'it is no date',
  ],
  ['a parameter that is gone', query(string), none, 'lost-parameter', 'its effect is gone'],
  [
    'a parameter that is required',
    query(string),
    query(string, { required: true }),
    'new-requirement',
    '',
  ],
  ['a parameter that is optional', query(string, { required: true }), query(string), 'silent', ''],
  [
    'a parameter in another place',
    query(string),
    withParameters(parameter('header', 'q')),
    'lost-parameter',
    '',
  ],
  [
    'parameters in another order',
    withParameters(parameter('query', 'a'), parameter('query', 'b')),
    withParameters(parameter('query', 'b'), parameter('query', 'a')),
    'silent',
    'a set',
  ],
  [
    'another case of a query parameter',
    query(string),
    withParameters(parameter('query', 'Q')),
    'lost-parameter',
    'their names have a case',
  ],
  [
    'another case of a header',
    withParameters(parameter('header', 'X-Id')),
    withParameters(parameter('header', 'x-id')),
    'silent',
    'RFC 9110: no case',
  ],
  [
    'a parameter of the path item',
    query(string),
    documentOf({}, {}, { parameters: [parameter('query', 'q')] }),
    'silent',
    'it holds for all operations',
  ],
  [
    'a parameter of the path item that is gone',
    documentOf({}, {}, { parameters: [parameter('query', 'q')] }),
    none,
    'lost-parameter',
    'it held for all operations',
  ],
  [
    'a parameter that an operation overrides',
    query(integer),
    documentOf(
      { parameters: [parameter('query', 'q', { schema: integer })] },
      {},
      { parameters: [parameter('query', 'q')] },
    ),
    'silent',
    'the operation wins',
  ],
  [
    'a parameter of components',
    query(string),
    documentOf(
      { parameters: [{ $ref: '#/components/parameters/Q' }] },
      { components: { parameters: { Q: parameter('query', 'q') } } },
    ),
    'silent',
    '',
  ],
  [
    'a required Authorization header',
    none,
    withParameters(parameter('header', 'Authorization', { required: true })),
    'silent',
    'OpenAPI: SHALL be ignored; security says it',
  ],
  [
    'an Accept header that is gone',
    withParameters(parameter('header', 'Accept')),
    none,
    'silent',
    'OpenAPI: SHALL be ignored',
  ],
  [
    'a required Content-Type header',
    none,
    withParameters(parameter('header', 'content-type', { required: true })),
    'silent',
    'likewise',
  ],
  [
    'a required header',
    none,
    withParameters(parameter('header', 'X-Id', { required: true })),
    'new-requirement',
    '',
  ],
  [
    'a required cookie',
    none,
    withParameters(parameter('cookie', 'sid', { required: true })),
    'new-requirement',
    '',
  ],
  [
    'a path parameter that is any text',
    path(integer),
    path(string),
    'silent',
    'a number is text in a path',
  ],
  ['a path parameter that is a number', path(string), path(integer), 'request-narrowed', ''],
  [
    'a shorter parameter',
    query(string),
    query({ ...string, maxLength: 3 }),
    'request-narrowed',
    '',
  ],
  [
    'a value of a parameter that is refused',
    query({ enum: ['a', 'b'] }),
    query({ enum: ['a'] }),
    'request-narrowed',
    '',
  ],
  ['a new value of a parameter', query({ enum: ['a'] }), query({ enum: ['a', 'b'] }), 'silent', ''],
  [
    'null that is not text',
    query({ type: ['integer', 'null'] }),
    query(string),
    'silent',
    'likewise',
  ],
  [
    'null of a path that is refused beside another value',
    query({ type: ['string', 'null'], maxLength: 5 }),
    query({ ...string, maxLength: 3 }),
    'request-narrowed',
    '',
  ],
  ['null in the query', query(nullable), query(string), 'silent', 'a query cannot carry null'],
  [
    'null of a union in the query',
    query({ anyOf: [string, { type: 'null' }] }),
    query(string),
    'silent',
    'likewise',
  ],
  [
    'null in an enum in the query',
    query({ enum: ['a', null] }),
    query({ enum: ['a'] }),
    'silent',
    'likewise',
  ],
  [
    'a list of text in the query',
    query(list(integer)),
    query(list(string)),
    'silent',
    'numbers are text in a query',
  ],
  [
    'a list of numbers in the query',
    query(list(string)),
    query(list(integer)),
    'request-narrowed',
    '',
  ],
  ...[string, { enum: ['a', 'b'] }, { type: ['integer', 'null'] }].flatMap(
    (single, index): readonly DocumentRow[] => [
      [
        `a value that may be repeated, ${index}`,
        query(single),
        query({ ...list(single), minItems: 1 }),
        'silent',
        '?q=a is also a list of one',
      ],
      [
        `a value that must not be repeated, ${index}`,
        query(list(single)),
        query(single),
        'request-narrowed',
        'clients may send ?q=a&q=b',
      ],
    ],
  ),
  [
    'an optional value that may be repeated',
    query({ anyOf: [string, { type: 'null' }] }),
    query({ anyOf: [list(string), { type: 'null' }] }),
    'silent',
    'null is not sent in a query',
  ],
  ['a number that may be repeated as text', query(integer), query(list(string)), 'silent', ''],
  [
    'a value of a form that may be repeated',
    documentOf({ requestBody: form(object({ a: string })) }),
    documentOf({ requestBody: form(object({ a: list(string) })) }),
    'silent',
    "a form also repeats a list's name",
  ],
  [
    'a value of a form that is written as a list in another way',
    documentOf({ requestBody: form(object({ a: string }), bracketed) }),
    documentOf({ requestBody: form(object({ a: list(string) }), bracketed) }),
    'request-narrowed',
    'a=1 is not a[0]=1',
  ],
  [
    'a value that must be repeated',
    query(string),
    query({ ...list(string), minItems: 2 }),
    'request-narrowed',
    'a list of one is too short',
  ],
  [
    'a value that may be repeated without one of its values',
    query({ enum: ['a', 'b'] }),
    query(list({ enum: ['a'] })),
    'request-narrowed',
    'b is refused',
  ],
  ...[
    [query(string, { explode: false }), query(list(string), { explode: false })],
    [path(string), path(list(string))],
    [
      query(object({ a: string }), { style: 'deepObject' }),
      query(object({ a: list(string) }), { style: 'deepObject' }),
    ],
  ].map(([released, current], index): DocumentRow => [
    `a value that is a list in another form, ${index}`,
    released!,
    current!,
    'request-narrowed',
    'a comma separates elements, or nothing says how a list is written',
  ]),
  [
    'a value in the query of a webhook that may be repeated',
    documentOf(
      {},
      {
        webhooks: {
          a: { post: { parameters: [parameter('query', 'q', { schema: list(string) })] } },
        },
      },
    ),
    documentOf({}, { webhooks: { a: { post: { parameters: [parameter('query', 'q')] } } } }),
    'silent',
    'the client that receives it reads a list of one',
  ],
  [
    'explode of a single value',
    query(string),
    query(string, { explode: false }),
    'silent',
    'nothing to explode',
  ],
  [
    'explode of a list',
    query(list(string)),
    query(list(string), { explode: false }),
    'unclear-change',
    'a=1&a=2 or a=1,2',
  ],
  [
    'explode of a deep object',
    query(object({ a: string }), { style: 'deepObject' }),
    query(object({ a: string }), { style: 'deepObject', explode: true }),
    'unclear-change',
    'rare, so nothing looks closer',
  ],
  [
    'the default style',
    path(string),
    path(string, { style: 'simple', explode: false }),
    'silent',
    '',
  ],
  [
    'another style',
    path(string),
    path(string, { style: 'matrix' }),
    'unclear-change',
    '/1 or /;id=1',
  ],
  [
    'an empty value that is refused',
    query(string, { allowEmptyValue: true }),
    query(string),
    'unclear-change',
    'clients may send ?q',
  ],
  [
    'an empty value that is allowed',
    query(string),
    query(string, { allowEmptyValue: true }),
    'unclear-change',
    'rare, so nothing looks closer',
  ],
  [
    'JSON in a parameter',
    query(undefined, { content: { 'application/json': { schema: string } } }),
    query(undefined, { content: { 'application/json': { schema: integer } } }),
    'request-narrowed',
    '',
  ],
  [
    'another default',
    query({ ...integer, default: 1 }),
    query({ ...integer, default: 2 }),
    'warning changed-default',
    '',
  ],
  [
    'texts of a parameter',
    query(string, { description: 'a', example: 'x' }),
    query(string, { examples: { one: { value: 'y' } } }),
    'silent',
    'for readers',
  ],
  ['a deprecated parameter', query(string), query(string, { deprecated: true }), 'silent', ''],
  [
    'explode of a list in a header',
    withParameters(parameter('header', 'q', { schema: list(string) })),
    withParameters(parameter('header', 'q', { schema: list(string), explode: true })),
    'unclear-change',
    'rare, so nothing looks closer',
  ],

  // ---- everything that's sent as text -----------------------------------------------------------
  ...['form', 'deepObject'].flatMap((style): readonly DocumentRow[] => {
    const objectOf = (schema: unknown, more?: Json) =>
      query(object({ a: schema, ...more }), { style })
    const nested = (schema: unknown) => objectOf(object({ b: schema }))
    const mapOf = (schema: unknown) =>
      query({ type: 'object', additionalProperties: schema }, { style })
    const rows: readonly DocumentRow[] = [
      [
        'a number that is text',
        objectOf(integer),
        objectOf(string),
        'silent',
        'it is sent as text',
      ],
      ['a number in an object', nested(integer), nested(string), 'silent', 'likewise'],
      ['a number in a map', mapOf(integer), mapOf(string), 'silent', 'likewise'],
      ['a list of numbers', objectOf(list(integer)), objectOf(list(string)), 'silent', 'likewise'],
      ['null', objectOf(nullable), objectOf(string), 'silent', 'text is never null'],
      ['null in an object', nested(nullable), nested(string), 'silent', 'likewise'],
      ['null in a map', mapOf(nullable), mapOf(string), 'silent', 'likewise'],
      ['null in a list', objectOf(list(nullable)), objectOf(list(string)), 'silent', 'likewise'],
      ['text that is a number', objectOf(string), objectOf(integer), 'request-narrowed', ''],
      [
        'text that is a number in an object',
        nested(string),
        nested(integer),
        'request-narrowed',
        '',
      ],
      ['text that is a number in a map', mapOf(string), mapOf(integer), 'request-narrowed', ''],
      [
        'a number that is short text',
        objectOf(integer),
        objectOf({ ...string, maxLength: 3 }),
        'request-narrowed',
        'a number may have more digits',
      ],
      [
        'a default that is text',
        objectOf({ ...integer, default: 1 }),
        objectOf({ ...string, default: '1' }),
        'silent',
        'the same text',
      ],
    ]
    return rows.map(([what, ...rest]) => [`${what} in a query object, ${style}`, ...rest])
  }),
  [
    'a number that may also be text',
    query(integer),
    query({ oneOf: [integer, string] }),
    'silent',
    '',
  ],
  ...['3.0.3', '3.1.0'].map((openapi): DocumentRow => [
    `alternatives that overlap already, and are nullable now, in ${openapi}`,
    { ...query({ oneOf: overlapping({}) }), openapi },
    { ...query({ oneOf: overlapping({ nullable: true }) }), openapi },
    'silent',
    'text is never null',
  ]),
  ['a union that is text', query({ oneOf: [integer, string] }), query(string), 'silent', ''],
  [
    'a boolean or text that is text',
    query({ type: ['boolean', 'string'] }),
    query(string),
    'silent',
    '',
  ],
  [
    'a number or text that is short text',
    query({ type: ['integer', 'string'], maxLength: 3 }),
    query({ ...string, maxLength: 3 }),
    'request-narrowed',
    'a number may have more digits',
  ],
  [
    'numbers of an enum that are text, beside null',
    query({ enum: [1, 2, null] }),
    query({ enum: ['1', '2'] }),
    'silent',
    '',
  ],
  [
    'numbers of an enum that are other text, in an object',
    query(object({ a: { enum: [1, 2] } })),
    query(object({ a: { enum: ['1'] } })),
    'request-narrowed',
    '',
  ],
  [
    'a number or an object that is text or an object',
    query({ oneOf: [integer, object({ a: integer })] }),
    query({ oneOf: [string, object({ a: string })] }),
    'silent',
    '',
  ],
  [
    'a default that is text',
    query({ ...integer, default: 1 }),
    query({ ...string, default: '1' }),
    'silent',
    'the same text',
  ],
  [
    'a number of a form that is text',
    documentOf({ requestBody: form(object({ a: integer })) }),
    documentOf({ requestBody: form(object({ a: string })) }),
    'silent',
    'a form is text, like a query',
  ],
  [
    'a number of a component that is text',
    documentOf(
      { requestBody: form(ref('A')) },
      { components: { schemas: { A: object({ a: integer, b: ref('A') }) } } },
    ),
    documentOf(
      { requestBody: form(ref('A')) },
      { components: { schemas: { A: object({ a: string, b: ref('A') }) } } },
    ),
    'silent',
    'likewise',
  ],
  [
    'a number of JSON in a query that is text',
    documentOf({ parameters: [{ in: 'query', name: 'q', ...json(object({ a: integer })) }] }),
    documentOf({ parameters: [{ in: 'query', name: 'q', ...json(object({ a: string })) }] }),
    'request-narrowed',
    'JSON has types',
  ],
  [
    'a number of a component that is text in a form, and a number in JSON',
    documentOf(
      {
        requestBody: {
          content: {
            ...(form(ref('A'))['content'] as Json),
            ...(json(ref('A'))['content'] as Json),
          },
        },
      },
      { components: { schemas: { A: object({ a: integer }) } } },
    ),
    documentOf(
      {
        requestBody: {
          content: {
            ...(form(ref('A'))['content'] as Json),
            ...(json(ref('A'))['content'] as Json),
          },
        },
      },
      { components: { schemas: { A: object({ a: string }) } } },
    ),
    'request-narrowed',
    'JSON has types',
  ],
]
