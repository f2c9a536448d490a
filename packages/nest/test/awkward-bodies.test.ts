// Bodies that are hard to convert, sent by a Nest controller in the platform's ways.
import { type Sent, type Way, runAwkwardBodies } from '@hv/router-contract'
import { became, change } from '@hv/router'
import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type HttpException,
  Module,
  Req,
  Res,
  ValidationPipe,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiProperty,
  getSchemaPath,
} from '@nestjs/swagger'
import { IsString } from 'class-validator'
import { VersionedApiModule, before } from '../src/index.ts'
import { type Platform, listen, platforms } from './platforms.ts'

class User {
  @ApiProperty()
  @IsString()
  fullName!: string
}
class UserV1 {
  @ApiProperty()
  @IsString()
  name!: string
}
const fullName = change(
  'A user has a full name.',
  became(UserV1, User, {
    up: ({ name, ...rest }) => ({ fullName: name, ...rest }),
    down: ({ fullName: name, ...rest }) => ({ name, ...rest }),
  }),
)

type Ways = Readonly<Partial<Record<Way, (sent: Sent, request: unknown, response: any) => unknown>>>
const waysOf: Record<Platform['name'], Ways> = {
  Express: {
    value: ({ status, headers, body }, _request, response) =>
      response
        .status(status)
        .set(headers)
        .json(JSON.parse(String(body))),
    text: ({ status, headers, body }, _request, response) =>
      response.status(status).set(headers).send(body),
    bytes: ({ status, headers, body }, _request, response) =>
      response.status(status).set(headers).send(Buffer.from(body)),
    end: ({ status, headers, body }, _request, response) =>
      response.status(status).set(headers).end(body),
  },
  Fastify: {
    value: ({ status, headers, body }, _request, reply) =>
      reply
        .code(status)
        .headers(headers)
        .send(JSON.parse(String(body))),
    text: ({ status, headers, body }, _request, reply) =>
      reply.code(status).headers(headers).send(body),
    bytes: ({ status, headers, body }, _request, reply) =>
      reply.code(status).headers(headers).send(Buffer.from(body)),
  },
}

@Catch()
class Failures {
  catch(error: Error & Partial<HttpException>, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse()
    response.status(error.getStatus?.() ?? 500).send({ caught: error.message })
  }
}

for (const platform of platforms)
  runAwkwardBodies({
    name: `Nest on ${platform.name}`,
    header: (name, request: { headers: Record<string, string> }) => request.headers[name]!,
    body: ({ body }) => body as unknown,
    ways: waysOf[platform.name],
    misuses: {},
    async serve(routes, controllers, _validator, compress) {
      if (compress !== null) return null
      const { index, create } = (controllers as any)[2].bodies
      @Controller()
      class Bodies {
        @ApiExtraModels(User)
        @ApiOkResponse({ type: User })
        @ApiCreatedResponse({
          schema: {
            type: 'array',
            items: { type: 'array', items: { $ref: getSchemaPath(User) } },
          },
        })
        async index(@Req() request: object, @Res() response: object): Promise<void> {
          await index.handler(request, response)
        }
        @ApiOkResponse({ schema: {} })
        @ApiCreatedResponse({ schema: {} })
        async create(@Body() body: User, @Res() response: object): Promise<void> {
          await create.handler({ body }, response)
        }
      }
      const v2 = { bodies: Bodies }
      const versions = { 1: before(v2, fullName), 2: v2 }
      @Module({
        imports: [VersionedApiModule.forRoot(routes as never, versions as never)],
        controllers: [Bodies],
      })
      class Root {}
      const app = await NestFactory.create(Root, platform.create() as never, {
        logger: false,
        abortOnError: false,
      })
      app.useGlobalPipes(new ValidationPipe())
      app.useGlobalFilters(new Failures())
      const origin = await listen(app)
      return { request: (path, init) => fetch(origin + path, init), close: () => app.close() }
    },
  })
