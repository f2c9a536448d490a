// @nestjs/swagger's compiler plugin, as `nest build` runs it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, resources, version } from '@hv/router'
import { Module, type Type } from '@nestjs/common'
import { DocumentBuilder } from '@nestjs/swagger'
import ts from 'typescript'
import { expect, it, onTestFinished } from 'vitest'
import { VersionedApiModule } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { createApp, platforms, release } from './platforms.ts'

const sources = {
  'user.dto.ts': `export class User {
  /** The given name */
  name!: string
  age?: number
}`,
  'users.controller.ts': `import { Body, Controller, HttpCode, Param } from '@nestjs/common'
import { ApiOperation } from '@nestjs/swagger'
import { User } from './user.dto.js'
@Controller()
export class Users {
  show(@Param('id') id: string): User { return { name: id } }
  /** Lists all users */
  @ApiOperation({})
  index(): User[] { return [] }
  @HttpCode(201)
  create(@Body() user: User): User { return user }
}`,
}

it.runIf(release === 'nest12')(
  'a document has what the compiler plugin reads of decorated methods and DTOs',
  async () => {
    const folder = mkdtempSync(join(import.meta.dirname, '.plugin-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const files = Object.entries(sources).map(([name, text]) => {
      const file = join(folder, name)
      writeFileSync(file, text)
      return file
    })
    const program = ts.createProgram(files, {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      types: [],
      lib: ['lib.es5.d.ts'],
      noResolve: true, // Nest's own types take seconds
    })
    const { before } = await import('@nestjs/swagger/plugin')
    program.emit(undefined, undefined, undefined, false, {
      before: [before({ introspectComments: true, esmCompatible: true }, program)],
    })

    const { Users } = (await import(join(folder, 'users.controller.js'))) as { Users: Type }
    const routes = api(
      { vendorString: 'acme' },
      version(1, resources('users', { only: ['index', 'show', 'create'] })),
    )
    const controllers = { 1: { users: Users as never } }
    @Module({ imports: [VersionedApiModule.forRoot(routes, controllers)], controllers: [Users] })
    class Root {}
    const app = await createApp(Root, platforms[0])
    await app.init()
    const { paths, components } = createVersionDocument(
      app,
      routes,
      controllers,
      1,
      new DocumentBuilder().build(),
    ) as any
    const contentOf = (path: string, method: string, status: number) =>
      paths[path][method].responses[status].content['application/vnd.acme+json;version=1']
    const user = { $ref: '#/components/schemas/User' }
    expect(contentOf('/api/users', 'get', 200)).toEqual({ schema: { type: 'array', items: user } })
    expect(contentOf('/api/users', 'post', 201)).toEqual({ schema: user })
    expect(contentOf('/api/users/{id}', 'get', 200)).toEqual({}) // the plugin skips methods without a decorator
    expect(paths['/api/users'].get.summary).toBe('Lists all users')
    expect(components.schemas.User.properties).toEqual({
      name: { type: 'string', description: 'The given name' },
      age: { type: 'number' },
    })
  },
)
