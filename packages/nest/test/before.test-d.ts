import { type Api, became, change } from '@hv/router'
import { createClient, typesOf } from '@hv/router-client'
import { before as beforeActions, createRouter } from '@hv/router-express'
import { Controller, StreamableFile } from '@nestjs/common'
import type { Observable } from 'rxjs'
import { describe, expectTypeOf, it } from 'vitest'
import { type NestControllers, VersionedApiModule, before } from '../src/index.ts'
import {
  CreateUser,
  CreateUserV1,
  User,
  UserList,
  UserV1,
  UsersV2,
  controllers,
  routes,
} from './before.fixture.ts'

type Table = typeof routes extends Api<infer T> ? T : never
const fullName = change('…', became(UserV1, User, { down: () => ({}) as UserV1 }))

describe('became', () => {
  it('knows the values of DTO classes and of lists', () => {
    became(UserV1, User, {
      down: (user) => {
        expectTypeOf(user).toEqualTypeOf<User>()
        const { firstName, lastName, ...rest } = user
        return { ...rest, name: `${firstName} ${lastName}` }
      },
    })
    const down = (list: UserList) => list.items
    became([User], UserList, { down })
    became([User], UserList, { down: (list) => (expectTypeOf(list).toEqualTypeOf<UserList>(), []) })
  })

  it('refuses a wrong field', () => {
    // @ts-expect-error a user has no fullName
    became(UserV1, User, { down: ({ fullName: name, ...user }) => ({ ...user, name }) })
    const down = ({ firstName, lastName, ...user }: User) => ({ ...user, fullName: firstName })
    // @ts-expect-error the older user has a name
    became(UserV1, User, { down })
  })

  it('refuses a missing field', () => {
    // @ts-expect-error lastName is missing
    became(CreateUserV1, CreateUser, { up: ({ name, ...user }) => ({ ...user, firstName: name }) })
  })

  it('refuses a list for an object, and an object for a list', () => {
    // @ts-expect-error the older user isn't a list
    became(UserV1, User, { down: () => [] as UserV1[] })
    // @ts-expect-error the older list isn't an envelope
    became([User], UserList, { down: (list) => list })
    // @ts-expect-error its elements are users
    became([User], UserList, { down: ({ total }) => [total] })
  })
})

describe('before', () => {
  it('returns what forRoot takes', () => {
    const v1 = before({ users: UsersV2 }, fullName)
    VersionedApiModule.forRoot(routes, { 1: v1, 2: { users: UsersV2 } })
    VersionedApiModule.forRoot(routes, { 1: before(v1, fullName), 2: v1 })
    expectTypeOf({ 1: v1, 2: { users: UsersV2 } }).toExtend<NestControllers<Table>>()
  })

  it('returns classes that a class of the app extends', () => {
    @Controller()
    class UsersV1 extends before({ users: UsersV2 }, fullName).users {
      show(): UserV1 {
        return {} as UserV1
      }
    }
    VersionedApiModule.forRoot(routes, { 1: { users: UsersV1 }, 2: { users: UsersV2 } })
  })

  it('knows which actions the class has', () => {
    @Controller()
    class Few {
      show() {}
    }
    VersionedApiModule.forRoot(routes, {
      // @ts-expect-error Few has no index()
      1: before({ users: Few }, fullName),
      2: { users: UsersV2 },
    })
  })

  it("isn't another adapter's", () => {
    const v1 = beforeActions({ users: UsersV2 }, fullName)
    // @ts-expect-error Express's before() returns actions
    VersionedApiModule.forRoot(routes, { 1: v1, 2: { users: UsersV2 } })
    const older = before({ users: UsersV2 }, fullName)
    // @ts-expect-error Express needs controllers, and Nest's before() returns classes
    createRouter(routes, { 1: older, 2: older })
    // @ts-expect-error Nest needs classes
    before({ users: { show: () => null } }, fullName)
  })
})

describe('typesOf', () => {
  const baseUrl = 'https://acme.example'
  const types = typesOf<typeof controllers>

  it('knows what a written class returns, and no bodies', () => {
    const client = createClient(routes, { baseUrl, version: 2, types })
    expectTypeOf(client.users.show({ id: 1 })).resolves.toHaveProperty('firstName')
    expectTypeOf(client.users.update({ id: 1 })).resolves.toHaveProperty('lastName')
    expectTypeOf(client.users.export()).resolves.toEqualTypeOf<unknown>()
    expectTypeOf<Parameters<typeof client.users.create>[0]>().toExtend<
      { readonly body?: unknown } | undefined
    >()
    void client.users.create({ body: 7 })
  })

  it('knows nothing of a derived class', () => {
    const client = createClient(routes, { baseUrl, version: 1, types })
    expectTypeOf(client.users.show({ id: 1 })).resolves.toEqualTypeOf<unknown>()
  })

  it('knows what Observables and files are', () => {
    class Users extends UsersV2 {
      observe(): Observable<{ at: Date }> {
        return null as never
      }
      file(): StreamableFile {
        return null as never
      }
    }
    const client = createClient(
      null as unknown as Api<{ 2: { users: { observe: {}; file: {} } } }>,
      {
        baseUrl,
        version: 2,
        types: typesOf<{ 2: { users: typeof Users } }>,
      },
    )
    expectTypeOf(client.users.observe()).resolves.toEqualTypeOf<{ at: string }>()
    expectTypeOf(client.users.file()).resolves.toEqualTypeOf<unknown>()
  })
})
