// Version 2 extends version 1: what its overrides inherit of decorators, and what they don't.
import { api, cache, inherit, resources, version } from '@hv/router'
import {
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Header,
  HttpCode,
  Module,
  Param,
  ParseIntPipe,
  Query,
  Req,
  Res,
  SetMetadata,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import { expect, it } from 'vitest'
import { VersionedApiModule } from '../src/index.ts'
import { type Platform, as, createApp, createLogger, listen, platforms, send } from './platforms.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: 'show' }))),
  version(2, inherit({ from: 'v1' })),
  version(3, inherit({ from: 'v1' })),
)
type Users = Type<{ show(...decorated: never[]): unknown }>

/** Serves three versions. Returns the responses to GET /api/users/7?q=x&r=y, and the warnings of the start. */
async function serve(platform: Platform, [one, two, three]: readonly [Users, Users, Users]) {
  const controllers = { 1: { users: one }, 2: { users: two }, 3: { users: three } }
  class Root {}
  Module({
    imports: [VersionedApiModule.forRoot(routes, controllers)],
    controllers: [one, two, three],
  })(Root)
  const { warnings, ...logger } = createLogger()
  const origin = await listen(await createApp(Root, platform, logger))
  const ask = (n: number) => send(`${origin}/api/users/7?q=x&r=y`, { headers: as(n) })
  const responses = await Promise.all([1, 2, 3].map(ask))
  return {
    bodies: responses.map(({ body }) => body),
    statuses: responses.map(({ status }) => status),
    warnings,
  }
}

it.each(platforms)(
  'sends what an override of a method with @Res() returns: $name',
  async (platform) => {
    @Controller()
    class One {
      show(@Res() response: { send(body: unknown): unknown }): unknown {
        return response.send({ by: 1 })
      }
    }
    @Controller()
    class Two extends One {
      override show(): unknown {
        return { by: 2 }
      }
    }
    @Controller()
    class Three extends Two {
      override show(@Res({ passthrough: true }) _response?: unknown): unknown {
        return { by: 3 }
      }
    }
    expect((await serve(platform, [One, Two, Three])).bodies).toEqual([
      { by: 1 },
      { by: 2 },
      { by: 3 },
    ])
  },
)

it.each(platforms)(
  'lets an override with @Res() send what its parent let Nest send: $name',
  async (platform) => {
    @Controller()
    class One {
      show(@Res({ passthrough: true }) _response: unknown): unknown {
        return { by: 1 }
      }
    }
    @Controller()
    class Two extends One {
      override show(@Res() response: { send(body: unknown): unknown }): unknown {
        setTimeout(() => response.send({ by: 2 }), 5)
        return { by: 'Nest' }
      }
    }
    expect((await serve(platform, [One, Two, One])).bodies).toEqual([
      { by: 1 },
      { by: 2 },
      { by: 1 },
    ])
  },
)

it.each(platforms)(
  'gives a method the parameters that it declares, over three classes: $name',
  async (platform) => {
    @Controller()
    class One {
      show(@Param('id', ParseIntPipe) id: number, @Req() _request: object): unknown {
        return [id]
      }
    }
    @Controller()
    class Two extends One {
      override show(@Query('q') q: any): unknown {
        return [q, arguments.length]
      }
    }
    @Controller()
    class Three extends Two {
      override show(@Query('q') q: any, @Query('r') r?: any): unknown {
        return [q, r, arguments.length]
      }
    }
    expect((await serve(platform, [One, Two, Three])).bodies).toEqual([
      [7],
      ['x', 1],
      ['x', 'y', 2],
    ])
  },
)

it.each(platforms)(
  "runs no pipe of a parameter that the override hasn't: $name",
  async (platform) => {
    const refuse = { transform: () => Promise.reject(new Error('the pipe of version 1')) }
    @Controller()
    class One {
      show(@Param('id', refuse) _id: unknown): unknown {
        return 1
      }
    }
    @Controller()
    class Two extends One {
      override show(): unknown {
        return { by: 2 }
      }
    }
    expect((await serve(platform, [One, Two, Two])).statuses).toEqual([500, 200, 200])
  },
)

it.each(platforms)(
  'repairs an override in a class that serves no version itself: $name',
  async (platform) => {
    @Controller()
    class One {
      show(@Res() response: { send(body: unknown): unknown }): unknown {
        return response.send({ by: 1 })
      }
    }
    class Base extends One {
      override show(_response: unknown, @Query('q') q?: string): unknown {
        return { q }
      }
    }
    @Controller()
    class Two extends Base {}
    expect((await serve(platform, [One, Two, Two])).bodies).toEqual([
      { by: 1 },
      { q: 'x' },
      { q: 'x' },
    ])
  },
)

it.each(platforms)(
  'leaves the parameters of a method without decorators as Nest has them: $name',
  async (platform) => {
    @Controller()
    class One {
      show(@Param('id') id: string): unknown {
        return [id]
      }
    }
    @Controller()
    class Two extends One {
      override show(id: string): unknown {
        return ['override', id]
      }
    }
    @Controller()
    class Three extends Two {}
    const { bodies } = await serve(platform, [One, Two, Three])
    expect(bodies).toEqual([['7'], ['override', '7'], ['override', '7']])
  },
)

class Pass {
  transform(value: unknown) {
    return value
  }
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle()
  }
  catch() {}
}
class Never implements CanActivate {
  canActivate() {
    return false
  }
}

it.each(platforms)(
  'refuses an override without the guards and the metadata of the method that it overrides: $name',
  async (platform) => {
    @Controller()
    class One {
      @UseGuards(Never)
      @SetMetadata('roles', ['admin'])
      show(): unknown {
        return [1]
      }
    }
    @Controller()
    class Two extends One {
      override show(): unknown {
        return [2]
      }
    }
    @Controller()
    class Three extends Two {
      override show(): unknown {
        return [3]
      }
    }
    const message =
      "VersionedApiModule.forRoot(): Two.show() overrides One.show() and loses the metadata 'roles' and @UseGuards(). " +
      'Repeat what it needs, or say that it needs none: @UseGuards().'
    await expect(serve(platform, [One, Two, Three])).rejects.toThrow(message)
    await expect(serve(platform, [One, Two, Two])).rejects.toThrow(message)
  },
)

const Marked = (key: unknown) => SetMetadata(key as string, true)
const marked = Symbol('roles')

it.each<[string, MethodDecorator[], MethodDecorator[], string | undefined]>([
  ['guards', [UseGuards(Never)], [], '@UseGuards()'],
  ['pipes', [UsePipes(Pass)], [], '@UsePipes()'],
  ['roles', [Marked('roles')], [], "the metadata 'roles'"],
  ['a symbol as key', [Marked(marked)], [], "the metadata 'Symbol(roles)'"],
  ['a key like those of Nest', [Marked('__public__')], [], "the metadata '__public__'"],
  ['throttling', [Marked('THROTTLER:LIMITdefault')], [], "the metadata 'THROTTLER:LIMITdefault'"],
  ['guards with own pipes', [UseGuards(Never)], [UsePipes()], '@UseGuards()'],
  ['metadata with own pipes', [Marked('roles')], [UsePipes()], "the metadata 'roles'"],
  ['pipes with own guards', [UsePipes(Pass)], [UseGuards()], '@UsePipes()'],
  [
    'guards and metadata with own guards',
    [UseGuards(Never), Marked('a')],
    [UseGuards()],
    undefined,
  ],
  ['metadata with own guards', [Marked('roles')], [UseGuards()], undefined],
  ['pipes with own pipes', [UsePipes(Pass)], [UsePipes()], undefined],
  [
    'what no guard reads',
    [
      'swagger/apiResponse',
      'class_serializer:options',
      'cache_module:cache_ttl',
      'SCHEDULE_CRON_OPTIONS',
      'EVENT_LISTENER_METADATA',
      'microservices:pattern',
      '__sseOptions__',
      '__version__',
    ].map(Marked),
    [],
    undefined,
  ],
])('an override that loses %s', async (_what, inherited, repeated, lost) => {
  @Controller()
  class One {
    show(): unknown {
      return [1]
    }
  }
  @Controller()
  class Two extends One {
    override show(): unknown {
      return [2]
    }
  }
  const decorate = (owner: Users, decorators: MethodDecorator[]) => {
    const { prototype } = owner
    for (const decorator of decorators)
      decorator(prototype, 'show', Object.getOwnPropertyDescriptor(prototype, 'show')!)
  }
  decorate(One, inherited)
  decorate(Two, repeated)
  const starting = serve(platforms[0], [One, Two, Two])
  if (lost === undefined) expect((await starting).warnings).toEqual([])
  else await expect(starting).rejects.toThrow(`Two.show() overrides One.show() and loses ${lost}. `)
})

it.each(platforms)(
  'warns of nothing if guards are repeated, inherited or on the class: $name',
  async (platform) => {
    @UseGuards(Never)
    @Controller()
    class One {
      @UseGuards(Never)
      show(): unknown {
        return [1]
      }
    }
    @Controller()
    class Two extends One {}
    @Controller()
    class Three extends Two {
      @UseGuards()
      override show(): unknown {
        return [3]
      }
    }
    const { statuses, warnings } = await serve(platform, [One, Two, Three])
    expect([statuses, warnings]).toEqual([[403, 403, 403], []])
  },
)

const Validated = () => SetMetadata('__fastify_route_schema__', {}) // as @RouteSchema(), which Nest has since 10.4

it.each(platforms)(
  'warns of an override without the interceptors, filters, headers, status and route options of its parent: $name',
  async (platform) => {
    @Controller()
    class One {
      @UseInterceptors(Pass)
      @UseFilters(Pass)
      @RouteConfig({ rateLimit: 1 })
      @Validated()
      @HttpCode(200)
      @Header('X-A', 'a')
      show(): unknown {
        return [1]
      }
    }
    @Controller()
    class Two extends One {
      override show(): unknown {
        return [2]
      }
    }
    @Controller()
    class Three extends One {
      @UseInterceptors()
      @UseFilters()
      @RouteConfig({})
      @Validated()
      @HttpCode(201)
      @Header('X-A', 'b')
      override show(): unknown {
        return [3]
      }
    }
    expect((await serve(platform, [One, Two, Three])).warnings).toEqual([
      "Two.show() overrides One.show() and doesn't inherit @Header(), @HttpCode(), @RouteSchema(), @RouteConfig(), " +
        '@UseFilters(), and @UseInterceptors(). Repeat it, or declare it on the class.',
    ])
  },
)

it.each(platforms)(
  'refuses guards that are lost in a class that serves no version itself: $name',
  async (platform) => {
    @Controller()
    class One {
      @UseGuards(Never)
      show(): unknown {
        return [1]
      }
    }
    class Base extends One {
      override show(): unknown {
        return ['base']
      }
    }
    @Controller()
    class Two extends Base {
      override show(): unknown {
        return [2]
      }
    }
    @Controller()
    class Three extends Base {
      @UseGuards(Never)
      override show(): unknown {
        return [3]
      }
    }
    await expect(serve(platform, [One, Two, Three])).rejects.toThrow(
      'Two.show() overrides One.show() and loses @UseGuards().',
    )
    const { statuses, warnings } = await serve(platform, [One, Three, Three])
    expect([statuses, warnings]).toEqual([[403, 403, 403], []])
  },
)
