import type { IncomingMessage } from 'node:http'
import { type Match, type Problem, api, cache, inherit, resources, version } from '@hv/router'
import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  HttpException,
  Injectable,
  Module,
  NotFoundException,
  Scope,
  type Type,
} from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { describe, expect, it } from 'vitest'
import { ApiMatch, VersionedApiModule, type VersionedApiOptions } from '../src/index.ts'
import { as, createApp, listen, platforms, send } from './platforms.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'create'] }))),
  version(2, inherit({ from: 'v1' })),
)
@Controller()
class Users {
  index(@ApiMatch() match: Match) {
    return { version: match.version }
  }
  create(@Body() body: object) {
    return body
  }
}
const controllers = { 1: { users: Users }, 2: { users: Users } }

@Injectable()
class Accounts {
  readonly versions: Readonly<Record<string, 1 | 2>> = { ann: 2 }
  readonly seen: string[] = []
  versionOf({ headers }: IncomingMessage) {
    if (headers['x-account'] === 'nobody') throw new NotFoundException('no such account')
    return this.versions[String(headers['x-account'])]
  }
}
@Module({ providers: [Accounts], exports: [Accounts] })
class AccountsModule {}

/** Sends what Nest makes of an exception, in an envelope. */
@Catch(HttpException)
class Enveloped {
  catch(error: HttpException, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<any>()
    const body = { filtered: error.getResponse() }
    if ('code' in response) response.code(error.getStatus()).send(body)
    else response.status(error.getStatus()).json(body)
  }
}

describe.each(platforms)('the options on $name', (platform) => {
  const start = async (
    module: ReturnType<typeof VersionedApiModule.forRoot>,
    providers: object[] = [],
  ) => {
    class Root {}
    Module({ imports: [module], controllers: [Users], providers: providers as never })(Root)
    const app = await createApp(Root as Type, platform)
    return { app, origin: await listen(app) }
  }
  const withOptions = (options: VersionedApiOptions<1 | 2>) =>
    start(VersionedApiModule.forRoot(routes, controllers, options))

  it('come from providers with forRootAsync', async () => {
    const options = {
      imports: [AccountsModule],
      inject: [Accounts],
      useFactory: async (accounts: Accounts) => ({
        pinVersion: (request: IncomingMessage) => accounts.versionOf(request),
        onRouted: ({ kind }: { kind: string }) => void accounts.seen.push(kind),
      }),
    }
    const filter = { provide: APP_FILTER, useClass: Enveloped }
    const { app, origin } = await start(
      VersionedApiModule.forRootAsync(routes, controllers, options),
      [filter],
    )
    const ask = (account: string) =>
      send(`${origin}/api/users`, { headers: { 'x-account': account } })
    expect((await ask('ann')).body).toEqual({ version: 2 })
    expect((await ask('bob')).body).toEqual({ version: 1 })
    expect((await send(`${origin}/api/users`, { headers: as(9) })).status).toBe(406)
    expect(app.get(Accounts, { strict: false }).seen).toEqual(['match', 'match', 'miss'])
  })

  it("can't come from request-scoped providers", async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Tenant {}
    @Module({ providers: [Tenant], exports: [Tenant] })
    class TenantModule {}
    const options = { imports: [TenantModule], inject: [Tenant], useFactory: () => ({}) }
    await expect(
      start(VersionedApiModule.forRootAsync(routes, controllers, options)),
    ).rejects.toThrow(
      "VersionedApiModule.forRootAsync() can't inject request-scoped providers, because it runs before any request.",
    )
  })

  it('pass what pinVersion throws through the filters', async () => {
    const pinVersion = () => {
      throw new NotFoundException('no such account')
    }
    const module = VersionedApiModule.forRoot(routes, controllers, { pinVersion })
    const { origin } = await start(module, [{ provide: APP_FILTER, useClass: Enveloped }])
    const { status, headers, body } = await send(`${origin}/api/users`)
    expect([status, headers.get('vary')]).toEqual([404, 'Accept'])
    expect(body).toMatchObject({ filtered: { message: 'no such account' } })
  })

  it('pass refusals through the filters if the problem hook throws an HttpException', async () => {
    const problem = (document: Problem) => {
      throw new HttpException(document, document.status)
    }
    const module = VersionedApiModule.forRoot(routes, controllers, { problem })
    const { origin } = await start(module, [{ provide: APP_FILTER, useClass: Enveloped }])
    const { status, headers, body } = await send(`${origin}/api/users`, { headers: as(9) })
    expect([status, headers.get('vary')]).toEqual([406, 'Accept'])
    expect(body).toMatchObject({ filtered: { type: 'urn:hv-router:not-acceptable' } })
  })

  it('mount the API at a prefix', async () => {
    const { origin } = await withOptions({ prefix: '/v' })
    expect((await send(`${origin}/v/api/users`, { headers: as(2) })).body).toEqual({ version: 2 })
    expect((await send(`${origin}/api/users`, { headers: as(2) })).status).toBe(404)
  })

  it.runIf(platform.name === 'Express')(
    "ignore case with caseSensitive: false, as Nest's own routes do",
    async () => {
      const strict = await withOptions({})
      expect((await send(`${strict.origin}/API/Users`, { headers: as(2) })).status).toBe(404)
      const { origin } = await withOptions({ caseSensitive: false })
      const { body } = await send(`${origin}/API/Users`, { headers: as(2) })
      expect(body).toEqual({ version: 2 })
    },
  )

  it.runIf(platform.name === 'Express')('limit and check vendor bodies with json', async () => {
    const sent: string[] = []
    const verify = (_request: unknown, _response: unknown, body: Buffer) =>
      void sent.push(body.toString())
    const { origin } = await withOptions({ json: { limit: 20, verify } })
    const post = (body: string) =>
      send(`${origin}/api/users`, {
        method: 'POST',
        body,
        headers: as(1, { 'content-type': 'application/vnd.acme+json' }),
      })
    expect((await post('{"name":"Ann"}')).body).toEqual({ name: 'Ann' })
    expect((await post('{"name":"Ann and others"}')).body).toMatchObject({
      statusCode: 413,
      message:
        'application/vnd.acme+json bodies can have at most 20 bytes. ' +
        "To accept larger ones, set the router's option json.limit.",
    })
    expect(sent).toEqual(['{"name":"Ann"}'])
  })

  it('may not be misspelled', async () => {
    const options = { pinVersions: () => 2 } as never
    const module = VersionedApiModule.forRoot(routes, controllers, options)
    await expect(start(module)).rejects.toThrow(
      "HV_OPTION: VersionedApiModule.forRoot() has no option 'pinVersions'. Did you mean 'pinVersion'? " +
        'Its options: pinVersion, ',
    )
  })

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'options to be an object. Received: undefined.'],
    ['a number as pinVersion', { pinVersion: 2 }, 'pinVersion to be a function. Received: 2.'],
  ])('may not be %s', async (_what, options, problem) => {
    const module = VersionedApiModule.forRootAsync(routes, controllers, {
      useFactory: () => options as never,
    })
    await expect(start(module)).rejects.toThrow(
      `HV_OPTION: VersionedApiModule.forRoot() requires ${problem}`,
    )
  })

  it('come after routes and controllers', () => {
    expect(() => VersionedApiModule.forRoot(undefined as never, controllers as never)).toThrow(
      'HV_OPTION: VersionedApiModule.forRoot() requires api to be what api() returns. ' +
        'Received: undefined. Is there a circular import?',
    )
    expect(() => VersionedApiModule.forRoot(routes, undefined as never)).toThrow(
      'HV_OPTION: VersionedApiModule.forRoot() requires controllers to be the classes by version.',
    )
  })
})
