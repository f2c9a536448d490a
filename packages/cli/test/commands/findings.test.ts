// Findings of `check --lock --documents` by cause, what decides the exit code, and what a new lock file drops.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createProject } from '../project.ts'

const routesFile = `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme', path: '' }, version(1, resources('users', { only: ['index', 'show'] })))\n`
const base = {
  'routes.ts': routesFile,
}

interface Shapes {
  /** Schemas by component; each has the operations `GET /<component>/0` and so on. */
  readonly components: Readonly<Record<string, object>>
  readonly operations?: number
}

function documentsOf({ components, operations = 3 }: Shapes): string {
  const operationOf = (name: string) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    return { get: { responses: { 200: { content: { 'application/json': { schema } } } } } }
  }
  const paths = Object.keys(components).flatMap((name) =>
    Array.from(
      { length: operations },
      (_, index) => [`/${name}/${index}`, operationOf(name)] as const,
    ),
  )
  const schemas = Object.fromEntries(
    Object.entries(components).map(([name, role]) => [
      name,
      { type: 'object', properties: { role } },
    ]),
  )
  const document = {
    openapi: '3.1.0',
    info: {},
    paths: Object.fromEntries(paths),
    components: { schemas },
  }
  return JSON.stringify({ 1: document })
}

const text = { type: 'string' }
const nullable = { type: ['string', 'null'] }

async function released(shapes: Shapes) {
  const project = createProject({ ...base, 'released.json': documentsOf(shapes) })
  await project.hv('check', '--update-lock', '--documents', 'released.json')
  return {
    ...project,
    check: (...args: string[]) =>
      project.hv('check', '--lock', '--documents', 'current.json', ...args),
    change: (current: Shapes) => project.write({ 'current.json': documentsOf(current) }),
    update: () => project.hv('check', '--update-lock', '--documents', 'current.json'),
  }
}

describe('findings by cause', () => {
  it('prints a line for each changed component, and every finding with --json', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Thing${index}`)
    const all = (role: object) => Object.fromEntries(names.map((name) => [name, role]))
    const { check, change } = await released({ components: all(text), operations: 40 })
    change({ components: all(nullable), operations: 40 })
    const { code, out } = await check()
    const lines = out.trim().split('\n')
    expect([code, lines.length]).toEqual([1, names.length + 1])
    expect(lines[0]).toMatch(
      /^error {4}response-widened {2}version 1: Thing0\/role may be null, which isn't string, in 40 operations: GET \/Thing0\/0, GET \/Thing0\/1, GET \/Thing0\/10 and 37 more$/,
    )
    expect(lines.at(-1)).toBe('12 errors: 2 routes, 1 version.')
    expect(JSON.parse((await check('--json')).out)).toHaveLength(12 * 40)
  })

  it('diff prints a line for each changed component', async () => {
    const [document] = [text, nullable].map(
      (role) => JSON.parse(documentsOf({ components: { User: role } })) as object,
    )
    const later = (JSON.parse(documentsOf({ components: { User: nullable } })) as { 1: object })[1]
    const { hv } = createProject({
      'routes.ts': routesFile.replace(
        /version\((.*)\)\)\n/,
        'version($1), version(2, resources("users")))\n',
      ),
      'documents.json': JSON.stringify({ ...document, 2: later }),
    })
    const args = ['diff', '1', '2', '--documents', 'documents.json']
    expect((await hv(...args)).out).toContain(
      "error    response-widened  User/role may be null, which isn't string, in 3 operations: GET /User/0, GET /User/1, GET /User/2\n",
    )
    const { contract } = JSON.parse((await hv(...args, '--json')).out) as { contract: object[] }
    expect(contract).toHaveLength(3)
  })
})

describe('severity', () => {
  const [few, more]: readonly [Shapes, Shapes] = [
    { components: { User: { enum: ['a', 'b'] } } },
    { components: { User: { enum: ['a', 'b', 'c'] } } },
  ]
  it.each<[flags: string[], code: number, line: RegExp]>([
    [[], 0, /^warning {2}response-widened .*"c".*\n1 warning: 2 routes, 1 version\.\n$/],
    [['--fail-on', 'errors'], 0, /^warning {2}response-widened .*"c"/],
    [['--fail-on', 'warnings'], 1, /^warning {2}response-widened .*"c"/],
    [['--open-enums'], 0, /^No findings/],
  ])('one more value of a response enum, with %j: exit code %i', async (flags, code, line) => {
    const { check, change } = await released(few)
    change(more)
    expect(await check(...flags)).toMatchObject({ code, out: expect.stringMatching(line) })
  })

  it('diff leaves the value out with --open-enums', async () => {
    const [was, is] = [few, more].map(
      (shapes) => (JSON.parse(documentsOf(shapes)) as { 1: object })[1],
    )
    const { hv } = createProject({
      'routes.ts': routesFile.replace(
        /version\((.*)\)\)\n/,
        'version($1), version(2, resources("users")))\n',
      ),
      'documents.json': JSON.stringify({ 1: was, 2: is }),
    })
    const args = ['diff', '1', '2', '--documents', 'documents.json'] as const
    expect((await hv(...args)).out).toContain('response-widened')
    expect((await hv(...args, '--open-enums')).out).not.toContain('response-widened')
  })
})

describe('check --update-lock', () => {
  it('lists the findings that the new lock file drops, by cause', async () => {
    const { check, change, update } = await released({ components: { User: text, Team: text } })
    change({ components: { User: nullable, Team: text } })
    expect((await check()).code).toBe(1)
    expect(await update()).toMatchObject({
      code: 0,
      out: `No findings: 2 routes, 1 version.
routes.lock.json records all declared versions as released.
check --lock now accepts 1 finding:
error    response-widened  version 1: User/role may be null, which isn't string, in 3 operations: GET /User/0, GET /User/1, GET /User/2
`,
    })
    expect(await check()).toMatchObject({ code: 0, out: 'No findings: 2 routes, 1 version.\n' })
  })

  it("writes one line less for a route that's lost", async () => {
    const { hv, write, read } = createProject(base)
    await hv('check', '--update-lock')
    const before = read('routes.lock.json').split('\n')
    expect(before).toContain('        "GET /users/:id": { "to": "users#show" }')
    write({ 'routes.ts': routesFile.replace("['index', 'show']", "'show'") })
    await hv('check', '--update-lock')
    const after = read('routes.lock.json').split('\n')
    expect(before.filter((line) => !after.includes(line))).toEqual([
      '        "GET /users": { "to": "users#index" },',
    ])
  })

  it('writes the same file when names are written in another order', async () => {
    const schema = (...names: string[]) => ({
      components: {
        User: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, text])),
        },
      },
    })
    const { read, change, update } = await released(schema('a', 'b'))
    const before = read('routes.lock.json')
    change(schema('b', 'a'))
    await update()
    expect(read('routes.lock.json')).toBe(before)
  })

  it('writes nothing in CI', async () => {
    vi.stubEnv('CI', 'true')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { hv, list } = createProject(base)
    expect(await hv('check', '--update-lock')).toEqual({
      code: 2,
      out: '',
      err: "error: --update-lock doesn't write in CI (CI=true), because somebody should review what it changes. Run it on your machine, and commit the file.\n",
    })
    expect(list()).not.toContain('routes.lock.json')
  })
})

it('check --json prints what its schema says', async () => {
  const { check, change } = await released({ components: { User: text, Team: text } })
  change({ components: { User: nullable, Team: nullable } })
  const printed = JSON.parse((await check('--json')).out) as object[]
  const schema = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../schema/v1/check.json'), 'utf8'),
  ) as { items: { properties: object } }
  const validate = new Ajv2020({ strict: true }).compile(schema)
  expect(validate(printed), JSON.stringify(validate.errors)).toBe(true)
  expect(printed).toHaveLength(6)
  for (const finding of printed)
    expect(Object.keys(schema.items.properties)).toEqual(
      expect.arrayContaining(Object.keys(finding)),
    )
})
