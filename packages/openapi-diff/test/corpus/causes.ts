// What a cause is called, and in which words: readers of the older document have to recognize it.
import { type Json, integer, list, object, ref, string } from './row.ts'

/** Two schemas as the body of a request or a response, with each document's components. */
export type CauseRow = readonly [
  what: string,
  direction: 'request' | 'response',
  released: unknown,
  current: unknown,
  schemas: readonly [released: Json, current: Json],
  causes: readonly string[],
]

const kind = (name: string, more: Json = {}): Json =>
  object({ kind: { const: name }, ...more }, 'kind')
const typed = (type: number): Json =>
  object({ type: { enum: [type], allOf: [ref('Types')] } }, 'type')
const tagged = (isVoid: boolean, name: string): Json =>
  object({ isVoid: { const: isVoid }, kind: { const: name } }, 'kind')
/** A component that extends a union. */
const page = (id: Json): Json => ({
  Page: { allOf: [ref('Text'), object({ id })] },
  Text: { oneOf: [ref('Plain'), object({ json: string }, 'json')] },
  Plain: object({ plain: string }, 'plain'),
})
const block = (x: Json, ...others: readonly Json[]): Json => ({
  Block: { oneOf: [ref('A'), ref('B'), ...others] },
  A: kind('a', { x }),
  B: kind('b'),
  C: kind('c'),
})
const event = (script: Json, ...others: readonly Json[]): Json => ({
  Event: { oneOf: [ref('Render'), ref('Script'), ...others] },
  Render: { ...kind('render'), oneOf: [ref('Base'), ref('Space')] },
  Script: { ...kind('script'), ...script },
  Base: object({ id: string }, 'id'),
  Space: object({ id: string, space: string }, 'id', 'space'),
})
const nothing: readonly [Json, Json] = [{}, {}]
const closed = (properties: Json, ...required: readonly string[]): Json => ({
  ...object(properties, ...required),
  additionalProperties: false,
})
const pattern = (text: string): Json => ({ ...string, pattern: text })
/** A union whose discriminator leads to these components. */
const led = (...names: readonly string[]): Json => ({
  oneOf: names.map(ref),
  discriminator: { propertyName: 'kind' },
})
const login = (strategy: Json, more: Json): Json =>
  closed({ strategy, ...more }, 'status', 'strategy')
const logins: Json = {
  Password: login({ const: 'password' }, { status: { enum: ['open', 'done'] } }),
  Ticket: login({ const: 'ticket' }, { status: { enum: ['open', 'done'] } }),
  OAuth: login(pattern('^oauth_[a-z]+$'), { status: { enum: ['open'] }, error: string }),
  Passkey: login({ const: 'passkey' }, { status: { enum: ['open', 'done'] } }),
}

export const causes: readonly CauseRow[] = [
  [
    'a map that became named properties',
    'response',
    { ...object({}), additionalProperties: ref('Status') },
    object({ orders: ref('Status') }),
    [{ Status: object({ at: string }, 'at') }, { Status: object({ at: string }, 'at') }],
    ['status 200: /* may be anything now'],
  ],
  // ---- names ------------------------------------------------------------------------------------
  [
    'a component that only the newer document has, for an inline schema',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ type: object({ level: string }) }) },
      { Task: object({ type: ref('TypeResponse') }), TypeResponse: object({}) },
    ],
    ['Task/type/level is gone'],
  ],
  [
    'a component that a place refers to by an allOf now, to describe it',
    'request',
    object({ model: ref('Model') }),
    object({ model: { allOf: [ref('Model')], description: 'Which one answers.' } }),
    [{ Model: { enum: ['large', 'small'] } }, { Model: { enum: ['large'] } }],
    ['Model may no longer be "small"'],
  ],
  [
    'a component with another name',
    'response',
    ref('Task'),
    ref('TaskResponse'),
    [{ Task: object({ name: string }) }, { TaskResponse: object({}) }],
    ['Task/name is gone'],
  ],
  [
    'a different component in place of one that stays as it is',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ owner: ref('User') }), User: object({ name: string }) },
      { Task: object({ owner: ref('Bot') }), User: object({ name: string }), Bot: object({}) },
    ],
    ['User (now Bot)/name is gone'],
  ],
  [
    'the place that describes a component itself now, although the component stays',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ owner: ref('User') }), User: object({ name: string }) },
      { Task: object({ owner: object({}) }), User: object({ name: string }) },
    ],
    ['Task/owner/name is gone'],
  ],
  [
    'the operation that describes a component itself now',
    'request',
    ref('User'),
    object({ name: string }, 'name'),
    [{ User: object({ name: string }) }, { User: object({ name: string }) }],
    ['body: /name is required now'],
  ],
  [
    'a component that may be null now, at the place that refers to it',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ owner: ref('User') }), User: object({ name: string }) },
      {
        Task: object({ owner: { anyOf: [ref('User'), { type: 'null' }] } }),
        User: object({ name: string }),
      },
    ],
    ["Task/owner may be null, which isn't object"],
  ],
  [
    'an enum that is described at its place now',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ state: ref('State') }), State: { enum: ['a', 'b'] } },
      { Task: object({ state: { enum: ['a', 'b', 'c'] } }), State: { enum: ['a', 'b'] } },
    ],
    ['Task/state may be "c", which is new'],
  ],
  [
    'an enum that is gone from what may be null',
    'response',
    { type: ['string', 'null'], enum: ['a', 'b'] },
    { type: ['string', 'null'] },
    nothing,
    ['status 200: the body may be other than "a", "b"'],
  ],
  [
    'an enum that is gone, beside null',
    'response',
    { ...string, enum: ['a', 'b'] },
    { type: ['string', 'null'] },
    nothing,
    ['status 200: the body may be other than "a", "b"'],
  ],
  [
    'a component with another name, at the place that refers to it',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ due: ref('Date') }), Date: string },
      { Task: object({ due: ref('DateNullable') }), DateNullable: { type: ['string', 'null'] } },
    ],
    ["Task/due may be null, which isn't string"],
  ],
  [
    'a rule beside a reference to a component that stays as it is',
    'request',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ name: ref('Name') }), Name: string },
      { Task: object({ name: { allOf: [ref('Name')], maxLength: 3 } }), Name: string },
    ],
    ['Task/name must keep to its maxLength of 3 now'],
  ],
  [
    'a component that changed, behind a rule that stays as it is',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ name: { allOf: [ref('Name')], maxLength: 3 } }), Name: string },
      {
        Task: object({ name: { allOf: [ref('Name')], maxLength: 3 } }),
        Name: { type: ['string', 'null'] },
      },
    ],
    ["Name may be null, which isn't string"],
  ],
  [
    'a new alternative beside the only schema',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ owner: ref('User') }), User: object({ id: string, name: string }, 'id') },
      {
        Task: object({ owner: { oneOf: [ref('User'), ref('Team')] } }),
        User: object({ id: string, name: string }, 'id'),
        Team: object({ slug: string }),
      },
    ],
    ['Task/owner may be Team, which is new: /id is missing, and was required'],
  ],
  [
    'a new alternative whose tag is described by the same component',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ part: ref('Row') }), Types: integer, Row: typed(1) },
      {
        Task: object({ part: { oneOf: [ref('Row'), ref('Text')] } }),
        Types: integer,
        Row: typed(1),
        Text: typed(2),
      },
    ],
    ['Task/part may be Text, which is new: /type may be 2, which is new'],
  ],
  [
    'a component that may be null now, beside a new alternative',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ owner: ref('User') }), User: object({ id: string }, 'id') },
      {
        Task: object({
          owner: { oneOf: [{ ...ref('User'), type: ['object', 'null'] }, ref('Team')] },
        }),
        User: { ...object({ id: string }, 'id'), type: ['object', 'null'] },
        Team: object({ slug: string }),
      },
    ],
    [
      "Task/owner may be null, which isn't object",
      'Task/owner may be Team, which is new: /id is missing, and was required',
    ],
  ],
  [
    'a union in place of an object, and not what the object had',
    'response',
    ref('Event'),
    ref('Event'),
    [
      {
        Event: object({ payload: object({ user: ref('User') }) }),
        User: object({ id: string, star: string }, 'id'),
      },
      {
        Event: object({
          payload: { oneOf: [ref('Push'), ref('Fork'), object({ user: object({}) })] },
        }),
        User: object({ id: string, star: string }, 'id'),
        Push: object({ user: object({ id: string, star: string }) }),
        Fork: object({ user: object({ id: integer }, 'id') }),
      },
    ],
    [
      'Event/payload may be Push, which is new: /user/id may be missing, and was required',
      "Event/payload may be Fork, which is new: /user/id may be integer, which isn't string",
      'Event/payload/user/id is missing, and was required',
    ],
  ],
  [
    'a component in the alternatives of a new union, if it has changed itself',
    'response',
    ref('Event'),
    ref('Event'),
    [
      { Event: object({ payload: object({ user: ref('User') }) }), User: object({ id: string }) },
      {
        Event: object({ payload: { oneOf: [ref('Push'), ref('Fork')] } }),
        User: object({ id: integer }),
        Push: object({ user: ref('User') }),
        Fork: object({ user: ref('User'), fork: string }),
      },
    ],
    ["User/id may be integer, which isn't string"],
  ],
  [
    'only the values that keep an alternative of a new union from fitting',
    'response',
    object({ size: { anyOf: [{ ...string, maxLength: 3 }, string] } }),
    {
      oneOf: [object({ size: { type: ['string', 'boolean'] } }), object({ size: string }, 'size')],
    },
    nothing,
    ["status 200: /size may be boolean, which isn't string"],
  ],
  [
    'what changed beside null',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ owner: { ...object({ name: string }), type: ['object', 'null'] } }) },
      {
        Task: object({ owner: { anyOf: [ref('User'), { type: 'null' }] } }),
        User: object({ name: integer }),
      },
    ],
    ["Task/owner/name may be integer, which isn't string"],
  ],
  [
    'an alternative that is gone, of two',
    'request',
    ref('Task'),
    ref('Task'),
    [
      {
        Task: object({ owner: { oneOf: [ref('User'), ref('Team')] } }),
        User: object({ id: string }, 'id'),
        Team: object({ slug: string }),
      },
      { Task: object({ owner: ref('User') }), User: object({ id: string }, 'id') },
    ],
    ['Task/owner may no longer be Team: /id is new and required'],
  ],
  [
    'a new alternative of a tagged union, by the place of the union',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ owner: { oneOf: [kind('a'), kind('b')] } }) },
      { Task: object({ owner: { oneOf: [kind('a'), kind('b'), ref('C')] } }), C: kind('c') },
    ],
    ['Task/owner may have the kind "c", which no older alternative has'],
  ],
  [
    'an alternative without a tag, by its name and the place of the union',
    'request',
    ref('Task'),
    ref('Task'),
    [
      {
        Task: object({ owner: { anyOf: [ref('A'), ref('B')] } }),
        A: object({ a: string }, 'a'),
        B: object({ b: string }, 'b'),
      },
      {
        Task: object({
          owner: { anyOf: [object({ x: string }, 'x'), object({ y: string }, 'y')] },
        }),
        A: object({ a: string }, 'a'),
        B: object({ b: string }, 'b'),
      },
    ],
    ['Task/owner may no longer be A', 'Task/owner may no longer be B'],
  ],
  [
    'an alternative that matches a different one, by the place of the union',
    'response',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ owner: { anyOf: [ref('A'), object({})] } }), A: object({ a: string }, 'a') },
      {
        Task: object({ owner: { anyOf: [ref('A'), object({})] } }),
        A: object({ a: integer }, 'a'),
      },
    ],
    [
      "Task/owner as A only matches a different alternative now: /a may be integer, which isn't string",
    ],
  ],
  [
    'the alternative to which a discriminator leads, although a different one fits',
    'request',
    ref('Pet'),
    ref('Pet'),
    [
      { Pet: led('Cat', 'Dog'), Cat: object({ kind: string, size: string }), Dog: object({}) },
      {
        Pet: led('Cat', 'Dog'),
        Cat: object({ kind: string, size: { enum: ['s'] } }),
        Dog: object({}),
      },
    ],
    ['Cat/size must be one of "s" now'],
  ],
  [
    "a new alternative, beside one whose tag's pattern can't be compared",
    'response',
    ref('Login'),
    ref('Login'),
    [
      { ...logins, Login: { oneOf: ['Password', 'Ticket', 'OAuth'].map(ref) } },
      { ...logins, Login: { oneOf: ['Password', 'Ticket', 'OAuth', 'Passkey'].map(ref) } },
    ],
    ['Login may be Passkey, which is new'],
  ],
  [
    'the pattern of an alternative',
    'response',
    {
      oneOf: [closed({ tag: { const: 'a' } }, 'tag'), closed({ tag: pattern('^o[a-z]+$') }, 'tag')],
    },
    {
      oneOf: [closed({ tag: { const: 'a' } }, 'tag'), closed({ tag: pattern('^o[a-z]*$') }, 'tag')],
    },
    nothing,
    ['status 200: /tag may not match its pattern, which was ^o[a-z]+$, and is ^o[a-z]*$'],
  ],
  [
    'the pattern of the only alternative that fits',
    'response',
    { oneOf: [object({ a: pattern('^a') }), object({ a: pattern('^a'), b: integer }, 'b')] },
    object({ a: pattern('^b'), c: integer }, 'a'),
    nothing,
    ['status 200: /a may not match its pattern, which was ^a, and is ^b'],
  ],
  [
    'nullable beside a reference, which OpenAPI 3.1 ignores, at the place that refers',
    'response',
    object({ from: ref('Date'), to: ref('Date') }),
    object({ from: ref('Date'), to: { ...ref('Date'), nullable: true } }),
    [{ Date: string }, { Date: string }],
    ["status 200: /to isn't clear about null: it's nullable, but null isn't in its type"],
  ],
  [
    'a keyword that only differs in what it refers to',
    'response',
    { type: 'object', propertyNames: ref('Key') },
    { type: 'object', propertyNames: ref('Key') },
    [{ Key: { enum: ['a'] } }, { Key: { enum: ['a', 'b'] } }],
    ['status 200: the body differs in propertyNames, which refers to something else'],
  ],
  [
    'what changed in the alternatives, rather than that they overlap as before',
    'response',
    { oneOf: [ref('A'), ref('B')] },
    { oneOf: [ref('A'), ref('B')] },
    [
      {
        A: object({ name: { const: 'a' }, issues: string }),
        B: object({ name: { const: 'b' }, issues: string }),
      },
      {
        A: object({ name: { const: 'a' }, details: string }),
        B: object({ name: { const: 'b' }, details: string }),
      },
    ],
    ['A/issues is gone', 'B/issues is gone'],
  ],
  [
    'a schema that says nothing now, once',
    'response',
    object({ list: list(string), user: object({ name: string }) }),
    object({ list: {}, user: {} }),
    nothing,
    ['status 200: /list may be other than array', 'status 200: /user may be other than object'],
  ],
  [
    'what changed in a list, beside an alternative that may be one as well',
    'request',
    { type: ['array', 'null'], items: ref('A') },
    { anyOf: [ref('Any'), list(ref('A')), { type: 'null' }] },
    [
      { A: object({ a: string }), Any: { anyOf: [object({ b: string }, 'b'), string] } },
      { A: object({ a: integer }), Any: { anyOf: [object({ b: string }, 'b'), string] } },
    ],
    ['A/a must be integer now, not string'],
  ],
  [
    'a new value of an enum that describes each value',
    'response',
    {
      oneOf: [
        { type: 'string', enum: ['a', 'b'] },
        { type: 'string', enum: ['c'] },
      ],
    },
    {
      oneOf: [
        { type: 'string', enum: ['a', 'b'] },
        { type: 'string', enum: ['c', 'd'] },
      ],
    },
    nothing,
    ['status 200: the body may be "d", which is new'],
  ],
  [
    'inline alternatives by their properties',
    'request',
    { oneOf: [object({ a: string, c: string }, 'a'), object({ b: string, c: string }, 'b')] },
    { oneOf: [object({ a: string, c: integer }, 'a'), object({ b: string, c: integer }, 'b')] },
    nothing,
    ['body: /c must be integer now, not string'],
  ],
  [
    'a new alternative, although a tag leaves only one that it might be',
    'response',
    { oneOf: [ref('A'), ref('B'), ref('Other')] },
    { oneOf: [ref('A'), ref('B'), ref('Other'), ref('New')] },
    [
      { A: kind('a'), B: kind('b'), Other: object({ x: string }, 'x') },
      {
        A: kind('a'),
        B: kind('b'),
        Other: object({ x: string }, 'x'),
        New: kind('new', { y: string }),
      },
    ],
    ['status 200: the body may be New, which is new'],
  ],
  [
    'a base, and not its children',
    'response',
    list(ref('Child')),
    list(ref('Child')),
    [
      { Base: object({ created: string }), Child: { allOf: [ref('Base'), object({ a: string })] } },
      {
        Base: object({ created: integer }),
        Child: { allOf: [ref('Base'), object({ a: string })] },
      },
    ],
    ["Base/created may be integer, which isn't string"],
  ],
  [
    'a property whose name is a number',
    'response',
    ref('Config'),
    ref('Config'),
    [{ Config: object({ 0: string, 45: integer }) }, { Config: object({ 0: string }) }],
    ['Config/45 is gone'],
  ],
  [
    'values that several alternatives list now',
    'request',
    { oneOf: [string, object({ a: string })] },
    { oneOf: [{ enum: ['a'] }, { enum: ['b'] }, object({ a: string })] },
    nothing,
    ['body: it matches no newer alternative'],
  ],
  [
    "a base's other properties once, and not as its children's",
    'response',
    { oneOf: [ref('One'), ref('Two')] },
    { oneOf: [ref('One'), ref('Two')] },
    [string, {}].map((others) => ({
      Base: { ...object({ t: string }), additionalProperties: others },
      One: { allOf: [ref('Base')], type: 'object' },
      Two: { allOf: [ref('Base')], type: 'object' },
    })) as unknown as readonly [Json, Json],
    ['Base/* may be anything now'],
  ],
  [
    "a child's own property, and not its base",
    'response',
    ref('Child'),
    ref('Child'),
    [
      { Base: object({ a: string }), Child: { allOf: [ref('Base'), object({}, 'a')] } },
      { Base: object({ a: string }), Child: { allOf: [ref('Base')] } },
    ],
    ['Child/a may be missing, and was required'],
  ],
  [
    'a child that loses its base',
    'response',
    ref('Child'),
    ref('Child'),
    [
      { Base: object({ a: string }), Child: { allOf: [ref('Base')] } },
      { Base: object({ a: string }), Child: object({}) },
    ],
    ['Child/a is gone'],
  ],

  // ---- words ------------------------------------------------------------------------------------
  [
    'a reference that leads to nothing in the older document',
    'request',
    object({ custom: ref('Gone') }),
    object({ custom: object({}) }),
    nothing,
    ["refers to #/components/schemas/Gone, which isn't in the document"],
  ],
  [
    'a reference to another document, of the operation and of a component',
    'response',
    object({ a: ref('User'), b: { $ref: 'https://acme.test/a.yml#/components/schemas/Error' } }),
    object({ a: ref('User'), b: { $ref: 'https://acme.test/a.yml#/components/schemas/Error' } }),
    [string, integer].map((name) => ({
      User: object({ name, error: { $ref: 'https://acme.test/b.yml#/components/schemas/Error' } }),
    })) as unknown as readonly [Json, Json],
    [
      "refers to https://acme.test/a.yml#/components/schemas/Error, which isn't in the document",
      "User/name may be integer, which isn't string",
      "User/error refers to https://acme.test/b.yml#/components/schemas/Error, which isn't in the document",
    ],
  ],
  [
    'null that matched two alternatives of a oneOf, so that it was never valid',
    'request',
    { oneOf: [{ type: ['string', 'null'] }, { ...list(string), type: ['array', 'null'] }] },
    string,
    nothing,
    ['body: it must be string now, not array'],
  ],
  [
    'null that one alternative of a oneOf allows',
    'request',
    {
      oneOf: [
        { type: ['string', 'null'] },
        { ...list(string), type: ['array', 'null'], enum: [[]] },
      ],
    },
    string,
    nothing,
    ['body: it must be string now, not null', 'body: it must be string now, not []'],
  ],
  [
    'a tuple beside a component with another one',
    'request',
    { ...ref('Pair'), prefixItems: [{}] },
    { ...ref('Pair'), prefixItems: [{}] },
    [{ Pair: { prefixItems: [string] } }, { Pair: { prefixItems: [integer] } }],
    [
      'Pair differs in its tuple, which was [[{"type":"string"}],true,null], and is [[{"type":"integer"}],true,null]',
      'Pair differs in allOf its tuple, which was [[[{"type":"string"}],true,null],[[{}],true,null]], and is [[[{"type":"integer"}],true,null],[[{}],true,null]]',
    ],
  ],
  [
    'a component that is called properties',
    'request',
    ref('properties'),
    ref('properties'),
    [{ properties: string }, { properties: integer }],
    ['properties must be integer now, not string'],
  ],
  [
    'a property without a name',
    'request',
    ref('User'),
    ref('User'),
    [{ User: object({ '': string }) }, { User: object({ '': integer }) }],
    ['User/ must be integer now, not string'],
  ],
  [
    'a number that an enum bounds',
    'request',
    { type: 'integer', format: 'int64' },
    { type: 'integer', format: 'int32', enum: [1, 2] },
    nothing,
    ['body: it must be one of 1, 2 now'],
  ],
  [
    'an older and a newer pattern of a request',
    'request',
    { ...string, pattern: '^a' },
    { ...string, pattern: '^b' },
    nothing,
    ['body: it must match its pattern, which was ^a, and is ^b'],
  ],
  [
    'an older and a newer format of a response',
    'response',
    { ...string, format: 'date' },
    { ...string, format: 'date-time' },
    nothing,
    ['status 200: the body may not match its format, which was date, and is date-time'],
  ],
  [
    'a new format of a request',
    'request',
    string,
    { ...string, format: 'url' },
    nothing,
    ['body: it must match its format url, which is new'],
  ],
  [
    'a format that a response has lost',
    'response',
    { ...string, format: 'uri' },
    string,
    nothing,
    ['status 200: the body may not match its format uri, which is gone'],
  ],
  [
    'a component whose values match none of its new alternatives',
    'request',
    ref('Task'),
    ref('Task'),
    [
      { Task: object({ name: string }, 'name') },
      {
        Task: {
          allOf: [
            object({ name: string }, 'name'),
            { oneOf: [object({ a: string }, 'a'), object({ b: string }, 'b')] },
          ],
        },
      },
    ],
    ['Task matches no newer alternative'],
  ],
  [
    'a property that a closed schema of allOf refuses now',
    'request',
    { allOf: [closed({ a: string, b: string }), object({ b: string })] },
    { allOf: [closed({ a: string }), object({ b: string })] },
    nothing,
    ['body: /b is refused from now on'],
  ],
  [
    'a new pattern of a request',
    'request',
    string,
    { ...string, pattern: '^a' },
    nothing,
    ['body: it must match its pattern ^a, which is new'],
  ],
  [
    'a union that gets its first alternatives',
    'response',
    ref('Kind'),
    ref('Kind'),
    [{ Kind: { oneOf: [] } }, { Kind: { oneOf: [{ const: 'a' }] } }],
    ['Kind has no allowed value in the older schema'],
  ],
  [
    'a union that loses all of its alternatives',
    'request',
    object({ kind: { enum: ['a'] } }),
    object({ kind: { oneOf: [] } }),
    nothing,
    ['body: /kind has no allowed value in the newer schema'],
  ],
  [
    'a nullable enum of the older document',
    'request',
    { ...string, enum: ['a'], nullable: true },
    { ...string, enum: ['a'] },
    nothing,
    ["body: it isn't clear about null: it was nullable, but null wasn't in its enum"],
  ],
  [
    'an older keyword that nothing compares',
    'response',
    { not: { minLength: 1 } },
    { not: { minLength: 2 } },
    nothing,
    ['status 200: the body differs in not, which was {"minLength":1}, and is {"minLength":2}'],
  ],
  [
    "the elements of a component's base",
    'request',
    ref('Tags'),
    ref('Tags'),
    [string, integer].map((type) => ({
      List: { type: 'array', items: type },
      Tags: { allOf: [ref('List'), { maxItems: 3 }] },
    })) as never,
    ['List/* must be integer now, not string'],
  ],
  [
    'a component that was alone, and is the only part of an allOf',
    'request',
    object({ user: { ...ref('User'), title: 'a' } }),
    object({ user: { allOf: [ref('User')] } }),
    [{ User: string }, { User: integer }],
    ['User must be integer now, not string'],
  ],
  [
    'a reference to another file that only the newer document has',
    'request',
    string,
    { $ref: 'other.yaml#/User' },
    nothing,
    ["refers to other.yaml#/User, which isn't in the document"],
  ],
  [
    'five values',
    'request',
    { enum: ['a', 'b', 'c', 'd', 'e', 'f'] },
    { enum: ['f'] },
    nothing,
    ['body: it may no longer be "a", "b", "c", "d", "e"'],
  ],
  [
    'the first five values',
    'request',
    { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    { enum: ['g'] },
    nothing,
    ['body: it may no longer be "a", "b", "c", "d", "e" and 1 more'],
  ],
  [
    '200 characters',
    'request',
    { enum: ['a'.repeat(198), 'b'] },
    { enum: ['b'] },
    nothing,
    [`body: it may no longer be "${'a'.repeat(198)}"`],
  ],
  [
    'the first 200 characters',
    'request',
    { enum: ['a'.repeat(199), 'b'] },
    { enum: ['b'] },
    nothing,
    [`body: it may no longer be "${'a'.repeat(199)}…`],
  ],
  [
    'other properties that one part of an allOf closes',
    'request',
    { ...object({ a: string }), additionalProperties: string },
    {
      allOf: [
        { ...object({ a: string }), additionalProperties: false },
        { additionalProperties: string },
      ],
    },
    nothing,
    ['body: it must not have other properties now'],
  ],
  // ---- unions in unions ------------------------------------------------------------------------
  [
    'a new alternative by the tag that no older one has',
    'response',
    { oneOf: [tagged(false, 'a'), tagged(true, 'b'), tagged(true, 'c')] },
    { oneOf: [tagged(false, 'a'), tagged(true, 'b'), tagged(true, 'c'), tagged(true, 'd')] },
    nothing,
    ['status 200: the body may have the kind "d", which no older alternative has'],
  ],
  [
    'an alternative of two unions by its component',
    'response',
    { allOf: [ref('Block'), { oneOf: [ref('Block'), ref('C')] }] },
    { allOf: [ref('Block'), { oneOf: [ref('Block'), ref('C')] }] },
    [block(string), block(integer)],
    ["A/x may be integer, which isn't string"],
  ],
  [
    'no new alternative that another part of an allOf excludes by its tag',
    'response',
    { allOf: [ref('Block'), ref('A')] },
    { allOf: [ref('Block'), ref('A')] },
    [block(string), block(integer, ref('C'))],
    ["A/x may be integer, which isn't string"],
  ],
  [
    'no lost alternative that another part of an allOf excludes by its tag',
    'request',
    { allOf: [ref('Block'), ref('A')] },
    { allOf: [ref('Block'), ref('A')] },
    [block(string, ref('C')), block(integer)],
    ['A/x must be integer now, not string'],
  ],
  [
    "an extended union's property by the component that has it",
    'request',
    ref('Page'),
    ref('Page'),
    [page(string), page(integer)],
    ['Page/id must be integer now, not string'],
  ],
  [
    "an extended union's property by the component that has it",
    'response',
    ref('Page'),
    ref('Page'),
    [page(string), page(integer)],
    ["Page/id may be integer, which isn't string"],
  ],
  [
    'nothing of a union that stays, in another union',
    'response',
    ref('Event'),
    ref('Event'),
    [event({ oneOf: [ref('Base'), ref('Space')] }), event({ allOf: [ref('Base')] }, kind('other'))],
    ['Event may have the kind "other", which no older alternative has'],
  ],
]
