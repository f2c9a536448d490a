// What `check --lock` reports for a released version, and what it accepts.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { api, get, version } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { compareLock } from '../../src/commands/check/compare-lock.ts'
import { createLock } from '../../src/commands/check/lock.ts'
import { describeApi } from '../../src/route-file/route-file.ts'
import { createProject } from '../project.ts'

const declare = (options: string, nodes: string) =>
  `import { api, get, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme'${options} }, version(1, ${nodes}), version(2, ${nodes}))\n`
const users = "resources('users', { only: 'show' })"

async function compare(before: string, after: string) {
  const { hv, write, read } = createProject({ 'src/routes.ts': before })
  await hv('check', '--update-lock')
  write({ 'src/routes.ts': after })
  const { code, out } = await hv('check', '--lock')
  return {
    code,
    lines: out.trim().split('\n').slice(0, -1),
    lock: read('routes.lock.json'),
  }
}

const constrained = (pattern: string) =>
  `resources('users', { only: 'show', constraints: { id: ${pattern} } })`

describe('check --lock', () => {
  const refused: readonly (readonly [
    what: string,
    before: [string, string?],
    after: [string, string?],
    line: string,
  ])[] = [
    [
      'another vendor string',
      [''],
      [", vendorString: 'acne'"],
      "error    changed-vendor  the released vendor string changed from 'acme' to 'acne': requests that ask for a version get a 406 response",
    ],
    [
      'another default version',
      [''],
      [', defaultVersion: 2'],
      "error    changed-default  the version of requests that don't ask for one changed from 1 to 2",
    ],
    [
      'a required version',
      [''],
      [', requireVersion: true'],
      "error    changed-default  the version of requests that don't ask for one changed from 1 to required",
    ],
    [
      'a removed format',
      [", formats: ['json', 'xml']"],
      [", formats: ['json']"],
      'error    changed-formats  the released formats changed from ["json","xml"] to ["json"]',
    ],
    [
      'no formats',
      [''],
      [', formats: false'],
      'error    changed-formats  the released formats changed from ["json"] to false',
    ],
    [
      'any format',
      [''],
      [", formats: 'any'"],
      'error    changed-formats  the released formats changed from ["json"] to "any"',
    ],
    [
      'strictness',
      [''],
      [', strict: true'],
      'error    changed-strictness  strict is new: browsers, whose Accept header asks for no version, now get a 406 response',
    ],
    [
      'a new constraint',
      ['', users],
      ['', constrained(String.raw`/\d+/`)],
      String.raw`error    changed-constraint  released version 1: GET /api/users/:id: id now has the constraint /\d+/`,
    ],
    [
      'another constraint of a renamed parameter',
      ['', constrained(String.raw`/\d+/`)],
      [
        '',
        String.raw`resources('users', { only: 'show', param: 'key', constraints: { key: /[a-z]+/i } })`,
      ],
      String.raw`error    changed-constraint  released version 2: GET /api/users/:key: the constraint of key changed from /\d+/ to /[a-z]+/i`,
    ],
  ]
  it.each(refused)('finds %s', async (_what, before, after, line) => {
    const { code, lines } = await compare(
      declare(before[0], before[1] ?? users),
      declare(after[0], after[1] ?? users),
    )
    expect(code).toBe(1)
    expect(lines).toContain(line)
  })

  const accepted: readonly (readonly [
    what: string,
    before: [string, string?],
    after: [string, string?],
  ])[] = [
    ['renamed parameters', [''], ['', "resources('users', { only: 'show', param: 'slug' })"]],
    ['another format', [''], [", formats: ['json', 'xml']"]],
    ['no strictness', [', strict: true'], ['']],
    ['no required version', [', requireVersion: true'], ['']],
    ['the removal of a constraint', ['', constrained(String.raw`/\d+/`)], ['']],
    [
      'a constraint of a new route',
      [''],
      ['', `${users}, get('teams/:id', { to: 'teams#show', constraints: { id: /a/ } })`],
    ],
    [
      'the same constraint of a renamed parameter',
      ['', constrained(String.raw`/\d+/`)],
      [
        '',
        String.raw`resources('users', { only: 'show', param: 'key', constraints: { key: /\d+/ } })`,
      ],
    ],
  ]
  it.each(accepted)('accepts %s', async (_what, before, after) => {
    const { code, lines } = await compare(
      declare(before[0], before[1] ?? users),
      declare(after[0], after[1] ?? users),
    )
    expect({ code, lines }).toEqual({ code: 0, lines: [] })
  })

  it('accepts another default version once the released one is past its sunset', async () => {
    const ended = declare(', defaultVersion: 2', users).replace(
      'version(1,',
      "version(1, { sunset: '2020-01-01' },",
    )
    expect(await compare(declare('', users), ended)).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(/^warning {2}ended-version/)],
    })
  })

  it("finds an API's routes when it doesn't read formats any more", async () => {
    const { lines } = await compare(declare('', users), declare(', formats: false', users))
    expect(lines.map((line) => line.split(/ +/)[1])).toEqual(['changed-formats'])
  })

  it('refuses a lock file of another format, and says what to do', async () => {
    const { hv, read, folder } = createProject({
      'src/routes.ts': declare(", vendorString: 'acne', strict: true", users),
      'routes.lock.json': '{ "versions": { "1": { "GET /api/users/:id": "users#show" } } }',
    })
    for (const option of ['--lock', '--update-lock'])
      expect(await hv('check', option)).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          'delete it and write it again: npx @hv/router-cli@0.1 check --update-lock',
        ),
      })
    rmSync(join(folder, 'routes.lock.json'))
    await hv('check', '--update-lock')
    expect(JSON.parse(read('routes.lock.json'))).toMatchObject({
      lockVersion: 1,
      settings: { vendor: 'acne' },
    })
    expect((await hv('check', '--lock')).out).toMatch(/^No findings/)
  })

  it('tells routes apart that differ in constraints and parameter names', async () => {
    const nodes = (id: string, rest: string) =>
      declare(
        '',
        `get('users/:${id}', { to: 'users#show', constraints: { ${id}: /\\d+/ } })${rest}`,
      )
    const other = ", get('users/:name', { to: 'users#by_name' })"
    expect(await compare(nodes('id', other), nodes('id', other))).toMatchObject({
      code: 0,
      lines: [],
    })
    expect(await compare(nodes('id', other), nodes('key', other))).toMatchObject({
      code: 0,
      lines: [],
    })
    expect((await compare(nodes('id', other), nodes('id', ''))).lines).toContain(
      'error    lost-route  released version 1 has lost GET /api/users/:name',
    )
  })

  it('records no preview, and lets it change', async () => {
    const withPreview = (nodes: string) =>
      declare('', users).replace(/version\(2, .*\)\)/, `version(2, { preview: true }, ${nodes}))`)
    const { code, lines, lock } = await compare(
      withPreview(`${users}, get('health', { to: 'status#show' })`),
      withPreview(users),
    )
    expect([code, lines]).toEqual([0, []])
    expect(Object.keys((JSON.parse(lock) as { versions: object }).versions)).toEqual(['1'])
    const { out } = await createProject({ 'src/routes.ts': withPreview(users) }).hv(
      'check',
      '--update-lock',
    )
    expect(out).toContain(
      'routes.lock.json records all declared versions except previews as released.\n',
    )
  })
  it('accepts the removal of a route after its sunset', async () => {
    const ended = (date: string) => `${users}, get('old', { to: 'users#old', sunset: '${date}' })`
    expect((await compare(declare('', ended('2021-01-01')), declare('', users))).lines).toEqual([])
    expect((await compare(declare('', ended('9999-01-01')), declare('', users))).code).toBe(1)
  })

  const lock = (rest: object) => ({
    lockVersion: 1,
    settings: { vendor: 'acme', defaultVersion: 1, formats: ['json'], strict: false },
    versions: {},
    ...rest,
  })
  const lockedRoute = (route: unknown) => lock({ versions: { 1: { routes: { 'GET /': route } } } })
  it.each<object>([
    lock({ settings: null }),
    lock({ settings: { vendor: 'acme' } }),
    lock({ settings: undefined }),
    lock({ versions: { 1: null } }),
    lock({ versions: { 1: { routes: null } } }),
    lockedRoute(7),
    lockedRoute({ to: 'users#show', constraints: [] }),
    lock({ documents: { 1: null } }),
    lock({ lockVersion: 2 }),
  ])('refuses a damaged lock file: %j', async (damaged) => {
    const { hv } = createProject({
      'src/routes.ts': declare('', users),
      'routes.lock.json': JSON.stringify(damaged),
    })
    expect(await hv('check', '--lock')).toMatchObject({
      code: 2,
      err: expect.stringContaining('error: routes.lock.json is damaged, or'),
    })
  })
})

describe('check --lock --documents', () => {
  const documents = (
    schema: object,
  ) => `const media = (schema: object) => ({ 'application/json': { schema } })
export const documents = () => ({
  1: {
    openapi: '3.1.0',
    info: { title: 'Acme', version: '1' },
    paths: { '/users/{id}': { get: { responses: { 200: { content: media(${JSON.stringify(schema)}) } } } } },
  },
})\n`
  const user = (username: object) =>
    documents({ type: 'object', properties: { username }, required: ['username'] })
  const check = async (before: string, after: string, ...flags: string[]) => {
    const { hv, write } = createProject({
      'src/routes.ts': declare('', users),
      'documents.ts': before,
    })
    await hv('check', '--update-lock', '--documents', 'documents.ts')
    write({ 'current.ts': after }) // another file: this process has loaded the first one
    return hv('check', '--lock', '--documents', 'current.ts', ...flags)
  }

  it('finds a schema that changed', async () => {
    expect(await check(user({ type: 'string' }), user({ type: ['string', 'null'] }))).toMatchObject(
      {
        code: 1,
        out: expect.stringMatching(
          /^error {4}response-widened {2}version 1: GET \/users\/\{id\}: status 200: \/username may be null, which isn't string\n1 error: /,
        ),
      },
    )
    const { out } = await check(
      user({ type: 'string' }),
      user({ type: ['string', 'null'] }),
      '--json',
    )
    expect(JSON.parse(out)).toMatchObject([
      {
        direction: 'response',
        before: '/paths/~1users~1{id}/get/responses/200/content/application~1json/schema',
        remedy: expect.stringContaining('new version'),
      },
    ])
  })

  it('accepts a schema that promises more', async () => {
    expect(
      await check(user({ type: 'string' }), user({ type: 'string', maxLength: 8 })),
    ).toMatchObject({ code: 0 })
  })

  it('finds security that all operations require', async () => {
    const [open, secured] = ['', 'security: [{ token: [] }],'].map((security) =>
      user({ type: 'string' }).replace("openapi: '3.1.0',", `openapi: '3.1.0', ${security}`),
    ) as [string, string]
    expect(await check(open, secured)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^error {4}unclear-change/),
    })
    expect(await check(secured, secured)).toMatchObject({ code: 0 })
  })

  it("finds a webhook that's gone, and reads a document by the rules of its OpenAPI version", async () => {
    const user30 = (more: string) =>
      user({ type: 'string', nullable: true }).replace(
        "openapi: '3.1.0',",
        `openapi: '3.0.3',${more}`,
      )
    const webhook =
      "webhooks: { created: { post: { responses: { 200: { description: 'Received' } } } } },"
    expect(await check(user30(webhook), user30(''))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^error {4}lost-operation {2}version 1: webhook created: POST/),
    })
    // In OpenAPI 3.0, what's beside a $ref is ignored.
    const beside = (keyword: string) =>
      user30('components: { schemas: { Name: { type: "string" } } },').replace(
        '{"type":"string","nullable":true}',
        `{"$ref":"#/components/schemas/Name",${keyword}}`,
      )
    expect(await check(beside('"maxLength":8'), beside('"maxLength":9'))).toMatchObject({ code: 0 })
  })

  it('has no prose in the lock file, and accepts other prose', async () => {
    const described = (text: string) =>
      documents({
        title: text,
        description: text,
        type: 'object',
        properties: {
          title: {
            type: 'string',
            description: text,
            examples: [text],
            default: { title: 'kept' },
          },
          tags: { not: { type: 'null', description: text } },
        },
        required: ['title'],
      }).replace('get: {', `get: { summary: '${text}', description: '${text}', tags: ['${text}'],`)
    const { hv, write, read } = createProject({
      'src/routes.ts': declare('', users),
      'documents.ts': described('first text'),
    })
    await hv('check', '--update-lock', '--documents', 'documents.ts')
    const lock = read('routes.lock.json')
    expect(lock).not.toContain('first text')
    expect(lock.replace(/\s/g, '')).toContain(
      '"properties":{"tags":{"not":{"type":"null"}},"title":{"default":{"title":"kept"},"type":"string"}}',
    )
    write({ 'current.ts': described('second text') })
    expect(await hv('check', '--lock', '--documents', 'current.ts')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No findings/),
    })
    await hv('check', '--update-lock', '--documents', 'current.ts')
    expect(read('routes.lock.json')).toBe(lock)
  })

  const root = ", path: ''"
  it.each([
    [
      'a version',
      declare(root, users).replace('version(1,', "version(1, { sunset: '2020-01-01' },"),
    ],
    ['a route', declare(root, users.replace('}', ", sunset: '2020-01-01' }"))],
  ])('accepts that the documents lose %s that has ended', async (_what, routes) => {
    const { hv } = createProject({
      'src/routes.ts': routes,
      'documents.ts': user({ type: 'string' }),
      'current.ts': "export const documents = { 1: { openapi: '3.1.0', info: {}, paths: {} } }\n",
    })
    await hv('check', '--update-lock', '--documents', 'documents.ts')
    expect(await hv('check', '--lock', '--documents', 'current.ts')).toMatchObject({ code: 0 })
  })

  it('says when one side has no documents', async () => {
    const { hv } = createProject({
      'src/routes.ts': declare('', users),
      'documents.ts': user({ type: 'string' }),
    })
    await hv('check', '--update-lock')
    const args = ['check', '--lock', '--documents', 'documents.ts'] as const
    expect(await hv(...args)).toMatchObject({
      code: 0,
      out: expect.stringContaining('documents-not-compared'),
    })
    await hv('check', '--update-lock', '--documents', 'documents.ts')
    expect((await hv('check', '--lock')).out).toContain('--documents <module>')
    expect((await hv(...args)).out).toMatch(/^No findings/)
  })
})

it('compares lost routes one by one, not each with every other', () => {
  const routes = api({ vendorString: 'acme' }, version(1, get('users', { to: 'users#index' })))
  const routeFile = describeApi(routes, '/app/src/routes.ts', 'src/routes.ts')
  const lock = createLock(routeFile)
  let reads = 0
  const lostRoute = {
    to: 'users#show',
    get sunset(): undefined {
      reads++
      return undefined
    },
  }
  const lost = Array.from({ length: 1000 }, (_, index) => [`GET /api/lost-${index}`, lostRoute])
  const released = { ...lock, versions: { 1: { routes: Object.fromEntries(lost) } } }
  const findings = compareLock(released, routeFile, { documents: null })
  expect(findings).toHaveLength(1000)
  expect(reads).toBeLessThan(10_000)
})
