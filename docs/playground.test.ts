import { describe, expect, it } from 'vitest'
import { compareLines, jsonText } from './.vitepress/playground/bodies.ts'
import { evaluate, evaluateBodies } from './.vitepress/playground/evaluate.ts'
import { load } from './.vitepress/playground/files.data.ts'
import { highlight } from './.vitepress/playground/highlight.ts'
import { hashOf, initial, stateOf } from './.vitepress/playground/initial.ts'
import { type Outcome, documentOf, simulate } from './.vitepress/playground/simulate.ts'
import { readSections } from './pages.ts'

const imports = "import { api, resources, version } from '@hv/router'\n"

describe('the playground evaluates', () => {
  it.each<[name: string, source: string, versions: readonly number[]]>([
    ['its first route file', initial.routes, [1, 2, 3]],
    ['the route file of the tutorial', load()['tutorial']!.routes, [1, 2]],
    [
      'constants and spread',
      `${imports}const users = [resources('users'), resources('tags', { path: \`t\` })]\nexport const x = api({ vendorString: 'a', 'strict': true }, version(1, ...users))`,
      [1],
    ],
    [
      'patterns',
      `${imports}api({ vendorString: 'a' }, version(2, resources('users', { constraints: { id: /\\d+/ } })))`,
      [2],
    ],
    [
      'renamed imports',
      "import { api as a, version as v, resources } from '@hv/router'\na({ vendorString: 'x' }, v(1, resources('users')))",
      [1],
    ],
    [
      'TypeScript',
      "import { api, type Api, resources, version } from '@hv/router'\nimport type { X } from './x.js'\ntype Vendor = string\nconst vendorString: Vendor = 'a' as const\nexport const routes = api({ vendorString } satisfies object, version(1, resources('users', { only: ['show'] as const }))) as Api",
      [1],
    ],
  ])('%s', (_name, source, versions) => {
    expect(evaluate(source).settings.versions).toEqual(versions)
  })

  it.each([
    ['a call of a global', 'fetch("https://example.org")', /^fetch isn't defined\.$/],
    ['a helper without its import', 'hrefs()', "hrefs isn't defined. Import it from '@hv/router'."],
    ['a property', 'api.constructor("alert(1)")()', 'The playground reads'],
    ['a property of a text', "'a'.constructor.constructor('alert(1)')()", 'The playground reads'],
    ['a function', 'const f = () => alert(1)', 'The playground reads'],
    ['an accessor', 'const o = { get a() { return 1 } }', 'The playground reads'],
    ['another module', "import { x } from 'https://example.org/x.js'", 'The playground reads'],
    [
      'what the core does not export as a helper',
      "import { createMatcher } from '@hv/router'",
      'The playground reads',
    ],
    ['an enum', 'enum E { A }', 'The playground reads'],
    ['a decorator', '@fetch class A {}', 'The playground reads'],
    ['nothing', '', 'does not call api()'],
  ])('no other code: %s', (_name, source, message) => {
    expect(() => evaluate(`${imports}${source}`)).toThrow(message)
  })

  it.each<[what: string, wrong: (routes: string) => string, line: number, code: string]>([
    ['a call that it does not know', (routes) => `${routes}fetch()`, 13, ''],
    ['a syntax error', (routes) => routes.replace('export const', 'export cons'), 3, ''],
    [
      'an unknown version',
      (routes) => routes.replace('from: 1', 'from: 7'),
      9,
      'HV_UNKNOWN_VERSION',
    ],
    [
      'an unknown cache',
      (routes) => routes.replace('from: 1', "from: 'v0'"),
      9,
      'HV_UNKNOWN_CACHE',
    ],
    [
      'an unknown resource',
      (routes) => routes.replace("'sessions' }", "'session' }"),
      11,
      'HV_UNKNOWN_RESOURCE',
    ],
    ['an unknown option', (routes) => routes.replace('only: [', 'onyl: ['), 6, 'HV_OPTION'],
    [
      'an unknown action',
      (routes) => routes.replace("only: 'create'", "only: 'creat'"),
      7,
      'HV_UNKNOWN_ACTION',
    ],
    [
      'a version without routes',
      (routes) => routes.replace(/inherit\(\{ from: 2.*\}\)/, ''),
      11,
      'HV_EMPTY_VERSION',
    ],
  ])('names the line of %s', (_what, wrong, line, code) => {
    expect(simulate({ ...initial, routes: wrong(initial.routes) })).toMatchObject({
      kind: 'mistake',
      file: 'routes',
      line,
      code,
    })
  })

  it('bodies, and names the line of a mistake in them', () => {
    expect(Object.keys(evaluateBodies(initial.bodies))).toEqual([
      'users#show',
      'users#index',
      'teams#index',
    ])
    expect(Object.keys(evaluateBodies(load()['tutorial']!.bodies))).toEqual([
      'users#show',
      'users#index',
      'teams#index',
    ])
    const at = (bodies: string) => simulate({ ...initial, bodies })
    expect(at('export const bodies = 7')).toMatchObject({
      kind: 'mistake',
      file: 'bodies',
      line: 1,
    })
    expect(at('export const bodies = {\n  a: alert(),\n}')).toMatchObject({
      kind: 'mistake',
      file: 'bodies',
      line: 2,
    })
  })
})

describe('the playground', () => {
  it('marks the lines of a body that another one lacks, whatever follows them', () => {
    const [older, newer] = [
      jsonText({ id: 1, tags: [1, 2] }),
      jsonText({ id: 1, tags: [1, 2], name: 'Dora' }),
    ]
    expect(compareLines(newer, older).filter(({ isDifferent }) => isDifferent)).toEqual([
      { text: '  "name": "Dora"', isDifferent: true },
    ])
    expect(compareLines(older, newer).some(({ isDifferent }) => isDifferent)).toBe(false)
  })
  it.each<[request: object, status: number | null, headers: readonly string[]]>([
    [
      {},
      200,
      [
        'content-type: application/vnd.acme+json; version=2; charset=utf-8',
        'vary: Accept',
        'api-version: 2',
      ],
    ],
    [
      { accept: '' },
      200,
      [
        'content-type: application/json; charset=utf-8',
        'vary: Accept',
        'api-version: 1',
        'deprecation: @1780272000',
      ],
    ],
    [
      { accept: 'application/vnd.acme+json;version=9' },
      406,
      ['content-type: application/problem+json; charset=utf-8', 'vary: Accept'],
    ],
    [
      { method: 'DELETE' },
      405,
      [
        'content-type: application/problem+json; charset=utf-8',
        'vary: Accept',
        'allow: GET, HEAD, OPTIONS',
      ],
    ],
    [{ method: 'OPTIONS' }, 204, ['vary: Accept', 'allow: GET, HEAD, OPTIONS']],
    [{ path: '/other' }, null, []],
  ])('answers %o', (request, status, headers) => {
    const outcome = simulate({ ...initial, ...request })
    if (outcome.kind === 'mistake') throw new Error(outcome.message)
    expect([
      outcome.response.status,
      outcome.response.headers.map((header) => header.join(': ')),
    ]).toEqual([status, headers])
  })

  const routed = (request: object): Extract<Outcome, { kind: 'routed' }> => {
    const outcome = simulate({ ...initial, ...request })
    if (outcome.kind === 'mistake') throw new Error(outcome.message)
    return outcome
  }

  it('compares the bodies of every version, and marks what differs', () => {
    const marked = (request: object) =>
      routed(request).answers.map(({ version, status, lines }) => [
        version,
        status,
        lines.filter(({ isDifferent }) => isDifferent).map(({ text }) => text.trim()),
      ])
    expect(marked({})).toEqual([
      [1, 200, ['"name": "Ann Lee"']],
      [2, 200, ['"first": "Ann",', '"last": "Lee"']],
      [3, 200, ['"teams": ["red"]']],
    ])
    // Whatever the request asks for: the answers belong to its method and path.
    expect(marked({ accept: 'application/vnd.acme+json;version=9' })).toEqual(marked({}))
    expect(routed({ path: '/api/teams' }).answers.map(({ status }) => status)).toEqual([
      404, 200, 200,
    ])
    expect(
      routed({ path: '/other' }).answers.map(({ status, lines }) => [status, lines[0]!.text]),
    ).toEqual([1, 2, 3].map(() => [null, '']))
  })

  it('responds with the body of the version, or of the nearest one before it', () => {
    const bodyOf = (accept: string) =>
      JSON.parse(routed({ path: '/api/users', accept }).response.body) as unknown
    const two = { items: [{ id: 7, first: 'Ann', last: 'Lee' }], next: null }
    expect(bodyOf('')).toEqual([{ id: 7, name: 'Ann Lee' }])
    expect(bodyOf('application/vnd.acme+json;version=2')).toEqual(two)
    expect(bodyOf('application/vnd.acme+json;version=3')).toEqual(two)
    expect(routed({}).response.handler).toBe("api/v2/users#show({ id: '7' })")
  })

  it('has a line per route and a cell per version', () => {
    const outcome = simulate(initial)
    if (outcome.kind === 'mistake') throw new Error(outcome.message)
    const serving = outcome.lines.flatMap(({ pattern, cells }) =>
      cells.filter((cell) => cell?.isServing).map((cell) => [pattern, cell]),
    )
    expect(serving).toEqual([
      [
        '/api/users/:id',
        { controller: 'api/v2/users', action: 'show', inheritedFrom: 1, isServing: true },
      ],
    ])
    expect(outcome.lines.map(({ cells }) => cells.map((cell) => cell !== undefined))).toEqual([
      [true, true, true],
      [true, true, true],
      [true, true, false],
      [false, true, true],
    ])
  })

  it('has the OpenAPI document of a version', () => {
    const { paths } = JSON.parse(documentOf(initial, 3)) as { paths: object }
    expect(Object.keys(paths)).toEqual(['/api/users', '/api/users/{id}', '/api/teams'])
  })

  it('keeps its state in the hash of the URL', () => {
    expect(hashOf(initial)).toBe('')
    const state = { ...initial, method: 'POST', accept: 'a/b;q=0.5, c+d', routes: 'ü # & \n' }
    expect(hashOf(state)).toMatch(/^[\w%&=.+*-]+$/)
    expect(stateOf(`#${hashOf(state)}`)).toEqual(state)
    expect(stateOf('#other=1')).toEqual(initial)
  })

  it('finds a route file by its name in the hash', () => {
    const files = {
      tutorial: { routes: 'export const routes = …', bodies: 'export const bodies = …' },
    }
    const state = { ...initial, ...files.tutorial, path: '/a' }
    expect(stateOf('#file=tutorial&path=/a', files)).toEqual(state)
    expect(stateOf('#file=tutorial&routes=x', files).routes).toBe('x')
    expect(stateOf('#file=toString', files)).toEqual(initial)
  })

  it('has the route files that the pages link to, and no other', () => {
    const pages = readSections().flatMap((section) => section.pages)
    const links = pages.flatMap(({ text }) => [
      ...text.matchAll(/hv-router\.github\.io\/router\/playground#([^)\s]+)/g),
    ])
    const names = links.map(([, hash]) => new URLSearchParams(hash).get('file'))
    expect(new Set(names)).toEqual(new Set(Object.keys(load())))
  })

  it('escapes the source that it colors', () => {
    expect(highlight(`const a = '<img src=x onerror=alert(1)>' // <b>`)).toBe(
      `<span class="keyword">const</span> a = <span class="string">'&lt;img src=x onerror=alert(1)&gt;'</span> <span class="comment">// &lt;b&gt;</span>`,
    )
  })
})
