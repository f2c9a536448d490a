// What `--json` prints is what the package's schemas say, and nothing that they don't name.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { createProject, routesFile } from './project.ts'

const folder = resolve(import.meta.dirname, '../schema/v1')
const schemaOf = (command: string) =>
  JSON.parse(readFileSync(join(folder, `${command}.json`), 'utf8')) as Record<string, unknown>
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  strictTypes: false,
  strictRequired: false,
})

const project = () =>
  createProject({
    'src/routes.ts': routesFile.replace(
      '// the same',
      "\n  version(3, resources('teams', { only: 'show', constraints: { id: /(a+)+/ } }), resources('keys', { only: 'index' })),",
    ),
  })

describe('what --json prints is valid', () => {
  it.each<[command: string, args: string[]]>([
    ['routes', []],
    ['check', []],
    ['diff', ['1', '2']],
    ['diff', ['1', '3']],
    ['explain', ['GET', '/api/users/7']],
    ['explain', ['GET', '/api/users/7.json', '--accept', 'application/vnd.acme+json;version=2']],
    ['explain', ['GET', '/api/teams/a', '--accept', 'application/vnd.acme+json;version=1']],
    ['explain', ['PATCH', '/api/users']],
    ['explain', ['OPTIONS', '/api/users']],
    ['explain', ['GET', '/elsewhere']],
    ['explain', ['GET', '/api/users', '--accept', 'application/vnd.acme+json;version=0']],
  ])('%s %j', async (command, args) => {
    const { out } = await project().hv(command, ...args, '--json')
    const validate =
      ajv.getSchema(`urn:hv-router:cli:v1:${command}`) ?? ajv.compile(schemaOf(command))
    const printed: unknown = JSON.parse(out)
    expect(validate(printed), JSON.stringify(validate.errors)).toBe(true)
  })

  it("routes and check print no field that the schema doesn't name", async () => {
    const { hv } = project()
    for (const command of ['routes', 'check']) {
      const { items } = schemaOf(command) as { items: { properties: object } }
      const printed = JSON.parse((await hv(command, '--json')).out) as object[]
      for (const one of printed)
        expect(Object.keys(items.properties)).toEqual(expect.arrayContaining(Object.keys(one)))
    }
  })
})

it.each([
  ['routes', [{ version: '1' }]],
  ['check', [{ code: 'lost-route', message: 'x', level: 'fatal' }]],
  ['diff', { from: 1, to: 2, added: [], removed: [], changed: [{ method: 'GET' }], same: [] }],
  ['explain', { result: { kind: 'match' }, problem: null, steps: [] }],
])("the schema of %s refuses what's not valid", (command, value) => {
  const validate =
    ajv.getSchema(`urn:hv-router:cli:v1:${command}`) ?? ajv.compile(schemaOf(command))
  expect(validate(value)).toBe(false)
})

it.each(['routes', 'check', 'diff', 'explain'])(
  'the schema of %s compiles in strict mode',
  (command) => {
    expect(new Ajv2020({ strict: true }).compile(schemaOf(command))).toBeTypeOf('function')
  },
)

it("there's a schema for each command with --json", () => {
  expect(readdirSync(folder).toSorted()).toEqual([
    'check.json',
    'diff.json',
    'explain.json',
    'routes.json',
  ])
})
