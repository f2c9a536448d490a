// Whatever library a schema is of, version 1 is sent what it was promised, or the app doesn't start and says why.
import { RouterError, api, became, change, inherit, resources, version } from '@hv/router'
import { ajvValidator, before, createRouter } from '@hv/router-fetch'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { Type as TypeBox0 } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import * as ark from 'arktype'
import * as effect from 'effect'
import Joi from 'joi'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Type as TypeBox1 } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as yup from 'yup'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import { isAll } from '../../../tools/test-all.ts'
import { installOnce } from '../../../tools/runtimes.ts'
import * as opaque from './opaque-libraries.ts'
import * as declared from './schema-libraries.ts'
import { type Library, type Shape, values } from './schema-libraries.ts'

const require = createRequire(import.meta.url)
const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, resources('users', { only: ['show', 'create'] })),
  version(2, inherit({ from: 1 })),
)
const rename = (value: unknown, from: string, to: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(from, to))

type Part = 'body' | 'response'

/** Whether version 1 is converted if an action has a schema, or else why the app doesn't start. */
async function verdictOf(
  { Older, User }: Library,
  [shape, schema]: readonly [Shape, object],
  part: Part,
  isAlone: boolean,
): Promise<string> {
  const newer = values[shape]
  const older = rename(newer, 'fullName', 'name')
  let received: unknown
  const schemaOf = (described: object) =>
    part === 'body' ? { body: described } : { response: { 200: described } }
  const create = (_request: unknown, { body }: { body?: unknown }) => {
    received = body
    return Response.json(newer)
  }
  const show = { schema: isAlone ? {} : schemaOf(User), handler: () => Response.json(null) }
  const v2 = { users: { show, create: { schema: schemaOf(schema), handler: create } } }
  const up = (value: unknown) => rename(value, 'name', 'fullName') as never
  const down = (value: unknown) => rename(value, 'fullName', 'name') as never
  let v1: object
  try {
    v1 = before(v2, change('A name is a fullName.', became(Older, User, { up, down })))
  } catch (error) {
    if (error instanceof RouterError && error.code === 'HV_CHANGE') return error.details.problem
    throw error
  }
  const validator = ajvValidator(new Ajv({ strict: false }))
  const handle = createRouter(routes, { 1: v1, 2: v2 } as never, { validator })
  const response = await handle(
    new Request('http://acme.example/users', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(older),
    }),
  )
  const sent: unknown = part === 'body' ? received : await response.json()
  expect([response.status, sent]).toEqual([200, part === 'body' ? newer : older])
  return 'converted'
}

const verdicts = {
  converted: 'converted',
  library:
    "its newer schema is, or may be, part of a schema that can't be taken apart. Pass became() the " +
    'outer schema and, in only, the actions that have it: only: ["users.show"]',
  derived:
    'a schema is made of its newer schema, as with extend() or partial(), or has copies of its ' +
    'properties. Add became() for that schema, or list the changed actions in only',
}
type Verdicts = Partial<Record<keyof typeof verdicts, string>>

/** The library shows the parts of its schemas. */
const shown: Verdicts = {
  converted: 'whole list nested optional nullable union record tuple lazy copied',
  library: 'default transform',
  derived: 'extended partial omitted spread',
}
const plain: Verdicts = {
  converted: 'whole list nested optional nullable union record tuple transform lazy copied',
  derived: 'default extended partial omitted spread',
}
type Row = readonly [name: string, library: Library, expected: Verdicts | string]

const wrap = toStandardJsonSchema as (schema: never) => object
const rows: readonly Row[] = [
  ['zod 4.6', declared.zod(z, require('zod').z), shown],
  ['zod/mini 4.6', declared.mini(mini, require('zod/mini')), shown],
  ['zod/v3', declared.zod3(z3, require('zod/v3').z), 'zod 3'],
  ['Valibot 1.5', declared.valibot(v, require('valibot')), shown],
  ['Valibot with JSON Schema', declared.wrapped(wrap)(v, require('valibot')), 'valibot'],
  ['Valibot with JSON Schema around', declared.wrapped(wrap, (schema) => schema)(v, v), 'valibot'],
  ['ArkType 2.2', opaque.arktype(ark, ark), 'arktype'],
  ['TypeBox 0.34', declared.typebox0(TypeBox0, require('@sinclair/typebox').Type), plain],
  ['TypeBox 1.4', declared.typebox1(TypeBox1, TypeBox1), plain],
  ['Effect 3', opaque.effect(effect, effect), 'effect'],
  ['Yup 1.7', opaque.yup(yup, yup), 'yup'],
  ['Joi 18', opaque.joi(Joi, Joi), 'joi'],
  ['JSON Schema', declared.jsonSchema(null, null), plain],
  ...(isAll ? await olderReleases() : []),
]

/** What apps may still have. Their copies are of the newest release. */
async function olderReleases(): Promise<readonly Row[]> {
  const load = async (...packages: string[]) =>
    createRequire(join(await installOnce(packages), 'x.js'))
  const [first, second, third, fourth, fifth, sixth] = await Promise.all([
    load('zod@3.23.8', 'valibot@0.42.1', 'arktype@2.1.20', 'joi@17.13.3', 'yup@1.6.1'),
    load('zod@3.24.4', 'valibot@1.0.0', 'arktype@2.1.29', 'effect@3.13.0'),
    load('zod@3.25.76'),
    load('zod@4.0.17'),
    load('zod@4.1.13'),
    load('zod@4.2.1'),
  ])
  // An adapter rejects such a schema when it validates with it.
  const unusable = ({ shapes: { whole: _whole, ...shapes }, ...library }: Library) =>
    [{ ...library, shapes }, 'a library without Standard Schema'] as const
  return [
    ['zod 3.23', ...unusable(declared.zod3(first('zod').z, first('zod').z))],
    ['zod 3.24', declared.zod3(second('zod').z, z3), 'zod 3'],
    ['zod 3.25', declared.zod3(third('zod').z, z3), 'zod 3'],
    ['zod 4 in 3.25', declared.zod(third('zod/v4').z, z), shown],
    ['zod 4.0', declared.zod(fourth('zod').z, z), shown],
    ['zod 4.1', declared.zod(fifth('zod').z, z), shown],
    ['zod 4.2', declared.zod(sixth('zod').z, z), shown],
    ['Valibot 0.42', ...unusable(declared.valibot(first('valibot'), first('valibot')))],
    ['Valibot 1.0', declared.valibot(second('valibot'), v), shown],
    ['ArkType 2.1 without JSON Schema', opaque.arktype(first('arktype'), ark), 'arktype'],
    ['ArkType 2.1', opaque.arktype(second('arktype'), ark), 'arktype'],
    ['Effect 3.13', opaque.effect(second('effect'), effect), 'effect'],
    ['Yup 1.6', ...unusable(opaque.yup(first('yup'), first('yup')))],
    ['Joi 17', ...unusable(opaque.joi(first('joi'), first('joi')))],
  ]
}

describe.each(rows)('%s', (_name, library, expected) => {
  const isOpaque = typeof expected === 'string'
  const shapes = Object.entries(library.shapes) as readonly (readonly [Shape, object])[]
  it.each(shapes)('%s', async (shape, schema) => {
    const closed: Verdicts = shape === 'whole' ? { converted: shape } : { library: shape }
    const verdict = Object.entries(isOpaque ? closed : expected).find(([, names]) =>
      names.split(' ').includes(shape),
    )![0] as keyof typeof verdicts
    for (const part of ['body', 'response'] as const)
      for (const isAlone of [false, true]) {
        const actual = await verdictOf(library, [shape, schema], part, isAlone)
        expect(`${shape}: ${actual}`).toContain(`${shape}: ${verdicts[verdict]}`)
        if (isOpaque && verdict === 'library')
          expect(actual).toContain(`. It's a schema of ${expected}`)
      }
  })
})

describe('a schema made of the changed one', () => {
  const User = z.object({ id: z.number(), fullName: z.string() })
  const OlderUser = z.object({ id: z.number(), name: z.string() })
  const down = ({ fullName: name, ...rest }: { fullName: string }) => ({ ...rest, name }) as never
  const renamed = became(OlderUser, User, { down })
  const derive = (schema: object, ...steps: (typeof renamed)[]) => {
    const handler = () => null
    const show = { schema: { response: { 200: User } }, handler }
    const index = { schema: { response: { 200: schema } }, handler }
    return before({ users: { show, index } }, change('A name.', ...steps))
  }
  const Admin = User.extend({ role: z.string() })

  it.each<[where: string, schema: object]>([
    ['in a list', z.array(Admin)],
    ['in a transformation', z.array(Admin).transform((list) => list.length)],
    ['in a lazy schema in a transformation', z.lazy(() => Admin).transform(() => 1)],
    ['behind a default', Admin.catch({ id: 1, fullName: '', role: '' })],
    ['of one that was made of it', Admin.omit({ id: true }).partial().strict()],
    ['whose property became optional or null', z.object({ fullName: User.shape.fullName.nullish() })], // prettier-ignore
    ['in JSON Schema', { type: 'array', items: Admin }],
  ])('stops the start %s', (_where, schema) => {
    expect(() => derive(schema, renamed)).toThrow(
      "can't be undone in users.index: a schema is made of its newer schema",
    )
    expect(() => derive(schema, renamed)).toThrow("Both have the property 'fullName'")
  })

  it("is converted if a change names it, and left alone if only doesn't list its action", () => {
    const OlderAdmin = OlderUser.extend({ role: z.string() })
    const admins = became(OlderAdmin, Admin, { down })
    expect(() => derive(Admin, renamed, admins)).not.toThrow()
    expect(() => derive(Admin, admins, renamed)).not.toThrow()
    expect(() => derive(Admin, { ...renamed, only: ['users.show'] })).not.toThrow()
  })

  const Id = z.number()
  const VId = v.number()
  const Name = z.string()
  it.each<[what: string, older: object, newer: object, other: object]>([
    [
      'an Id',
      z.object({ id: Id, name: z.string() }),
      z.object({ id: Id, fullName: z.string() }),
      z.object({ id: Id, at: z.iso.date() }),
    ],
    [
      "an Id that's equal in both versions",
      z.object({ id: z.number(), name: z.string() }),
      z.object({ id: Id, fullName: z.string() }),
      z.object({ id: Id }),
    ],
    [
      "Valibot's Id that's equal in both versions",
      v.object({ id: v.number(), name: v.string() }),
      v.object({ id: VId, fullName: v.string() }),
      v.object({ id: VId }),
    ],
    [
      'what stands for every name',
      z.object({ id: Id, name: Name }),
      z.object({ id: Id, fullName: Name }),
      z.object({ id: Id, fullName: Name }),
    ],
    [
      'equal contents',
      TypeBox0.Object({ name: TypeBox0.String() }),
      TypeBox0.Object({ fullName: TypeBox0.String() }),
      TypeBox0.Object({ fullName: TypeBox0.String() }),
    ],
  ])("isn't one that shares %s", (_what, older, newer, other) => {
    const handler = () => null
    const schema = { body: newer, response: { 200: other } }
    const changed = change('x', became(older, newer, { up: (value) => value as never }))
    expect(() => before({ users: { show: { schema, handler } } }, changed)).not.toThrow()
  })

  it("isn't what the schema was before, if only a property was required since", () => {
    const Newer = TypeBox1.Object({ id: TypeBox1.Number(), name: TypeBox1.String() })
    const Older = TypeBox1.Partial(Newer)
    const schema = { response: { 200: TypeBox1.Array(Newer) }, body: Newer }
    const changed = change('x', became(Older, Newer, { up: (value) => value as never, down: (value) => value })) // prettier-ignore
    expect(() =>
      before({ users: { show: { schema, handler: () => null } } }, changed),
    ).not.toThrow()
  })
})

it("a library says nothing about a different one's schemas", () => {
  const schema = { body: z3.object({ data: z3.string() }), response: { 200: yup.object({}) } }
  const User = z.object({ fullName: z.string() })
  const users = { show: { schema: { response: { 200: User } }, handler: () => null }, create: { schema, handler: () => null } } // prettier-ignore
  const changed = change('x', became(z.object({ name: z.string() }), User, { down: ({ fullName: name }) => ({ name }) })) // prettier-ignore
  expect(() => before({ users }, changed)).not.toThrow()
})

it('a schema that shows its JSON Schema only stops the start if it may hold a changed property', () => {
  const [Newer, Older] = [ark.type({ fullName: 'string' }), ark.type({ name: 'string' })]
  const changed = change('x', became(Older, Newer, { down: ({ fullName: name }) => ({ name }) }))
  const derive = (other: object) => {
    const schema = { response: { 200: Newer, 404: other } }
    return () => before({ users: { show: { schema, handler: () => null } } }, changed)
  }
  expect(derive(ark.type({ message: 'string' }))).not.toThrow()
  expect(derive(ark.type({ message: { fullName: 'number' } }))).toThrow('a schema of arktype')
})
