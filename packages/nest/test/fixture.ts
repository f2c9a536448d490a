// An app that uses what Nest puts around a handler.
import { Readable } from 'node:stream'
import {
  type Match,
  api,
  cache,
  collection,
  get,
  inherit,
  member,
  post,
  resources,
  version,
} from '@hv/router'
import {
  type ArgumentsHost,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  HttpCode,
  HttpException,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestModule,
  Param,
  ParseIntPipe,
  Query,
  Redirect,
  Req,
  Res,
  Scope,
  SetMetadata,
  Sse,
  StreamableFile,
  UploadedFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
  createParamDecorator,
} from '@nestjs/common'
import {
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  HttpAdapterHost,
  REQUEST,
  Reflector,
} from '@nestjs/core'
import { MessagePattern } from '@nestjs/microservices'
import { FileInterceptor } from '@nestjs/platform-express'
import {
  ApiBearerAuth,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiResponse,
} from '@nestjs/swagger'
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler'
import { Exclude } from 'class-transformer'
import { IsEmail, IsString, MinLength } from 'class-validator'
import { interval, map, of, take } from 'rxjs'
import { ApiMatch, VersionedApiModule } from '../src/index.ts'

export const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    { deprecated: '2026-01-01', sunset: '2099-01-01', successor: 2 },
    cache(
      { as: 'v1' },
      resources(
        'users',
        { only: ['index', 'show', 'create', 'update', 'destroy'] },
        member(post('lock')),
        collection(get('search', { to: 'users#search' }), post('search', { to: 'users#search' })),
      ),
      resources(
        'files',
        { only: ['show', 'create'] },
        collection(
          get('raw'),
          get('stream'),
          get('events'),
          get('old'),
          get('later'),
          get('callback'),
        ),
      ),
    ),
  ),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }), resources('teams', { only: ['index'] }))),
  version(3, { sunset: '2020-01-01', successor: 2 }, inherit({ from: 'v2' })),
)

/** What the app has seen. A test empties it. */
export const seen: string[] = []

const Roles = (...roles: string[]) => SetMetadata('roles', roles)
const Agent = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>()
  return `${headers['x-agent']} ${context.getClass().name}.${context.getHandler().name}`
})

@Injectable()
class GlobalGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const { apiMatch, headers } = context
      .switchToHttp()
      .getRequest<{ apiMatch?: Match; headers: object }>()
    seen.push(
      `${context.getType()} ${context.getClass().name}.${context.getHandler().name} ${apiMatch?.version}`,
    )
    return !('x-banned' in headers)
  }
}
@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}
  canActivate(context: ExecutionContext) {
    const roles = this.reflector.getAllAndOverride<string[] | undefined>('roles', [
      context.getHandler(),
      context.getClass(),
    ])
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>()
    return roles === undefined || roles.includes(headers['x-role']!)
  }
}
@Injectable()
class Audit {
  record(line: string) {
    seen.push(line)
    return true
  }
}
/** Its dependency is a provider of the controller's module. */
@Injectable()
export class ControllerGuard implements CanActivate {
  constructor(private readonly audit: Audit) {}
  canActivate(context: ExecutionContext) {
    return this.audit.record(`guarded ${context.getClass().name}`)
  }
}
@Injectable()
class Envelope implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((data: unknown) => ({ data })))
  }
}
class NotFound extends Error {}
@Catch(NotFound)
class NotFoundFilter {
  constructor(private readonly host: HttpAdapterHost) {}
  catch(error: NotFound, host: ArgumentsHost) {
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { lost: error.message }, 404)
  }
}

export class CreateUserV1 {
  @ApiProperty()
  @IsString()
  @MinLength(2)
  name!: string
}
export class CreateUserV2 extends CreateUserV1 {
  @ApiProperty({ format: 'email' })
  @IsEmail()
  email!: string
}
export class UserV1 {
  @ApiProperty()
  id!: number
  @ApiProperty()
  name!: string
  @Exclude()
  password = 'secret'
  constructor(user: Partial<UserV1>) {
    Object.assign(this, user)
  }
}
export class UserV2 {
  @ApiProperty()
  id!: number
  @ApiProperty({ description: 'given name' })
  first!: string
  constructor(user: Partial<UserV2>) {
    Object.assign(this, user)
  }
}

@Injectable()
export class UsersService {
  find(id: number) {
    if (id === 404) throw new NotFound(`user ${id}`)
    return { id, first: 'Ann', last: 'Lee' }
  }
}
let accounts = 0
@Injectable({ scope: Scope.REQUEST })
class Account {
  readonly number = ++accounts
  constructor(@Inject(REQUEST) private readonly request: { headers: Record<string, string> }) {}
  name() {
    return this.request.headers['x-account']
  }
}

@ApiBearerAuth()
@UseGuards(ControllerGuard, RolesGuard)
@UseFilters(NotFoundFilter)
@Controller()
export class UsersV1 {
  constructor(protected readonly users: UsersService) {}

  index(
    @Agent() agent: string,
    @Query('page', new ParseIntPipe({ optional: true })) page = 1,
  ): object {
    return { page, agent }
  }
  @ApiOkResponse({ type: UserV1 })
  @ApiOperation({ summary: 'Shows a user' })
  show(@Param('id', ParseIntPipe) id: number): object {
    const { first, last } = this.users.find(id)
    return new UserV1({ id, name: `${first} ${last}` })
  }
  @ApiResponse({ status: 201, type: UserV1 })
  create(@Body() body: CreateUserV1): object {
    return { created: body, as: body.constructor.name }
  }
  @Roles('admin')
  update(@Param('id') id: string, @Req() { method }: { method: string }) {
    return { id, method }
  }
  @HttpCode(204)
  destroy(@Param('id') _id: string) {}

  @UseInterceptors(Envelope)
  @Header('X-Lock', 'yes')
  lock(@Param('id') id: string, @ApiMatch() match: Match) {
    return { id, version: match.version }
  }
  search(@Query('q') q: string): unknown {
    return [q]
  }
  /** The class also serves a transport. */
  @MessagePattern('users.find')
  message(id: number) {
    return { message: this.users.find(id).first }
  }
}
@Controller()
export class UsersV2 extends UsersV1 {
  @ApiOkResponse({ type: UserV2 })
  override show(@Param('id', ParseIntPipe) id: number): object {
    return new UserV2({ id, first: this.users.find(id).first })
  }
  @ApiResponse({ status: 201, type: UserV2 })
  override create(@Body() body: CreateUserV2): object {
    return { created: body, as: body.constructor.name }
  }
  @Throttle({ default: { limit: 2, ttl: 60_000 } })
  @SkipThrottle({ default: false })
  override search(@Query('q') q: string): unknown {
    return { q }
  }
}

@Controller({ scope: Scope.REQUEST })
export class TeamsV2 {
  constructor(private readonly account: Account) {}
  index() {
    return { account: this.account.name(), number: this.account.number }
  }
}

interface NativeResponse {
  header(name: string, value: string): void
  status(code: number): NativeResponse
  send(body: unknown): void
}

@Controller()
export class FilesController {
  show(@Param('id') id: string, @Res({ passthrough: true }) response: NativeResponse) {
    response.header('X-Kind', 'file')
    const disposition = 'attachment; filename="a.csv"'
    return new StreamableFile(Buffer.from(`file ${id}`), { type: 'text/csv', disposition })
  }
  @UseInterceptors(FileInterceptor('file'))
  create(
    @UploadedFile() file: { originalname: string; size: number } | undefined,
    @Body() body: object,
  ) {
    return { name: file?.originalname, size: file?.size, body }
  }
  raw(@Res() response: NativeResponse) {
    response.status(202).send({ raw: true })
  }
  async callback(@Res() response: NativeResponse) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    response.send({ later: true })
  }
  stream() {
    return new StreamableFile(Readable.from(['a', 'b', 'c']))
  }
  @Sse()
  events(@ApiMatch() match: Match) {
    return interval(5).pipe(
      take(2),
      map((n) => ({ data: { n, version: match.version } })),
    )
  }
  @Redirect('/elsewhere', 302)
  old() {}
  later() {
    return of({ from: 'observable' })
  }
}

@Controller('users')
class PlainUsers {
  @Get()
  all() {
    return { plain: true }
  }
  @Get('boom')
  boom() {
    throw new HttpException('boom', 418)
  }
}

export const controllers = {
  1: { users: UsersV1, files: FilesController },
  2: { users: UsersV2, files: FilesController, teams: TeamsV2 },
  3: { users: UsersV2, files: FilesController, teams: TeamsV2 },
}

@Module({
  controllers: [UsersV1, UsersV2, PlainUsers],
  providers: [UsersService, Audit, RolesGuard, ControllerGuard],
})
export class UsersModule {}

function note(
  request: { originalUrl?: string; url: string },
  _response: unknown,
  next: () => void,
) {
  seen.push(`middleware ${request.originalUrl ?? request.url}`)
  next()
}
@Module({ controllers: [TeamsV2, FilesController], providers: [Account] })
export class OthersModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(note).forRoutes('api/users')
  }
}

@Module({
  imports: [
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1000 }]),
    VersionedApiModule.forRoot(routes, controllers),
    UsersModule,
    OthersModule,
  ],
  providers: [
    { provide: APP_GUARD, useClass: GlobalGuard },
    { provide: APP_GUARD, useClass: ThrottlerGuard },
    {
      provide: APP_PIPE,
      useFactory: () => new ValidationPipe({ whitelist: true, transform: true }),
    },
    { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
  ],
})
export class AppModule {}
