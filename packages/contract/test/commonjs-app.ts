// A Nest app in CommonJS with the settings that `nest new` wrote before Nest 12, whose types are found without `exports`.
import { answers } from '../../../tools/packed.ts'

export const commonJsFiles: Readonly<Record<string, string>> = {
  'commonjs/package.json': JSON.stringify({ private: true, type: 'commonjs' }),
  'commonjs/tsconfig.json': JSON.stringify({
    compilerOptions: {
      module: 'commonjs',
      moduleResolution: 'node10',
      ignoreDeprecations: '6.0', // TypeScript 6, which doesn't default to node10 any more
      target: 'es2021',
      lib: ['es2023'],
      types: ['node'],
      declaration: true,
      emitDecoratorMetadata: true,
      experimentalDecorators: true,
      skipLibCheck: true,
      strict: true,
      rootDir: 'src',
      outDir: 'dist',
    },
    include: ['src'],
  }),
  'commonjs/src/routes.ts': `import { api, cache, inherit, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: 'show' }))),
  version(2, inherit({ from: 'v1' })))
`,
  'commonjs/src/app.module.ts': `import { Controller, Injectable, Module, Param } from '@nestjs/common'
import { VersionedApiModule } from '@hv/router-nest'
import { routes } from './routes'

@Injectable()
export class Ids {
  of(id: string) { return id }
}
@Controller()
export class UsersV1 {
  constructor(protected readonly ids: Ids) {}
  show(@Param('id') id: string) { return { v: 1, id: this.ids.of(id) } }
}
@Controller()
export class UsersV2 extends UsersV1 {
  override show(@Param('id') id: string) { return { ...super.show(id), v: 2 } }
}
export const controllers = { 1: { users: UsersV1 }, 2: { users: UsersV2 } }
@Module({
  imports: [VersionedApiModule.forRoot(routes, controllers, { pinVersion: () => 2 })],
  controllers: [UsersV1, UsersV2],
  providers: [Ids],
})
export class AppModule {}
`,
  'commonjs/src/main.ts': `import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module'

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { logger: ['error'] })
  await app.listen(0, '127.0.0.1')
  for (const version of [1, 2]) {
    const headers = { accept: \`application/vnd.acme+json;version=\${version}\` }
    console.log(await (await fetch(\`\${await app.getUrl()}/api/users/7\`, { headers })).text())
  }
  await app.close()
}
bootstrap()
`,
  'commonjs/e2e/app.test.js': `const { NestFactory } = require('@nestjs/core')
const { AppModule } = require('../dist/app.module')
test('an app serves', async () => {
  const app = await NestFactory.create(AppModule, { logger: ['error'] })
  await app.listen(0, '127.0.0.1')
  const headers = { accept: 'application/vnd.acme+json;version=2' }
  const response = await fetch((await app.getUrl()) + '/api/users/7', { headers })
  expect(await response.json()).toEqual({ v: 2, id: '7' })
  await app.close()
})
`,
  // Every subpath, and an option whose type comes from one.
  'commonjs/src/subpaths.ts': `import { type RoutingOptions, createDispatcher } from '@hv/router/adapter'
import { loadControllers } from '@hv/router/controllers'
import { eachVersion } from '@hv/router/testing'
import { createVersionDocument } from '@hv/router-nest/swagger'
import { type INestApplication } from '@nestjs/common'
import { createRouter as createExpress } from '@hv/router-express'
import { createRouter as createFastify } from '@hv/router-fastify'
import { createRouter as createFetch } from '@hv/router-fetch'
import { createClient } from '@hv/router-client'
import { openapi } from '@hv/router-openapi'
import { controllers } from './app.module'
import { routes } from './routes'

const pinVersion: NonNullable<RoutingOptions<unknown, 1 | 2>['pinVersion']> = () => 2
const users = { show: () => new Response() }
const table = { 1: { users }, 2: { users } }
export const created = [
  createDispatcher(routes, table, { pinVersion }),
  createExpress(routes, table, { pinVersion }),
  createFastify(routes, table, { pinVersion }),
  createFetch(routes, table, { pinVersion }),
  createClient(routes, { baseUrl: 'http://localhost', version: 2 }),
  openapi(routes, table, { version: 2, info: { title: 'Acme', version: '1' } }),
  eachVersion(routes, 'users', 'show'),
]
export const load = () => loadControllers(routes, __dirname)
export const documentOf = (app: INestApplication) =>
  createVersionDocument(app, routes, controllers, 2, { openapi: '3.0.0', info: { title: 'Acme', version: '1' } })
// @ts-expect-error version 3 isn't declared
createExpress(routes, table, { pinVersion: () => 3 })
`,
}

/** What its `main.ts` prints. */
export const commonJsOutput = answers

/** The packages that it installs. Nest 11 is the last release in CommonJS. */
export const commonJsPackages = [
  '@nestjs/common@11',
  '@nestjs/core@11',
  '@nestjs/platform-express@11',
  '@nestjs/swagger@11',
  'reflect-metadata@0.2',
  'rxjs@7',
]
