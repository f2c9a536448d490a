// Security, servers, paths, webhooks, what's for readers, and documents of 3.0 in terms of 3.1.
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

const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
const oauth = (url: string, more: Json = {}): Json => ({
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl: url, scopes: {} }, ...more },
})
const secured = (
  security: readonly Json[] | undefined,
  securitySchemes: Json = { key, other: { ...key, name: 'o' } },
): Json => documentOf({ ...(security && { security }) }, { components: { securitySchemes } })
const ok = { get: { responses: { 200: { description: '' } } } }
const servers = (...urls: readonly string[]): Json =>
  documentOf({}, { servers: urls.map((url) => ({ url })) })
const operation = (more: Json): Json => documentOf({ responses: { 200: json(string) }, ...more })
const paths = (all: Json, root: Json = {}): Json => ({ openapi: '3.1.0', paths: all, ...root })
const nowhere = { $ref: '#/nothing' }
const get = { responses: { 200: json(string) } }
const old = (schema: unknown, schemas: Json = {}): Json => ({
  ...documentOf(
    { requestBody: json(schema), responses: { 200: json(schema) } },
    { components: { schemas } },
  ),
  openapi: '3.0.3',
})
const young = (schema: unknown, schemas: Json = {}): Json => ({
  ...old(schema, schemas),
  openapi: '3.1.0',
})
const inQuery = (schema: Json, schemas: Json): Json => ({
  ...documentOf({ parameters: [{ in: 'query', name: 'a', schema }] }, { components: { schemas } }),
  openapi: '3.0.3',
})
const twoParameters = [
  { in: 'path', name: 'a', required: true, schema: integer },
  { in: 'path', name: 'b', required: true, schema: { ...string, maxLength: 9 } },
]
const inXml = (type: string, schema: Json): Json =>
  documentOf({ requestBody: { content: { [type]: { schema } } } })
const withMediaType = (name: string, schema: Json): Json =>
  documentOf(
    {
      requestBody: {
        content: { 'application/json': { $ref: `#/components/mediaTypes/${name}` } },
      },
    },
    { openapi: '3.2.0', components: { mediaTypes: { [name]: { schema } } } },
  )
const withTree = (inner: Json): Json =>
  documentOf(
    { requestBody: json(ref('Tree')) },
    { components: { schemas: { Tree: object({ a: object({ b: inner }) }) } } },
  )
/** Every dog is a valid cat. */
const withPets = (age: Json): Json =>
  documentOf(
    {
      requestBody: json({
        oneOf: [ref('Cat'), ref('Dog')],
        discriminator: { propertyName: 'kind' },
      }),
    },
    {
      components: {
        schemas: {
          Cat: object({ kind: string }, 'kind'),
          Dog: object({ kind: string, age }, 'kind'),
        },
      },
    },
  )
const none = documentOf({})
const webhook = (more: Json): Json => paths({}, { webhooks: { a: { post: { ...get, ...more } } } })
const sending = (parameters: readonly Json[]): Json => webhook({ parameters })
const answered = (headers: Json): Json => webhook({ responses: { 200: { headers } } })
const callbacks = (all: Json): Json =>
  documentOf({
    callbacks: Object.fromEntries(
      Object.entries(all).map(([name, schema]) => [
        name,
        { '{$request.body#/url}': { post: { requestBody: json(schema), responses: {} } } },
      ]),
    ),
  })
/** A component behind as many references to others. */
const chain = (count: number, end: Json): Json =>
  Object.fromEntries(
    Array.from({ length: count + 1 }, (_, n) => [
      `P${n}`,
      n === count ? end : { $ref: `#/components/parameters/P${n + 1}` },
    ]),
  )
const referring = (parameters: Json): Json =>
  documentOf(
    { parameters: [{ $ref: '#/components/parameters/P0' }] },
    { components: { parameters } },
  )
const queryOf = (schema: unknown): Json => ({ in: 'query', name: 'q', schema })
const item = { $ref: '#/components/pathItems/A' }
const withItem = (a: Json, beside: Json = {}): Json =>
  paths({ '/a': { ...item, ...beside } }, { components: { pathItems: { A: a } } })

const signed: Json = {
  components: {
    securitySchemes: { signature: { type: 'apiKey', in: 'header', name: 'X-Signature' } },
  },
}
const acknowledged = (schema: Json): Json => ({
  ack: {
    'https://b': { post: { requestBody: json(schema), responses: { 200: { description: '' } } } },
  },
})
const recurring = (schema: Json): Json =>
  paths(
    { '/a': { post: { ...get, callbacks: { a: { $ref: '#/components/callbacks/A' } } } } },
    {
      components: {
        callbacks: {
          A: {
            'https://a': {
              post: {
                ...get,
                requestBody: json(schema),
                callbacks: { a: { $ref: '#/components/callbacks/A' } },
              },
            },
          },
        },
      },
    },
  )

export const documents: readonly DocumentRow[] = [
  // ---- security ---------------------------------------------------------------------------------
  [
    'security that is required',
    none,
    secured([{ key: [] }]),
    'unclear-change',
    'it may only describe what was required before',
  ],
  ["security that isn't required", secured([{ key: [] }]), secured([]), 'silent', ''],
  ['no security in three forms', secured([]), secured([{}]), 'silent', ''],
  ['optional security', secured([{ key: [] }]), secured([{ key: [] }, {}]), 'silent', ''],
  [
    'an alternative scheme',
    secured([{ key: [] }]),
    secured([{ other: [] }, { key: [] }]),
    'silent',
    '',
  ],
  [
    'an alternative scheme that is gone',
    secured([{ key: [] }, { other: [] }]),
    secured([{ key: [] }]),
    'unclear-change',
    '',
  ],
  [
    'one scheme of two',
    secured([{ key: [], other: [] }]),
    secured([{ key: [] }]),
    'silent',
    'clients send both',
  ],
  [
    'two schemes for one',
    secured([{ key: [] }]),
    secured([{ key: [], other: [] }]),
    'unclear-change',
    '',
  ],
  [
    'another name of a scheme',
    secured([{ key: [] }], { key }),
    secured([{ apiKey: [] }], { apiKey: key }),
    'silent',
    "names of components aren't sent",
  ],
  [
    'another header of a scheme',
    secured([{ key: [] }], { key }),
    secured([{ key: [] }], { key: { ...key, name: 'X-Other' } }),
    'unclear-change',
    '',
  ],
  [
    'a header of a scheme in another case',
    secured([{ key: [] }], { key }),
    secured([{ key: [] }], { key: { ...key, name: 'x-key' } }),
    'silent',
    'RFC 9110: no case',
  ],
  [
    'Bearer in another case',
    secured([{ key: [] }], { key: { type: 'http', scheme: 'Bearer' } }),
    secured([{ key: [] }], { key: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }),
    'silent',
    'RFC 9110: no case; a hint',
  ],
  [
    'basic for bearer',
    secured([{ key: [] }], { key: { type: 'http', scheme: 'basic' } }),
    secured([{ key: [] }], { key: { type: 'http', scheme: 'bearer' } }),
    'unclear-change',
    '',
  ],
  ['a scope less', secured([{ key: ['a', 'b'] }]), secured([{ key: ['a'] }]), 'silent', ''],
  [
    'one more scope',
    secured([{ key: ['a'] }]),
    secured([{ key: ['a', 'b'] }]),
    'unclear-change',
    '',
  ],
  [
    'another place of tokens',
    secured([{ key: [] }], { key: oauth('/a') }),
    secured([{ key: [] }], { key: oauth('/b') }),
    'unclear-change',
    'clients ask for tokens there',
  ],
  [
    'one more flow',
    secured([{ key: [] }], { key: oauth('/a') }),
    secured([{ key: [] }], { key: oauth('/a', { password: { tokenUrl: '/a', scopes: {} } }) }),
    'silent',
    'a client that uses another flow still can',
  ],
  [
    'another place of OpenID Connect',
    secured([{ key: [] }], { key: { type: 'openIdConnect', openIdConnectUrl: '/a' } }),
    secured([{ key: [] }], { key: { type: 'openIdConnect', openIdConnectUrl: '/b' } }),
    'unclear-change',
    '',
  ],
  [
    'security of the document',
    secured([{ key: [] }]),
    documentOf({}, { security: [{ key: [] }], components: { securitySchemes: { key } } }),
    'silent',
    '',
  ],

  // ---- servers and paths ------------------------------------------------------------------------
  [
    'one more server',
    servers('https://a.test'),
    servers('https://b.test', 'https://a.test'),
    'silent',
    '',
  ],
  [
    'a server that is gone',
    servers('https://a.test', 'https://b.test'),
    servers('https://a.test'),
    'lost-server',
    '',
  ],
  [
    'a path with a tilde that is gone',
    {
      openapi: '3.1.0',
      paths: { '/a~b': { get: { responses: {} } }, '/a': { get: { responses: {} } } },
    },
    { openapi: '3.1.0', paths: { '/a': { get: { responses: {} } } } },
    'lost-operation',
    'a pointer has ~0 for it',
  ],
  ['the server /', servers('/'), none, 'silent', 'the default'],
  [
    'a server for no server',
    none,
    servers('https://a.test'),
    'silent',
    'a choice: a lock file has no servers',
  ],
  [
    'an operation behind a reference',
    paths({ '/a': { get: { $ref: '#/x-a' } } }, { 'x-a': { responses: { 200: json(string) } } }),
    paths({ '/a': { get: { $ref: '#/x-a' } } }, { 'x-a': { responses: { 200: json(integer) } } }),
    'response-widened',
    'no valid OpenAPI, but documents in several files use it',
  ],
  ['a new path', paths({ '/a': { get } }), paths({ '/a': { get }, '/b': { get } }), 'silent', ''],
  [
    'a path that is gone',
    paths({ '/a': { get }, '/b': { get } }),
    paths({ '/a': { get } }),
    'lost-operation',
    '',
  ],
  [
    'a method that is gone',
    paths({ '/a': { get, put: get } }),
    paths({ '/a': { get } }),
    'lost-operation',
    '',
  ],
  [
    'another case of a path',
    paths({ '/a': { get } }),
    paths({ '/A': { get } }),
    'lost-operation',
    'paths have a case',
  ],
  [
    'another name of a path parameter',
    paths({
      '/a/{id}': {
        get: { ...get, parameters: [{ in: 'path', name: 'id', required: true, schema: string }] },
      },
    }),
    paths({
      '/a/{key}': {
        get: { ...get, parameters: [{ in: 'path', name: 'key', required: true, schema: string }] },
      },
    }),
    'silent',
    "the name isn't sent",
  ],
  [
    'a path of components',
    paths({ '/a': { get } }),
    paths(
      { '/a': { $ref: '#/components/pathItems/A' } },
      { components: { pathItems: { A: { get } } } },
    ),
    'silent',
    '',
  ],
  [
    'a webhook that is gone',
    paths({}, { webhooks: { a: { post: get } } }),
    paths({}),
    'lost-operation',
    '',
  ],
  [
    'a webhook called summary',
    paths({}, { webhooks: { summary: { post: { requestBody: json(string) } } } }),
    paths({}, { webhooks: { summary: { post: { requestBody: json(integer) } } } }),
    'response-widened',
    'a name is no description',
  ],
  [
    'a variable of a server called title',
    documentOf(
      {},
      { servers: [{ url: 'https://{title}.test', variables: { title: { default: 'a' } } }] },
    ),
    documentOf(
      {},
      { servers: [{ url: 'https://{title}.test', variables: { title: { default: 'b' } } }] },
    ),
    'lost-server',
    'likewise',
  ],
  [
    'a security scheme called tags',
    secured([], { tags: key }),
    secured([{ tags: [] }], { tags: key }),
    'unclear-change',
    'likewise',
  ],
  [
    'a header of a webhook that is gone',
    sending([{ in: 'header', name: 'X-Signature', schema: string }]),
    sending([]),
    'lost-parameter',
    'the API sends it',
  ],
  [
    'a header of a webhook that may be missing',
    sending([{ in: 'header', name: 'X-Signature', required: true, schema: string }]),
    sending([{ in: 'header', name: 'x-signature', schema: string }]),
    'lost-parameter',
    '',
  ],
  [
    'a new header of a webhook',
    sending([]),
    sending([{ in: 'header', name: 'X-Signature', required: true, schema: string }]),
    'silent',
    'receivers ignore it',
  ],
  [
    'a header of a webhook with more values',
    sending([{ in: 'header', name: 'X-Event', schema: { enum: ['a', 'b'] } }]),
    sending([{ in: 'header', name: 'X-Event', schema: string }]),
    'response-widened',
    '',
  ],
  [
    'a number in a header of a webhook',
    sending([{ in: 'header', name: 'X-Count', schema: string }]),
    sending([{ in: 'header', name: 'X-Count', schema: integer }]),
    'silent',
    'a number is text in a header',
  ],
  [
    'another form of a list in the query of a webhook',
    sending([{ in: 'query', name: 'ids', schema: { type: 'array', items: string } }]),
    sending([
      { in: 'query', name: 'ids', schema: { type: 'array', items: string }, explode: false },
    ]),
    'unclear-change',
    'ids=1&ids=2 or ids=1,2',
  ],
  [
    'a header that receivers of a webhook must send',
    answered({ 'X-Token': { schema: string } }),
    answered({ 'X-Token': { schema: string, required: true } }),
    'new-requirement',
    'the receiver responds',
  ],
  [
    'a new header that receivers of a webhook must send',
    answered({}),
    answered({ 'X-Token': { schema: string, required: true } }),
    'new-requirement',
    'likewise',
  ],
  [
    'a header that receivers of a webhook may omit',
    answered({ 'X-Token': { schema: string, required: true } }),
    answered({ 'x-token': { schema: string } }),
    'silent',
    'likewise',
  ],
  [
    'a header of receivers of a webhook that is gone',
    answered({ 'X-Token': { schema: string } }),
    answered({}),
    'lost-header',
    'its effect is gone',
  ],
  [
    'a header of receivers of a webhook with fewer values',
    answered({ 'X-Token': { schema: { enum: ['a', 'b'] } } }),
    answered({ 'X-Token': { schema: { enum: ['a'] } } }),
    'request-narrowed',
    'the receiver responds',
  ],
  [
    'a header of receivers of a webhook with more values',
    answered({ 'X-Token': { schema: { enum: ['a'] } } }),
    answered({ 'X-Token': { schema: { enum: ['a', 'b'] } } }),
    'silent',
    'likewise',
  ],
  [
    'a body that receivers of a webhook must send',
    webhook({ responses: { 200: { description: '' } } }),
    webhook({ responses: { 200: json(string) } }),
    'new-requirement',
    'the receiver responded without a body',
  ],
  [
    "a body that a webhook's receivers have stopped sending",
    webhook({ responses: { 200: json(string) } }),
    webhook({ responses: { 200: { description: '' } } }),
    'lost-media-type',
    '',
  ],
  [
    'a body of a webhook that may be missing',
    webhook({ requestBody: { ...json(string), required: true } }),
    webhook({ requestBody: json(string) }),
    'response-widened',
    'the API sends it',
  ],
  [
    'a body of a webhook that is required',
    webhook({ requestBody: json(string) }),
    webhook({ requestBody: { ...json(string), required: true } }),
    'silent',
    'the API sends it',
  ],
  [
    'another name of a callback',
    callbacks({ a: string }),
    callbacks({ b: string }),
    'silent',
    'nobody sends it',
  ],
  [
    'another name of a callback with another body',
    callbacks({ a: string }),
    callbacks({ b: integer }),
    'response-widened',
    'the expression says where it goes',
  ],
  [
    'one of two callbacks to the same address',
    callbacks({ a: string, b: string }),
    callbacks({ a: string, b: integer }),
    'response-widened',
    'their names tell them apart',
  ],
  [
    'a callback that is gone beside another one to its address',
    callbacks({ a: string, b: string }),
    callbacks({ b: string }),
    'lost-operation',
    "its name isn't in use for another one",
  ],
  [
    'a parameter behind 50 references',
    referring(chain(50, queryOf(string))),
    referring(chain(50, queryOf(string))),
    'silent',
    '',
  ],
  [
    'a change of a parameter behind 50 references',
    referring(chain(50, queryOf(string))),
    referring(chain(50, queryOf(integer))),
    'request-narrowed',
    '',
  ],
  [
    'a parameter whose references lead back',
    referring(chain(2, queryOf(string))),
    referring(chain(2, { $ref: '#/components/parameters/P0' })),
    'lost-parameter',
    'nobody knows what it is',
  ],
  [
    'a change of a parameter behind a reference with an extension',
    referring({ P0: { $ref: '#/components/parameters/P1', 'x-a': 1 }, P1: queryOf(string) }),
    referring({ P0: { $ref: '#/components/parameters/P1', 'x-a': 1 }, P1: queryOf(integer) }),
    'request-narrowed',
    'what is beside the reference is ignored',
  ],
  [
    'an operation beside the reference of its path that is gone',
    withItem({ get }, { put: get }),
    withItem({ get }),
    'lost-operation',
    'both hold, as other tools read it',
  ],
  [
    'a parameter beside the reference of its path',
    withItem({ get }),
    withItem({ get }, { parameters: [{ ...queryOf(string), required: true }] }),
    'new-requirement',
    'likewise',
  ],
  [
    'a path that was a reference to nothing',
    paths({ '/a': ref('Nothing'), '/b': {} }),
    paths({ '/b': {} }),
    'unclear-change',
    'nothing says which operations it had',
  ],
  [
    'a path in another file',
    paths({ '/a': { $ref: './a.yml' } }),
    paths({ '/a': { $ref: './b.yml' } }),
    'unclear-change',
    "it can't be read",
  ],
  [
    'a path that was in another file',
    paths({ '/a': { $ref: './a.yml' } }),
    paths({ '/a': { get } }),
    'unclear-change',
    'likewise',
  ],
  [
    'a path in another file beside a change',
    paths({ '/a': { $ref: './a.yml' }, '/b': { get } }),
    paths({ '/a': { $ref: './a.yml' }, '/b': {} }),
    'lost-operation, unclear-change',
    'it is the same file, but nobody knows what is in it',
  ],
  [
    'a summary beside the reference of its path',
    withItem({ get }),
    withItem({ get }, { summary: 'a' }),
    'silent',
    'for readers',
  ],
  [
    'a property of a webhook that is gone',
    paths({}, { webhooks: { a: { post: { requestBody: json(object({ a: string })) } } } }),
    paths({}, { webhooks: { a: { post: { requestBody: json(object({})) } } } }),
    'response-widened',
    'the API sends it',
  ],
  [
    'a required property of a webhook',
    paths({}, { webhooks: { a: { post: { requestBody: json(object({ a: string })) } } } }),
    paths({}, { webhooks: { a: { post: { requestBody: json(object({ a: string }, 'a')) } } } }),
    'silent',
    'the API sends it',
  ],

  // ---- for readers ------------------------------------------------------------------------------
  ['a summary', operation({ summary: 'a' }), operation({ description: 'b' }), 'silent', ''],
  ['tags', operation({ tags: ['a'] }), operation({ tags: ['b'] }), 'silent', ''],
  [
    'another operationId',
    operation({ operationId: 'a' }),
    operation({ operationId: 'b' }),
    'silent',
    "a choice: it isn't sent; generated clients rename a method",
  ],
  [
    'a deprecated operation',
    operation({}),
    operation({ deprecated: true }),
    'silent',
    'it works until it is removed',
  ],
  ['an extension', operation({ 'x-a': 1 }), operation({}), 'silent', ''],
  [
    'a reference to nothing in an extension',
    operation({
      'x-a': [{ $ref: '#/nothing' }],
      parameters: [{ ...queryOf(string), 'x-a': nowhere }],
    }),
    operation({ 'x-a': [{ $ref: '#/nothing' }], parameters: [{ ...queryOf(string), 'x-a': {} }] }),
    'silent',
    'nothing says what an extension contains',
  ],
  [
    'a reference to nothing in data',
    documentOf({ requestBody: json(object({ a: { default: nowhere } })) }),
    documentOf({ requestBody: json(object({ a: { default: nowhere }, b: string })) }),
    'silent',
    'a default is a value, not a schema',
  ],
  [
    'a reference to nothing in a header whose name starts like an extension',
    operation({ responses: { 200: { headers: { 'x-a': nowhere } } } }),
    operation({ responses: { 200: { headers: { 'x-a': nowhere } } }, deprecated: true }),
    'unclear-change',
    'it is a name',
  ],
  ...[
    { responses: { 200: { description: '' }, 401: ref('Nothing') } },
    { responses: { 200: json(ref('Nothing')) } },
    { responses: { 200: json(object({ a: { allOf: [ref('Nothing')] } })) } },
    { responses: { 200: json(ref('Tagged')) } },
    { parameters: [ref('Nothing')] },
  ].flatMap(({ parameters = [], ...more }, index): readonly DocumentRow[] => {
    const document = (...others: readonly Json[]) =>
      documentOf(
        { responses: {}, ...more, parameters: [...parameters, ...others] },
        {
          components: {
            schemas: {
              Tagged: {
                oneOf: [object({ t: { enum: ['a'] } }, 't')],
                discriminator: { propertyName: 't', mapping: { a: '#/paths/~1nothing/get' } },
              },
            },
          },
        },
      )
    return [
      [
        `the same reference to nothing, ${index}`,
        document(),
        document(queryOf(string)),
        'silent',
        'it has no meaning that could have changed',
      ],
      [
        `the same reference to nothing, ${index}, beside a change`,
        document(queryOf(string)),
        document(),
        'lost-parameter',
        'likewise',
      ],
    ]
  }),
  [
    'another title',
    documentOf({}, { info: { title: 'a', version: '1' } }),
    documentOf({}, { info: { title: 'b', version: '2' } }),
    'silent',
    '',
  ],

  // ---- what other keywords say ------------------------------------------------------------------
  [
    'path parameters in another order',
    paths({ '/{a}/{b}': { get: { ...get, parameters: twoParameters } } }),
    paths({ '/{b}/{a}': { get: { ...get, parameters: twoParameters } } }),
    'request-narrowed',
    'the operation is equal, but the first parameter was an integer',
  ],
  [
    'path parameters with other names',
    paths({ '/{a}': { parameters: [twoParameters[0]], get } }),
    paths({ '/{c}': { parameters: [{ ...twoParameters[0], name: 'c' }], get } }),
    'silent',
    "names aren't sent",
  ],
  ...(
    [
      ['name', { name: 'id' }],
      ['namespace', { namespace: 'urn:a' }],
      ['attribute', { attribute: true }],
      ['nodeType', { nodeType: 'text' }],
    ] as const
  ).flatMap(([what, xml]): readonly DocumentRow[] => [
    [
      `another ${what} in XML`,
      inXml('application/xml', object({ id: string })),
      inXml('application/xml', object({ id: { ...string, xml } })),
      'unclear-change',
      'it is written in another way',
    ],
    [
      `another ${what} in JSON`,
      inXml('application/json', object({ id: string })),
      inXml('application/json', object({ id: { ...string, xml } })),
      'silent',
      'only for XML',
    ],
  ]),
  [
    'a list in XML with an element around it',
    inXml('application/problem+xml', object({ ids: { ...list(string) } })),
    inXml('application/problem+xml', object({ ids: { ...list(string), xml: { wrapped: true } } })),
    'unclear-change',
    '',
  ],
  [
    'a media type component called title',
    withMediaType('title', string),
    withMediaType('title', integer),
    'request-narrowed',
    '3.2: a name',
  ],
  [
    'a recursive schema in a oneOf with what overlaps it',
    withTree(ref('Tree')),
    withTree({ oneOf: [ref('Tree'), { not: string }] }),
    'unclear-change',
    'an object matches both',
  ],
  [
    'alternatives that a discriminator tells apart',
    withPets(integer),
    withPets({ type: 'number' }),
    'silent',
    'only one of them is named by it',
  ],
  [
    'another encoding of bytes',
    old({ ...string, format: 'byte' }),
    young({ ...string, contentEncoding: 'base16' }),
    'unclear-change',
    '',
  ],
  [
    'bytes in terms of 3.1',
    old({ ...string, format: 'binary' }),
    young({ contentMediaType: 'application/octet-stream' }),
    'silent',
    '',
  ],

  // ---- 3.0 in terms of 3.1 ----------------------------------------------------------------------
  ['3.0 as 3.1', old(string), young(string), 'silent', ''],
  [
    'a component that is excluded',
    old({ not: ref('A') }, { A: string }),
    young({ not: ref('A') }, { A: string }),
    'silent',
    'it has no keywords that 3.1 reads in another way',
  ],
  [
    'nullable beside a reference',
    old({ nullable: true, allOf: [ref('A')] }, { A: string }),
    young({ anyOf: [ref('A'), { type: 'null' }] }, { A: string }),
    'unclear-change',
    '3.0.3: it has no effect without a type beside it, but its author means it',
  ],
  [
    'null that only one schema of allOf allows',
    old({ ...string, nullable: true, allOf: [ref('A')] }, { A: string }),
    young(ref('A'), { A: string }),
    'silent',
    'all of them must allow it',
  ],
  [
    'nullable',
    old({ ...string, nullable: true }),
    young({ type: ['string', 'null'] }),
    'silent',
    '',
  ],
  [
    'nullable of an object',
    old({ ...object({ a: string }), nullable: true }),
    young({ anyOf: [object({ a: string }), { type: 'null' }] }),
    'silent',
    '',
  ],
  [
    'an alternative that is only nullable',
    old({ anyOf: [ref('A'), { nullable: true }] }, { A: object({ a: string }) }),
    young({ anyOf: [ref('A'), { type: 'null' }] }, { A: object({ a: string }) }),
    'silent',
    'authors mean null',
  ],
  [
    'a nested alternative that is only nullable',
    old(string),
    old({ anyOf: [{ anyOf: [{ nullable: true }] }] }),
    'request-narrowed, response-widened',
    'likewise',
  ],
  [
    'what changed beside an alternative that is only nullable',
    old({ anyOf: [ref('A'), { nullable: true }] }, { A: object({ a: string }) }),
    old({ anyOf: [ref('A'), { nullable: true }] }, { A: object({ a: integer }) }),
    'request-narrowed, response-widened',
    'likewise',
  ],
  [
    'nullable in 3.1',
    old({ ...string, nullable: true }),
    young({ ...string, nullable: true }),
    'unclear-change',
    'it has no effect any more, but its author means it',
  ],
  [
    'nullable that is only meant',
    old({ ...string, nullable: true }),
    old({ nullable: true, allOf: [ref('A')] }, { A: string }),
    'unclear-change',
    '3.0.3: it has no effect without a type beside it',
  ],
  [
    'a nullable enum without null whose type has it in 3.1',
    old({ ...string, nullable: true, enum: ['a'] }),
    young({ type: ['string', 'null'], enum: ['a'] }),
    'silent',
    'neither enum has null, and both types do',
  ],
  [
    'an enum without null whose type has it, as nullable in 3.0',
    young({ type: ['string', 'null'], enum: ['a'] }),
    old({ ...string, nullable: true, enum: ['a'] }),
    'silent',
    'likewise',
  ],
  [
    'null of a type and a base that only is nullable',
    old({ allOf: [{ type: 'null' }, { nullable: true }] }),
    old({ type: 'null', enum: [2.5] }),
    'request-narrowed',
    'null was allowed, and not only meant to be',
  ],
  ...[
    { enum: ['a', null], nullable: true },
    { allOf: [{ ...string, enum: ['a', null], nullable: true }], nullable: true },
    { oneOf: [{ ...string, enum: ['a'] }, { enum: [null] }], nullable: true },
  ].map((schema): DocumentRow => [
    `an enum that has null, as ${JSON.stringify(schema)}, and loses it`,
    old(schema),
    old({ ...string, enum: ['a'] }),
    'request-narrowed',
    'likewise',
  ]),
  [
    'an enum that loses null, although it still is nullable',
    old({ enum: ['a', null], nullable: true }),
    old({ enum: ['a'], nullable: true }),
    'unclear-change',
    'null is still meant to be allowed',
  ],
  [
    'a type that has null and is nullable in 3.1, and loses null',
    young({ type: ['string', 'null'], nullable: true }),
    young(string),
    'request-narrowed',
    'null was allowed',
  ],
  ...[{ oneOf: [ref('A')] }, { oneOf: [ref('A'), integer] }].flatMap((union): DocumentRow[] => [
    [
      `nullable of ${union.oneOf.length} alternatives that is gone`,
      old({ ...union, nullable: true }, { A: string }),
      old(union, { A: string }),
      'unclear-change',
      'null was meant to be allowed, as beside an allOf',
    ],
    [
      `nullable of ${union.oneOf.length} alternatives as one of them`,
      old({ ...union, nullable: true }, { A: string }),
      young({ oneOf: [...union.oneOf, { type: 'null' }] }, { A: string }),
      'unclear-change',
      'likewise',
    ],
    [
      `nullable of ${union.oneOf.length} alternatives in a query that is gone`,
      inQuery({ ...union, nullable: true }, { A: string }),
      inQuery(union, { A: string }),
      'silent',
      'text is never null',
    ],
  ]),
  [
    'nullable beside an allOf and a oneOf of one reference',
    old({ nullable: true, allOf: [ref('A')] }, { A: string }),
    old({ nullable: true, oneOf: [ref('A')] }, { A: string }),
    'silent',
    'they mean the same',
  ],
  [
    'nullable of an anyOf inside another one',
    old({ nullable: true, anyOf: [ref('A')] }, { A: string }),
    old({ anyOf: [{ nullable: true, anyOf: [ref('A')] }] }, { A: string }),
    'silent',
    'likewise',
  ],
  [
    'null for an alternative that is only meant to allow it',
    young({ type: ['string', 'integer', 'null'] }),
    young({ oneOf: [{ ...string, nullable: true }, integer] }),
    'unclear-change',
    'one of the alternatives is nullable',
  ],
  [
    'constants of which one is meant to allow null',
    old({
      oneOf: [
        { ...string, enum: ['a'], nullable: true },
        { ...string, enum: ['b'] },
      ],
    }),
    old({ ...string, enum: ['a', 'b'] }),
    'unclear-change',
    'likewise',
  ],
  [
    'a default of null for the only value',
    old(object({ a: { ...string, enum: ['a'], nullable: true, default: null } })),
    old(object({ a: { ...string, enum: ['a'], nullable: true, default: 'a' } })),
    'warning changed-default',
    'null is meant to be another value',
  ],
  [
    'null for a union that is only meant to allow it',
    old({ ...string, nullable: true }),
    old({ nullable: true, anyOf: [ref('A'), integer] }, { A: string }),
    'response-widened, unclear-change',
    'likewise',
  ],
  [
    'an exclusive maximum',
    old({ ...integer, maximum: 9, exclusiveMaximum: true }),
    young({ ...integer, exclusiveMaximum: 9 }),
    'silent',
    '',
  ],
  [
    'an example',
    old({ ...string, example: 'a' }),
    young({ ...string, examples: ['a'] }),
    'silent',
    '',
  ],
  [
    'keywords beside a reference',
    old({ ...ref('A'), maxLength: 3 }, { A: string }),
    young(ref('A'), { A: string }),
    'silent',
    '3.0: they are ignored',
  ],
  [
    'keywords beside a reference that 3.1 reads',
    old({ ...ref('Name'), maxLength: 3 }, { Name: string }),
    young({ ...ref('Name'), maxLength: 3 }, { Name: string }),
    'request-narrowed',
    '3.0 ignored them',
  ],
  [
    'keywords beside a reference that 3.0 ignores',
    young({ ...ref('Name'), maxLength: 3 }, { Name: string }),
    old({ ...ref('Name'), maxLength: 3 }, { Name: string }),
    'response-widened',
    'likewise',
  ],
  [
    'keywords beside a reference in a component',
    old(ref('User'), { Name: string, User: object({ name: { ...ref('Name'), maxLength: 3 } }) }),
    young(ref('User'), { Name: string, User: object({ name: { ...ref('Name'), maxLength: 3 } }) }),
    'request-narrowed',
    'likewise',
  ],
  [
    'a reference by itself in 3.0 and 3.1',
    old(ref('Name'), { Name: string }),
    young({ ...ref('Name'), description: 'A name' }, { Name: string }),
    'silent',
    '',
  ],
  [
    'a description beside a reference',
    old({ allOf: [ref('A')], description: 'a' }, { A: string }),
    young({ ...ref('A'), description: 'a' }, { A: string }),
    'silent',
    '',
  ],
  ['an enum of one', old({ ...string, enum: ['a'] }), young({ const: 'a' }), 'silent', ''],
  [
    'a file',
    old({ ...string, format: 'binary' }),
    young({ contentMediaType: 'application/octet-stream' }),
    'silent',
    '',
  ],
  [
    'base64',
    old({ ...string, format: 'byte' }),
    young({ ...string, contentEncoding: 'base64' }),
    'silent',
    '',
  ],
  [
    'definitions in place',
    old(ref('A'), { A: string }),
    young({ $defs: { A: string }, allOf: [string] }),
    'silent',
    '',
  ],
  [
    'an optional value that may be null',
    old({ ...string, nullable: true }),
    young(string),
    'request-narrowed',
    '',
  ],

  // ---- what the API sends -----------------------------------------------------------------------
  [
    'a signature of a webhook that is gone',
    { ...webhook({ security: [{ signature: [] }] }), ...signed },
    { ...webhook({}), ...signed },
    'unclear-change',
    'receivers may check it',
  ],
  [
    'a new signature of a webhook',
    { ...webhook({}), ...signed },
    { ...webhook({ security: [{ signature: [] }] }), ...signed },
    'silent',
    'receivers ignore it',
  ],
  [
    'security of the document beside a webhook',
    { ...webhook({}), ...signed },
    { ...webhook({}), ...signed, security: [{ signature: [] }] },
    'silent',
    'a choice: it is for clients of the API',
  ],
  [
    'a callback of a webhook',
    webhook({ callbacks: acknowledged(string) }),
    webhook({ callbacks: acknowledged(integer) }),
    'request-narrowed',
    'its receiver sends it back',
  ],
  [
    'a callback of a callback',
    documentOf({
      callbacks: { a: { 'https://a': { post: { ...get, callbacks: acknowledged(string) } } } },
    }),
    documentOf({
      callbacks: { a: { 'https://a': { post: { ...get, callbacks: acknowledged(integer) } } } },
    }),
    'request-narrowed',
    'likewise',
  ],
  [
    'a callback that leads back to itself',
    recurring(string),
    recurring(integer),
    'request-narrowed, response-widened',
    'it ends',
  ],
  [
    'a method of OpenAPI 3.2 that is gone',
    paths({ '/a': { get, query: get } }),
    paths({ '/a': { get } }),
    'lost-operation',
    '',
  ],
  [
    'a host in another case',
    servers('https://API.acme.test/V1'),
    servers('https://api.acme.test/V1'),
    'silent',
    'RFC 3986: no case',
  ],
  [
    'a path of a server in another case',
    servers('https://acme.test/V1'),
    servers('https://acme.test/v1'),
    'lost-server',
    '',
  ],
  [
    'a part of the address that moves from the server to the paths',
    {
      openapi: '3.1.0',
      servers: [{ url: 'https://acme.test/v1' }],
      paths: { '/a': ok, '/a/{b}': ok },
    },
    {
      openapi: '3.1.0',
      servers: [{ url: 'https://test.acme.test' }, { url: 'https://acme.test' }],
      paths: { '/v1/a': ok, '/v1/a/{c}': ok },
    },
    'silent',
    'the addresses stay',
  ],
  [
    'a part of the address that moves from the paths to the server',
    { openapi: '3.1.0', servers: [{ url: 'https://acme.test' }], paths: { '/v1/a': ok, '/b': ok } },
    { openapi: '3.1.0', servers: [{ url: 'https://acme.test/v1' }], paths: { '/a': ok } },
    'lost-operation',
    "one operation doesn't move",
  ],
  [
    'a part of the address that is new',
    { openapi: '3.1.0', servers: [{ url: 'https://acme.test' }], paths: { '/a': ok } },
    { openapi: '3.1.0', servers: [{ url: 'https://acme.test/v1' }], paths: { '/a': ok } },
    'lost-server',
    '',
  ],
]
