import { became, change } from '@hv/router'
import type { Type } from '@nestjs/common'
import { expectTypeOf, it } from 'vitest'
import { type NestControllers, before } from '../src/index.ts'
import {
  User,
  UserList,
  UserV1,
  CreateUser,
  CreateUserV1,
  UsersV2,
  routes,
} from './before.fixture.ts'

it('knows the values of DTO classes', () => {
  became(UserV1, User, {
    down: (user) => {
      expectTypeOf(user).toEqualTypeOf<User>()
      const { firstName, lastName, ...rest } = user
      return { ...rest, name: `${firstName} ${lastName}` }
    },
  })
  // @ts-expect-error -- there is no fullName
  became(UserV1, User, { down: ({ fullName, ...user }) => ({ ...user, name: fullName }) })
  // @ts-expect-error -- the older user has a name
  became(UserV1, User, {
    down: ({ firstName, lastName, ...user }) => ({ ...user, fullName: firstName }),
  })
  // @ts-expect-error -- lastName is missing
  became(CreateUserV1, CreateUser, { up: ({ name, ...user }) => ({ ...user, firstName: name }) })
  became([User], UserList, {
    down: (list) => (expectTypeOf(list).toEqualTypeOf<UserList>(), list.items),
  })
  // @ts-expect-error -- an older list has users
  became([User], UserList, { down: ({ total }) => [total] })
})

it('returns what forRoot takes', () => {
  const v1 = before(
    { users: UsersV2 },
    change('…', became(UserV1, User, { down: () => ({}) as UserV1 })),
  )
  expectTypeOf(v1.users).toExtend<Type<UsersV2>>()
  const controllers = { 1: v1, 2: { users: UsersV2 } }
  expectTypeOf(controllers).toExtend<
    NestControllers<typeof routes extends import('@hv/router').Api<infer T> ? T : never>
  >()
})
