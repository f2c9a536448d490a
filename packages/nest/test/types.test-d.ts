import { type Match, api, cache, get, inherit, resources, version } from '@hv/router'
import {
  Body,
  Controller,
  type INestApplication,
  Param,
  Req,
  createParamDecorator,
} from '@nestjs/common'
import type { OpenAPIObject } from '@nestjs/swagger'
import { describe, it } from 'vitest'
import { ApiMatch, VersionedApiModule } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['show', 'create'] }))),
  version(
    2,
    inherit({ from: 'v1' }),
    resources('teams', { only: 'index' }),
    get('ping', { to: 'users#ping' }),
  ),
)
const Who = createParamDecorator(() => 'me')
class Service {}
@Controller()
class UsersV1 {
  readonly service: Service
  constructor(service: Service) {
    this.service = service
  }
  show(@Param('id') _id: number, @ApiMatch() _match: Match) {}
  create(@Body() _body: { a: string }, @Who() _who: string, @Req() _request: object) {}
}
@Controller()
class UsersV2 extends UsersV1 {
  ping() {}
}
@Controller()
class Teams {
  private readonly list: string[] = []
  index() {
    return this.list
  }
}
const controllers = { 1: { users: UsersV1 }, 2: { users: UsersV2, teams: Teams } }
declare const app: INestApplication
declare const config: Omit<OpenAPIObject, 'paths'>

describe('VersionedApiModule.forRoot', () => {
  it('takes classes with any constructor, members and decorated parameters', () => {
    VersionedApiModule.forRoot(routes, controllers)
    VersionedApiModule.forRoot(routes, controllers, {
      pinVersion: ({ headers }) => (headers['x'] ? 2 : 1),
    })
    VersionedApiModule.forRootAsync(routes, controllers, {
      inject: [Service],
      useFactory: (_service: Service) => ({ now: () => 0 }),
    })
  })

  it('refuses a missing version', () => {
    // @ts-expect-error version 2 is missing
    VersionedApiModule.forRoot(routes, { 1: { users: UsersV1 } })
  })

  it('refuses a missing class', () => {
    // @ts-expect-error teams is missing in version 2
    VersionedApiModule.forRoot(routes, { 1: { users: UsersV1 }, 2: { users: UsersV2 } })
  })

  it('refuses a class without an action', () => {
    VersionedApiModule.forRoot(routes, {
      1: { users: UsersV1 },
      // @ts-expect-error UsersV1 has no ping()
      2: { users: UsersV1, teams: Teams },
    })
  })

  it('refuses an instance', () => {
    // @ts-expect-error an instance in place of a class
    VersionedApiModule.forRoot(routes, { ...controllers, 1: { users: new UsersV1(new Service()) } })
  })

  it("refuses a version that's not declared", () => {
    VersionedApiModule.forRoot(routes, {
      1: { users: UsersV1 },
      2: { users: UsersV2, teams: Teams },
      // @ts-expect-error version 3 isn't declared
      3: {},
    })
    // @ts-expect-error version 7 isn't declared
    VersionedApiModule.forRoot(routes, controllers, { pinVersion: () => 7 })
  })
})

describe('createVersionDocument', () => {
  it('takes a declared version', () => {
    createVersionDocument(app, routes, controllers, 2, config)
    // @ts-expect-error version 3 isn't declared
    createVersionDocument(app, routes, controllers, 3, config)
  })
})
