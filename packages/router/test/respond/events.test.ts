import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { before } from '../../src/adapter.ts'
import {
  type PayloadOf,
  RouterError,
  api,
  became,
  change,
  createEvents,
  event,
  get,
  headerBecame,
  inherit,
  resources,
  statusBecame,
  version,
  withResponses,
} from '../../src/index.ts'
import { bindActions } from '../../src/internal.ts'

const User = z.object({ id: z.string(), fullName: z.string(), status: z.enum(['active', 'gone']) })
const UserV2 = z.object({ id: z.string(), fullName: z.string(), active: z.boolean() })
const UserV1 = z.object({ id: z.string(), name: z.string(), active: z.boolean() })
const Team = z.object({ id: z.string(), members: z.array(User) })

/** What every receiver gets. `api_version` comes from the context, so no change has to convert it. */
const envelope = <const Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    id: z.string(),
    type: z.literal(type),
    api_version: z.int(),
    data: z.object({ object: data }),
  })
const UserCreated = envelope('user.created', User)
const UserAdded = envelope('user.added', UserV1)
const TeamChanged = envelope('team.changed', Team)
/** All events, for one stream. */
const Message = z.discriminatedUnion('type', [UserCreated, TeamChanged])

const users = {
  show: { schema: { response: { 200: User } }, handler: () => {} },
  created: event(UserCreated, {
    handler: ({ id, user }: { id: string; user: z.infer<typeof User> }, context) => ({
      id,
      type: 'user.created',
      api_version: context.version,
      data: { object: user },
    }),
  }),
}
const stream = { message: event(Message), 'team.changed': event(TeamChanged) }

const statusIsAnEnum = change(
  'A user has a status instead of active.',
  became(UserV2, User, {
    down: ({ status, ...user }) => ({ ...user, active: status === 'active' }),
  }),
)
const fullName = change(
  'A name is called fullName.',
  became(UserV1, UserV2, { down: ({ fullName: name, ...user }) => ({ ...user, name }) }),
)
const v3 = { users, stream }
const v2 = before(v3, statusIsAnEnum)
const v1 = before(v2, fullName)

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: 'show' })),
  version(2, inherit({ from: 1 })),
  version(3, inherit({ from: 2 })),
)
const events = createEvents(routes, { 1: v1, 2: v2, 3: v3 })
const ann = { id: 'u1', fullName: 'Ann Lee', status: 'active' } as const
const annV2 = { id: 'u1', fullName: 'Ann Lee', active: true }
const annV1 = { id: 'u1', name: 'Ann Lee', active: true }

const errorOf = (run: () => unknown): RouterError => {
  try {
    run()
  } catch (error) {
    return error as RouterError
  }
  throw new Error('nothing was thrown')
}

describe('createEvents', () => {
  it.each([
    [1, annV1],
    [2, annV2],
    [3, ann],
  ])('makes the payload of version %s, with its version in the envelope', (number, user) => {
    const payload = events.users.created({ id: 'e1', user: ann }, { version: number })
    expect(payload).toEqual({
      id: 'e1',
      type: 'user.created',
      api_version: number,
      data: { object: user },
    })
  })

  it('converts each member of a union by its tag, inside lists as well', () => {
    const created = {
      id: 'e1',
      type: 'user.created',
      api_version: 3,
      data: { object: ann },
    } as const
    expect(events.stream.message(created, { version: 1 }).data.object).toEqual(annV1)
    const object = { id: 't1', members: [ann, ann] }
    const changed = { id: 'e2', type: 'team.changed', api_version: 3, data: { object } } as const
    const older = events.stream.message(changed, { version: 2 })
    expect(older.data.object).toEqual({ id: 't1', members: [annV2, annV2] })
    expect(events.stream['team.changed'](changed, { version: 1 }).data.object.members).toEqual([
      annV1,
      annV1,
    ])
    expect(object.members[0]).toBe(ann) // what the app passed stays as it was
  })

  it('converts TypeBox schemas as it does those of zod', () => {
    const Newer = Type.Object({ id: Type.String(), fullName: Type.String() })
    const Older = Type.Object({ id: Type.String(), name: Type.String() })
    const Created = Type.Object({ type: Type.Literal('created'), data: Newer })
    const Merged = Type.Object({ type: Type.Literal('merged'), data: Type.Array(Newer) })
    const newest = { webhooks: { created: event(Created), any: event(Type.Union([Created, Merged])) } } // prettier-ignore
    const rename = became(Older, Newer, { down: ({ id, fullName: name }) => ({ id, name }) })
    const older = before(newest, change('A name is called fullName.', rename))
    const { created, any } = createEvents(routes, { 2: older, 3: newest }).webhooks
    const data = { id: 'u1', fullName: 'Ann' }
    const dataV2 = { id: 'u1', name: 'Ann' }
    expect(created({ type: 'created', data }, { version: 2 })?.data).toEqual(dataV2)
    expect(any({ type: 'created', data }, { version: 2 })?.data).toEqual(dataV2)
    expect(any({ type: 'merged', data: [data] }, { version: 2 })?.data).toEqual([dataV2])
    expect(any({ type: 'merged', data: [data] }, { version: 3 })?.data).toEqual([data])
  })

  it('makes the newest payload without a copy', () => {
    const message = {
      id: 'e1',
      type: 'user.created',
      api_version: 3,
      data: { object: ann },
    } as const
    expect(events.stream.message(message, { version: 3 })).toBe(message)
  })

  it("returns null for a version that doesn't have the event, and for one without controllers", () => {
    const { 'team.changed': _, ...older } = v1.stream
    const some = createEvents(routes, { 2: v2, 1: { ...v1, stream: older } })
    const team: PayloadOf<(typeof v3.stream)['team.changed']> = {
      id: 'e',
      type: 'team.changed',
      api_version: 2,
      data: { object: { id: 't', members: [ann] } },
    }
    expect(some.stream['team.changed'](team, { version: 1 })).toBeNull()
    expect(some.stream['team.changed'](team, { version: 3 })).toBeNull()
    expect(some.stream['team.changed'](team, { version: 2 })).not.toBeNull()
  })

  it('converts a renamed type with became, as any other value', () => {
    const renamed = change(
      'The event user.added is called user.created.',
      became(UserAdded, envelope('user.created', UserV1), {
        down: (e) => ({ ...e, type: 'user.added' }),
      }),
    )
    const newest = renamed.became[0].newer
    const newer = { users: { created: event(newest) } }
    const both = createEvents(routes, { 1: before(newer, renamed), 2: newer })
    const payload = {
      id: 'e',
      type: 'user.created',
      api_version: 2,
      data: { object: annV1 },
    } as const
    expect(both.users.created(payload, { version: 1 })?.type).toBe('user.added')
  })

  it('calls a handler of an older version, with this, and converts what it returns further down', () => {
    class Stored {
      #names = new Map([['u1', 'Ann']])
      created = event(UserV2, {
        handler: ({ id }: { id: string }) => ({ id, fullName: this.#names.get(id)!, active: true }),
      })
    }
    const newest = { users: { created: event(User) } }
    const middle = { users: new Stored() }
    const mixed = createEvents(routes, { 1: before(middle, fullName), 2: middle, 3: newest })
    expect(mixed.users.created(ann, { version: 3 })).toBe(ann)
    expect(mixed.users.created(ann, { version: 2 })).toEqual({ ...annV2, fullName: 'Ann' })
    expect(mixed.users.created(ann, { version: 1 })).toEqual({ ...annV1, name: 'Ann' })
  })

  it('calls a handler on its controller, for a derived version on the newer one', () => {
    class Users {
      #prefix = 'Dr. '
      created = event(UserV2, {
        handler(this: unknown, id: string) {
          return { id, fullName: (this as Users).nameOf(id), active: true }
        },
      })
      nameOf(id: string): string {
        return this.#prefix + id
      }
    }
    const newer = { users: new Users() }
    const both = createEvents(routes, { 1: before(newer, fullName), 2: newer })
    expect(both.users.created('Ann', { version: 2 }).fullName).toBe('Dr. Ann')
    expect(both.users.created('Ann', { version: 1 }).name).toBe('Dr. Ann')
  })

  it('ignores what changes about statuses, and the responses of withResponses', () => {
    const Failure = z.object({ message: z.string() })
    const newer = withResponses({ users }, { '4xx': Failure, default: Failure })
    const older = before(
      newer,
      change('A user is shown with 200.', statusBecame(203, 200)),
      statusIsAnEnum,
    )
    const some = createEvents(routes, { 2: older, 3: newer })
    expect(some.users.created({ id: 'e', user: ann }, { version: 2 })?.data.object).toEqual(annV2)
  })

  it("doesn't copy an event for what changes about statuses and headers", () => {
    const older = before(
      { users },
      change(
        'A user is shown with 203, and the trace has a different name.',
        statusBecame(203, 200),
        headerBecame('X-Trace', 'Trace-Id'),
      ),
    )
    expect(older.users.created).toBe(users.created)
    expect(older.users.show).not.toBe(users.show)
  })

  it('converts an event whose schema is also an error with a status of its own', () => {
    const Failure = z.object({ message: z.string() })
    const FailureV1 = z.object({ error: z.string() })
    const FailureV0 = z.object({ reason: z.string() })
    const down = ({ message: error }: z.infer<typeof Failure>) => ({ error })
    const downAgain = ({ error: reason }: z.infer<typeof FailureV1>) => ({ reason })
    const newest = withResponses({ users: { failed: event(Failure) } }, { 404: User })
    const middle = before(
      newest,
      change('It was a 400.', became(FailureV1, Failure, { down, status: 400 })),
    )
    const oldest = before(
      middle,
      change('An error is a reason.', became(FailureV0, FailureV1, { down: downAgain })),
    )
    const some = createEvents(routes, { 1: oldest, 2: middle, 3: newest })
    const failed = { message: 'gone' }
    expect(some.users.failed(failed, { version: 2 })).toEqual({ error: 'gone' })
    expect(some.users.failed(failed, { version: 1 })).toEqual({ reason: 'gone' })
  })

  it('names the event and its payload if a change has no down', () => {
    const { code, message } = errorOf(() =>
      before({ users: { created: event(User) } }, change('A name.', became(UserV1, User, {}))),
    )
    expect(code).toBe('HV_CHANGE')
    expect(message).toContain('in users.created: a payload contains its newer schema. Add down')
  })

  it('counts a schema that only events have, or only routes, as used', () => {
    const down = ({ fullName: name, ...user }: z.infer<typeof UserV2>) => ({ ...user, name })
    const both = { users: { created: event(UserV2) }, admins: { show: users.show } }
    expect(() => before(both, change('A name.', became(UserV1, UserV2, { down })))).not.toThrow()
    expect(() => before(both, statusIsAnEnum)).not.toThrow()
  })

  it.each([
    ['a promise', () => Promise.reject(new Error('never unhandled'))],
    ['a promise inside the payload', () => ({ ...ann, fullName: Promise.resolve('Ann') })],
  ])('rejects %s, which JSON.stringify would write as {}', (_what, handler) => {
    const some = createEvents(routes, {
      3: { users: { created: event(User, { handler } as never) } },
    })
    const { code, message } = errorOf(() => some.users.created(ann, { version: 3 }))
    expect(code).toBe('HV_OPTION')
    expect(message).toContain('users.created')
  })

  it('leaves what a down throws to the caller', () => {
    const failing = became(UserV1, UserV2, {
      down: () => {
        throw new RangeError('no such name')
      },
    })
    const newer = { users: { created: event(UserV2) } }
    const some = createEvents(routes, { 1: before(newer, change('A name.', failing)), 2: newer })
    expect(() => some.users.created(annV2, { version: 1 })).toThrow(RangeError)
  })

  it('names the versions that there are', () => {
    const error = errorOf(() =>
      events.users.created({ id: 'e', user: ann }, { version: 4 as number }),
    )
    expect(error.code).toBe('HV_UNKNOWN_VERSION')
    expect(error.message).toContain('1, 2, 3')
  })

  it.each<[string, () => unknown]>([
    ['api', () => createEvents(undefined as never, {})],
    ['controllers', () => createEvents(routes, undefined as never)],
    ['options', () => events.users.created({ id: 'e', user: ann }, undefined as never)],
    ['schema', () => event(undefined as never)],
    ['schema', () => event(Date)],
    ['handler', () => event(User, { handler: 1 as never })],
    ['handler', () => event(User, { handler: (async () => ann) as never })],
    ['sumary', () => event(User, { sumary: '' } as never)],
  ])('rejects a wrong %s', (option, run) => {
    const { code, details } = errorOf(run)
    expect([code, (details as { option: string }).option]).toEqual(['HV_OPTION', option])
  })

  it("isn't for routes", () => {
    const served = api({ vendorString: 'acme' }, version(3, get('x', { to: 'users#created' })))
    const { code, message } = errorOf(() => bindActions(served, { 3: v3 }))
    expect(code).toBe('HV_MISSING_ACTIONS')
    expect(message).toContain('controllers[3].users.created (an event)')
  })

  it.each(['constructor', '__proto__', 'toString'])("derives an event that's called %s", (name) => {
    const newer = { users: Object.fromEntries([[name, event(UserV2)]]) }
    const both = createEvents(routes, { 1: before(newer, fullName), 2: newer })
    expect(Object.keys(both.users)).toEqual([name])
    expect(both.users[name]!(annV2, { version: 1 })).toEqual(annV1)
  })

  it('finds the events that a controller inherits, as before does', () => {
    class Users {
      get created() {
        return event(UserV2)
      }
    }
    const newer = { users: new Users() }
    const both = createEvents(routes, { 1: before(newer, fullName), 2: newer })
    expect(both.users.created(annV2, { version: 1 })).toEqual(annV1)
    expect(both.users.created(annV2, { version: 2 })).toBe(annV2)
  })

  it("doesn't mistake a payload that's undefined for an event that isn't there", () => {
    const some = createEvents(routes, {
      3: { users: { created: event(User, { handler: (() => {}) as never }) } },
    })
    expect(some.users.created(ann, { version: 3 })).toBeUndefined()
    expect(some.users.created(ann, { version: 2 })).toBeNull()
  })

  it("has only own names, even if they're those of every object", () => {
    const named = createEvents(routes, { 3: { constructor: { toString: event(User) } } })
    expect(Object.keys(named)).toEqual(['constructor'])
    expect(named.constructor.toString(ann, { version: 3 })).toBe(ann)
    expect(Object.keys(events.users)).toEqual(['created'])
  })
})
