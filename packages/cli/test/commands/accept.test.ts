// Findings of `check --lock --documents` by cause, what decides the exit code, and the findings that a lock file accepts.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/run.ts'
import { createProject } from '../project.ts'

const routesFile = `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme', path: '' }, version(1, resources('users', { only: ['index', 'show'] })))\n`
const base = {
  'routes.ts': routesFile,
  'controllers/v1/users_controller.ts': 'export class UsersController { index() {} show() {} }',
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
    accepted: () =>
      (JSON.parse(project.read('routes.lock.json')) as { accepted?: Record<string, object> })
        .accepted,
  }
}
const fingerprintIn = (out: string): string => /\[([0-9a-f]{8})\]/.exec(out)![1]!

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
      /^response-widened {2}version 1: Thing0\/role may be null, which is not string, in 40 operations: GET \/Thing0\/0, GET \/Thing0\/1, GET \/Thing0\/2 and 37 more {2}\[[0-9a-f]{8}\]$/,
    )
    expect(lines.at(-1)).toBe('12 findings. To accept one: --accept <fingerprint> --reason <why>.')
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
      'response-widened  User/role may be null, which is not string, in 3 operations: GET /User/0, GET /User/1, GET /User/2\n',
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
    [[], 0, /^response-widened .*"c".*\n1 warning: 2 routes, 1 version\.\n$/],
    [['--fail-on-warnings'], 1, /^response-widened .*"c"/],
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

describe('check --accept', () => {
  it('accepts one cause, with a reason and a date, and reports the next one', async () => {
    const { check, change, accepted } = await released({ components: { User: text, Team: text } })
    change({ components: { User: nullable, Team: text } })
    const fingerprint = fingerprintIn((await check()).out)
    const accepting = await check('--accept', fingerprint, '--reason', 'No client reads it.')
    expect(accepting).toMatchObject({
      code: 0,
      out: 'No findings: 2 routes, 1 version. 1 finding accepted.\n',
    })
    expect(accepted()).toEqual({
      [fingerprint]: {
        finding: 'response-widened: version 1: User/role may be null, which is not string',
        operations: ['GET /User/0', 'GET /User/1', 'GET /User/2'],
        reason: 'No client reads it.',
        date: new Date().toISOString().slice(0, 10),
      },
    })
    change({ components: { User: nullable, Team: nullable } })
    const { code, out } = await check()
    expect([code, out.trim().split('\n').length]).toEqual([1, 2])
    expect(out).toMatch(
      /^response-widened {2}version 1: Team\/role .*\n1 finding\. 1 finding accepted\. To accept one/,
    )
  })

  it('reports the next change of a keyword that nothing can judge', async () => {
    const withNot = (value: string) => ({
      components: { User: { type: 'string', not: { const: value } } },
    })
    const { check, change } = await released(withNot('a'))
    change(withNot('b'))
    const fingerprint = fingerprintIn((await check()).out)
    expect(await check('--accept', fingerprint, '--reason', 'Agreed.')).toMatchObject({ code: 0 })
    change(withNot('c'))
    expect(await check()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^unclear-change /),
    })
  })

  it('reports the same finding in another operation', async () => {
    const spread = (was: object, is: object) => ({
      ...documentOfTwo(was),
      ...documentOfTwo(is, '/other'),
    })
    const documentOfTwo = (schema: object, path = '/user') => ({
      [path]: { get: { responses: { 200: { content: { 'application/json': { schema } } } } } },
    })
    const write = (was: object, is: object) =>
      JSON.stringify({ 1: { openapi: '3.1.0', paths: spread(was, is) } })
    const { hv, write: save } = createProject({ ...base, 'documents.json': write(text, text) })
    await hv('check', '--update-lock', '--documents', 'documents.json')
    save({ 'documents.json': write(nullable, text) })
    const check = (...args: string[]) =>
      hv('check', '--lock', '--documents', 'documents.json', ...args)
    const fingerprint = fingerprintIn((await check()).out)
    expect(await check('--accept', fingerprint, '--reason', 'Agreed.')).toMatchObject({ code: 0 })
    save({ 'documents.json': write(nullable, nullable) })
    expect(await check()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^response-widened .* GET \/other: /),
    })
    expect(await check('--accept', fingerprint, '--reason', 'Agreed.')).toMatchObject({ code: 0 })
  })

  it('accepts a lost route, and several findings at once', async () => {
    const { hv, write, read } = createProject(base)
    await hv('check', '--update-lock')
    write({
      'routes.ts': routesFile.replace("['index', 'show']", "'show'").replace("'acme'", "'acne'"),
      'controllers/v1/users_controller.ts': 'export class UsersController { show() {} }',
    })
    const { out } = await hv('check', '--lock')
    const fingerprints = [...out.matchAll(/\[([0-9a-f]{8})\]/g)].map(([, one]) => one!)
    expect(fingerprints).toHaveLength(2)
    expect(
      await hv('check', '--accept', fingerprints.join(), '--reason', 'Nobody called it.'),
    ).toMatchObject({
      code: 0,
    })
    expect(read('routes.lock.json')).toContain(
      '"lost-route: released version 1 has lost GET /users(.:format)"',
    )
  })

  it('reports an acceptance that matches nothing any more', async () => {
    const { check, change, accepted, hv } = await released({ components: { User: text } })
    change({ components: { User: nullable } })
    const fingerprint = fingerprintIn((await check()).out)
    await check('--accept', fingerprint, '--reason', 'Agreed.')
    change({ components: { User: text } })
    expect(await check()).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        `stale-acceptance  ${fingerprint} (response-widened: version 1: User/role`,
      ),
    })
    // Documents that aren't compared say nothing about it.
    expect((await hv('check', '--lock')).out).not.toContain('stale-acceptance')
    await check('--update-lock')
    expect(accepted()).toBeUndefined()
  })

  it.each<[what: string, args: string[], message: string]>([
    ['no reason', ['--accept', '3f9c2a1b'], '--accept needs a reason'],
    [
      'a fingerprint that no finding has',
      ['--accept', '3f9c2a1b', '--reason', 'x'],
      'no finding has the fingerprint 3f9c2a1b',
    ],
  ])('refuses %s, and writes nothing', async (_what, args, message) => {
    const { check, change, accepted } = await released({ components: { User: text } })
    change({ components: { User: nullable } })
    expect(await check(...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
    expect(accepted()).toBeUndefined()
  })

  it('prints JSON as its schema says', async () => {
    const { check, change } = await released({ components: { User: text, Team: text } })
    change({ components: { User: nullable, Team: nullable } })
    const args = ['--accept', fingerprintIn((await check()).out), '--reason', 'Agreed.']
    const printed = JSON.parse((await check(...args, '--json')).out) as object[]
    const schema = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../schema/v1/check.json'), 'utf8'),
    ) as {
      items: { properties: object }
    }
    const validate = new Ajv2020({ strict: true }).compile(schema)
    expect(validate(printed), JSON.stringify(validate.errors)).toBe(true)
    expect(printed).toHaveLength(6)
    expect(printed.filter((one) => 'accepted' in one)).toHaveLength(3)
    for (const one of printed)
      expect(Object.keys(schema.items.properties)).toEqual(expect.arrayContaining(Object.keys(one)))
  })
})

describe('progress', () => {
  const errOf = async (isTTY: boolean) => {
    const { folder, hv } = createProject({
      ...base,
      'released.json': documentsOf({ components: { User: text } }),
    })
    await hv('check', '--update-lock', '--documents', 'released.json')
    const err: string[] = []
    const io = {
      cwd: folder,
      out: { write: () => {} },
      err: { isTTY, write: (line: string) => err.push(line) },
    }
    await run(['check', '--lock', '--documents', 'released.json'], io)
    return err.join('')
  }
  it('is one line of a terminal that is removed in the end', async () => {
    const removed = '\r\u001B[K'
    const lines = (await errOf(true)).split(removed).map((line) => stripVTControlCharacters(line))
    expect(lines.slice(1)).toEqual([
      'Comparing the documents of version 1 (1 of 1) …',
      expect.any(String),
    ])
  })
  it('is not in a pipe', async () => {
    expect(await errOf(false)).not.toContain('Comparing')
  })
})
