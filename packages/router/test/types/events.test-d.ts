// The types of events: what a sender passes, and what each version's receiver gets.
import { z } from 'zod'
import { before } from '../../src/adapter.ts'
import {
  type Events,
  type Match,
  type PayloadOf,
  api,
  became,
  change,
  createEvents,
  event,
  inherit,
  resources,
  version,
} from '../../src/index.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const check = <_ extends true>(): void => {}

const User = z.object({ id: z.string(), fullName: z.string() })
const UserV1 = z.object({ id: z.string(), name: z.string() })
const Created = z.object({ type: z.literal('created'), data: User, tags: z.array(z.string()) })
const Gone = z.object({ type: z.literal('gone'), id: z.string() })

// A handler's literals and lists are those of the schema.
const created = event(Created, {
  handler: (user: z.infer<typeof User>, { version: number }) => {
    check<Equal<typeof number, number>>()
    return { type: 'created', data: user, tags: ['new'] }
  },
})
event(Gone, { handler: (input) => ({ ...input, id: input.id.toLowerCase() }) })
event({ type: 'object' }, { handler: (id: string) => ({ id }) }) // JSON Schema has no type
event(z.string(), { handler: String })
// @ts-expect-error not the schema's type
event(Gone, { handler: () => ({ type: 'created', id: '1' }) })
// @ts-expect-error incomplete
event(Gone, { handler: () => ({ type: 'gone' }) })
// @ts-expect-error async
event(Gone, { handler: async () => ({ type: 'gone', id: '1' }) })
// @ts-expect-error misspelled
event(Gone, { sumary: '' })

const users = { created, gone: event(Gone), show: { handler: () => null } }
const v2 = { users }
const v1 = before(
  v2,
  change('…', became(UserV1, User, { down: ({ id, fullName: name }) => ({ id, name }) })),
)
type CreatedV1 = { type: 'created'; data: { id: string; name: string }; tags: string[] }
type CreatedV2 = { type: 'created'; data: { id: string; fullName: string }; tags: string[] }
type GoneV1 = { type: 'gone'; id: string }
check<Equal<PayloadOf<typeof v2.users.created>, CreatedV2>>()
check<Equal<PayloadOf<typeof v1.users.created>, CreatedV1>>()
check<Equal<PayloadOf<typeof v1.users.show>, never>>()
check<Equal<PayloadOf<(typeof v1.users)[keyof typeof v1.users]>, CreatedV1 | GoneV1>>()

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: 'show' })),
  version(2, inherit({ from: 1 })),
  version(3, inherit({ from: 2 })),
)
const { gone: _, ...usersV1 } = v1.users
const events = createEvents(routes, { 1: { users: usersV1 }, 2: v2 })
const ann = { id: '1', fullName: 'Ann' }
check<Equal<keyof typeof events, 'users'>>()
check<Equal<keyof typeof events.users, 'created' | 'gone'>>()

const one = events.users.created(ann, { version: 1 })
check<Equal<typeof one, CreatedV1>>()
const either = events.users.created(ann, { version: 1 as 1 | 2 })
check<Equal<typeof either, CreatedV1 | CreatedV2>>()
const stored = events.users.created(ann, { version: 1 as number }) // as a database has it
check<Equal<typeof stored, CreatedV1 | CreatedV2 | null>>()
const missing = events.users.gone({ type: 'gone', id: '1' }, { version: 1 })
check<Equal<typeof missing, null>>()
const undone = events.users.created(ann, { version: 3 }) // declared, without controllers
check<Equal<typeof undone, null>>()
declare const request: { readonly apiMatch: Match }
const requested = events.users.created(ann, request.apiMatch)
check<Equal<typeof requested, CreatedV1 | CreatedV2 | null>>()
const controllers = { 1: { users: usersV1 }, 2: v2 }
const named: Events<typeof routes, typeof controllers> = createEvents(routes, controllers)
const older = named.users.created(ann, { version: 1 })
check<Equal<typeof older, CreatedV1>>()
// @ts-expect-error version 4 isn't declared
events.users.created(ann, { version: 4 })
// @ts-expect-error what the handler takes is a user, not a payload
events.users.created({ type: 'created', data: ann, tags: [] }, { version: 2 })
// @ts-expect-error an action of a route
void events.users.show

// A version's own event takes what all versions' events take.
const own = createEvents(routes, {
  1: {
    users: { created: event(UserV1, { handler: ({ id }: { id: string }) => ({ id, name: id }) }) },
  },
  2: { users: { created: event(User) } },
})
const ownV1 = own.users.created(ann, { version: 1 })
check<Equal<typeof ownV1, { id: string; name: string }>>()
// Without a handler, it would get version 2's payload.
const wrong = createEvents(routes, {
  1: { users: { created: event(UserV1) } },
  2: { users: { created: event(User) } },
})
// @ts-expect-error it also needs a name
wrong.users.created(ann, { version: 1 })

// `loadControllers` doesn't know the actions' types, so nothing looks like an event.
declare const loaded: { 1: { users: { show: never } }; 2: { users: { show: never } } }
check<Equal<keyof ReturnType<typeof createEvents<unknown, typeof loaded>>, never>>()
