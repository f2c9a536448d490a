// What Nest's documentation says of its own versioning by media type and by header, and what becomes of it here.
import { api, cache, get, inherit, version } from '@hv/router'
import { Controller, Get, Module, VERSION_NEUTRAL, Version, VersioningType } from '@nestjs/common'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { VersionedApiModule } from '../src/index.ts'
import { createApp, listen, platforms, send } from './platforms.ts'

const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    cache({ as: 'v1' }, get('cats', { to: 'cats#index' }), get('dogs', { to: 'dogs#index' })),
  ),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }), get('birds', { to: 'dogs#birds' }))),
  version(3, inherit({ from: 'v2', except: ['cats', 'dogs'] }), get('cats', { to: 'cats#index' })),
)
/** `version: ['1', '2']` on a controller. */
@Controller()
class Dogs {
  index() {
    return 'dogs'
  }
  birds() {
    return 'birds'
  }
}
/** `version: '1'`. */
@Controller()
class CatsV1 {
  index() {
    return 'cats 1'
  }
}
/** `@Version('2')` on a method, and a version that keeps it. */
@Controller()
class CatsV2 extends CatsV1 {
  override index() {
    return 'cats 2'
  }
}
/** `VERSION_NEUTRAL`: a route of Nest. */
@Controller({ path: 'api/neutral', version: VERSION_NEUTRAL })
class Neutral {
  @Get()
  index() {
    return 'neutral'
  }
}
/** Nest's versions go on outside the API. */
@Controller('old')
class Old {
  @Version('1')
  @Get()
  one() {
    return 'old 1'
  }
  @Version('2')
  @Get()
  two() {
    return 'old 2'
  }
}

const controllers = {
  1: { cats: CatsV1, dogs: Dogs },
  2: { cats: CatsV2, dogs: Dogs },
  3: { cats: CatsV2, dogs: Dogs },
}
/** Reads the version from `VersioningType.HEADER`'s header. */
const pinVersion = ({ headers }: IncomingMessage) => {
  const sent = Number(headers['x-version'])
  return sent === 1 || sent === 2 || sent === 3 ? sent : undefined
}
@Module({
  imports: [VersionedApiModule.forRoot(routes, controllers, { pinVersion })],
  controllers: [CatsV1, CatsV2, Dogs, Neutral, Old],
})
class Root {}

const mediaType = (n: number) => ({ accept: `application/vnd.acme+json;version=${n}` })
const header = (n: number) => ({ 'x-version': String(n) })

describe.each(platforms)('a version of Nest on $name', (platform) => {
  const start = async () => {
    const app = await createApp(Root, platform)
    app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'v=' })
    return listen(app)
  }

  it.each<[path: string, n: number, served: string | number]>([
    ['/api/cats', 1, 'cats 1'],
    ['/api/cats', 2, 'cats 2'],
    ['/api/cats', 3, 'cats 2'],
    ['/api/dogs', 1, 'dogs'],
    ['/api/dogs', 2, 'dogs'],
    ['/api/dogs', 3, 404],
    ['/api/birds', 1, 404],
    ['/api/birds', 2, 'birds'],
    ['/api/birds', 3, 'birds'],
    ['/api/neutral', 1, 'neutral'],
    ['/api/neutral', 2, 'neutral'],
    ['/api/nothing', 1, 404],
  ])('%s in version %i is %s, by media type and by header', async (path, n, served) => {
    const origin = await start()
    for (const headers of [mediaType(n), header(n)]) {
      const { status, text } = await send(origin + path, { headers })
      expect(status === 200 ? text : status).toBe(served)
    }
  })

  it("that's unknown is a 406, where Nest responds with 404", async () => {
    const origin = await start()
    expect((await send(`${origin}/api/cats`, { headers: mediaType(9) })).status).toBe(406)
  })

  it("that's missing is the default version, where Nest responds with 404", async () => {
    const origin = await start()
    expect((await send(`${origin}/api/cats`)).text).toBe('cats 1')
    expect((await send(`${origin}/api/cats`, { headers: { 'x-version': '9' } })).text).toBe(
      'cats 1',
    )
    expect((await send(`${origin}/api/neutral`)).text).toBe('neutral')
  })

  it("stays what it is for Nest's own routes", async () => {
    const origin = await start()
    for (const n of [1, 2])
      expect(
        (await send(`${origin}/old`, { headers: { accept: `application/json;v=${n}` } })).text,
      ).toBe(`old ${n}`)
    expect((await send(`${origin}/api/cats`, { headers: mediaType(2) })).text).toBe('cats 2')
  })
})
