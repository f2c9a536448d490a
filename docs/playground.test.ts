import { describe, expect, it } from 'vitest'
import { evaluate } from './.vitepress/playground/evaluate.ts'
import { load } from './.vitepress/playground/files.data.ts'
import { highlight } from './.vitepress/playground/highlight.ts'
import { documentOf, hashOf, initial, simulate, stateOf } from './.vitepress/playground/simulate.ts'
import { readSections } from './pages.ts'

const imports = "import { api, resources, version } from '@hv/router'\n"

describe('the playground evaluates', () => {
  it.each<[name: string, source: string, versions: readonly number[]]>([
    ['its first route file', initial.routes, [1, 2, 3]],
    ['the route file of the tutorial', load()['tutorial']!, [1, 2]],
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
  ])('%s', (_name, source, versions) => {
    expect(evaluate(source).settings.versions).toEqual(versions)
  })

  it.each([
    ['a call of a global', 'fetch("https://example.org")', 'fetch is not defined'],
    ['a property', 'api.constructor("alert(1)")()', 'The playground reads'],
    ['a property of a text', "'a'.constructor.constructor('alert(1)')()", 'The playground reads'],
    ['a function', 'const f = () => alert(1)', 'The playground reads'],
    ['an accessor', 'const o = { get a() { return 1 } }', 'The playground reads'],
    ['another module', "import { x } from 'https://example.org/x.js'", 'The playground reads'],
    ['what the core does not export as a helper', "import { createMatcher } from '@hv/router'", 'The playground reads'],
    ['types', 'const x: number = 1', 'Write JavaScript, without types'],
    ['nothing', '', 'does not call api()'],
  ])('no other code: %s', (_name, source, message) => {
    expect(() => evaluate(`${imports}${source}`)).toThrow(message)
  })

  it('names the line of a mistake, and the code of a mistake in the routes', () => {
    const at = (routes: string) => simulate({ ...initial, routes })
    expect(at(`${imports}\nfetch()`)).toMatchObject({ kind: 'mistake', line: 3 })
    expect(at(initial.routes.replace("from: 'v1'", "from: 'v0'"))).toMatchObject({
      code: 'HV_UNKNOWN_CACHE',
      line: null,
    })
  })
})

describe('the playground', () => {
  it.each<[request: object, status: number | null, headers: readonly string[]]>([
    [{}, 200, ['content-type: application/vnd.acme+json; version=2; charset=utf-8', 'vary: Accept', 'api-version: 2']],
    [
      { accept: '' },
      200,
      ['content-type: application/json; charset=utf-8', 'vary: Accept', 'api-version: 1', 'deprecation: @1780272000'],
    ],
    [
      { accept: 'application/vnd.acme+json;version=9' },
      406,
      ['content-type: application/problem+json; charset=utf-8', 'vary: Accept'],
    ],
    [
      { method: 'DELETE' },
      405,
      ['content-type: application/problem+json; charset=utf-8', 'vary: Accept', 'allow: GET, HEAD, OPTIONS'],
    ],
    [{ method: 'OPTIONS' }, 204, ['vary: Accept', 'allow: GET, HEAD, OPTIONS']],
    [{ path: '/other' }, null, []],
  ])('answers %o', (request, status, headers) => {
    const outcome = simulate({ ...initial, ...request })
    if (outcome.kind === 'mistake') throw new Error(outcome.message)
    expect([outcome.response.status, outcome.response.headers.map((header) => header.join(': '))]).toEqual([
      status,
      headers,
    ])
  })

  it('has a line per route and a cell per version', () => {
    const outcome = simulate(initial)
    if (outcome.kind === 'mistake') throw new Error(outcome.message)
    const serving = outcome.lines.flatMap(({ pattern, cells }) =>
      cells.filter((cell) => cell?.isServing).map((cell) => [pattern, cell]),
    )
    expect(serving).toEqual([
      ['/api/users/:id', { controller: 'api/v2/users', action: 'show', inheritedFrom: 1, isServing: true }],
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
    const files = { tutorial: 'export const routes = …' }
    const state = { ...initial, routes: files.tutorial, path: '/a' }
    expect(stateOf('#file=tutorial&path=/a', files)).toEqual(state)
    expect(stateOf('#file=tutorial&routes=x', files).routes).toBe('x')
    expect(stateOf('#file=toString', files)).toEqual(initial)
  })

  it('has the route files that the pages link to, and no other', () => {
    const pages = readSections().flatMap((section) => section.pages)
    const links = pages.flatMap(({ text }) => [...text.matchAll(/hv-router\.github\.io\/router\/#([^)\s]+)/g)])
    const names = links.map(([, hash]) => new URLSearchParams(hash).get('file'))
    expect(new Set(names)).toEqual(new Set(Object.keys(load())))
  })

  it('escapes the source that it colors', () => {
    expect(highlight(`const a = '<img src=x onerror=alert(1)>' // <b>`)).toBe(
      `<span class="keyword">const</span> a = <span class="string">'&lt;img src=x onerror=alert(1)&gt;'</span> <span class="comment">// &lt;b&gt;</span>`,
    )
  })
})
