// Bodies, media types, responses, headers.
import {
  type DocumentRow,
  type Json,
  documentOf,
  integer,
  json,
  object,
  ref,
  string,
} from './row.ts'

const header = (schema: unknown, more: Json = {}): Json => ({
  headers: { 'X-Rate': { schema, ...more } },
})
const withBody = (requestBody: Json): Json => documentOf({ requestBody })
const responses = (all: Json): Json => documentOf({ responses: all })
const closedForm = (properties: Json, encoding?: Json): Json => {
  const schema = { ...object(properties), additionalProperties: false }
  return withBody({ content: { 'multipart/form-data': { schema, ...(encoding && { encoding }) } } })
}
/** A closed form that's a component, with or without the part `b`. */
const withFormOf = (b: Json | undefined, encoding: Json = {}): Json =>
  documentOf(
    { requestBody: { content: { 'multipart/form-data': { schema: ref('Form'), encoding } } } },
    {
      components: {
        schemas: {
          Form: { ...object({ a: string, ...(b && { b }) }), additionalProperties: false },
        },
      },
    },
  )
const encodedAs = (type: string, encoding: Json): Json => ({
  content: { [type]: { schema: object({ a: string }), encoding } },
})
const [a, b] = [json(object({ a: string }, 'a')), json(object({ b: string }, 'b'))]
const typed = (...types: readonly string[]): Json => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: object({ a: string }) }])),
})
const none = documentOf({})
/** Operations of one address, each with another parameter. */
const items = (...steps: readonly string[]): Json => ({
  openapi: '3.1.0',
  paths: Object.fromEntries(
    steps.map((name) => [
      `/items/${name}`,
      { get: { parameters: [{ in: 'query', name, required: true }], responses: {} } },
    ]),
  ),
})
/** Parts with a header that's a component. */
const encoded = (schema: unknown): Json =>
  documentOf(
    {
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: object({ a: string }),
            encoding: { a: { headers: { 'X-Part': { $ref: '#/components/headers/Part' } } } },
          },
        },
      },
    },
    { components: { headers: { Part: { schema } } } },
  )
export const operations: readonly DocumentRow[] = [
  [
    'a new path before one that only differs in the name of a parameter',
    items('{id}', '{own_id}'),
    items('{id}', '{other_id}', '{own_id}'),
    'silent',
    'some documents tell operations of one address apart like this',
  ],
  // ---- bodies -----------------------------------------------------------------------------------
  ['a new optional body', none, withBody(a), 'silent', ''],
  ['a new required body', none, withBody({ ...a, required: true }), 'new-requirement', ''],
  [
    'a body that is required',
    withBody(a),
    withBody({ ...a, required: true }),
    'new-requirement',
    '',
  ],
  ['required: false', withBody({ ...a, required: false }), withBody(a), 'silent', 'the default'],
  ['a body that is gone', withBody(a), none, 'lost-media-type', ''],
  [
    'a body of components',
    withBody(a),
    documentOf(
      { requestBody: { $ref: '#/components/requestBodies/A' } },
      { components: { requestBodies: { A: a } } },
    ),
    'silent',
    '',
  ],
  [
    'a new media type',
    withBody(typed('application/json')),
    withBody(typed('application/json', 'application/xml')),
    'silent',
    '',
  ],
  [
    'a media type that is refused',
    withBody(typed('application/json', 'application/xml')),
    withBody(typed('application/json')),
    'lost-media-type',
    '',
  ],
  [
    'a range of media types',
    withBody(typed('application/json')),
    withBody(typed('application/*')),
    'silent',
    'it includes JSON',
  ],
  [
    'any media type',
    withBody(typed('application/json')),
    withBody(typed('*/*')),
    'silent',
    'it includes JSON',
  ],
  [
    'a media type in another case',
    withBody(typed('application/json')),
    withBody(typed('Application/JSON')),
    'silent',
    'RFC 9110: no case',
  ],
  [
    'a charset of JSON',
    withBody(typed('application/json')),
    withBody(typed('application/json; charset=utf-8')),
    'silent',
    'RFC 8259: it has no effect',
  ],
  [
    'parameters of a media type in another order',
    withBody(typed('application/vnd.acme+json;version=1;profile=a')),
    withBody(typed('application/vnd.acme+json; profile=a; version=1')),
    'silent',
    'RFC 9110: they have no order',
  ],
  [
    'the version of a media type',
    withBody(typed('application/vnd.acme+json;version=1')),
    withBody(typed('application/vnd.acme+json;version=2')),
    'lost-media-type',
    '',
  ],
  [
    'an empty encoding',
    withBody({ content: { 'multipart/form-data': { schema: object({ a: string }) } } }),
    withBody({
      content: { 'multipart/form-data': { schema: object({ a: string }), encoding: {} } },
    }),
    'silent',
    'it says nothing',
  ],
  [
    'a header of an encoding behind a reference',
    encoded(string),
    encoded(integer),
    'unclear-change',
    "encodings aren't compared",
  ],
  [
    'an example of a body',
    withBody(a),
    withBody({
      description: 'a',
      content: { 'application/json': { schema: object({ a: string }, 'a'), example: { a: 'x' } } },
    }),
    'silent',
    '',
  ],

  [
    'bytes without a schema',
    withBody({
      content: { 'application/octet-stream': { schema: { ...string, format: 'binary' } } },
    }),
    withBody({ content: { 'application/octet-stream': {} } }),
    'silent',
    '3.0 in terms of 3.1',
  ],
  [
    'bytes without a schema in a response',
    responses({ 200: { content: { 'image/png': { schema: { ...string, format: 'binary' } } } } }),
    responses({ 200: { content: { 'image/png': {} } } }),
    'silent',
    '3.0 in terms of 3.1',
  ],

  // ---- responses --------------------------------------------------------------------------------
  [
    'a new status',
    responses({ 200: a }),
    responses({ 200: a, 202: b }),
    'silent',
    'a choice: RFC 9110 has classes of statuses',
  ],
  [
    'a status that is gone',
    responses({ 200: a, 201: a }),
    responses({ 200: a }),
    'lost-status',
    '',
  ],
  ['another status', responses({ 204: {} }), responses({ 202: {} }), 'lost-status', ''],
  [
    'an error that is gone',
    responses({ 200: a, 404: b }),
    responses({ 200: a }),
    'silent',
    'nobody waits for an error',
  ],
  [
    'a new error',
    responses({ 200: a }),
    responses({ 200: a, 404: b }),
    'silent',
    "every API has errors that it doesn't list",
  ],
  [
    'a range for its status',
    responses({ 200: a }),
    responses({ '2XX': a }),
    'silent',
    'with the same body',
  ],
  [
    'a range with another body',
    responses({ 200: a }),
    responses({ '2XX': b }),
    'response-widened',
    '',
  ],
  ['a status for its range', responses({ '4XX': b }), responses({ 400: b, 404: b }), 'silent', ''],
  [
    'a range in lower case',
    responses({ '2xx': a }),
    responses({ '2XX': a }),
    'silent',
    'many write it so',
  ],
  [
    'the default for its status',
    responses({ 200: a }),
    responses({ default: a }),
    'silent',
    'with the same body',
  ],
  [
    'a status of the default',
    responses({ 200: a, default: b }),
    responses({ 200: a, default: b, 404: b }),
    'silent',
    'as the default says',
  ],
  [
    'a status unlike the default',
    responses({ 200: a, default: b }),
    responses({ 200: a, default: b, 404: a }),
    'response-widened',
    'errors had another body',
  ],
  [
    'ranges for the default',
    responses({ 200: a, default: b }),
    responses({ 200: a, '4XX': b, '5XX': b }),
    'silent',
    '',
  ],
  [
    'a success that only the default of errors is left for',
    responses({ 204: {}, default: b }),
    responses({ default: b }),
    'lost-status',
    'the default was there for others',
  ],
  [
    'a success beside a new default',
    responses({ 200: a, 204: {} }),
    responses({ 200: a, default: b }),
    'lost-status',
    'the default is for errors',
  ],
  [
    'an error that the default describes otherwise',
    responses({ 200: a, 404: a }),
    responses({ 200: a, default: b }),
    'response-widened',
    'a 404 has the body of the default',
  ],
  ['a redirect that is gone', responses({ 302: {} }), responses({ 200: a }), 'lost-status', ''],
  ['a new default', responses({ 200: a }), responses({ 200: a, default: b }), 'silent', ''],
  ['a body of a response', responses({ 200: {} }), responses({ 200: a }), 'silent', ''],
  [
    'a response without its body',
    responses({ 200: a }),
    responses({ 200: {} }),
    'lost-media-type',
    '',
  ],
  [
    'a new media type of a response',
    responses({ 200: typed('application/json') }),
    responses({ 200: typed('application/json', 'text/csv') }),
    'silent',
    'for clients that accept it',
  ],
  [
    'a media type of a response that is gone',
    responses({ 200: typed('application/json', 'text/csv') }),
    responses({ 200: typed('application/json') }),
    'lost-media-type',
    '',
  ],
  [
    'one media type of a range',
    responses({ 200: typed('*/*') }),
    responses({ 200: typed('application/json') }),
    'silent',
    '',
  ],
  [
    'a range for one media type',
    responses({ 200: typed('application/json') }),
    responses({ 200: typed('*/*') }),
    'lost-media-type',
    'it may be another one',
  ],
  [
    'a description of a response',
    responses({ 200: { description: 'a' } }),
    responses({ 200: { description: 'b' } }),
    'silent',
    '',
  ],
  [
    'a response of components',
    responses({ 200: a }),
    documentOf(
      { responses: { 200: { $ref: '#/components/responses/A' } } },
      { components: { responses: { A: a } } },
    ),
    'silent',
    '',
  ],
  [
    'links',
    responses({ 200: { ...a, links: { next: { operationId: 'x' } } } }),
    responses({ 200: a }),
    'silent',
    'a choice: hints for readers',
  ],

  // ---- headers of responses ---------------------------------------------------------------------
  ['a new header', responses({ 200: {} }), responses({ 200: header(string) }), 'silent', ''],
  [
    'a header that is gone',
    responses({ 200: header(string) }),
    responses({ 200: {} }),
    'lost-header',
    '',
  ],
  [
    'a header that may be missing',
    responses({ 200: header(string, { required: true }) }),
    responses({ 200: header(string) }),
    'lost-header',
    '',
  ],
  [
    'a header that is always there',
    responses({ 200: header(string) }),
    responses({ 200: header(string, { required: true }) }),
    'silent',
    '',
  ],
  [
    'a header in another case',
    responses({ 200: header(string) }),
    responses({ 200: { headers: { 'x-rate': { schema: string } } } }),
    'silent',
    'RFC 9110: no case',
  ],
  [
    'a Content-Type header',
    responses({ 200: { headers: { 'Content-Type': { schema: string } } } }),
    responses({ 200: {} }),
    'silent',
    'OpenAPI: SHALL be ignored',
  ],
  [
    'a header that is a number',
    responses({ 200: header(string) }),
    responses({ 200: header(integer) }),
    'silent',
    'a number is text in a header',
  ],
  [
    'a header that is any text',
    responses({ 200: header(integer) }),
    responses({ 200: header(string) }),
    'response-widened',
    '',
  ],
  [
    'a header of JSON',
    responses({ 200: { headers: { 'X-Rate': json(string) } } }),
    responses({ 200: { headers: { 'X-Rate': json(integer) } } }),
    'response-widened',
    '',
  ],
  [
    'a header of components',
    responses({ 200: header(string) }),
    documentOf(
      { responses: { 200: { headers: { 'X-Rate': { $ref: '#/components/headers/R' } } } } },
      { components: { headers: { R: { schema: string } } } },
    ),
    'silent',
    '',
  ],

  // ---- ranges of media types, encodings, defaults -----------------------------------------------
  [
    'a media type that is refused beside its range',
    withBody({ content: { '*/*': { schema: {} } } }),
    withBody({ content: { '*/*': { schema: {} }, 'application/json': { schema: integer } } }),
    'request-narrowed',
    'OpenAPI: the most specific key applies',
  ],
  [
    'a media type that a specific range refuses',
    withBody(json(string)),
    withBody({ content: { '*/*': { schema: {} }, 'application/*': { schema: integer } } }),
    'request-narrowed',
    'likewise',
  ],
  [
    'a media type that only a general range refuses',
    withBody(json(string)),
    withBody({ content: { '*/*': { schema: integer }, 'application/*': { schema: string } } }),
    'silent',
    'likewise',
  ],
  [
    'bytes beside any media type',
    withBody({ content: { '*/*': {} } }),
    withBody({ content: { '*/*': {}, 'image/png': {} } }),
    'silent',
    'any bytes are accepted',
  ],
  [
    'a range that becomes two media types',
    responses({ 200: { content: { 'application/*': { schema: string } } } }),
    responses({
      200: { content: { ...json(string)['content']!, 'application/xml': { schema: integer } } },
    }),
    'response-widened',
    'each of them was in the range',
  ],
  [
    'a media type unlike its range',
    responses({ 200: { content: { 'application/*': { schema: string } } } }),
    responses({
      200: {
        content: { 'application/*': { schema: string }, 'application/json': { schema: integer } },
      },
    }),
    'response-widened',
    'the range described it',
  ],
  [
    'a media type that was beside its range',
    responses({
      200: {
        content: { 'application/*': { schema: string }, 'application/json': { schema: integer } },
      },
    }),
    responses({
      200: {
        content: { 'application/*': { schema: string }, 'application/json': { schema: integer } },
      },
    }),
    'silent',
    'the range never described it',
  ],
  [
    'a stream that has no elements any more',
    responses({ 200: { content: { 'text/event-stream': { itemSchema: false } } } }),
    responses({ 200: { content: { 'text/event-stream': { itemSchema: {} } } } }),
    'unclear-change',
    'itemSchema may be a boolean',
  ],
  [
    'an encoding of JSON',
    withBody(json(object({ a: string }))),
    withBody(encodedAs('application/json', { a: {} })),
    'silent',
    'OpenAPI: it is for forms',
  ],
  [
    'an encoding of a new part',
    withBody({ content: { 'multipart/form-data': { schema: object({}) } } }),
    withBody(encodedAs('multipart/form-data', { a: { contentType: 'image/png' } })),
    'unclear-change',
    'rare, so nothing looks closer',
  ],
  [
    'an encoding of a part that a closed form refused',
    closedForm({ a: string }),
    closedForm({ a: string, b: string }, { b: { contentType: 'image/png' } }),
    'silent',
    'nobody sent it',
  ],
  [
    'a part that a closed form refuses now, with its encoding',
    closedForm({ a: string, b: string }, { b: { contentType: 'image/png' } }),
    closedForm({ a: string }),
    'request-narrowed',
    'nobody can send it any more, so its encoding makes no difference',
  ],
  [
    'a part that a closed form behind a reference refuses now, with its encoding',
    withFormOf(string, { b: { contentType: 'image/png' } }),
    withFormOf(undefined),
    'request-narrowed',
    'likewise',
  ],
  [
    'an encoding of a part of a closed form',
    closedForm({ a: string }),
    closedForm({ a: string }, { a: { contentType: 'image/png' } }),
    'unclear-change',
    'text may be refused',
  ],
  [
    'an encoding of a part',
    withBody({ content: { 'multipart/form-data': { schema: object({ a: string }) } } }),
    withBody(encodedAs('multipart/form-data', { a: { contentType: 'image/png' } })),
    'unclear-change',
    'text may be refused',
  ],
  [
    'a success unlike the only default',
    responses({ default: json(string) }),
    responses({ 200: json(integer), default: json(string) }),
    'response-widened',
    'the default described it',
  ],
  [
    'a success like the only default',
    responses({ default: json(string) }),
    responses({ 200: json(string), default: json(string) }),
    'silent',
    '',
  ],
  [
    'responses that are a reference',
    responses({ default: json(string) }),
    responses({ $ref: '#/components/responses' }),
    'unclear-change',
    'OpenAPI knows none',
  ],
]
