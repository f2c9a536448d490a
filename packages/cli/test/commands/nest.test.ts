// What init and bump write for Nest apps: classes with @Controller() whose methods have no route decorators.
import { expect, it } from 'vitest'
import { type TestProject, createProject } from '../project.ts'

const nestApp = (platform: string, module = 'commonjs'): TestProject =>
  createProject({
    'package.json': JSON.stringify({
      name: '@acme/users',
      dependencies: {
        '@nestjs/common': '11',
        '@nestjs/core': '11',
        [`@nestjs/platform-${platform}`]: '11',
      },
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { module, experimentalDecorators: true },
    }),
    'src/app.module.ts':
      "import { Module } from '@nestjs/common'\n\n@Module({})\nexport class AppModule {}\n",
  })

it('init writes a controller and a module for a Nest app', async () => {
  const { hv, read } = nestApp('express')
  const { code, out, err } = await hv('init')
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(`create  src/routes.ts
create  src/controllers/api/v1/users_controller.ts
create  src/api.module.ts

Install:

  npm install @hv/router @hv/router-nest @hv/router-express

Add to src/app.module.ts:

  import { ApiModule } from './api.module'

  // in @Module(): imports: [ApiModule]

The controller responds with sample data. If your app has controllers already, follow https://hv-router.github.io/router/guide/coming-from-nestjs instead.
Then see the routes: npx @hv/router-cli@0.1 routes

The vendor is acme, and paths start with /api. Before you release, you can change both in src/routes.ts: vendorString, and path: '' for paths without /api.
Start your app, and try it:

  curl localhost:3000/api/users -H "Accept: application/vnd.acme+json;version=1"

When version 1 is released, npx @hv/router-cli@0.1 bump starts version 2: it adds version(2, inherit({ from: 1 })) and its controllers.
`)
  expect(read('src/api.module.ts')).toBe(`import { VersionedApiModule } from '@hv/router-nest'
import { Module } from '@nestjs/common'
import { UsersController } from './controllers/api/v1/users_controller'
import { routes } from './routes'

@Module({
  imports: [VersionedApiModule.forRoot(routes, { 1: { users: UsersController } })],
  controllers: [UsersController],
})
export class ApiModule {}
`)
  expect(read('src/controllers/api/v1/users_controller.ts'))
    .toBe(`import { Controller, NotFoundException, Param } from '@nestjs/common'

const users = [{ id: '1', name: 'Example' }]

@Controller()
export class UsersController {
  index() {
    return users
  }

  show(@Param('id') id: string) {
    const user = users.find((item) => item.id === id)
    if (!user) throw new NotFoundException('Not found')
    return user
  }
}
`)
  expect(await hv('check')).toMatchObject({
    code: 0,
    out: 'No findings: 2 routes, 1 version.\n',
  })
})

it('init installs the adapter of the platform', async () => {
  const { out } = await nestApp('fastify').hv('init', '--framework', 'nest')
  expect(out).toContain('@hv/router @hv/router-nest @hv/router-fastify\n')
})

it('bump writes a class that inherits its decorators', async () => {
  const { hv, read } = nestApp('express')
  await hv('init')
  expect(await hv('bump')).toMatchObject({ code: 0, err: '' })
  expect(read('src/controllers/api/v2/users_controller.ts'))
    .toBe(`import { UsersController as UsersControllerV1 } from '../v1/users_controller'

export class UsersController extends UsersControllerV1 {}
`)
})

// `nest new` writes this tsconfig.json, and tests with Jest, which doesn't find `./routes.js`.
it('imports without extensions if a nodenext project compiles to CommonJS', async () => {
  const { hv, read } = nestApp('express', 'nodenext')
  const { out } = await hv('init')
  expect(out).toContain("from './api.module'\n")
  expect(read('src/api.module.ts')).toContain("from './routes'\n")
  await hv('bump')
  expect(read('src/controllers/api/v2/users_controller.ts')).toContain("'../v1/users_controller'\n")
})
