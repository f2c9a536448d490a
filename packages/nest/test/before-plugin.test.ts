// DTOs that only the compiler plugin of @nestjs/swagger describes, as tsc and SWC compile them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, became, change, inherit, resources, version } from '@hv/router'
import { Module, type Type } from '@nestjs/common'
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import ts from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isAll, some } from '../../../tools/test-all.ts'
import { VersionedApiModule, before } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { as, createApp, listen, platforms, release, send } from './platforms.ts'

const sources = {
  'user.dto.ts': `import { OmitType } from '@nestjs/swagger'
export class User {
  id!: number
  firstName!: string
  nickname?: string
  createdAt!: Date
}
export class UserV1 extends OmitType(User, ['firstName'] as const) { name!: string }
export class UserList { items!: User[]; next?: User }`,
  'users.controller.ts': `import { Controller, Param } from '@nestjs/common'
import { ApiOkResponse } from '@nestjs/swagger'
import { User, UserList } from './user.dto.js'
const ann = { id: 1, firstName: 'Ann', createdAt: new Date(0) }
@Controller()
export class Users {
  @ApiOkResponse({ type: User })
  show(@Param('id') id: string): User { return ann }
  @ApiOkResponse({ type: UserList })
  index(): UserList { return { items: [ann], next: ann } }
}`,
}
const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  strict: true,
  types: [],
  lib: ['lib.es5.d.ts'],
  noResolve: true, // Nest's own types take seconds
}

interface Compiled {
  readonly User: Type
  readonly UserV1: Type
  readonly Users: Type
  /** What `main.ts` awaits under SWC. */
  readonly loadMetadata: () => Promise<void>
}

function writeSources(): { folder: string; files: string[] } {
  const folder = mkdtempSync(join(import.meta.dirname, '.before-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = Object.entries(sources).map(([name, text]) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  })
  return { folder, files }
}

async function load(folder: string, loadMetadata: Compiled['loadMetadata']): Promise<Compiled> {
  // One after the other: the test runner may run a file twice that's imported twice at once.
  const dtos = await import(/* @vite-ignore */ join(folder, 'user.dto.js'))
  const controllers = await import(/* @vite-ignore */ join(folder, 'users.controller.js'))
  return { ...dtos, ...controllers, loadMetadata } as Compiled
}

async function compileWithTsc(): Promise<Compiled> {
  const { folder, files } = writeSources()
  const program = ts.createProgram(files, options)
  const plugin = await import('@nestjs/swagger/plugin')
  const transformer = plugin.before({ esmCompatible: true }, program)
  program.emit(undefined, undefined, undefined, false, { before: [transformer] })
  return load(folder, async () => {})
}

/** SWC runs no plugins of tsc. Nest's generator writes what they'd add to a file of its own. */
async function compileWithSwc(): Promise<Compiled> {
  const { transformSync } = await import('@swc/core')
  const { folder } = writeSources()
  for (const [name, text] of Object.entries(sources)) {
    const { code } = transformSync(text, {
      filename: name,
      module: { type: 'es6' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
      },
    })
    writeFileSync(join(folder, name.replace(/ts$/, 'js')), code)
  }
  return load(folder, () =>
    SwaggerModule.loadPluginMetadata(async () => {
      const dtos = (await import(/* @vite-ignore */ join(folder, 'user.dto.js'))) as { User: Type }
      const models = {
        User: {
          id: { required: true, type: () => Number },
          firstName: { required: true, type: () => String },
          nickname: { required: false, type: () => String },
          createdAt: { required: true, type: () => Date },
        },
        UserV1: { name: { required: true, type: () => String } },
        UserList: {
          items: { required: true, type: () => [dtos.User] },
          next: { required: false, type: () => dtos.User },
        },
      }
      return { '@nestjs/swagger': { models: [[Promise.resolve(dtos), models]], controllers: [] } }
    }),
  )
}

const compilers = { tsc: compileWithTsc, ...(isAll && { SWC: compileWithSwc }) }

describe.runIf(release === 'nest12').each(Object.entries(compilers))('%s', (_name, compile) => {
  it.each(some(platforms, 1))('converts and documents on $name', async (platform) => {
    const { User, UserV1, Users, loadMetadata } = await compile()
    const down = ({ firstName: name, ...user }: { firstName: string }) => ({ ...user, name })
    const v2 = { users: Users }
    const v1 = before(v2, change('…', became(UserV1, User, { down })))
    const routes = api(
      { vendorString: 'acme' },
      version(1, resources('users', { only: ['index', 'show'] })),
      version(2, inherit({ from: 1 })),
    )
    const controllers = { 1: v1, 2: v2 }
    @Module({
      imports: [VersionedApiModule.forRoot(routes, controllers as never)],
      controllers: [Users],
    })
    class Root {}
    await loadMetadata()
    const app = await createApp(Root, platform)
    const url = `${await listen(app)}/api/users`
    const ann = { id: 1, name: 'Ann', createdAt: new Date(0).toJSON() }
    expect((await send(`${url}/1`, { headers: as(1) })).body).toEqual(ann)
    const { body } = await send(url, { headers: as(1) })
    expect(body).toEqual({ items: [ann], next: ann })
    const config = new DocumentBuilder().build()
    const document = createVersionDocument(app, routes, controllers as never, 1, config)
    const { UserList, UserV1: older, User: newer } = document.components!.schemas as any
    expect(newer).toBeUndefined()
    expect(Object.keys(older.properties).toSorted()).toEqual(['createdAt', 'id', 'name', 'nickname']) // prettier-ignore
    const reference = { $ref: '#/components/schemas/UserV1' }
    expect(UserList.properties).toEqual({
      items: { type: 'array', items: reference },
      next: reference,
    })
    expect(UserList.required).toEqual(['items'])
  })
})
