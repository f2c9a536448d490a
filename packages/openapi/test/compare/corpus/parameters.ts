// Parameters in the path, the query, headers and cookies.
import { type DocumentRow, type Json, documentOf, integer, list, object, string } from './row.ts'

const parameter = (where: string, name: string, more: Json = {}): Json => ({ in: where, name, schema: string, ...more })
const withParameters = (...parameters: readonly Json[]): Json => documentOf({ parameters })
const query = (schema: unknown, more: Json = {}): Json => withParameters(parameter('query', 'q', { schema, ...more }))
const path = (schema: unknown, more: Json = {}): Json =>
  withParameters(parameter('path', 'id', { required: true, schema, ...more }))
const none = documentOf({})
const nullable = { type: ['string', 'null'] }

export const parameters: readonly DocumentRow[] = [
  // ---- parameters -------------------------------------------------------------------------------
  ['a new optional parameter', none, query(string), 'silent', 'clients do not send it'],
  ['a new required parameter', none, query(string, { required: true }), 'new-requirement', ''],
  ['a parameter that is gone', query(string), none, 'lost-parameter', 'its effect is gone'],
  ['a parameter that is required', query(string), query(string, { required: true }), 'new-requirement', ''],
  ['a parameter that is optional', query(string, { required: true }), query(string), 'silent', ''],
  ['a parameter in another place', query(string), withParameters(parameter('header', 'q')), 'lost-parameter', ''],
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
  ['a required header', none, withParameters(parameter('header', 'X-Id', { required: true })), 'new-requirement', ''],
  ['a required cookie', none, withParameters(parameter('cookie', 'sid', { required: true })), 'new-requirement', ''],
  ['a path parameter that is any text', path(integer), path(string), 'silent', 'a number is text in a path'],
  ['a path parameter that is a number', path(string), path(integer), 'request-narrowed', ''],
  ['a shorter parameter', query(string), query({ ...string, maxLength: 3 }), 'request-narrowed', ''],
  [
    'a value of a parameter that is refused',
    query({ enum: ['a', 'b'] }),
    query({ enum: ['a'] }),
    'request-narrowed',
    '',
  ],
  ['a new value of a parameter', query({ enum: ['a'] }), query({ enum: ['a', 'b'] }), 'silent', ''],
  ['null that is not text', query({ type: ['integer', 'null'] }), query(string), 'silent', 'likewise'],
  [
    'null of a path that is refused beside another value',
    query({ type: ['string', 'null'], maxLength: 5 }),
    query({ ...string, maxLength: 3 }),
    'request-narrowed',
    '',
  ],
  ['null in the query', query(nullable), query(string), 'silent', 'a query cannot carry null'],
  ['null of a union in the query', query({ anyOf: [string, { type: 'null' }] }), query(string), 'silent', 'likewise'],
  ['null in an enum in the query', query({ enum: ['a', null] }), query({ enum: ['a'] }), 'silent', 'likewise'],
  ['a list of text in the query', query(list(integer)), query(list(string)), 'silent', 'numbers are text in a query'],
  ['a list of numbers in the query', query(list(string)), query(list(integer)), 'request-narrowed', ''],
  ['explode of a single value', query(string), query(string, { explode: false }), 'silent', 'nothing to explode'],
  [
    'explode of a list',
    query(list(string)),
    query(list(string), { explode: false }),
    'unjudged-change',
    'a=1&a=2 or a=1,2',
  ],
  [
    'explode of a deep object',
    query(object({ a: string }), { style: 'deepObject' }),
    query(object({ a: string }), { style: 'deepObject', explode: true }),
    'silent',
    'OpenAPI: it has one form',
  ],
  ['the default style', path(string), path(string, { style: 'simple', explode: false }), 'silent', ''],
  ['another style', path(string), path(string, { style: 'matrix' }), 'unjudged-change', '/1 or /;id=1'],
  [
    'an empty value that is refused',
    query(string, { allowEmptyValue: true }),
    query(string),
    'unjudged-change',
    'clients may send ?q',
  ],
  ['an empty value that is allowed', query(string), query(string, { allowEmptyValue: true }), 'silent', ''],
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
]
