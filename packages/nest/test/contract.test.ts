import { Readable } from 'node:stream'
import { type AdapterUnderTest, decodedPath, runContract, runSmoke } from '@hv/router-contract'
import {
  type ArgumentsHost,
  Catch,
  Controller,
  Get,
  HttpCode,
  HttpException,
  Inject,
  Module,
  Req,
  Res,
  StreamableFile,
  type Type,
} from '@nestjs/common'
import { BaseExceptionFilter, HttpAdapterHost, NestFactory } from '@nestjs/core'
import { isAll } from '../../../tools/test-all.ts'
import { VersionedApiModule } from '../src/index.ts'
import { listen, platforms, release } from './platforms.ts'

const isAsyncIterable = (value: unknown): value is AsyncIterable<string> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

@Controller()
class PlainController {
  @Get('plain')
  plain() {
    return { plain: true }
  }
}

@Catch()
class CaughtFilter {
  private readonly adapter: HttpAdapterHost['httpAdapter']
  constructor(@Inject(HttpAdapterHost) { httpAdapter }: HttpAdapterHost) {
    this.adapter = httpAdapter
  }
  catch(error: Error | undefined, host: ArgumentsHost) {
    if (error instanceof HttpException)
      return new BaseExceptionFilter(this.adapter).catch(error, host) // Nest's own 404
    return this.adapter.reply(
      host.switchToHttp().getResponse(),
      { caught: error?.message ?? 'nothing' },
      500,
    )
  }
}

type Neutral = Record<string, unknown>
const classes = new WeakMap<object, Type>()

/** A Nest controller with the actions and the state of a controller of the suite. */
function classOf(controller: Neutral): Type {
  const known = classes.get(controller)
  if (known !== undefined) return known
  const state = Object.fromEntries(
    Object.entries(controller).filter(([, value]) => typeof value !== 'function'),
  )
  class Generated {
    constructor() {
      Object.assign(this, state)
    }
  }
  const { prototype } = Generated
  for (const name of [
    ...Object.keys(controller),
    ...Object.keys(Object.getPrototypeOf(controller) as object),
  ]) {
    const action = controller[name]
    if (typeof action !== 'function') continue
    const value = function call(this: unknown, ...native: unknown[]): unknown {
      return action.apply(this, native)
    }
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true })
    Req()(prototype, name, 0)
    Res({ passthrough: true })(prototype, name, 1)
    HttpCode(200)(prototype, name, Object.getOwnPropertyDescriptor(prototype, name)!)
  }
  Controller()(Generated)
  classes.set(controller, Generated)
  return Generated
}

type Table<Value> = Record<string, Record<string, Value>>
const mapTable = <From, To>(table: Table<From>, map: (value: From) => To): Table<To> =>
  Object.fromEntries(
    Object.entries(table).map(([version, keys]) => [
      version,
      Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, map(value)])),
    ]),
  )

for (const { name, create } of platforms) {
  const isExpress = name === 'Express'
  const adapter: AdapterUnderTest = {
    name: `${release} on ${name}`,
    ...(!isExpress && { pathOf: decodedPath }),
    servesExtensions: !isExpress,
    native: (action) =>
      function call(this: never, request: any, response: any) {
        const { format, version } = request.apiMatch
        const setHeader = (header: string, value: string) =>
          void response[isExpress ? 'setHeader' : 'header'](header, value)
        const result = action.call(this, {
          params: request.params,
          body: request.body,
          format,
          version,
          setHeader,
        })
        return isAsyncIterable(result) ? new StreamableFile(Readable.from(result)) : result
      },
    async serve({ mounts, replaceProblem, options, cors = false }) {
      const problem = (found: never, _request: unknown, response: any) => {
        if (isExpress) response.status(200).type('json')
        else response.code(200).type('application/json; charset=utf-8')
        return replaceProblem!(found)
      }
      const tables = mounts.map(({ controllers }) =>
        mapTable(controllers as Table<Neutral>, classOf),
      )
      const imports = mounts.map(({ routes, prefix }, i) => {
        const all = { ...(replaceProblem && { problem }), ...options, prefix }
        return VersionedApiModule.forRoot(routes as never, tables[i] as never, all as never)
      })
      const controllers = new Set(
        tables.flatMap((table) => Object.values(table).flatMap((keys) => Object.values(keys))),
      )
      class AppModule {}
      Module({ imports, controllers: [PlainController, ...controllers] })(AppModule)

      const app = await NestFactory.create(AppModule, create() as never, {
        logger: false,
        abortOnError: false,
      })
      if (cors)
        app.enableCors({
          origin: ['https://app.example'],
          ...(!isExpress && { methods: ['GET', 'PUT'] }),
        })
      app.useGlobalFilters(new CaughtFilter(app.get(HttpAdapterHost)))
      return { origin: await listen(app), close: () => app.close() }
    },
  }

  // The adapters themselves run all of it.
  if (release === 'nest12' && isAll) runContract(adapter)
  else runSmoke(adapter)
}
