// What's wrong with an argument, a file or a folder is one line on stderr, never a stack trace.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type TestProject, createProject, routesFile } from './project.ts'

const controller = 'export class UsersController {\n  index() {}\n  show() {}\n}\n'
const create = (files: Readonly<Record<string, string>> = {}): TestProject =>
  createProject({
    'package.json': '{ "type": "module" }',
    'src/routes.ts': routesFile,
    'src/controllers/api/v1/users_controller.ts': controller,
    'src/controllers/api/v2/users_controller.ts': controller,
    file: '',
    ...files,
  })
const documents = JSON.stringify({
  1: { openapi: '3.1.0', paths: {} },
  2: { openapi: '3.1.0', paths: {} },
})

describe("one line says what's wrong", () => {
  it.each<[args: string, message: string, files?: Record<string, string>]>([
    ['openapi --documents documents.json --out file', 'ENOTDIR: not a directory, scandir '],
    [
      'check --update-lock --lock src',
      "src can't be read: EISDIR: illegal operation on a directory, read",
    ],
    ['check --lock src', "src can't be read: EISDIR: illegal operation on a directory, read"],
    ['diff 1 2 --documents src', "src couldn't be loaded: Cannot find module "],
    ['diff 1 2 --documents null.cjs', "null.cjs doesn't export documents by version."],
    ['diff 1 2 --documents null.json', "null.json doesn't export documents by version."],
    ['diff 1 2 --documents broken.json', "broken.json can't be read: "],
    ['report --usage broken.json', "broken.json can't be read: "],
  ])('hv-router %s', async (args, message) => {
    const { hv } = create({
      'documents.json': documents,
      'null.json': 'null',
      'null.cjs': 'module.exports = null',
      'broken.json': '{',
    })
    const { code, err } = await hv(...args.split(' '))
    const lines = err.split('\n').filter((line) => !/^Route file: |^\(for details: |^$/.test(line))
    expect([code, lines]).toEqual([2, [expect.stringContaining(message)]])
    expect(lines[0]).toMatch(/^error: /)
  })
})

it('reads JSON with a byte order mark', async () => {
  const { hv, read, write } = create({
    'documents.json': `\uFEFF${documents}`,
  })
  expect(await hv('check', '--update-lock')).toMatchObject({ code: 0 })
  write({ 'routes.lock.json': `\uFEFF${read('routes.lock.json')}` })
  expect(await hv('check', '--lock')).toMatchObject({
    code: 0,
    out: 'No findings: 4 routes, 2 versions.\n',
  })
  expect(await hv('diff', '1', '2', '--documents', 'documents.json')).toMatchObject({ code: 0 })
})

it('leaves out links that lead around, or nowhere', async () => {
  const { folder, hv } = create()
  const v1 = join(folder, 'src/controllers/api/v1')
  symlinkSync('.', join(v1, 'loop'))
  symlinkSync('self_controller.ts', join(v1, 'self_controller.ts'))
  symlinkSync('nowhere', join(v1, 'teams_controller.ts'))
  mkdirSync(join(v1, 'admin'))
  symlinkSync('../users_controller.ts', join(v1, 'admin/users_controller.ts'))
  expect(await hv('bump')).toMatchObject({ code: 0 })
})
