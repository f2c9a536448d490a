// What a conversion makes of a request is validated like a request of the newer version.
import { api, became, cache, change, inherit, resources, version } from '@hv/router'
import { Ajv } from 'ajv'
import express, { type NextFunction, type Request, type Response } from 'express'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RouterOptions, ajvValidator, before, createRouter } from '../src/index.ts'
import { listen, send } from './listen.ts'

const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, cache({ as: 'v1' }, resources('users', { only: 'create' }))),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }))),
  version(3, inherit({ from: 'v2' })),
)
const name = { name: { type: 'string' } }
const schemas = {
  'JSON Schema': [
    { type: 'object', properties: name, required: ['name'] },
    {
      type: 'object',
      properties: { fullName: { type: 'string', maxLength: 20 }, age: { type: 'integer' } },
      required: ['fullName'],
      additionalProperties: false,
    },
    { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  ],
  zod: [
    z.looseObject({ name: z.string() }),
    z.strictObject({ fullName: z.string().max(20), age: z.coerce.number().optional() }),
    z.object({ title: z.string() }),
  ],
} as const
const long = 'x'.repeat(21)

interface Setup {
  readonly library?: keyof typeof schemas
  readonly up?: (older: never) => unknown
  readonly options?: RouterOptions
}
const rename = ({ name: fullName, ...rest }: { name: string }) => ({ fullName, ...rest })

const used: unknown[] = []
async function serve({ library = 'JSON Schema', up = rename, options = {} }: Setup = {}) {
  const [Older, User, Newest] = schemas[library] as readonly [object, object, object]
  const renamed = change('A name is a fullName.', became(Older, User, { up: up as never }))
  const titled = change(
    'A fullName is a title.',
    became(User, Newest, { up: ({ fullName }) => ({ title: fullName.trim() }) }),
  )
  const handler = ({ body }: Request, res: Response): unknown => res.json({ handled: body })
  const use = ({ body }: Request, _res: Response, next: NextFunction): void => {
    used.push(body)
    next()
  }
  const v2 = { users: { create: { use: [use], schema: { body: User }, handler } } }
  const v3 = { users: { create: { use: [use], schema: { body: Newest }, handler } } }
  // Version 2 is written, and version 1 follows; or both follow from version 3.
  const written = { 1: before(v2, renamed), 2: v2, 3: v3 }
  const derived = { 1: before(before(v3, titled), renamed), 2: before(v3, titled), 3: v3 }
  const validator = ajvValidator(new Ajv({ removeAdditional: false, coerceTypes: true }))
  const ports = await Promise.all(
    [written, derived].map((controllers) => {
      const app = express().use(
        express.json(),
        createRouter(routes, controllers as never, { validator, ...options }),
      )
      app.use(
        (error: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) =>
          res.status(error.status ?? 500).json(error.message),
      )
      return listen(app)
    }),
  )
  return async (body: object, number = 1, chain: 0 | 1 = 0) => {
    const headers = {
      accept: `application/vnd.acme+json;version=${number}`,
      'content-type': 'application/json',
    }
    const received = await send(ports[chain]!, {
      method: 'POST',
      path: '/users',
      headers,
      body: JSON.stringify(body),
    })
    return [received.status, JSON.parse(received.bytes.toString()), received.headers['vary']]
  }
}

describe.each(['JSON Schema', 'zod'] as const)('a converted request with %s', (library) => {
  it('is refused in the name of the change', async () => {
    const post = await serve({ library })
    expect((await post({ name: 'Dora' }))[1]).toEqual({ handled: { fullName: 'Dora' } })
    expect(await post({ name: long })).toMatchObject([
      400,
      expect.stringMatching(/^body is .* 'A name is a fullName\.': fullName .*20 characters/),
      'Accept',
    ])
  })

  it('is refused in the name of the change when it lacks a newer property', async () => {
    const post = await serve({ library, up: () => ({}) })
    const message = /^body is rejected after the change 'A name is a fullName\.': .*fullName/
    expect(await post({ name: 'Dora' })).toMatchObject([
      400,
      expect.stringMatching(message),
      'Accept',
    ])
  })

  it('has the properties that the newer version allows, as it coerces them', async () => {
    const post = await serve({ library })
    expect((await post({ name: 'Dora', age: '7' }))[1]).toEqual({
      handled: { fullName: 'Dora', age: 7 },
    })
    const statuses = [
      await post({ name: 'Dora', role: 'admin' }),
      await post({ fullName: 'Dora', role: 'admin' }, 2),
    ]
    expect(statuses.map(([status]) => status)).toEqual([400, 400])
  })

  it('goes through every version on its way', async () => {
    const post = await serve({ library })
    expect((await post({ name: ' Dora' }, 1, 1))[1]).toEqual({ handled: { title: 'Dora' } })
    expect((await post({ fullName: ' Dora' }, 2, 1))[1]).toEqual({ handled: { title: 'Dora' } })
    expect((await post({ name: long }, 1, 1))[1]).toMatch(
      /^body is rejected after the change 'A name is a fullName\.': fullName /,
    )
  })
})

it('is only converted with validator: false', async () => {
  const post = await serve({ options: { validator: false } })
  expect((await post({ name: long }))[1]).toEqual({ handled: { fullName: long } })
})

it('shows middleware what the older client sent', async () => {
  const post = await serve()
  used.length = 0
  await post({ name: 'Dora' })
  expect(used).toEqual([{ name: 'Dora' }])
})

const failures: readonly (readonly [what: string, message: string, up: () => unknown])[] = [
  // oxlint-disable-next-line no-throw-literal -- that is the test
  ['undefined', "the change 'A name is a fullName.' threw undefined", () => { throw undefined }], // prettier-ignore
  // oxlint-disable-next-line no-throw-literal -- Express would skip the route
  ["'route'", "the change 'A name is a fullName.' threw 'route'", () => { throw 'route' }], // prettier-ignore
  [
    'a promise',
    'its conversion returns a promise. Write a controller.',
    () => Promise.reject(new Error('no')),
  ],
]
it.each(failures)(
  'is an error with status 500 when the conversion makes %s of it',
  async (_what, message, up) => {
    const post = await serve({ up })
    expect(await post({ name: 'Dora' })).toMatchObject([
      500,
      expect.stringContaining(message),
      'Accept',
    ])
  },
)
