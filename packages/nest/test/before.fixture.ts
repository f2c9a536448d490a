import { Readable } from 'node:stream'
import {
  api,
  became,
  change,
  collection,
  get,
  headerBecame,
  inherit,
  resources,
  statusBecame,
  version,
} from '@hv/router'
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Header,
  HttpCode,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Query,
  Sse,
  StreamableFile,
  UseGuards,
  UseInterceptors,
  ClassSerializerInterceptor,
  ValidationPipe,
} from '@nestjs/common'
import { APP_PIPE } from '@nestjs/core'
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiProduces,
  ApiProperty,
  ApiPropertyOptional,
  OmitType,
} from '@nestjs/swagger'
import { Exclude, Type } from 'class-transformer'
import {
  IsEmail,
  IsIn,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateNested,
} from 'class-validator'
import { of } from 'rxjs'
import { VersionedApiModule, before } from '../src/index.ts'

// Version 2
export class Address {
  @ApiProperty()
  @IsString()
  street!: string
  @ApiProperty()
  @IsString()
  postalCode!: string
}
export class User {
  @ApiProperty()
  id!: number
  @ApiProperty()
  email!: string
  @ApiProperty()
  username!: string
  @ApiProperty({ nullable: true, type: String })
  bio!: string | null
  @ApiProperty()
  firstName!: string
  @ApiProperty()
  lastName!: string
  @ApiProperty()
  address!: Address
  @Exclude()
  passwordHash?: string
  constructor(values: Partial<User>) {
    Object.assign(this, values)
  }
}
export class UserList {
  @ApiProperty({ type: [User] })
  items!: User[]
  @ApiProperty()
  total!: number
}
export class CreateUser {
  @ApiProperty()
  @IsEmail()
  email!: string
  @ApiProperty()
  @Length(3, 20)
  username!: string
  @ApiProperty()
  @IsString()
  @MaxLength(10)
  firstName!: string
  @ApiProperty()
  @IsString()
  lastName!: string
  @ApiProperty()
  @ValidateNested()
  @Type(() => Address)
  address!: Address
}
export class UpdateUser {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  bio?: string
  @ApiPropertyOptional()
  @IsOptional()
  @MaxLength(10)
  firstName?: string
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  lastName?: string
}
export class ListUsers {
  @ApiPropertyOptional()
  @IsOptional()
  @IsIn(['lastName', 'username'])
  orderBy?: string
}
export class Failure {
  @ApiProperty()
  statusCode!: number
  @ApiProperty({ type: [String] })
  message!: string[]
}

export const seen: { guard?: unknown; body?: unknown; class?: string } = {}
@Injectable()
export class SeeBody implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ headers: Record<string, string>; body: unknown }>()
    Object.assign(seen, { guard: request.body, class: context.getClass().name })
    if (request.headers['x-deny'] !== undefined) throw new ForbiddenException('denied')
    return true
  }
}
@Injectable()
export class Users {
  readonly all = [
    new User({
      id: 1,
      email: 'ann@example.org',
      username: 'ann',
      bio: null,
      firstName: 'Ann',
      lastName: 'Lee',
      address: { street: 'Main 1', postalCode: '8000' },
      passwordHash: 'secret',
    }),
  ]
}

@Controller()
@UseGuards(SeeBody)
@UseInterceptors(ClassSerializerInterceptor)
export class UsersV2 {
  readonly users: Users
  constructor(users: Users) {
    this.users = users
  }
  @ApiOkResponse({ type: UserList })
  index(@Query() { orderBy }: ListUsers): UserList & { orderBy: string | undefined } {
    return { items: this.users.all, total: 1, orderBy }
  }
  @Header('Account', 'a1')
  @ApiOkResponse({ type: User })
  show(@Param('id', ParseIntPipe) id: number): User {
    const user = this.users.all.find((one) => one.id === id)
    if (!user) throw new NotFoundException()
    return user
  }
  @ApiCreatedResponse({ type: User })
  create(@Body() body: CreateUser): User {
    seen.body = body
    return new User({ id: 2, bio: null, ...body })
  }
  @ApiOkResponse({ type: User })
  async update(@Param('id') id: string, @Body() body: UpdateUser): Promise<User> {
    seen.body = body
    const given = Object.entries(body).filter(([, value]) => value !== undefined) // target ES2022 defines every field
    return new User({ ...this.users.all[0], id: Number(id), ...Object.fromEntries(given) })
  }
  @HttpCode(204)
  @ApiNoContentResponse()
  destroy(@Param('id') _id: string): void {}
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiProduces('text/csv')
  export(): StreamableFile {
    return new StreamableFile(Readable.from(['id,firstName\n1,Ann\n']), { type: 'text/csv' })
  }
  @Sse()
  events(): object {
    return of({ data: { firstName: 'Ann' } })
  }
  @ApiOkResponse({ type: [User] })
  @HttpCode(200)
  search(): User[] {
    return this.users.all
  }
}

// Version 1
export class AddressV1 {
  @ApiProperty()
  @IsString()
  street!: string
  @ApiProperty()
  @IsString()
  zip!: string
}
/** The address is the newer one: the change of addresses was made earlier, so it's undone later. */
export class UserV1 extends OmitType(User, ['firstName', 'lastName']) {
  @ApiProperty()
  name!: string
}
export class CreateUserV1 extends OmitType(CreateUser, ['firstName', 'lastName']) {
  @ApiProperty()
  @IsString()
  name!: string
}
export class UpdateUserV1 {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  bio?: string
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  name?: string
}
export class ListUsersV1 {
  @ApiPropertyOptional()
  @IsOptional()
  @IsIn(['name', 'username'])
  sort?: string
}

const split = (name: string) => ({
  firstName: name.split(' ')[0]!,
  lastName: name.split(' ').slice(1).join(' '),
})
/** Made first: zip became postalCode. */
export const postalCode = change(
  'The zip of an address is called postalCode.',
  became(AddressV1, Address, {
    up: ({ street, zip }) => ({ street, postalCode: zip }),
    down: ({ street, postalCode: zip }) => ({ street, zip }),
  }),
)
export const fullName = change(
  'The name of a user is in two fields.',
  became(UserV1, User, {
    down: ({ firstName, lastName, ...user }) => ({ ...user, name: `${firstName} ${lastName}` }),
  }),
  became(CreateUserV1, CreateUser, { up: ({ name, ...user }) => ({ ...user, ...split(name) }) }),
  became(UpdateUserV1, UpdateUser, {
    up: ({ name, ...user }) => ({ ...user, ...(name && split(name)) }),
  }),
  became(ListUsersV1, ListUsers, {
    up: ({ sort }) => ({ ...(sort && { orderBy: sort === 'name' ? 'lastName' : sort }) }),
  }),
)
export const lists = change(
  'A list says how many users there are.',
  became([User], UserList, { down: ({ items }) => items, only: ['users.index'] }),
)
export const created = change(
  'Creating a user responds with 201.',
  statusBecame(200, 201, { only: ['users.create'] }),
)
export const account = change(
  'The account header has no vendor.',
  headerBecame('Acme-Account', 'Account', { only: ['users.show'] }),
)
export class FailureV1 {
  @ApiProperty()
  error!: string
}
export const changes = [postalCode, fullName, lists, created, account] as const

export const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    resources(
      'users',
      { only: ['index', 'show', 'create', 'update', 'destroy'] },
      collection(get('export'), get('events'), get('search')),
    ),
  ),
  version(2, inherit({ from: 1 })),
)
export const v2 = { users: UsersV2 }
export const v1 = before(v2, ...changes)
export const controllers = { 1: v1, 2: v2 }

@Module({
  imports: [VersionedApiModule.forRoot(routes, controllers)],
  controllers: [UsersV2],
  providers: [
    Users,
    {
      provide: APP_PIPE,
      useFactory: () => new ValidationPipe({ transform: true, whitelist: true }),
    },
  ],
})
export class AppModule {}
