// What a Nest app sends is what its documents say.
import { brownout, runObserved } from '@hv/router-contract'
import {
  Body,
  Controller,
  HttpCode,
  Module,
  NotFoundException,
  Param,
  Res,
  ValidationPipe,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiProperty,
  DocumentBuilder,
} from '@nestjs/swagger'
import { IsString } from 'class-validator'
import { VersionedApiModule, withResponses } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { listen, platforms } from './platforms.ts'
import { compile } from './valid-document.ts'

class User {
  @ApiProperty({ type: 'integer' })
  id!: number
}
class NewUser {
  @ApiProperty()
  @IsString()
  name!: string
}
/** What Nest sends by default. */
class Failure {
  @ApiProperty({ type: 'integer' })
  statusCode!: number
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  message!: string | string[]
  @ApiProperty({ required: false })
  error?: string
}

@Controller()
class Users {
  @ApiOkResponse({ type: [User] })
  index() {
    return [{ id: 7 }]
  }
  @ApiOkResponse({ type: User })
  show(@Param('id') id: string, @Res({ passthrough: true }) response: any) {
    if (id === '7') return { id: 7 }
    if (id === '9') throw new NotFoundException()
    response.status(404)
    return { statusCode: 404, message: 'No such user' }
  }
  @ApiCreatedResponse({ type: User })
  create(@Body() _body: NewUser) {
    return { id: 8 }
  }
  @HttpCode(204)
  @ApiNoContentResponse()
  destroy() {}
  boom() {
    throw new Error('boom')
  }
}

for (const { name, create } of platforms)
  runObserved({
    name: `Nest on ${name}`,
    compile: (schema) => compile(schema, schema),
    statuses:
      name === 'Express' ? { 'the type': 400 } : { 'the charset': 201, 'the extension': 200 },
    async start(routes) {
      const users = withResponses({ users: Users }, { '4XX': Failure, '5XX': Failure } as never)
      const controllers = { 1: users, 2: users }
      const options = { now: () => brownout }
      const versioned = VersionedApiModule.forRoot(routes as never, controllers as never, options)
      @Module({ imports: [versioned], controllers: [Users] })
      class Root {}
      const app = await NestFactory.create(Root, create() as never, {
        logger: false,
        abortOnError: false,
      })
      app.useGlobalPipes(new ValidationPipe())
      const origin = await listen(app)
      const config = new DocumentBuilder().build()
      const documentOf = (number: number) =>
        createVersionDocument(app, routes, controllers as never, number as never, config)
      return {
        origin,
        documents: { 1: documentOf(1), 2: documentOf(2) },
        close: () => app.close(),
      }
    },
  })
