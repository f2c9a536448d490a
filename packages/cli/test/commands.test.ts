import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../src/run.ts'
import { createProject, routesFile } from './project.ts'

const root = resolve(import.meta.dirname, '../../..')

interface Golden {
  readonly id: string
  readonly rows: readonly {
    readonly name: string
    readonly verb: string
    readonly path: string
    readonly to: string
  }[]
}

/** Runs in a folder of this repository. */
async function hvIn(folder: string, ...args: string[]) {
  const [out, err] = [[] as string[], [] as string[]]
  const io = {
    cwd: join(root, folder),
    out: { write: (text: string) => out.push(text) },
    err: { write: (text: string) => err.push(text) },
  }
  const code = await run(args, io)
  return { code, out: out.join(''), err: err.join('') }
}
const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')

/** Version 2 overrides users#index, replaces teams, and drops notes; version 3 changes nothing. */
const project = () =>
  createProject({
    'src/routes.ts': `import { api, cache, get, inherit, resources, version } from '@hv/router'
export const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }), resources('notes', { only: 'index' }))),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1', except: 'notes' }), get('users', { to: 'people#list' }), resources('teams', { only: 'show' }))),
  version(3, inherit({ from: 'v2' })),
)
`,
    'controllers/api/v1/users_controller.ts':
      'export class UsersController {\n  index() {}\n  async show(request: { id: string }): Promise<void> { if (request) { nothing() } }\n}\n',
    'controllers/api/v1/notes_controller.ts':
      'export class NotesController { index = { handler: () => { other() } } }\n',
    'controllers/api/v2/users_controller.ts':
      "import { UsersController as V1 } from '../v1/users_controller.js'\nexport class UsersController extends V1 {\n  override show = async () => {}\n}\n",
    'controllers/api/v2/people_controller.ts': 'export class PeopleController { list() {} }\n',
    'controllers/api/v2/teams_controller.ts': 'export class TeamsController { show() {} }\n',
    'controllers/api/v3/users_controller.ts':
      "import { UsersController as V2 } from '../v2/users_controller.js'\nexport class UsersController extends V2 {}\n",
    'controllers/api/v3/people_controller.ts':
      "import { PeopleController as V2 } from '../v2/people_controller.js'\nexport class PeopleController extends V2 {}\n",
    'controllers/api/v3/teams_controller.ts':
      "import { TeamsController as V2 } from '../v2/teams_controller.js'\nexport class TeamsController extends V2 {}\n",
  })

describe('routes', () => {
  it('prints the users service', async () => {
    expect(await hvIn('examples/users', 'routes')).toEqual({
      code: 0,
      out: fixture('users-service.txt'),
      err: 'Route file: src/routes.ts\n',
    })
  })

  it('prints the golden table readme-complex', async () => {
    expect(
      await hvIn('packages/cli/test/fixtures', 'routes', '--routes', 'readme-complex.ts'),
    ).toEqual({
      code: 0,
      out: fixture('readme-complex.txt'),
      err: 'Route file: readme-complex.ts\n',
    })
    // The original's table, which has names and formats.
    const golden = JSON.parse(
      readFileSync(join(root, 'packages/router/test/compile/golden-tables.json'), 'utf8'),
    ) as Golden[]
    const { rows } = golden.find(({ id }) => id === 'readme-complex')!
    const printed = fixture('readme-complex.txt')
      .split('\n')
      .slice(1, rows.length + 1)
    for (const [i, { verb, path, to }] of rows.entries())
      expect(printed[i]!.split(/ {2,}/)).toEqual([
        to.split('/')[1]!.slice(1),
        verb,
        path.replace('(.:format)', ''),
        to.split('/').slice(2).join('/'),
        expect.stringMatching(/^(?:new|inherited from \d)$/),
      ])
  })

  it('says which version a row comes from', async () => {
    expect((await project().hv('routes', '--for', '2')).out)
      .toBe(`Version  Name      Verb  Path            Action       Origin
2                  GET   /api/users      users#index  inherited from 1, shadowed
2                  GET   /api/users/:id  users#show   inherited from 1
2                  GET   /api/users      people#list  new
2        api_team  GET   /api/teams/:id  teams#show   new

4 of 11 routes, 3 versions.
`)
  })

  it("leaves out the names of routes that wouldn't fit 80 columns", async () => {
    const printed = (controller: string) =>
      createProject({
        'routes.ts': `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index', controller: '${controller}' })))\n`,
      }).hv('routes')
    expect((await printed('a'.repeat(28))).out).toMatch(/^Version  Name .*Origin\n/)
    expect((await printed('a'.repeat(29))).out).toMatch(/^Version  Verb .*Origin\n/)
  })

  it.each<[args: string[], count: number]>([
    [['--for', '2'], 4],
    [['--for', '1,3'], 7],
    [[], 11],
  ])('%j leaves %i', async (args, count) => {
    const { code, out } = await project().hv('routes', ...args, '--json')
    expect([code, (JSON.parse(out) as unknown[]).length]).toEqual([0, count])
    expect((await project().hv('routes', ...args)).out).toContain(
      `${count} of 11 routes, 3 versions.`.replace('11 of ', ''),
    )
  })

  it("refuses a --cwd that doesn't exist", async () => {
    expect(await project().hv('--cwd', 'nowhere', 'routes')).toEqual({
      code: 2,
      out: '',
      err: "error: no such folder: nowhere. Pass your project's folder with --cwd <folder>.\n",
    })
  })

  it('gives each row as JSON', async () => {
    const { out } = await project().hv('routes', '--for', '3', '--json')
    expect((JSON.parse(out) as unknown[])[1]).toEqual({
      version: 3,
      name: null,
      method: 'GET',
      path: '/api/users/:id(.:format)',
      controller: 'api/v3/users',
      action: 'show',
      origin: 'inherited',
      declaredIn: 1,
      shadowed: false,
    })
  })

  it('is colored on a terminal alone, and never cut off', async () => {
    const { folder, hv } = project()
    const out: string[] = []
    const io = (isTTY: boolean) => ({
      cwd: folder,
      out: { isTTY, write: (text: string) => out.push(text) },
      err: process.stderr,
    })
    await run(['routes'], io(true))
    expect(out.join('')).toContain('\u001b[1mVersion')
    expect((await hv('routes')).out).not.toContain('\u001b')
  })

  it("refuses a version that's not there", async () => {
    expect(await project().hv('routes', '--for', '9')).toEqual({
      code: 2,
      out: '',
      err: "error: version 9 isn't declared. Declared versions: 1, 2, 3.\n",
    })
  })
})

describe('check', () => {
  it('finds nothing in the users service', async () => {
    expect(
      await hvIn('examples/users', 'check', '--lock', '--documents', 'documents.ts'),
    ).toMatchObject({
      code: 0,
      out: 'No findings: 13 routes, 2 versions.\n',
      err: 'Route file: src/routes.ts\n',
    })
  })

  it('finds shadowed routes', async () => {
    expect(await project().hv('check')).toEqual({
      code: 1,
      err: 'Route file: src/routes.ts\n',
      out: `error    shadowed-route  version 2: GET /api/users never reaches users#index, because another route with the same method and path comes first
error    shadowed-route  version 3: GET /api/users never reaches people#list, because another route with the same method and path comes first
2 errors: 11 routes, 3 versions.
`,
    })
  })

  it('finds unknown options, and what else api() refuses', async () => {
    const { hv } = createProject({
      'routes.js': `import { api, resources, version } from '@hv/router'\nexport default api({ vendorString: 'acme' }, version(1, resources('users', { onlly: 'index' })))`,
    })
    for (const command of ['check', 'routes'])
      expect(await hv(command)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^error: HV_OPTION: .*'onlly'/),
      })
  })

  it('holds released versions to their lock file', async () => {
    const { hv, write, read } = createProject({ 'src/routes.ts': routesFile })
    expect(await hv('check', '--lock')).toEqual({
      code: 2,
      out: '',
      err: 'error: no such file: routes.lock.json. Write it when you release a version: npx @hv/router-cli@0.1 check --update-lock.\n',
    })
    expect((await hv('check', '--update-lock')).out).toContain(
      "routes.lock.json records all declared versions as released.\nIt doesn't contain payloads. Record them with --documents <module>.\n",
    )
    expect(JSON.parse(read('routes.lock.json'))).toEqual({
      lockVersion: 1,
      settings: { vendor: 'acme', defaultVersion: 1, formats: ['json'], strict: false },
      versions: Object.fromEntries(
        ['1', '2'].map((version) => [
          version,
          {
            routes: {
              'GET /api/users': { to: 'users#index' },
              'GET /api/users/:id': { to: 'users#show' },
            },
          },
        ]),
      ),
    })
    expect((await hv('check', '--lock')).code).toBe(0)

    // New routes and a new version are fine.
    write({
      'src/routes.ts': routesFile
        .replace("'show'] }", "'show', 'create'] }")
        .replace('// the same', "\n  version(3, inherit({ from: 'v1' })),"),
    })
    expect((await hv('check', '--lock')).code).toBe(0)

    write({
      'src/routes.ts': routesFile.replace(
        "'show'] }",
        "'show'], controller: 'people', param: 'slug' }",
      ),
    })
    const changed = await hv('check', '--lock')
    expect([changed.code, changed.out]).toEqual([
      1,
      `error    changed-route  released version 1: GET /api/users changed from users#index to people#index
error    changed-route  released version 1: GET /api/users/:id changed from users#show to people#show
error    changed-route  released version 2: GET /api/users changed from users#index to people#index
error    changed-route  released version 2: GET /api/users/:id changed from users#show to people#show
4 errors: 4 routes, 2 versions.
`,
    ])
    write({ 'src/routes.ts': routesFile.replace(/  version\(2.*\n/, '') })
    expect((await hv('check', '--lock')).out).toContain(
      "lost-version  released version 2 isn't declared any more",
    )
    for (const text of [
      '{',
      'null',
      '[]',
      '{"versions":null}',
      '{"lockVersion":4,"versions":{}}',
    ]) {
      write({ 'routes.lock.json': text })
      expect(await hv('check', '--lock'), text).toMatchObject({
        code: 2,
        err: expect.stringContaining('routes.lock.json'),
      })
    }
  })
})

describe('diff', () => {
  it('tells what a client finds', async () => {
    expect((await project().hv('diff', '1', '2')).out)
      .toBe(`new      GET  /api/teams/:id  teams#show
removed  GET  /api/notes      notes#index
changed  GET  /api/users      people#list, was users#index
Version 2, compared with version 1: 1 new, 1 removed, 1 changed, 1 inherited from 1.
To compare payloads, pass --documents <module>.
`)
    expect((await project().hv('diff', '2', '3')).out).toContain(
      'Version 3, compared with version 2: 0 new, 0 removed, 1 changed, 1 inherited from 2, 1 inherited from 1.\n',
    )
  })

  it('writes a guide, and JSON', async () => {
    expect((await project().hv('diff', '1', '2', '--guide')).out).toBe(`## From version 1 to 2

Send \`Accept: application/vnd.acme+json;version=2\`.

### Added

- \`GET /api/teams/{id}\`

### Removed

- \`GET /api/notes\`

### Changed

- \`GET /api/users\`
`)
    const { added, removed, changed, same } = JSON.parse(
      (await project().hv('diff', '2', '1', '--json')).out,
    ) as Record<string, unknown[]>
    expect([added, removed, changed, same].map((routes) => routes!.length)).toEqual([1, 1, 1, 1])
  })

  it('prints a guide without changes', async () => {
    const { hv } = createProject({ 'routes.ts': routesFile })
    expect((await hv('diff', '1', '2', '--guide')).out).toBe(
      '## From version 1 to 2\n\nSend `Accept: application/vnd.acme+json;version=2`.\n\nNo changes.\n',
    )
    expect((await hv('diff', '1', '2')).out).toBe(
      'Versions 1 and 2 have the same 2 routes.\nTo compare payloads, pass --documents <module>.\n',
    )
  })

  it("refuses a version that's compared with itself", async () => {
    expect(await project().hv('diff', '1', '1')).toEqual({
      code: 2,
      out: '',
      err: 'error: pass two different versions.\n',
    })
  })

  it('refuses versions that are none', async () => {
    expect((await project().hv('diff', '1', '9')).err).toBe(
      "error: version 9 isn't declared. Declared versions: 1, 2, 3.\n",
    )
    expect(await project().hv('diff', '1', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('A version is a whole number from 1.'),
    })
  })
})

describe('explain', () => {
  it('explains a request', async () => {
    const { code, out } = await project().hv(
      'explain',
      'get',
      '/api/notes',
      '--accept',
      'text/html;q=0.9, application/vnd.acme+json;version=2',
    )
    expect([code, out]).toEqual([
      0,
      `GET /api/notes with Accept: text/html;q=0.9, application/vnd.acme+json;version=2

 1. text/html;q=0.9: a type that this API doesn't serve.
 2. application/vnd.acme+json;version=2: version 2.
 3. Acceptable versions, best first: 2.
 4. Version 2 doesn't have this path.
 5. 404 Not in this version: Version 2 doesn't have this endpoint. Send Accept: application/vnd.acme+json;version=1.

{
  "type": "urn:hv-router:not-in-version",
  "title": "Not in this version",
  "status": 404,
  "detail": "Version 2 doesn't have this endpoint. Send Accept: application/vnd.acme+json;version=1.",
  "requested": [
    2
  ],
  "supported": [
    1,
    2,
    3
  ],
  "availableIn": [
    1
  ]
}
`,
    ])
    const json = JSON.parse(
      (await project().hv('explain', 'GET', '/api/users/7', '--json')).out,
    ) as {
      result: { params: object }
    }
    expect(json.result.params).toEqual({ id: '7' })
  })
})

describe('explain gives a hint', () => {
  it.each([
    ['get users', "error: 'users' isn't a path. Try: explain GET /users\n"],
    ['/api/users GET', "error: 'GET' isn't a path. Try: explain GET /api/users\n"],
  ])('for %s', async (args, err) => {
    expect(await project().hv('explain', ...args.split(' '))).toEqual({ code: 2, out: '', err })
  })

  it.each([
    ['/api/user/7', 'Did you mean /api/users/:id?\n'],
    ['/elsewhere', 'so the app handles the request.\n'],
  ])('for %s', async (path, end) => {
    const { code, out } = await project().hv('explain', 'GET', path)
    expect([code, out.slice(-end.length)]).toEqual([0, end])
  })

  const hint =
    "The router only reads the version parameter of the API's own media type. Send Accept: application/vnd.acme+json;version=2."
  it.each([
    ['/api/users', 'application/json;version=2', hint],
    ['/api/users', 'text/html, application/json; q=0.5; version="2"', hint],
    ['/api/users', 'application/vnd.acme+json;v=2', hint],
    ['/api/users', 'application/vnd.acme+json,version=2', hint],
    ['/api/users?version=2', '*/*', hint],
    ['/v2/users/1', '*/*', hint],
    ['/api/v2/teams/1', '*/*', hint],
    [
      '/api/teams/1',
      '*/*',
      `404 Not in this version: This version doesn't have this endpoint. Send Accept: application/vnd.acme+json;version=<n>, where <n> is 2 or 3.`,
    ],
  ])('for version 2 at %s with %s', async (path, accept, step) => {
    const { out } = await project().hv('explain', 'GET', path, '--accept', accept)
    expect(out).toContain(` ${step}\n`)
  })

  it.each([
    ['/api/users?v=x', 'application/vnd.acme+json;version=2'],
    ['/api/users', 'application/vnd.other+json;version=2, text/html'],
    ['/api/users', 'application/signed-exchange;v=b3;q=0.7, application/vnd.acme+json'],
    ['/v/elsewhere', 'application/json'],
  ])('for a version in the right place: %s with %s', async (path, accept) => {
    const { out } = await project().hv('explain', 'GET', path, '--accept', accept)
    expect(out).not.toContain(hint.slice(0, 30))
  })

  it('for a path that has such a segment itself', async () => {
    const { hv } = createProject({
      'routes.ts': `import { api, get, version } from '@hv/router'
export const routes = api({ vendorString: 'acme', path: 'v2' }, version(1, get('users', { to: 'users#index' })))`,
    })
    const { out } = await hv('explain', 'GET', '/v2/users')
    expect(out).toContain('users#index serves the request')
    expect(out).not.toContain(hint.slice(0, 30))
  })
})

describe('the program', () => {
  it("imports only types from commander's typings, because the build can't bundle them", () => {
    const folder = join(root, 'packages/cli/src')
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const texts = paths
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8'))
    const imports = texts.flatMap((text) => text.match(/^import .*extra-typings'/gm) ?? [])
    expect(imports.length).toBeGreaterThan(0)
    for (const line of imports) expect(line).toMatch(/^import type /)
  })

  it.each(['init', 'bump', 'routes', 'check', 'diff', 'report', 'explain', 'openapi'])(
    '%s --help gives an example',
    async (command) => {
      const { code, out } = await project().hv(command, '--help')
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(new RegExp(`Example:\n {2}\\$ npx @hv/router-cli@0.1 ${command}`)),
      ])
    },
  )
  it.each([
    [['bump', '--route'], 'Did you mean --routes?'],
    [['rotes'], 'Did you mean routes?'],
    [['explain', 'GET'], "missing required argument 'path'"],
    [['diff', '0', '1'], 'A version is a whole number from 1.'],
    [['routes', '--routes'], 'argument missing'],
    [['routes', 'extra'], 'too many arguments'],
    [['routes', '--routes', 'nowhere.ts'], 'no such file: nowhere.ts'],
  ])('%j is refused with exit code 2', async (args, message) => {
    const { code, out, err } = await project().hv(...args)
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
  })
  it('stops quietly when nothing reads its output any more', () => {
    const program = `node --conditions=@hv/source --import tsx ${join(root, 'packages/cli/src/hv-router.ts')}`
    const folder = createProject({ 'routes.ts': routesFile }).folder
    symlinkSync(join(root, 'node_modules/tsx'), join(folder, 'node_modules/tsx'))
    execFileSync('sh', ['-c', `${program} routes 2>errors | true`], { cwd: folder })
    expect(readFileSync(join(folder, 'errors'), 'utf8')).toBe('Route file: routes.ts\n')
  })
  it('has only these commands and flags', async () => {
    const { hv } = project()
    const commands = ['init', 'routes', 'explain', 'bump', 'check', 'diff', 'openapi', 'report']
    const { out } = await hv('--help')
    const listed = [...out.matchAll(/^ {2}(\w+)(?= )/gm)].map(([, name]) => name)
    expect(listed.filter((name) => name !== 'help').toSorted()).toEqual(commands.toSorted())
    const flags = new Set<string>()
    for (const args of [[], ...commands.map((command) => [command])])
      for (const [, flag] of (await hv(...args, '--help')).out.matchAll(/^ {2}.*?--([\w-]+)/gm))
        flags.add(flag!)
    for (const flag of ['help', 'version']) flags.delete(flag)
    const expected =
      'cwd routes controllers documents open-enums lock update-lock fail-on within json guide for ' +
      'accept usage out check framework vendor'
    expect([...flags].toSorted()).toEqual(expected.split(' ').toSorted())
  })

  it('says its version, and helps without a command', async () => {
    expect((await project().hv('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect((await project().hv()).code).toBe(2)
    expect((await project().hv()).err).toContain('Commands:')
  })
})
