// The guide's script, which prints the route file of an app that has no versions yet.
import 'reflect-metadata'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Api, routeTable } from '@hv/router'
import { Module, type Type } from '@nestjs/common'
import { expect, it, onTestFinished, vi } from 'vitest'
import { blocksOf } from '../../../tools/pages.ts'
import { VersionedApiModule } from '../src/index.ts'
import { createApp, listen, platforms, send } from './platforms.ts'
import { KeysController, OddController, UsersController } from './route-file.fixture.ts'

it('prints a route file for every route that translates, and a comment for the others', async () => {
  const blocks = blocksOf('docs/guide/coming-from-nestjs.md')
  const { text } = blocks.find(({ file }) => file === 'print-routes.mjs')!
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(26)
  const folder = mkdtempSync(join(import.meta.dirname, '.script-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'print-routes.mjs')
  writeFileSync(script, text.replace('./dist/app.module.js', '../route-file.fixture.ts'))
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  await import(script)
  const [[printed]] = log.mock.calls as [[string]]
  expect(printed).toBe(`import { api, del, get, patch, post, version } from '@hv/router'

export const routes = api({ vendorString: 'acme', path: '/api' }, version(1,
  post('users', { to: 'users#create' }),
  get('users', { to: 'users#findAll' }),
  get('users/:id', { to: 'users#findOne' }),
  patch('users/:id', { to: 'users#update' }),
  del('users/:id', { to: 'users#remove' }),
  get('users/me/name', { to: 'users#names' }),
  get('users/me/nick-name', { to: 'users#names' }),
  get('/', { to: 'odd#root' }),
  // ALL /api/all: OddController.all()
  // GET /api/files/*path: OddController.files()
  get('v1.0/users.json', { to: 'odd#dots' }),
  // GET /api/flights/:from-:to: OddController.flights()
  // GET /api/newer: OddController.newer()
  // GET /api/hosted: HostedController.index()
  get('admin/keys/:key', { to: 'keys#findOne' }),
))`)

  // The page shows what it prints for this class.
  const shown = blocks.find(({ file }) => file === 'routes.ts')!.text
  for (const line of printed.split('\n').slice(3, 8)) expect(shown).toContain(line)

  const routeFile = join(folder, 'routes.ts')
  writeFileSync(routeFile, printed)
  const { routes } = (await import(routeFile)) as { routes: Api }
  expect(routeTable(routes)).toHaveLength(10)
  const classes = { users: UsersController, odd: OddController, keys: KeysController } as never
  class Root {}
  const imports = [VersionedApiModule.forRoot(routes, { 1: classes } as never)]
  Module({ imports, controllers: Object.values<Type>(classes) })(Root)
  const origin = await listen(await createApp(Root, platforms[0]))
  expect((await send(`${origin}/api/users`)).body).toEqual(['all'])
  expect((await send(`${origin}/api/users/7`)).body).toEqual({ id: '7' })
})

it('prints an app that reads its environment on import, and that excludes routes from its prefix', async () => {
  const { text } = blocksOf('docs/guide/coming-from-nestjs.md').find(
    ({ file }) => file === 'print-routes.mjs',
  )!
  const folder = mkdtempSync(join(import.meta.dirname, '.script-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
    delete process.env['ROUTE_FILE_KEY']
  })
  writeFileSync(join(folder, 'config.mjs'), "process.env.ROUTE_FILE_KEY = 'set'\n")
  const module = `if (process.env['ROUTE_FILE_KEY'] !== 'set') throw new Error('no environment')
export { AppModule } from '../route-file.fixture.ts'
`
  writeFileSync(join(folder, 'app.ts'), module)
  const edits = [
    [/^\/\/ import 'dotenv\/config'.*$/m, "import './config.mjs'"],
    ['./dist/app.module.js', './app.ts'],
    ["['/api', {}]", "['/api', { exclude: ['/'] }]"],
  ] as const
  const script = edits.reduce((before, [old, now]) => {
    const after = before.replace(old, now)
    expect(after).not.toBe(before)
    return after
  }, text)
  writeFileSync(join(folder, 'print-routes.mjs'), script)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  await import(join(folder, 'print-routes.mjs'))
  const [[printed]] = log.mock.calls as [[string]]
  expect(printed).toContain('  // GET /: OddController.root()\n')
  expect(printed).toContain("  get('users/:id', { to: 'users#findOne' }),\n")
})
