// Where a schema is found, what's converted, and what stays. The adapters are tested with their frameworks.
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { type SchemaAction, type Translation, before, translationOf } from '../../src/adapter.ts'
import { bindActions } from '../../src/internal.ts'
import {
  type ActionSchema,
  type Change,
  type Schema,
  RouterError,
  api,
  became,
  cache,
  change,
  inherit,
  resources,
  statusBecame,
  version,
  headerBecame,
} from '../../src/index.ts'

type Derived = SchemaAction & { readonly translation: Translation }

const object = (properties: Record<string, object>, rest: object = {}) => ({
  type: 'object',
  properties,
  ...rest,
})
const string = { type: 'string' }
const nothing = { type: 'null' }
const list = (items: object, rest: object = {}) => ({ type: 'array', items, ...rest })
const anyOf = (...schemas: object[]) => ({ anyOf: schemas })

const User = object({ fullName: string })
const OlderUser = object({ name: string })
interface UserValue {
  readonly fullName: string
}
const down = ({ fullName }: UserValue) => ({ name: fullName })
const up = ({ name }: { readonly name: string }) => ({ fullName: name })
const fullName = change('A user has a full name.', became(OlderUser, User, { up, down }))

const deriveAction = (schema: ActionSchema, ...changes: Change[]): Derived => {
  const derived = before({ users: { show: { schema, handler: () => null } } }, ...changes) as never
  const { show } = (derived as { users: { show: SchemaAction } }).users
  return { ...show, translation: translationOf(show) }
}
const respond = (
  { translation }: Derived,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
) => translation.respond!(status, body, (name, value) => void (headers[name] = value)).body
const shown = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const dora = { fullName: 'Dora' }
const olderDora = { name: 'Dora' }

describe('a schema is found', () => {
  const Recursive = { $id: 'Tree', ...object({ user: User, children: list({ $ref: 'Tree' }) }) }
  const found: readonly (readonly [
    where: string,
    schema: Schema,
    value: unknown,
    older: unknown,
  ])[] = [
    ['as the body', User, dora, olderDora],
    ['in a list', list(User), [dora], [olderDora]],
    ['in a list of lists', list(list(User)), [[dora], []], [[olderDora], []]],
    [
      'in a property',
      object({ user: User, id: string }),
      { user: dora, id: '1' },
      { user: olderDora, id: '1' },
    ],
    [
      'beside a property called getter',
      object({ user: User, getter: string }),
      { user: dora, getter: 'x' },
      { user: olderDora, getter: 'x' },
    ],
    ['in an optional property that is missing', object({ user: User }), { id: '1' }, { id: '1' }],
    ['beside null', anyOf(User, nothing), null, null],
    ['beside null, with a value', anyOf(User, nothing), dora, olderDora],
    ['beside another JSON type', anyOf(User, string), 'an id', 'an id'],
    ['beside another JSON type, with a value', anyOf(string, User), dora, olderDora],
    [
      'in allOf, beside other properties',
      { allOf: [User, object({ role: string })], properties: { id: string } },
      { ...dora, role: 'admin', id: '1' },
      { ...olderDora, role: 'admin', id: '1' },
    ],
    ['beside a date', anyOf(User, string), new Date(0), '1970-01-01T00:00:00.000Z'],
    ['in a list that may be one value', { oneOf: [User, list(User)] }, [dora], [olderDora]],
    [
      'in both schemas of a union',
      anyOf(object({ a: User }), object({ a: User })),
      { a: dora },
      { a: olderDora },
    ],
    [
      'in allOf',
      { allOf: [object({ id: string }), object({ user: User })] },
      { user: dora },
      { user: olderDora },
    ],
    [
      'in two schemas of allOf, and is converted once',
      { allOf: [object({ user: User, id: string }), object({ user: User, role: string })] },
      { user: dora, id: '1', role: 'admin' },
      { user: olderDora, id: '1', role: 'admin' },
    ],
    [
      'through a $ref beside allOf, and is converted once',
      { $defs: { User }, $ref: '#/$defs/User', allOf: [{ $ref: '#/$defs/User' }] },
      dora,
      olderDora,
    ],
    [
      'as a tuple element',
      { type: 'array', prefixItems: [string, User] },
      ['a', dora],
      ['a', olderDora],
    ],
    [
      'as a tuple element of draft 7',
      { type: 'array', items: [string, User] },
      ['a', dora],
      ['a', olderDora],
    ],
    ['after a tuple', list(User, { prefixItems: [string] }), ['a', dora], ['a', olderDora]],
    [
      'in additional properties only',
      object({ first: string }, { additionalProperties: User }),
      { first: 'x', a: dora },
      { first: 'x', a: olderDora },
    ],
    [
      'not in a missing property that every object inherits',
      object({ constructor: User }),
      { id: '1' },
      { id: '1' },
    ],
    [
      'in pattern properties',
      { patternProperties: { '^u': User } },
      { u1: dora, x: dora },
      { u1: olderDora, x: dora },
    ],
    [
      'through $ref',
      { $defs: { User }, ...object({ user: { $ref: '#/$defs/User' } }) },
      { user: dora },
      { user: olderDora },
    ],
    [
      'through a $ref that is no valid URI',
      { $defs: { '100%': User }, ...object({ user: { $ref: '#/$defs/100%' } }) },
      { user: dora },
      { user: olderDora },
    ],
    [
      'through a $ref with escapes',
      { $defs: { 'a/b c': User }, ...object({ user: { $ref: '#/$defs/a~1b%20c' } }) },
      { user: dora },
      { user: olderDora },
    ],
    [
      'through an anchor',
      {
        $defs: { Page: object({ user: User }, { $anchor: 'page' }) },
        ...object({ page: { $ref: '#page' } }),
      },
      { page: { user: dora } },
      { page: { user: olderDora } },
    ],
    [
      'through an anchor of draft 7',
      {
        definitions: { Page: { $id: '#page', ...object({ user: User }) } },
        ...object({ page: { $ref: '#page' } }),
      },
      { page: { user: dora } },
      { page: { user: olderDora } },
    ],
    [
      'as a copy with the same properties',
      object({ user: { ...User, description: 'the author' } }),
      { user: dora },
      { user: olderDora },
    ],
    [
      'per media type',
      { content: { 'application/json': { schema: list(User) } } },
      [dora],
      [olderDora],
    ],
  ]
  it.each(found)('%s', (_where, schema, value, older) => {
    const derived = deriveAction({ response: { 200: schema } }, fullName)
    const copy = structuredClone(value)
    expect(shown(respond(derived, value))).toEqual(older)
    expect(value).toEqual(copy) // nothing is changed in place
    expect(JSON.stringify(derived.schema)).not.toContain('fullName')
  })

  it('by its $id, also where a $ref names it', () => {
    const WithId = { $id: 'User', ...User }
    const one = change('x', became(OlderUser, WithId, { down }))
    const schema = object({
      a: { $ref: 'User#' },
      b: { ...WithId, properties: { ...WithId.properties } },
    })
    expect(respond(deriveAction({ response: { 200: schema } }, one), { a: dora, b: dora })).toEqual(
      {
        a: olderDora,
        b: olderDora,
      },
    )
  })

  it('by its $id, also in a schema that has one of its own', () => {
    const WithId = { $id: 'User', ...User }
    const one = change('x', became(OlderUser, WithId, { down }))
    const Account = { $id: 'Account', $ref: 'User#' }
    expect(respond(deriveAction({ response: { 200: list(Account) } }, one), [dora])).toEqual([
      olderDora,
    ])
  })

  it("not by its $id where a $ref names an anchor that's called the same", () => {
    const one = change('x', became(OlderUser, { $id: 'user', ...User }, { down }))
    const definitions = { Author: { $id: '#user', ...object({ fullName: string }) } }
    const schema = object({ user: { $ref: 'user' }, author: { $ref: '#user' } }, { definitions })
    const derived = deriveAction({ response: { 200: schema } }, one)
    const body = { user: dora, author: dora }
    expect(respond(derived, body)).toEqual({ user: olderDora, author: dora })
  })

  it('by an anchor of draft 7, also where a $ref names it', () => {
    const Anchored = { $id: '#user', ...User }
    const one = change('x', became(OlderUser, Anchored, { down }))
    const schema = object({ author: { $ref: '#user' } }, { definitions: { User: Anchored } })
    const derived = deriveAction({ response: { 200: schema } }, one)
    expect(respond(derived, { author: dora })).toEqual({ author: olderDora })
    expect(JSON.stringify(derived.schema)).not.toContain('#user')
  })

  it('beside a $ref, whatever else is there', () => {
    const Limited = object({ fullName: string }, { not: { $ref: '#/$defs/robot', deprecated: 1 } })
    const copy = { ...Limited, not: { $ref: '#/$defs/robot', maxProperties: 9 } }
    const one = change('x', became(OlderUser, Limited, { down }))
    expect(respond(deriveAction({ response: { 200: copy } }, one), dora)).toEqual(olderDora)
  })

  it('in a body, without any response', () => {
    const derived = deriveAction({ body: User, response: null as never }, fullName)
    expect(derived.schema!.body).toBe(OlderUser)
  })

  it('not by its contents', () => {
    const Customer = object({ fullName: string })
    const derived = deriveAction(
      { response: { 200: object({ user: User, customer: Customer }) } },
      fullName,
    )
    expect(respond(derived, { user: dora, customer: dora })).toEqual({
      user: olderDora,
      customer: dora,
    })
  })

  it('as a list of the same thing, and not as a list of another', () => {
    const envelope = change(
      'x',
      became(object({ items: list(User) }), list(User), { down: (items) => ({ items }) }),
    )
    const derived = deriveAction(
      { response: { 200: list(User), 201: list(object({ fullName: string })) } },
      envelope,
    )
    expect(respond(derived, [dora])).toEqual({ items: [dora] })
    expect(respond(derived, [dora], 201)).toEqual([dora])
  })

  it('beside a union of other types', () => {
    const schema = anyOf(User, { oneOf: [string, list(string)] })
    const derived = deriveAction({ response: { 200: schema } }, fullName)
    expect(respond(derived, dora)).toEqual(olderDora)
    expect(respond(derived, ['a'])).toEqual(['a'])
  })

  it('with a property that may have been null', () => {
    const Name = { ...string, maxLength: 9 }
    const [Older, Newer] = [object({ name: anyOf(Name, nothing) }), object({ name: Name })]
    const derived = deriveAction(
      { response: { 200: Newer } },
      change('x', became(Older, Newer, { down: (user) => user })),
    )
    expect(derived.schema!.response).toEqual({ 200: Older })
  })

  it('as a list of the same text, which was declared once', () => {
    const Name = { ...string, maxLength: 9 }
    const joined = { down: (names: readonly string[]) => names.join() }
    const one = change('x', became(string, list(Name), joined))
    const derived = deriveAction({ response: { 200: list(Name), 201: list({ ...Name }) } }, one)
    expect(respond(derived, ['a', 'b'])).toBe('a,b')
    expect(respond(derived, ['a', 'b'], 201)).toEqual(['a', 'b'])
  })

  const refused: readonly (readonly [where: string, reason: string, schema: Schema])[] = [
    ['beside another object', 'ambiguous', anyOf(User, object({ id: string }))],
    [
      'inside one of two objects',
      'ambiguous',
      anyOf(object({ user: User }), object({ id: string })),
    ],
    [
      'in a pattern beside properties',
      'ambiguous',
      object({ ua: User }, { patternProperties: { '^u': User } }),
    ],
    ['in one of two patterns', 'ambiguous', { patternProperties: { '^u': User, a$: string } }],
    [
      'beside patterns',
      'ambiguous',
      object({}, { patternProperties: { '^u': string }, additionalProperties: User }),
    ],
    ['after a tuple of draft 7', 'ambiguous', { items: [string], additionalItems: User }],
    ['under a condition', 'ambiguous', { if: object({ kind: string }), else: User }],
    ['inside a schema that contains itself', 'recursive', Recursive],
    [
      'inside a union that contains itself twice',
      'ambiguous',
      { oneOf: [{ $ref: '#' }, object({ user: User }), { $ref: '#' }] },
    ],
    [
      'inside a schema of a library',
      'library',
      { '~standard': { vendor: 'acme' }, def: { element: User } },
    ],
    ['nowhere', 'unused', object({ id: string })],
  ]
  it.each(refused)('%s: %s', (_where, reason, schema) => {
    expect(() => deriveAction({ response: { 200: schema } }, fullName)).toThrow(
      expect.objectContaining({
        code: 'HV_CHANGE',
        details: expect.objectContaining({ reason }),
      }) as Error,
    )
  })
})

describe('a conversion', () => {
  it('applies to the status that declares the schema', () => {
    const derived = deriveAction(
      { response: { 200: User, 404: object({}), '2XX': User, default: User } },
      fullName,
    )
    expect(respond(derived, dora, 200)).toEqual(olderDora)
    expect(respond(derived, dora, 201)).toEqual(olderDora)
    expect(respond(derived, dora, 500)).toEqual(olderDora)
    expect(respond(derived, dora, 404)).toEqual(dora)
    expect(respond(deriveAction({ response: { 200: User } }, fullName), dora, 500)).toEqual(dora)
  })

  it('keeps what it threw as the cause of an error', () => {
    const thrown = () => {
      throw 'route' // oxlint-disable-line no-throw-literal
    }
    const failing = change('x', became(OlderUser, User, { down: thrown }))
    const derived = deriveAction({ response: { 200: User } }, failing)
    expect(() => respond(derived, dora)).toThrow(
      expect.objectContaining({ message: "the change 'x' threw 'route'", cause: 'route' }),
    )
  })

  it("leaves no response at a status that older clients don't get", () => {
    const made = change('x', became(OlderUser, User, { down, status: 200 }))
    const { schema } = deriveAction({ response: { 201: User, 202: anyOf(User, list(User)) } }, made)
    expect(schema!.response).toEqual({ 200: OlderUser, 202: anyOf(OlderUser, list(OlderUser)) })
  })

  it('gives null its status and headers too, if its newer schema allows null', () => {
    const head = { status: 404, headers: () => ({ 'x-found': 'no' }) }
    const made = change('x', became(nothing, anyOf(User, nothing), { down: () => null, ...head }))
    const { schema, translation } = deriveAction({ response: { 200: anyOf(User, nothing) } }, made)
    expect(schema!.response).toEqual({ 404: nothing })
    const headers: Record<string, string> = {}
    const older = translation.respond(200, null, (name, value) => void (headers[name] = value))
    expect(older).toEqual({ status: 404, body: null })
    expect(headers).toEqual({ 'x-found': 'no' })
  })

  it('names the way out if an action has both statuses', () => {
    const moved = change('x', statusBecame(404, 410, { only: ['users.show'] }))
    const response = { 404: object({ a: string }), 410: object({ b: string }) }
    expect(() => deriveAction({ response }, moved)).toThrow(
      'Or write became(Older, Newer, { status: 404 })',
    )
  })

  it('names the ways out for a schema that contains itself', () => {
    const tree = object({ user: User, children: list({ $ref: 'Tree' }) }, { $id: 'Tree' })
    expect(() => deriveAction({ response: { 200: tree } }, fullName)).toThrow(
      'List the other changed actions in only, and write this one yourself',
    )
  })

  it("stays away from values whose JSON type the newer schema doesn't allow", () => {
    const Names = { type: 'object', patternProperties: { '^': string } }
    const Name = object({ name: string })
    const step = change('x', became(Name, Names, { down: (names) => ({ ...names }) }))
    const derived = deriveAction({ response: { 200: list(Names) } }, step)
    const values = ['x', 7, null, true, ['x']]
    expect(respond(derived, values)).toEqual(values)
    const amount = { type: 'integer' }
    const cents = change('x', became(string, amount, { down: (value: bigint) => String(value) }))
    expect(respond(deriveAction({ response: { 200: list(amount) } }, cents), [7n])).toEqual(['7'])
  })

  it('converts values in one walk, or in several, with the same result', () => {
    const users = [0, 1, 2, 3].map((n) => object({ [`name${n}`]: string }))
    const renames = [0, 1, 2].map((n) =>
      change(
        `rename ${n}`,
        became(users[n]!, users[n + 1]!, {
          down: ({ [`name${n + 1}`]: name }) => ({ [`name${n}`]: `${name}${n}` }),
          // A conversion that may change the head isn't joined with others.
          ...(n === 1 && { headers: () => ({ 'x-name': 'yes' }) }),
        }),
      ),
    )
    const response = { 200: object({ items: list(users[3]!) }), 404: users[3]! }
    const derived = deriveAction({ response }, ...renames)
    const set: Record<string, string> = {}
    const body = { items: [{ name3: 'a' }, { name3: 'b' }] }
    expect(respond(derived, body, 200, set)).toEqual({
      items: [{ name0: 'a210' }, { name0: 'b210' }],
    })
    expect(respond(derived, { name3: 'a' }, 404)).toEqual({ name0: 'a210' })
    expect([set, derived.translation.changeOf(404)]).toEqual([{ 'x-name': 'yes' }, 'rename 2'])
    expect(derived.translation.changeOf(500)).toBe(null)
  })

  it('receives null only from a schema that allows it', () => {
    const Nick = { type: ['string', 'null'] }
    const nick = change('x', became(string, Nick, { down: (value: string | null) => value ?? '' }))
    const derived = deriveAction({ response: { 200: object({ nick: Nick }) } }, nick)
    expect(respond(derived, { nick: null })).toEqual({ nick: '' })
    expect(respond(derived, {})).toEqual({})
  })

  it('receives what JSON would have', () => {
    class Stored {
      readonly #user = dora
      toJSON() {
        return this.#user
      }
    }
    class Page {
      readonly user = new Stored()
      get next() {
        return 2
      }
    }
    const derived = deriveAction({ response: { 200: object({ user: User }) } }, fullName)
    expect(respond(derived, new Page())).toEqual({ user: olderDora, next: 2 })
  })

  const fail = async () => Promise.reject(new Error('no')) // nobody handles it
  it.each<[what: string, body: object, down: () => unknown, message: string]>([
    ['a promise in a property', dora, () => ({ name: fail() }), 'its conversion returns a promise'],
    ['a list of promises', dora, () => [fail(), fail()], 'its conversion returns a promise'],
    [
      'promises in a list in a property',
      dora,
      () => ({ names: [fail(), fail()] }),
      'its conversion returns a promise',
    ],
    [
      'an element that is undefined',
      [dora],
      () => undefined,
      "the change 'x' converts an element of a list to undefined",
    ],
  ])('fails when it returns %s', (_what, body, wrong, message) => {
    const one = change('x', became(OlderUser, User, { down: wrong }))
    const derived = deriveAction({ response: { 200: anyOf(User, list(User)) } }, one)
    expect(() => respond(derived, body)).toThrow(message)
  })

  it('only looks for promises two levels down', () => {
    const nested = { names: { all: { of: Promise.resolve('Dora') } } }
    const one = change('x', became(OlderUser, User, { down: () => nested }))
    expect(respond(deriveAction({ response: { 200: User } }, one), dora)).toEqual(nested)
  })

  it('leaves a property out by returning undefined', () => {
    const one = change('x', became(OlderUser, User, { down: () => undefined }))
    const derived = deriveAction({ response: { 200: object({ user: User }) } }, one)
    expect(shown(respond(derived, { user: dora, id: '1' }))).toEqual({ id: '1' })
  })

  it('sets the headers of older responses, from every value', () => {
    const Page = object({ items: list(User), next: string })
    const headers = ({ next }: { next: string | null }) => ({ link: next ?? undefined })
    const envelope = change('x', became(list(User), Page, { down: ({ items }) => items, headers }))
    const derived = deriveAction({ response: { 200: Page } }, envelope)
    const set: Record<string, string> = {}
    expect(respond(derived, { items: [dora], next: '/2' }, 200, set)).toEqual([dora])
    expect(respond(derived, { items: [], next: null }, 200, set)).toEqual([])
    expect(set).toEqual({ link: '/2' })
  })

  it('may name the schema that hides an equal one before the equal one', () => {
    const Name = z.preprocess((name) => name, z.object({ name: z.string() }))
    const Equal = z.object({ name: z.string() })
    const one = change(
      'x',
      became(z.string(), Name, { down: () => 'outer' }),
      became(z.number(), Equal, { down: () => 7 }),
    )
    const derived = deriveAction({ response: { 200: Name, 201: Equal } }, one)
    expect(respond(derived, { name: 'Dora' })).toBe('outer')
  })

  it('goes through several changes: responses from the last to the first, requests from the first to the last', () => {
    const steps = ['a', 'b', 'c'].map((name) => object({ [name]: string }))
    const step = (index: number) =>
      change(
        `step ${index}`,
        became(steps[index]!, steps[index + 1]!, {
          up: ({ way }) => ({ way: [...way, index] }),
          down: ({ way }) => ({ way: [...way, -index] }),
        }),
      )
    const schema = { body: steps[2]!, querystring: steps[2]!, response: { 200: steps[2]! } }
    const derived = deriveAction(schema, step(0), step(1))
    expect(derived.schema).toEqual({
      body: steps[0],
      querystring: steps[0],
      response: { 200: steps[0] },
    })
    expect(respond(derived, { way: [] })).toEqual({ way: [-1, -0] })
    for (const part of ['querystring', 'body'] as const) {
      const request = derived.translation.request[part]!
      expect(request.map((one) => [one.about, one.convert({ way: [] }), one.schema])).toEqual([
        ['step 0', { way: [0] }, steps[1]],
        ['step 1', { way: [1] }, steps[2]],
      ])
    }
    expect(Object.keys(derived.translation.request)).toEqual(['querystring', 'body'])
  })

  it('finds a schema that contains one which changed before', () => {
    const OlderPage = object({ items: list(OlderUser), total: { type: 'integer' } })
    const NewPage = object({ items: list(User), total: { type: 'integer' } })
    const OldestPage = list(OlderUser)
    const flat = change(
      'A list is an envelope.',
      became(OldestPage, OlderPage, { down: ({ items }) => items }),
    )
    const derived = deriveAction({ response: { 200: NewPage } }, flat, fullName)
    expect(derived.schema).toEqual({ response: { 200: OldestPage } })
    expect(respond(derived, { items: [dora], total: 1 })).toEqual([olderDora])
  })
})

describe('controllers', () => {
  class Users {
    readonly #name = 'Dora'
    readonly services = { store: null }
    index = { schema: { response: { 200: User } }, handler: (): unknown => this.#name }
    update = { schema: { body: object({}) }, handler: (): unknown => this.#name }
    show(): string {
      return this.#name
    }
    get create() {
      return { handler: () => this.#name, schema: { response: { 201: User } } }
    }
  }
  const routes = api(
    { vendorString: 'acme' },
    version(
      1,
      cache(
        { as: 'v1' },
        resources('users', { only: ['index', 'show', 'create', 'update'] }),
        resources('teams', { only: 'show' }),
      ),
    ),
    version(2, inherit({ from: 'v1' })),
  )
  const two = { users: new Users(), teams: { show: () => 'team' } }
  const one = before(two, change('x', became(OlderUser, User, { down, only: ['users.index'] })))
  const handlersOf = (controllers: object) =>
    [...bindActions(routes, { 1: controllers, 2: two })].map(([row, { handler }]) => [
      row.action,
      handler(),
    ])

  it('stay the same objects where nothing changed', () => {
    expect(one.teams).toBe(two.teams)
    expect(one.users.update).toBe(two.users.update)
    expect(one.users.show).toBe(two.users.show)
    expect(one.users.index).not.toBe(two.users.index)
  })

  it('keep this, private fields and inherited methods, also in a copy', () => {
    const all = ['index', 'create', 'show', 'update'].map((action) => [action, 'Dora'])
    const expected = [...all, ['show', 'team']]
    expect(handlersOf(one)).toEqual([...expected, ...expected])
    const copied = { ...one, users: { ...one.users, show: () => 'own' } }
    expect(handlersOf(copied)).toContainEqual(['show', 'own'])
    expect(handlersOf(copied)).toContainEqual(['create', 'Dora'])
    const zero = before(
      one,
      change('x', became(object({ a: string }), OlderUser, { down: (v) => v })),
    )
    expect(zero.users.show).toBe(two.users.show)
    expect(handlersOf(zero)).toContainEqual(['show', 'Dora'])
  })

  it("of a class have its actions, and its constructor isn't one", () => {
    class Inherited extends Users {}
    const { users } = before({ users: new Inherited() }, fullName)
    expect(Object.keys(users).toSorted()).toEqual(['create', 'index', 'show', 'update'])
  })

  it('of a class with static actions have no others', () => {
    const index = { schema: { response: { 200: User } }, handler: () => 1 }
    const users = Object.assign(() => null, { index })
    expect(Object.keys(before({ users }, fullName).users)).toEqual(['index'])
  })
})

describe('HV_CHANGE', () => {
  const schema = { body: User, response: { 200: User } }
  const messages: readonly (readonly [message: string, change: Change])[] = [
    [
      "HV_CHANGE: the change 'A name.' can't be undone in users.show: a request contains its newer schema. " +
        'Add up, or list the changed actions in only.',
      change('A name.', became(OlderUser, User, { down })),
    ],
    [
      'a response contains its newer schema. Add down',
      change('A name.', became(OlderUser, User, { up })),
    ],
    [
      "the change 'A name.' can't be undone in users.list: its newer schema is unused. Pass became() the same schema object, or " +
        'give both an $id (on Nest, add its DTO class: @ApiOkResponse({ type: User }), @Body() user: User), and declare ' +
        'inner changes first.',
      change('A name.', became(OlderUser, User, { up, down, only: ['users.show', 'users.list'] })),
    ],
    [
      "the change 'A name.' can't be undone: its newer schema is unused.",
      change('A name.', became(User, OlderUser, { up: down as never })),
    ],
    [
      'is unused',
      change('A name.', became(OlderUser, User, { up, down }), became(string, nothing, {})),
    ],
  ]
  it.each(messages)('%s', (message, one) => {
    const derive = () => deriveAction(schema, one)
    expect(derive).toThrow(message)
    expect(derive).toThrow(/\w\.$/)
  })

  it('names the library of a schema that shows nothing of what it contains', () => {
    const [Older, Newer] = [z3.object({ name: z3.string() }), z3.object({ fullName: z3.string() })]
    const one = change('A name.', became(Older, Newer, { up, down } as never))
    const response = { 200: Newer, 201: z3.array(Newer) }
    expect(() => deriveAction({ response }, one)).toThrow("It's a schema of zod 3.")
  })

  it('is an async conversion', () => {
    for (const conversion of ['up', 'down', 'headers']) {
      const one = became(OlderUser, User, { up, down, [conversion]: async () => ({}) } as never)
      expect(() => deriveAction(schema, change('A name.', one))).toThrow(
        'its conversion returns a promise',
      )
    }
  })

  it("isn't the error of a misspelled option or a missing schema", () => {
    expect(() => change('A name.')).toThrow(
      'HV_OPTION: change() requires its steps to be what became() returns. Received: [].',
    )
    expect(() => became(OlderUser, User, { donw: down } as never)).toThrow(
      "became() has no option 'donw'",
    )
    expect(() => statusBecame(200, 201, { onyl: ['users.show'] } as never)).toThrow(
      "statusBecame() has no option 'onyl'",
    )
    expect(() => headerBecame('A', 'B', { status: { older: 200, newer: 201 } } as never)).toThrow(
      "headerBecame() has no option 'status'",
    )
    expect(() => became(undefined as never, User, { down })).toThrow(RouterError)
  })
})

describe('a change on top of a change', () => {
  const Profile = object({ username: string, image: object({ url: string }) })
  const ProfileV2 = object({ username: string, image: string })
  const Article = object({ tags: list(object({ name: string })), author: Profile })
  const ArticleV1 = object({ tagList: list(string), author: ProfileV2 })
  const image = change(
    'An image is an object.',
    became(ProfileV2, Profile, {
      down: ({ image: { url }, ...rest }) => ({ ...rest, image: url }),
    }),
  )
  const tagsOf = (ArticleV2: object) =>
    change(
      'A tag is an object.',
      became(ArticleV1, ArticleV2, {
        down: ({ tags, ...rest }) => ({
          ...rest,
          tagList: tags.map(({ name }: { name: string }) => name),
        }),
      }),
    )
  const article = { tags: [{ name: 'a' }], author: { username: 'Dora', image: { url: '/d' } } }
  const response = { 200: object({ article: Article }) }

  describe('of the same list', () => {
    const [V1, V2, V3] = [1, 2, 3].map((n) => object({ [`name${n}`]: string })) as [
      object,
      object,
      object,
    ]
    const converted: string[] = []
    beforeEach(() => void (converted.length = 0))
    const derive = (
      older: (newer: any) => unknown,
      headers?: (newer: any) => Record<string, string>,
    ): Derived => {
      const newest = became(V2, V3, {
        down: ({ name3 }) => {
          converted.push(`${name3} to 2`)
          return name3 === '' ? undefined : { name2: name3 }
        },
      })
      return deriveAction(
        { response: { 200: object({ items: list(V3) }) } },
        change('Older.', became(V1, V2, { down: older, ...(headers && { headers }) })),
        change('A header.', headerBecame('Acme-Older', 'Acme-Newer')),
        change('Newer.', newest),
      )
    }
    const page = { items: [{ name3: 'a' }, { name3: 'b' }] }

    it('walks the list once', () => {
      const derived = derive(({ name2 }: { name2: string }) => {
        converted.push(`${name2} to 1`)
        return { name1: name2 }
      })
      expect(respond(derived, page)).toEqual({ items: [{ name1: 'a' }, { name1: 'b' }] })
      expect(converted).toEqual(['a to 2', 'a to 1', 'b to 2', 'b to 1'])
    })

    it('walks it again if a change sets headers, which replace those of newer changes', () => {
      const older = ({ name2 }: { name2: string }) => converted.push(`${name2} to 1`)
      respond(
        derive(older, () => ({ 'x-kind': 'older' })),
        page,
      )
      expect(converted).toEqual(['a to 2', 'b to 2', 'a to 1', 'b to 1'])
    })

    it.each([
      ['Newer.', { items: [{ name3: '' }] }],
      ['Older.', page],
    ])('names the change that makes an element undefined: %s', (about, body) => {
      const derived = derive(() => undefined)
      expect(() => respond(derived, body)).toThrow(
        `the change '${about}' converts an element of a list to undefined`,
      )
    })
  })

  it("looks at a union's values again before each one", () => {
    const Circle = object({ kind: { const: 'circle' }, r: string })
    const [CircleV2, CircleV1] = [
      { ...Circle, title: '2' },
      { ...Circle, title: '1' },
    ]
    const Square = object({ kind: { const: 'square' } })
    const derived = deriveAction(
      { response: { 200: list(anyOf(Circle, Square)) } },
      change('Older.', became(CircleV1, CircleV2, { down: () => ({ kind: 'never' }) })),
      change('Newer.', became(CircleV2, Circle, { down: () => ({ kind: 'square' }) })),
    )
    expect(respond(derived, [{ kind: 'circle' }])).toEqual([{ kind: 'square' }])
  })

  it('names what the first one made by an equal schema', () => {
    const ArticleV2 = object({
      tags: list(object({ name: string })),
      author: object({ image: string, username: string }),
    })
    const derived = deriveAction({ response }, tagsOf(ArticleV2), image)
    expect(respond(derived, { article })).toEqual({
      article: { tagList: ['a'], author: { username: 'Dora', image: '/d' } },
    })
  })

  it('says where the nearest schema differs, and which became it is', () => {
    const ArticleV2 = object({ tags: list(object({ label: string })), author: ProfileV2 })
    const two = change(
      'Two.',
      became(string, object({ id: string }), {}),
      tagsOf(ArticleV2).became[0]!,
    )
    expect(() => deriveAction({ response }, two, image)).toThrow(
      "the change 'Two.' can't be undone (became 2 of 2): its newer schema is unused. Pass became() the same schema " +
        'object, or give both an $id (on Nest, add its DTO class: @ApiOkResponse({ type: User }), @Body() user: User), ' +
        'and declare inner changes first. The nearest is in users.show, response 200 at ' +
        '/properties/article. It differs at /properties/tags/items/properties/name.',
    )
  })

  it('says when a schema is equal, but another object, also inside one of zod', () => {
    const create = () => z.array(z.object({ fullName: z.string() }))
    const many = change(
      'x',
      became(z.array(z.object({ name: z.string() })), create(), { down: () => [] }),
    )
    expect(() => deriveAction({ response: { 200: create() } }, many)).toThrow(
      "An equal schema is in users.show, response 200, but it's a different object.",
    )
    expect(() => deriveAction({ response: { 200: z.object({ users: create() }) } }, many)).toThrow(
      "An equal schema is in users.show, response 200 at /properties/users, but it's a different object.",
    )
  })
})

describe('schemas with one $id', () => {
  const V1 = { $id: 'Article', ...object({ name: string }) }
  const V2 = { $id: 'Article', ...object({ slug: string, favoritesCount: string }) }
  const one = change('x', became(V1, V2, { up: (v) => v, down: (v) => v }))

  it('must have the same fields', () => {
    const V3 = { $id: 'Article', ...object({ slug: string, favorites: string }) }
    expect(() => deriveAction({ response: { 200: list(V3) } }, one)).toThrow(
      'a schema has the $id of its newer schema, but different contents. Declare what changed, or use a different $id. ' +
        'They differ at /properties/favorites.',
    )
  })

  it('may differ in how they are described and used', () => {
    const copy = { title: 'An article', default: {}, ...structuredClone(V2) }
    expect(deriveAction({ body: copy }, one).schema?.body).toBe(V1)
  })
})
