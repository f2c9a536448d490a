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
  'runs no pipe of a parameter that the override has not: $name',
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

class Never implements CanActivate {
  canActivate() {
    return false
  }
}

it.each(platforms)(
  'warns of an override without the guards of the method that it overrides: $name',
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
    const { statuses, warnings } = await serve(platform, [One, Two, Three])
    expect(statuses).toEqual([403, 200, 200])
    expect(warnings).toEqual([
      "Two.show() overrides One.show() and doesn't inherit the metadata 'roles' and @UseGuards(). Repeat it, or declare it on the class.",
    ])
    expect((await serve(platform, [One, Two, Two])).warnings).toEqual(warnings)
  },
)

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

class Pass {
  transform(value: unknown) {
    return value
  }
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle()
  }
  catch() {}
}
const Validated = () => SetMetadata('__fastify_route_schema__', {}) // as @RouteSchema(), which Nest has since 10.4

it.each(platforms)(
  'warns of an override without the pipes, interceptors, filters and route options of its parent: $name',
  async (platform) => {
    @Controller()
    class One {
      @UsePipes(Pass)
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
      @UsePipes()
      @UseInterceptors()
      @UseFilters()
      @RouteConfig({})
      @Validated()
      override show(): unknown {
        return [3]
      }
    }
    expect((await serve(platform, [One, Two, Three])).warnings).toEqual([
      "Two.show() overrides One.show() and doesn't inherit @RouteSchema(), @RouteConfig(), @UseFilters(), " +
        '@UseInterceptors(), and @UsePipes(). Repeat it, or declare it on the class.',
    ])
  },
)

it.each(platforms)(
  'warns of guards that are lost in a class that serves no version itself: $name',
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
    const { statuses, warnings } = await serve(platform, [One, Two, Three])
    expect([statuses, warnings]).toEqual([
      [403, 200, 403],
      [
        "Base.show() overrides One.show() and doesn't inherit @UseGuards(). Repeat it, or declare it on the class.",
      ],
    ])
  },
)
