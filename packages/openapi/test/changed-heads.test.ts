// Statuses and headers that changed: what documents and types show, and mistakes. The migrations are tests of their own.
import {
  type Change,
  type SchemaValue,
  became,
  change,
  headerBecame,
  statusBecame,
} from '@hv/router'
import { type SchemaAction, before, translationOf } from '@hv/router/adapter'
import { createClient, typesOf } from '@hv/router-client'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { Type } from '@sinclair/typebox'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { openapi } from '../src/index.ts'
import { adapters, routes } from './served-changes.ts'

const User = Type.Object({ fullName: Type.String() })
const UserV1 = Type.Object({ name: Type.String() })
const handler = (): unknown => null
const things = {
  index: handler,
  show: { schema: { response: { 200: User } }, handler },
  create: {
    schema: { response: { 201: User }, responseHeaders: { 'Acme-Account': Type.String() } },
    handler,
  },
  update: { schema: { response: { 201: User, 202: Type.Null() } }, handler },
  destroy: handler,
}
const renamed = became(UserV1, User, { down: ({ fullName }) => ({ name: fullName }) })
const created = change('x', statusBecame(200, 201, { only: ['things.create'] }), renamed)
const account = change('y', headerBecame('Keygen-Account', 'Acme-Account'))

describe('an older version', () => {
  const v1 = before({ things }, created, account)
  it('has the older status and header in its document', () => {
    const { paths } = openapi(
      routes,
      { 1: v1, 2: { things } },
      { version: 1, info: { title: 'A', version: '1' } },
    )
    const { responses } = paths['/things']!['post'] as {
      responses: Record<string, { headers: object; content: object }>
    }
    expect(Object.keys(responses).filter((status) => status < '4')).toEqual(['200'])
    expect(JSON.stringify(responses['200']!.content)).toContain('"name"')
    expect(responses['200']!.headers).toMatchObject({
      'Keygen-Account': { schema: { type: 'string' } },
    })
    expect(responses['200']!.headers).not.toHaveProperty('Acme-Account')
  })

  it.each([
    ['zod', z.void()],
    ['Valibot', toStandardJsonSchema(v.void())],
    ['TypeBox', Type.Null()],
  ])('has no body where the newer status has none, with %s', (_library, empty) => {
    const newer = {
      things: { ...things, destroy: { schema: { response: { 204: empty } }, handler } },
    }
    const older = before(newer, change('x', statusBecame(200, 204)))
    const { paths } = openapi(
      routes,
      { 1: older, 2: newer },
      { version: 1, info: { title: 'A', version: '1' } },
    )
    const { responses } = paths['/things/{id}']!['delete'] as { responses: Record<string, object> }
    expect(responses['200']).toBeDefined()
    expect(responses['200']).not.toHaveProperty('content')
  })

  it('has the older status in its types, and in those of its client', () => {
    expectTypeOf<keyof typeof v1.things.create.schema.response>().toEqualTypeOf<200>()
    expectTypeOf<keyof typeof v1.things.update.schema.response>().toEqualTypeOf<201 | 202>()
    type Created = SchemaValue<(typeof v1.things.create.schema.response)[200], 'output'>
    expectTypeOf<Created>().toEqualTypeOf<{ name: string }>()
    const types = typesOf<{ 1: typeof v1; 2: { things: typeof things } }>
    const client = createClient(routes, { baseUrl: 'https://acme.example', version: 1, types })
    expectTypeOf<Awaited<ReturnType<typeof client.things.create>>>().toEqualTypeOf<{
      name: string
    }>()
  })

  it('is one before several changes of a status', () => {
    const v0 = before(
      { things },
      change('x', statusBecame(299, 200, { only: ['things.create'] })),
      created,
    )
    expectTypeOf<keyof typeof v0.things.create.schema.response>().toEqualTypeOf<299>()
    const { statusOf, respond } = translationOf(v0.things.create as unknown as SchemaAction)
    expect([201, 200, 500].map(statusOf)).toEqual([299, 299, 500])
    expect(respond(201, { fullName: 'Dora' }, () => {})).toEqual({
      status: 299,
      body: { name: 'Dora' },
    })
  })

  it('has the actions of the newer one where nothing changed', () => {
    const { things: older } = before({ things }, created)
    expect(older.index).toBe(things.index)
    expect(older.update).not.toBe(things.update) // it returns a user
    expect(Object.keys(older.create.schema.response)).toEqual(['200'])
  })
})

describe.each(Object.entries(adapters))('on %s', (name, serve) => {
  it("every response has the older header, and one that's new is removed", async () => {
    const send = await serve(
      {
        index: { schema: {}, act: () => ({ headers: { 'acme-account': 'a1', 'x-new': '1' } }) },
        show: {
          schema: {},
          act: () => {
            throw new Error('no')
          },
        },
      },
      change('x', headerBecame('Keygen-Account', 'Acme-Account'), headerBecame(null, 'X-New')),
    )
    const { headers, body } = await send(1, { path: '/things' })
    expect([
      headers.get('keygen-account'),
      headers.get('acme-account'),
      headers.get('x-new'),
      body,
    ]).toEqual(['a1', null, null, null])
    expect((await send(2, { path: '/things' })).headers.get('x-new')).toBe('1')
    if (name === 'Fastify') expect((await send(1, {})).status).toBe(500)
  })

  it('keeps an older header that the handler has set itself', async () => {
    const both = { 'keygen-account': 'k1', 'acme-account': 'a1' }
    const send = await serve(
      { index: { schema: {}, act: () => ({ headers: both }) } },
      change('x', headerBecame('Keygen-Account', 'Acme-Account')),
    )
    const [older, newer] = [await send(1, { path: '/things' }), await send(2, { path: '/things' })]
    expect(
      [older, newer].map(({ headers }) => Object.keys(both).map((header) => headers.get(header))),
    ).toEqual([
      ['k1', null],
      ['k1', 'a1'],
    ])
  })
})

describe('a mistake', () => {
  const derive = (schema: object, ...changes: Change[]) =>
    before({ users: { show: { schema, handler } } }, ...changes)
  it.each<[what: string, run: () => unknown, message: string]>([
    [
      'the same name twice',
      () => headerBecame('account', 'Account'),
      'headerBecame() requires older to be another name than newer',
    ],
    [
      'a header of the router',
      () => headerBecame('Version', 'API-Version'),
      'headerBecame() requires newer to be a header that your app sets',
    ],
    ['a name that no header has', () => headerBecame('a b', 'A'), 'requires older to be a header'],
    ['a name without characters', () => headerBecame(null, ''), 'requires newer to be a header'],
    [
      'no status',
      () => statusBecame(20, 201),
      'statusBecame() requires older to be a status from 200 to 599',
    ],
    [
      'no newer status',
      () => statusBecame(200, 600),
      'statusBecame() requires newer to be a status from 200 to 599',
    ],
    [
      'a status that no action has',
      () => derive({ response: { 200: User } }, change('x', statusBecame(200, 201))),
      'no response has its newer status',
    ],
    [
      'both statuses',
      () => derive({ response: { 200: User, 201: User } }, change('x', statusBecame(200, 201))),
      'or one also has the older',
    ],
    [
      "an action that doesn't exist",
      () => derive({}, change('x', headerBecame('A', 'B', { only: ['users.list'] }))),
      'in users.list',
    ],
  ])('is an error: %s', (_what, run, message) => expect(run).toThrow(message))

  const Name = z.object({ fullName: z.string() })
  const ZodUser = z.object({ user: Name })
  const up = (value: object) => value as never
  const toUser = change('x', became(UserV1, User, { up, down: renamed.down! as never }))
  const toName = change('x', became(z.object({ name: z.string() }), Name, { up }))
  it.each<[what: string, schema: object, changed: Change]>([
    ['TypeBox', { body: Type.Partial(User), response: { 200: User } }, toUser],
    ['zod', { body: Name.partial(), querystring: Name }, toName],
    [
      'zod, in a property',
      { body: z.object({ user: Name.partial() }), querystring: ZodUser },
      toName,
    ],
    ['zod, alone', { body: Name.partial() }, toName],
  ])(
    'is an error: a partial of a changed schema that no change names, of %s',
    (_library, schema, changed) => {
      expect(() => derive(schema, changed)).toThrow(
        'a schema is made of its newer schema, as with extend() or partial()',
      )
    },
  )

  it('is none when the partial is named, in any order, or the actions are', () => {
    const Patch = Type.Partial(User)
    const patched = became(Type.Partial(UserV1), Patch, { up })
    const schema = { body: Patch, response: { 200: User } }
    expect(() => derive(schema, change('x', renamed, patched))).not.toThrow()
    expect(() => derive(schema, change('x', patched, renamed))).not.toThrow()
    const listed = {
      users: {
        show: { schema: { response: { 200: User } }, handler },
        update: { schema: { body: Patch }, handler },
      },
    }
    const only = change(
      'x',
      became(UserV1, User, { down: renamed.down! as never, only: ['users.show'] }),
    )
    expect(() => before(listed, only)).not.toThrow()
  })

  const VUser = v.object({ fullName: v.string() })
  const Shown = toStandardJsonSchema(VUser)
  const ArkUser = type({ fullName: 'string' })
  it.each<[what: string, schema: object, changed: Change]>([
    [
      'Valibot',
      { body: toStandardJsonSchema(v.array(VUser)), querystring: Shown },
      change('x', became(UserV1, Shown as never, { up })),
    ],
    [
      'ArkType',
      { response: { 200: ArkUser.array() }, querystring: ArkUser },
      change('x', became(UserV1, ArkUser as never, { up })),
    ],
  ])(
    "is an error: a changed schema inside one of %s that doesn't show its parts",
    (_library, schema, changed) => {
      expect(() => derive(schema, changed)).toThrow('Pass became() the outer schema')
    },
  )
})
