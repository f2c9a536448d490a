// Webhooks and other messages of a Nest app, whose payloads are DTO classes.
import {
  type Events,
  type PayloadOf,
  api,
  became,
  change,
  createEvents,
  get,
  inherit,
  resources,
  version,
} from '@hv/router'
import { Controller, Inject, Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ApiOkResponse, ApiProperty, DocumentBuilder, OmitType } from '@nestjs/swagger'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { VersionedApiModule, before, event, withResponses } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { createApp, platforms } from './platforms.ts'
import { validDocument } from './valid-document.ts'

class User {
  @ApiProperty()
  id!: string
  @ApiProperty()
  fullName!: string
}
class UserV1 {
  @ApiProperty()
  id!: string
  @ApiProperty()
  name!: string
}
class UserV0 extends OmitType(UserV1, ['id'] as const) {
  @ApiProperty()
  id!: number
}
class UserCreated {
  @ApiProperty()
  type!: string
  @ApiProperty()
  version!: number
  @ApiProperty()
  user!: User
}
class Export {
  @ApiProperty({ type: [User] })
  users!: User[]
  @ApiProperty({ type: User, nullable: true })
  owner!: User | null
}
class Internal {
  @ApiProperty()
  user!: User
}
class Unreadable {
  @ApiProperty()
  user!: User | string // TypeScript emits Object
}
class Failure {
  @ApiProperty()
  message!: string
}

@Controller()
class UsersController {
  @ApiOkResponse({ type: User })
  show() {
    return ann
  }
}
const ann: User = { id: '1', fullName: 'Ann' }
const annV1: UserV1 = { id: '1', name: 'Ann' }

const webhooks = {
  'user.created': event(UserCreated, {
    summary: 'A user signed up.',
    handler: (user: User, { version: number }) => ({ type: 'user.created', version: number, user }),
  }),
  exported: event(Export, { hide: true }),
  users: event([User], { hide: true }),
  internal: event(Internal, { hide: true }),
}
const fullName = change(
  'A name is called fullName.',
  became(UserV1, User, { down: ({ id, fullName: name }) => ({ id, name }) }),
)
const newest = { users: UsersController, webhooks }
const middle = before(newest, fullName)
const oldest = before(
  middle,
  change(
    'An id is a number.',
    became(UserV0, UserV1, { down: ({ id, ...user }) => ({ ...user, id: Number(id) }) }),
  ),
)
const controllers = { 1: oldest, 2: middle, 3: newest }
const routes = api(
  { vendorString: 'acme' },
  version(1, { deprecated: '2027-01-01' }, resources('users', { only: 'show' })),
  version(2, inherit({ from: 1 })),
  version(3, inherit({ from: 2 })),
)

@Injectable()
class Sender {
  private readonly events: Events<typeof routes, typeof controllers>
  constructor(@Inject('EVENTS') events: Events<typeof routes, typeof controllers>) {
    this.events = events
  }
  payloadOf(number: number): object | null {
    return this.events.webhooks['user.created'](ann, { version: number })
  }
}
/** It doesn't import the API's module. */
@Module({ controllers: [UsersController], providers: [Sender], exports: [Sender] })
class UsersModule {}

const payloads: readonly [number, object][] = [
  [1, { type: 'user.created', version: 1, user: { id: 1, name: 'Ann' } }],
  [2, { type: 'user.created', version: 2, user: annV1 }],
  [3, { type: 'user.created', version: 3, user: ann }],
]

describe('createEvents', () => {
  const events = createEvents(routes, controllers)

  it.each(payloads)("makes version %i's payload, with the DTO inside", (number, payload) => {
    expect(events.webhooks['user.created'](ann, { version: number })).toEqual(payload)
  })

  it('converts DTOs in lists, and those that may be null', () => {
    const older = events.webhooks.exported({ users: [ann, ann], owner: null }, { version: 2 })
    expect(older).toEqual({ users: [annV1, annV1], owner: null })
    const owned = events.webhooks.exported({ users: [], owner: ann }, { version: 2 })
    expect(owned).toEqual({ users: [], owner: annV1 })
    expect(events.webhooks.users([ann], { version: 2 })).toEqual([annV1])
  })

  it('types each payload', () => {
    expectTypeOf<PayloadOf<(typeof webhooks)['user.created']>>().toEqualTypeOf<UserCreated>()
    type Older = PayloadOf<(typeof middle)['webhooks']['user.created']>
    expectTypeOf<Older['user']>().toEqualTypeOf<UserV1>()
    // @ts-expect-error version 4 isn't declared
    expect(() => events.webhooks.users([ann], { version: 4 })).toThrow('HV_UNKNOWN_VERSION')
    // @ts-expect-error not the payload
    event(UserCreated, { handler: () => ({ type: 1 }) })
  })

  it("leaves out what an older version doesn't have", () => {
    const { exported: _, ...others } = middle.webhooks
    const some = createEvents(routes, { 2: { webhooks: others }, 3: newest })
    expect(some.webhooks.exported({ users: [], owner: null }, { version: 2 })).toBeNull()
    expect(some.webhooks.users([ann], { version: 2 })).toEqual([annV1])
  })

  it('reads events behind withResponses', () => {
    const more = { 3: withResponses(newest, { '4xx': Failure }) }
    expect(createEvents(routes, more).webhooks.users([ann], { version: 3 })).toEqual([ann])
  })

  it('names the event if a change has no down', () => {
    const v2 = before({ webhooks }, change('A name.', became(UserV1, User, {})))
    expect(() => createEvents(routes, { 2: v2 })).toThrow(
      'in webhooks.user.created: a payload contains its newer schema. Add down',
    )
  })

  it.each(['constructor', '__proto__', 'toString'])("derives an event that's called %s", (name) => {
    const v3 = { events: Object.fromEntries([[name, event(User)]]) }
    const some = createEvents(routes, { 2: before(v3, fullName), 3: v3 })
    expect(some.events[name]!(ann, { version: 2 })).toEqual(annV1)
  })

  it("says that it's a payload that isn't what its DTO says", () => {
    const v3 = { events: { some: event(User) } }
    const some = createEvents(routes, { 2: before(v3, fullName), 3: v3 })
    expect(() => some.events.some({} as never, { version: 2 })).toThrow(
      'A response or a payload should be User, but has none of its properties.',
    )
  })

  it.each([
    [
      'a function in place of a DTO',
      () => User,
      "some can't be converted: its payload has no type",
    ],
    ["a DTO that can't be read", Unreadable, 'Unreadable.user has no type that can be read'],
    ['a DTO made of the changed one', class Admin extends User {}, 'has Admin, made of User'],
  ])('stops at %s', (_what, dto, problem) => {
    const v2 = before({ events: { some: event(dto), user: event(User) } }, fullName)
    expect(() => createEvents(routes, { 2: v2 })).toThrow(problem)
  })

  it('rejects a DTO that a circular import left undefined, and an object with other actions', () => {
    expect(() => event(undefined as never)).toThrow('HV_OPTION')
    expect(() => before({ users: { show() {} } } as never, fullName)).toThrow(
      'users has to be a controller class, such as UsersController, or an object of events.',
    )
  })
})

describe.each(platforms)('an app on $name', (platform) => {
  const versioned = VersionedApiModule.forRoot(routes, controllers, { eventsToken: 'EVENTS' })
  @Module({ imports: [UsersModule, versioned] })
  class AppModule {}

  it.each(payloads)("injects the functions for version %i's payload", async (number, payload) => {
    const app = await createApp(AppModule, platform)
    await app.init()
    expect(app.get(Sender).payloadOf(number)).toEqual(payload)
  })

  it.each([
    [1, { id: 'number', name: 'string' }],
    [2, { id: 'string', name: 'string' }],
    [3, { id: 'string', fullName: 'string' }],
  ] as const)('lists the webhooks in the document of version %i', async (number, user) => {
    const app = await createApp(AppModule, platform)
    await app.init()
    const config = new DocumentBuilder().setTitle('Acme').build()
    const created = createVersionDocument(app, routes, controllers, number, config)
    const document = await validDocument(created)
    expect(Object.keys(document.webhooks)).toEqual(['webhooks.user.created'])
    expect(document.components.schemas).not.toHaveProperty('Internal')
    const { post } = document.webhooks['webhooks.user.created']
    expect(post).toMatchObject({
      operationId: 'webhooks.user.created',
      summary: 'A user signed up.',
      ...(number === 1 && { deprecated: true }),
    })
    const { schema } = post.requestBody.content['application/json']
    const at = (reference: string) => document.components.schemas[reference.split('/').at(-1)!]
    const payload = at(schema.$ref)
    const { properties } = at((payload.properties.user.allOf?.[0] ?? payload.properties.user).$ref)
    const types = Object.entries<any>(properties).map(([name, { type }]) => [name, type])
    expect(Object.fromEntries(types)).toEqual(user)
  })

  it("stops the start if a DTO can't be read", async () => {
    const v3 = { users: UsersController, events: { some: event(Unreadable) } }
    const broken = { 1: v3, 2: before(v3, fullName), 3: v3 }
    const served = VersionedApiModule.forRoot(routes, broken, { eventsToken: 'EVENTS' })
    @Module({ imports: [UsersModule, served] })
    class Broken {}
    await expect(createApp(Broken, platform)).rejects.toThrow(
      "events.some can't be converted: Unreadable.user has no type that can be read",
    )
  })

  it('has no events for routes', async () => {
    const routed = api({ vendorString: 'acme' }, version(1, get('x', { to: 'webhooks#exported' })))
    const served = VersionedApiModule.forRoot(routed, { 1: { webhooks } } as never)
    @Module({ imports: [served] })
    class Broken {}
    const app = await createApp(Broken, platform)
    await expect(app.init()).rejects.toThrow(
      /HV_MISSING_ACTIONS[^]*controllers\[1\]\['?webhooks'?\]\.exported \(an event\)/,
    )
  })

  it('injects the events of two APIs by different tokens', async () => {
    const shopRoutes = api(
      { vendorString: 'shop', path: '/shop' },
      version(1, resources('users', { only: 'show' })),
    )
    const shop = { 1: { users: UsersController, orders: { placed: event(Failure) } } }
    const shopModule = VersionedApiModule.forRoot(shopRoutes, shop, { eventsToken: 'SHOP_EVENTS' })
    @Module({ imports: [UsersModule, versioned, shopModule] })
    class TwoApis {}
    const app = await createApp(TwoApis, platform)
    await app.init()
    expect(Object.keys(app.get('EVENTS'))).toEqual(['webhooks'])
    expect(Object.keys(app.get('SHOP_EVENTS'))).toEqual(['orders'])
  })
})

it('injects events into an app without HTTP', async () => {
  @Module({
    imports: [
      UsersModule,
      VersionedApiModule.forRoot(routes, controllers, { eventsToken: 'EVENTS' }),
    ],
  })
  class Worker {}
  const app = await NestFactory.createApplicationContext(Worker, { logger: false })
  onTestFinished(() => app.close())
  expect(app.get(Sender).payloadOf(2)).toEqual(payloads[1]![1])
})
