import {
  type Change,
  api,
  became,
  change,
  collection,
  get,
  inherit,
  resources,
  version,
} from '@hv/router'
import { before as beforeActions, createRouter } from '@hv/router-express'
import {
  Body,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  type ExceptionFilter,
  Injectable,
  Module,
  Param,
  Res,
  Scope,
  Sse,
  type Type,
  UseInterceptors,
  ValidationPipe,
  NotFoundException,
  HttpException,
  type ArgumentsHost,
} from '@nestjs/common'
import { APP_FILTER, APP_PIPE } from '@nestjs/core'
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  DocumentBuilder,
  PartialType,
  getSchemaPath,
} from '@nestjs/swagger'
import { Type as Typed } from 'class-transformer'
import { IsString, ValidateNested } from 'class-validator'
import { map, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { VersionedApiModule, before, withResponses } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { as, createApp, listen, platforms, send } from './platforms.ts'

class User {
  @ApiProperty()
  id!: number
  @ApiProperty()
  @IsString()
  firstName!: string
  @ApiProperty()
  @IsString()
  lastName!: string
}
class UserV1 {
  @ApiProperty()
  id!: number
  @ApiProperty()
  @IsString()
  name!: string
}
class Other {
  @ApiProperty()
  b!: string
}
class OtherV1 {
  @ApiProperty()
  a!: string
}
const ann = { id: 1, firstName: 'Ann', lastName: 'Lee' }
const up = ({ id, name }: UserV1): User => ({
  id,
  firstName: name.split(' ')[0]!,
  lastName: name.split(' ')[1] ?? '',
})
const down = ({ id, firstName, lastName }: User): UserV1 => ({
  id,
  name: `${firstName} ${lastName}`,
})
const names = change('Two names.', became(UserV1, User, { up, down }))

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['index', 'show', 'create'] }, collection(get('extra')))),
  version(2, inherit({ from: 1 })),
)
interface Parts {
  readonly controllers?: readonly Type[]
  readonly providers?: readonly object[]
}
function appOf(one: object, two: object, { controllers = [], providers = [] }: Parts = {}): Type {
  @Module({
    imports: [
      VersionedApiModule.forRoot(routes, {
        1: { users: one as never },
        2: { users: two as never },
      }),
    ],
    controllers: [two as Type, ...controllers],
    providers: [
      { provide: APP_PIPE, useFactory: () => new ValidationPipe({ transform: true }) },
      ...(providers as never[]),
    ],
  })
  class Root {}
  return Root
}
@Controller()
class Base {
  @ApiOkResponse({ type: [User] })
  index(): unknown {
    return [ann]
  }
  @ApiOkResponse({ type: User })
  show(@Param('id') _id: string): unknown {
    return ann
  }
  @ApiCreatedResponse({ type: User })
  create(@Body() body: User): unknown {
    return body
  }
  @ApiOkResponse({ schema: {} })
  extra(): unknown {
    return 'x'
  }
}
const post = (body: unknown): RequestInit => ({ method: 'POST', headers: as(1, { 'content-type': 'application/json' }), body: JSON.stringify(body) }) // prettier-ignore
const get1 = { headers: as(1) }

describe.each(platforms)('before() on $name', (platform) => {
  const serve = async (metatype: Type, parts?: Parts, changes: readonly Change[] = [names]) => {
    const { users } = before({ users: metatype }, ...changes)
    const app = await createApp(appOf(users, metatype, parts), platform)
    return `${await listen(app)}/api/users`
  }
  const start = (metatype: Type, changes?: readonly Change[]) => serve(metatype, undefined, changes)

  it('request-scoped controllers', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Store {
      readonly user = ann
    }
    @Controller()
    class Users extends Base {
      constructor(readonly store: Store) {
        super()
      }
      @ApiOkResponse({ type: User })
      override show(@Param('id') _id: string): unknown {
        return this.store.user
      }
    }
    Reflect.defineMetadata('design:paramtypes', [Store], Users)
    const url = await serve(Users, { providers: [Store] })
    expect((await send(`${url}/1`, get1)).body).toEqual({ id: 1, name: 'Ann Lee' })
    expect((await send(url, post({ id: 3, name: 'A B' }))).body).toEqual({ id: 3, name: 'A B' })
  })
  it('an interceptor that wraps, declared with getSchemaPath()', async () => {
    class Envelope {
      intercept(_context: object, next: { handle(): any }) {
        return next.handle().pipe(map((data) => ({ data })))
      }
    }
    @Controller()
    @UseInterceptors(Envelope)
    class Users extends Base {
      @ApiExtraModels(User)
      @ApiOkResponse({ schema: { properties: { data: { $ref: getSchemaPath(User) } } } })
      override show(@Param('id') _id: string): unknown {
        return ann
      }
    }
    const url = await serve(Users)
    expect((await send(`${url}/1`, get1)).body).toEqual({ data: { id: 1, name: 'Ann Lee' } })
    expect((await send(url, post({ id: 3, name: 'A B' }))).status).toBe(500) // create doesn't declare it
  })
  it('@Res(), passthrough, Observable', async () => {
    @Controller()
    class Users extends Base {
      @ApiOkResponse({ type: [User] })
      override index(): unknown {
        return of([ann])
      }
      @ApiOkResponse({ type: User })
      override show(@Param('id') _id: string, @Res() response?: any): unknown {
        return platform.name === 'Express' ? response.json(ann) : response.send(ann)
      }
      @ApiCreatedResponse({ type: User })
      override create(@Body() body: User, @Res({ passthrough: true }) response?: any): unknown {
        response.status(201)
        return body
      }
    }
    const url = await serve(Users)
    expect((await send(url, get1)).body).toEqual([{ id: 1, name: 'Ann Lee' }])
    expect((await send(`${url}/1`, get1)).body).toEqual({ id: 1, name: 'Ann Lee' })
    expect(await send(url, post({ id: 3, name: 'A B' }))).toMatchObject({
      status: 201,
      body: { name: 'A B' },
    })
  })
  it('errors of filters', async () => {
    class Failure {
      @ApiProperty()
      message!: string
    }
    class FailureV1 {
      @ApiProperty()
      error!: string
    }
    @Catch()
    class Filter implements ExceptionFilter {
      catch(error: HttpException, host: ArgumentsHost) {
        const response = host.switchToHttp().getResponse<any>()
        response.status(error.getStatus())
        return platform.name === 'Express'
          ? response.json({ message: error.message })
          : response.send({ message: error.message })
      }
    }
    @Controller()
    class Users extends Base {
      @ApiOkResponse({ type: User })
      @ApiNotFoundResponse({ type: Failure })
      override show(@Param('id') _id: string): unknown {
        throw new NotFoundException('gone')
      }
    }
    const errors = change(
      '…',
      became(FailureV1, Failure, { down: ({ message }) => ({ error: message }) }),
    )
    const url = await serve(Users, { providers: [{ provide: APP_FILTER, useClass: Filter }] }, [
      names,
      errors,
    ])
    expect(await send(`${url}/1`, get1)).toMatchObject({ status: 404, body: { error: 'gone' } })
    const plain = await serve(Users, {}, [names, errors])
    expect(await send(`${plain}/1`, get1)).toMatchObject({ status: 404, body: { error: 'gone' } }) // Nest's own filter
  })
  it('withResponses(), for what filters send', async () => {
    class Failure {
      @ApiProperty()
      message!: string
    }
    class FailureV1 {
      @ApiProperty()
      error!: string
    }
    @Controller()
    class Users extends Base {
      @ApiOkResponse({ type: User })
      override show(@Param('id') _id: string): unknown {
        throw new NotFoundException('gone')
      }
    }
    const v2 = withResponses({ users: Users }, { '4xx': Failure })
    const failed = change(
      '…',
      became(FailureV1, Failure, { down: ({ message }) => ({ error: message }) }),
    )
    const v1 = before(v2, names, failed)
    const controllers = { 1: v1, 2: v2 }
    @Module({
      imports: [VersionedApiModule.forRoot(routes, controllers)],
      controllers: [Users],
    })
    class Root {}
    const app = await createApp(Root, platform)
    const url = `${await listen(app)}/api/users`
    expect(await send(`${url}/1`, get1)).toMatchObject({ status: 404, body: { error: 'gone' } })
    expect((await send(`${url}/1`, { headers: as(2) })).body).toMatchObject({ message: 'gone' })
    expect((await send(url, get1)).body).toEqual([{ id: 1, name: 'Ann Lee' }])
    const config = new DocumentBuilder().build()
    const [one, two] = ([1, 2] as const).map((n) =>
      JSON.stringify(createVersionDocument(app, routes, controllers, n, config)),
    )
    expect(one).toContain('schemas/FailureV1"')
    expect(two).toContain('schemas/Failure"')
  })
  it('a class that declares what its methods return', async () => {
    @Controller()
    @ApiResponse({ status: '2XX', schema: {} })
    class Users extends Base {
      override extra(): unknown {
        return ['x']
      }
    }
    const users = before({ users: Users }, names)
    const app = await createApp(appOf(users.users, Users), platform)
    expect((await send(`${await listen(app)}/api/users/extra`, get1)).body).toEqual(['x'])
    const controllers = { 1: users, 2: { users: Users } }
    const config = new DocumentBuilder().build()
    const [one, two] = ([1, 2] as const).map((n) =>
      Object.keys(
        createVersionDocument(app, routes, controllers, n, config).paths['/api/users/extra']!.get!
          .responses,
      ),
    )
    expect(two).toContain('200')
    expect(one).toEqual(two)
  })
  it('a class of the app that extends a derived one', async () => {
    @Controller()
    class UsersV1 extends before({ users: Base }, names).users {
      @ApiOkResponse({ type: UserV1 })
      show(@Param('id') _id: string): unknown {
        return { id: 0, name: `own ${this.constructor.name}` }
      }
    }
    const app = await createApp(appOf(UsersV1, Base, { controllers: [UsersV1] }), platform)
    const url = `${await listen(app)}/api/users`
    expect((await send(`${url}/1`, get1)).body).toEqual({ id: 0, name: 'own UsersV1' })
    expect((await send(url, get1)).body).toEqual([{ id: 1, name: 'Ann Lee' }])
    expect((await send(url, post({ id: 3, name: 'A B' }))).body).toEqual({ id: 3, name: 'A B' })
  })
  it('three versions', async () => {
    class UserV0 {
      @ApiProperty()
      id!: number
      @ApiProperty()
      @IsString()
      title!: string
    }
    const three = api(
      { vendorString: 'acme' },
      version(1, resources('users', { only: ['index', 'show', 'create'] })),
      version(2, inherit({ from: 1 })),
      version(3, inherit({ from: 2 })),
    )
    const v3 = { users: Base }
    const v2 = before(v3, names)
    const v1 = before(v2, change('…', became(UserV0, UserV1, { up: ({ id, title }) => ({ id, name: title }), down: ({ id, name }) => ({ id, title: name }) }))) // prettier-ignore
    @Module({ imports: [VersionedApiModule.forRoot(three, { 1: v1, 2: v2, 3: v3 } as never)], controllers: [Base], providers: [{ provide: APP_PIPE, useFactory: () => new ValidationPipe({ transform: true }) }] }) // prettier-ignore
    class Root {}
    const app = await createApp(Root, platform)
    const url = `${await listen(app)}/api/users`
    expect((await send(`${url}/1`, get1)).body).toEqual({ id: 1, title: 'Ann Lee' })
    expect((await send(url, post({ id: 3, title: 'A B' }))).body).toEqual({ id: 3, title: 'A B' })
    expect((await send(url, post({ id: 3, title: 5 }))).body.message).toEqual([
      'title must be a string',
    ])
    expect((await send(`${url}/1`, { headers: as(2) })).body).toEqual({ id: 1, name: 'Ann Lee' })
    const document = createVersionDocument(
      app,
      three,
      { 1: v1, 2: v2, 3: v3 } as never,
      1,
      new DocumentBuilder().build(),
    ) as any
    expect(Object.keys(document.components.schemas)).toContain('UserV0')
    expect(Object.keys(document.components.schemas)).not.toContain('UserV1')
  })
  it('DTOs with class-validator alone', async () => {
    class Tag {
      @IsString()
      label!: string
    }
    class TagV1 {
      @IsString()
      text!: string
    }
    class Post {
      @ValidateNested()
      @Typed(() => Tag)
      tags!: Tag[]
    }
    @Controller()
    @UseInterceptors(ClassSerializerInterceptor)
    class Posts {
      @ApiOkResponse({ type: [Post] })
      index() {
        return [{ tags: [{ label: 'a' }] }]
      }
      @ApiOkResponse({ type: Post })
      show(@Param('id') _id: string) {
        return { tags: [{ label: 'a' }] }
      }
      @ApiCreatedResponse({ type: Post })
      create(@Body() body: Post) {
        return body
      }
      @ApiOkResponse({ schema: {} })
      extra() {}
    }
    const tags = change(
      '…',
      became(TagV1, Tag, {
        up: ({ text }) => ({ label: text }),
        down: ({ label }) => ({ text: label }),
      }),
    )
    const url = await start(Posts, [tags])
    expect((await send(url, get1)).body).toEqual([{ tags: [{ text: 'a' }] }])
    expect(await send(url, post({ tags: [{ text: 'b' }] }))).toMatchObject({
      status: 201,
      body: { tags: [{ text: 'b' }] },
    })
    expect((await send(url, post({ tags: [{ label: 'b' }] }))).body.message).toEqual([
      'tags.0.text must be a string',
    ])
  })
  it('a conversion that throws, or returns a promise', async () => {
    for (const bad of [
      () => {
        throw new Error('x')
      },
      () => Promise.resolve({}) as never,
    ]) {
      // prettier-ignore
      const url = await start(Base, [change('…', became(UserV1, User, { up, down: bad }))])
      expect((await send(`${url}/1`, get1)).status).toBe(500)
      const other = await start(Base, [change('…', became(UserV1, User, { up: bad, down }))])
      expect((await send(other, post({ id: 1, name: 'A B' }))).status).toBe(500)
    }
  })
  it('null', async () => {
    @Controller()
    class Users extends Base {
      @ApiOkResponse({ type: User })
      override show(): unknown {
        return null
      }
    }
    expect((await send(`${await serve(Users)}/1`, get1)).status).toBe(200)
  })

  const refusals: [string, () => Type, readonly Change[], RegExp][] = [
    [
      "an action that doesn't say what it returns",
      () => {
        @Controller() class Users extends Base { @ApiOperation({}) override show(@Param('id') _id: string): unknown { return ann } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.show\(\) doesn't say what it returns with 200\. Add @ApiResponse/,
    ],
    [
      'an undecorated action',
      () => {
        @Controller() class Users extends Base { override index(): unknown { return [ann] } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.index\(\) doesn't say what it returns/,
    ],
    [
      "a status that isn't declared",
      () => {
        @Controller() class Users extends Base { @ApiOkResponse({ type: User }) override create(@Body() body: User): unknown { return body } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.create\(\) doesn't say what it returns with 201/,
    ],
    [
      'a response with nothing but a description',
      () => {
        @Controller() class Users extends Base { @ApiCreatedResponse({ description: 'The user.' }) override create(@Body() body: User): unknown { return body } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.create\(\) doesn't say what it returns with 201/,
    ],
    [
      // As the compiler plugin declares it for `(): { user: User }`.
      'a response with nothing but a status',
      () => {
        @Controller() class Users extends Base { @ApiOkResponse() override show(): unknown { return { user: ann } } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.show\(\) can't be converted: its response 200 has no type that can be read\. Declare its type, or schema: \{\} if nothing/,
    ],
    [
      'a DTO inside a body',
      () => {
        @Controller() class Users extends Base { @ApiCreatedResponse({ type: User }) override create(@Body('user') body: User): unknown { return body } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.create\(\) takes 'user' of a body that changed\. Take the whole DTO/,
    ],
    [
      'several actions at once',
      () => {
        @Controller() class Users extends Base { override index(): unknown { return [] } override show(@Param('id') _id: string): unknown { return ann } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.index\(\) doesn't say .+\nUsers\.show\(\) doesn't say/,
    ],
    [
      'a body of an unknown type',
      () => {
        @Controller() class Users extends Base { @ApiCreatedResponse({ type: User }) override create(@Body() body: object): unknown { return body } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.create\(\) can't be converted: its body has no type that can be read/,
    ],
    [
      'a property of a body',
      () => {
        @Controller() class Users extends Base { @ApiCreatedResponse({ type: User }) override create(@Body('firstName') body: any, @Body() _user?: User): unknown { return body } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.create\(\) takes 'firstName' of a body that changed/,
    ],
    [
      'messages of @Sse()',
      () => {
        @Controller() class Users extends Base { @Sse() @ApiOkResponse({ type: User }) override extra(): unknown { return of({ data: ann }) } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.extra\(\) has @Sse\(\), @Render\(\) or @RouteSchema\(\), and none of them can be converted/,
    ],
    [
      'a subclass of a DTO',
      () => {
        class Admin extends User { @ApiProperty() level!: number } // prettier-ignore
        @Controller() class Users extends Base { @ApiOkResponse({ type: Admin }) override show(@Param('id') _id: string): unknown { return ann } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.show\(\) has Admin, made of User\. Declare what it became/,
    ],
    [
      'a partial',
      () => {
        class Update extends PartialType(User) {}
        @Controller() class Users extends Base { @ApiCreatedResponse({ type: User }) override create(@Body() body: Update): unknown { return body } } // prettier-ignore
        return Users
      },
      [names],
      /Users\.create\(\): a schema is made of its newer schema/,
    ],
    ['a change that touches nothing', () => Base, [names, change('x', became(OtherV1, Other, { down: ({ b }) => ({ a: b }) }))], /its newer schema is unused.*add its DTO class: @ApiOkResponse/], // prettier-ignore
    [
      'a missing up',
      () => Base,
      [change('x', became(UserV1, User, { down }))],
      /a request contains its newer schema\. Add up/,
    ],
    [
      'a missing down',
      () => Base,
      [change('x', became(UserV1, User, { up }))],
      /Base\.index\(\): a response contains its newer schema\. Add down/,
    ],
  ]
  it.each(refusals)('refuses %s', async (_name, metatype, changes, message) => {
    await expect(async () => start(metatype(), changes)).rejects.toThrow(message)
  })
})

describe("another adapter's", () => {
  it('controllers are refused by before()', () => {
    const users = { show: () => ann }
    expect(() => before({ users } as never, names)).toThrow(
      'users has to be a controller class, such as UsersController, or an object of events.',
    )
  })

  it('before() refuses classes, and the adapter those of Nest', () => {
    expect(() => beforeActions({ users: Base }, names)).toThrow('its newer schema is unused')
    const older = before({ users: Base }, names)
    expect(() => createRouter(routes, { 1: older, 2: older } as never)).toThrow(
      'controllers[1].users (a class or function: pass an object, such as new UsersController())',
    )
  })
})
