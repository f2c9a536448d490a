// A native Nest route and a derived one have the same method, so they have to send the same.
import { change } from '@hv/router'
import {
  type DerivedApp,
  type DerivedSent,
  type DerivedUnderTest,
  Failure,
  answerError,
  droppedBy,
  onExpress,
  onFastify,
  runDerived,
} from '@hv/router-contract'
import {
  type ArgumentsHost,
  Catch,
  Controller,
  Get,
  Module,
  Req,
  Res,
  StreamableFile,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ApiProperty, ApiResponse } from '@nestjs/swagger'
import { Readable } from 'node:stream'
import { VersionedApiModule, before } from '../src/index.ts'
import { type Platform, listen, platforms, release } from './platforms.ts'

class User {
  @ApiProperty()
  fullName!: string
}
class OlderUser {
  @ApiProperty()
  name!: string
}

const head = (response: any, { status, headers }: Pick<DerivedSent, 'status' | 'headers'>): any => {
  response.status(status)
  for (const [name, value] of Object.entries(headers)) response.header(name, value)
  return response
}
const fail = (sent: DerivedSent): never => {
  throw new Failure(sent)
}
/** The method returns what Nest sends. */
const returned =
  (get: (sent: DerivedSent) => unknown) => (sent: DerivedSent, _: unknown, response: any) => {
    head(response, sent)
    return get(sent)
  }
const inNest: DerivedUnderTest['senders'] = {
  nothing: returned(() => undefined),
  object: returned(({ text }) => JSON.parse(text)),
  text: returned(({ text }) => text),
  bytes: 'a StreamableFile is a stream',
  stream: returned(
    (sent) => new StreamableFile(sent.openFile(), { type: sent.headers['content-type']! }),
  ),
  'web stream': returned(
    (sent) =>
      new StreamableFile(Readable.fromWeb(sent.openWeb() as never), {
        type: sent.headers['content-type']!,
      }),
  ),
  Response: 'Nest sends no Response',
  file: 'a StreamableFile is a stream',
  error: fail,
  hijack: 'it needs @Res()',
  write: 'it needs @Res()',
}

@Catch()
class Failures {
  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse()
    const { status, headers, text } = answerError(error)
    head(response, { status, headers }).send(JSON.parse(text))
  }
}

const isOld = release !== 'nest12'
/** What Nest on Express doesn't begin to send in response to HEAD. Nest 10 opens streams. */
const unseen = release.startsWith('nest10') ? ['text'] : ['text', 'stream', 'web stream']
for (const platform of platforms) {
  const isExpress = platform.name === 'Express'
  const limits = isExpress ? onExpress : onFastify({ sendsFiles: false, isOld })
  const adapter = (style: string, passthrough: boolean) => ({
    ...limits,
    name: `${release} on ${platform.name}, ${style}`,
    header: (name: string, { headers }: { headers: Record<string, string> }) => headers[name]!,
    schemas: [OlderUser, User] as const,
    serve: (app: DerivedApp) => serve(app, platform, passthrough),
  })
  runDerived({
    ...adapter('by returning', true),
    senders: inNest,
    ...(isExpress && { dropped: (cell) => droppedBy(cell, unseen) }),
  })
  runDerived(adapter('with @Res()', false))
}

async function serve(
  { routes, actions, steps, handler }: DerivedApp,
  platform: Platform,
  passthrough: boolean,
) {
  @Controller()
  class Cells {}
  @Controller()
  class Native {
    @Get('native')
    send(@Req() request: object, @Res({ passthrough }) response: object): unknown {
      return handler(request, response)
    }
  }
  for (const [action, isUser] of Object.entries(actions)) {
    const value = (request: object, response: object): unknown => handler(request, response)
    const descriptor = { value, configurable: true, writable: true }
    Object.defineProperty(Cells.prototype, action, descriptor)
    Req()(Cells.prototype, action, 0)
    Res({ passthrough })(Cells.prototype, action, 1)
    for (const status of isUser ? [200, 201, 404, 410] : [])
      ApiResponse({ status, type: User })(Cells.prototype, action, descriptor)
  }
  const v2 = { cells: Cells }
  const versions = { 1: before(v2 as never, change('A user has a full name.', ...steps)), 2: v2 }
  @Module({
    imports: [VersionedApiModule.forRoot(routes, versions as never)],
    controllers: [Cells, Native],
  })
  class Root {}
  const app = await NestFactory.create(Root, platform.create() as never, {
    logger: false,
    abortOnError: false,
  })
  app.useGlobalFilters(new Failures())
  return { origin: await listen(app), close: () => app.close() }
}
