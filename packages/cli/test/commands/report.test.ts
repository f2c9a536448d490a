// `report`: what it shows of versions, resources, findings and clients. docs/report.test.ts opens it in a browser.
import { type Api, api, cache, get, inherit, resources, version } from '@hv/router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Difference } from '../../src/commands/diff/contract.ts'
import { html } from '../../src/commands/report/html.ts'
import { createMatrix, statusOf } from '../../src/commands/report/matrix.ts'
import { createTimeline } from '../../src/commands/report/timeline.ts'
import { describeApi } from '../../src/route-file/route-file.ts'
import { createProject } from '../project.ts'
import { reportFiles } from '../report-project.ts'

const options = { vendorString: 'acme', only: ['index', 'show'] } as const
const users = cache({ as: 'v1' }, resources('users'))
const inherited = inherit({ from: 'v1' })
const difference = (operation: string): Difference => ({
  operation,
  direction: 'response',
  text: '`name` is gone',
})

describe('the matrix', () => {
  const statusesOf = (routes: Api, differences: readonly Difference[] | null = null) => {
    const contract = differences && { differences, changes: [] }
    const { steps, resources: keys } = createMatrix(describeApi(routes, '', '').rows, ({ from }) =>
      from === 0 ? null : contract,
    )
    return keys.map((key) =>
      [key, ...steps.map(({ cells }) => (cells.has(key) ? statusOf(cells.get(key)!) : '-'))].join(
        ' ',
      ),
    )
  }
  it.each<
    [
      what: string,
      routes: Api,
      differences: readonly Difference[] | null,
      statuses: readonly string[],
    ]
  >([
    [
      'what a version inherits',
      api(options, version(1, users), version(2, inherited)),
      null,
      ['users new inherited'],
    ],
    [
      'a new resource, and one that is removed',
      api(options, version(1, users, resources('tags')), version(2, inherited, resources('teams'))),
      null,
      ['tags new removed', 'users new inherited', 'teams - new'],
    ],
    [
      'a resource that comes back',
      api(options, version(1, users), version(2, resources('teams')), version(3, inherited)),
      null,
      ['users new removed new', 'teams - new removed'],
    ],
    [
      'one route more, and one less',
      api(
        options,
        version(1, users),
        version(2, resources('users', { only: 'index' })),
        version(3, inherited),
      ),
      null,
      ['users new changed changed'],
    ],
    [
      'a route that calls another action',
      api(
        options,
        version(1, users),
        version(2, inherit({ from: 'v1', except: 'users' }), get('users', { to: 'x#y' })),
      ),
      null,
      ['users new removed', 'x - changed'],
    ],
    [
      'two routes of one path, which constraints tell apart',
      api(
        options,
        version(
          1,
          cache(
            { as: 'v1' },
            get('x/:id', { to: 'numbers#show', constraints: { id: /\d+/ } }),
            get('x/:name', { to: 'names#show' }),
          ),
        ),
        version(2, inherited),
      ),
      null,
      ['numbers new inherited', 'names new inherited'],
    ],
    [
      'a difference in a document, whatever the parameter is called there',
      api(options, version(1, users), version(2, inherited)),
      [difference('GET /api/users/{key}')],
      ['users new changed'],
    ],
    [
      'differences of what is no route, in a line of their own',
      api(options, version(1, users), version(2, inherited)),
      [difference('POST /api/users/{id}'), difference('every operation')],
      ['users new inherited', 'other operations - changed'],
    ],
    [
      'a retired version, which is compared with nothing',
      api(options, version(1, users), version(2, { sunset: '2020-01-01' }), version(3, inherited)),
      null,
      ['users new inherited'],
    ],
  ])('shows %s', (_what, routes, differences, statuses) => {
    expect(statusesOf(routes, differences)).toEqual(statuses)
  })
})

describe('the timeline', () => {
  const now = Date.parse('2027-03-01')
  const partsOf = (lifecycle: object) => {
    const { lives } = describeApi(api(options, version(1, lifecycle, users)), '', '')
    const { partsOf: parts, today } = createTimeline(lives, now)
    return { parts: parts(lives[0]!), today }
  }
  it.each<[lifecycle: object, kinds: string]>([
    [{}, 'live'],
    [{ preview: true }, 'preview'],
    [{ deprecated: '2027-01-01' }, 'live deprecated'],
    [{ sunset: '2027-07-01' }, 'live retired'],
    [{ deprecated: '2027-01-01', sunset: '2027-07-01' }, 'live deprecated retired'],
    [{ deprecated: '2027-01-01', sunset: '2027-07-01', retire: 'serve' }, 'live deprecated'],
    [
      {
        deprecated: '2027-01-01',
        sunset: '2027-07-01',
        brownouts: [
          ['2027-05-01', '2027-05-02'],
          ['2027-06-01', '2027-06-02'],
        ],
      },
      'live deprecated brownout brownout retired',
    ],
  ])('shows %j as %s', (lifecycle, kinds) => {
    const { parts } = partsOf(lifecycle)
    expect(parts.map(({ kind }) => kind).join(' ')).toBe(kinds)
    const bars = parts.filter(({ kind }) => kind !== 'brownout')
    expect(bars.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(100)
  })
  it('puts today and the dates where they are', () => {
    const { parts, today } = partsOf({ deprecated: '2027-01-01', sunset: '2027-07-01' })
    const [, deprecated, retired] = parts
    expect((today - deprecated!.left) / deprecated!.width).toBeCloseTo(59 / 181)
    expect(retired!.left).toBeCloseTo(deprecated!.left + deprecated!.width)
    expect(deprecated!.left).toBeGreaterThan(5)
  })
})

describe('a page', () => {
  it("escapes every value that's no markup", () => {
    const name = `<b onclick='x'>"&`
    const escaped = '&#60;b onclick=&#39;x&#39;&#62;&#34;&#38;'
    expect(
      html`<p title="${name}">${[name, html`<i>${name}</i>`, false, undefined, 0]}</p>`.text,
    ).toBe(`<p title="${escaped}">${escaped}<i>${escaped}</i>0</p>`)
  })
  it('takes no object of a JSON file for markup', () => {
    const value = JSON.parse('{ "text": "<b>" }') as string
    expect(html`${value}${[value]}`.text).toBe('[object Object][object Object]')
  })
})

describe('report', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-05-12T08:00Z') }),
  )
  afterEach(() => void vi.useRealTimers())
  const textOf = (page: string) =>
    page
      .replaceAll(/<style>[^]*<\/style>|<[^>]*>/g, ' ')
      .replaceAll('&#34;', '"')
      .replaceAll(/\s+/g, ' ')

  it('shows versions, resources, findings and clients', async () => {
    const { hv, read } = createProject(reportFiles)
    await hv('check', '--update-lock', '--documents', 'documents.ts')
    const args = [
      '--documents',
      'documents.ts',
      '--usage',
      'usage.json',
      '--out',
      'site/report.html',
    ]
    expect(await hv('report', ...args)).toEqual({
      code: 0,
      out: 'write  site/report.html\n4 versions, 5 resources, 1 finding.\n',
      err: 'Route file: src/routes.ts\n',
    })
    const text = textOf(read('site/report.html'))
    for (const part of [
      'As of 2027-05-12T08:00Z · src/routes.ts',
      'Version 1 retired deprecated since 2026-01-01 retired since 2026-09-01 successor 2',
      'brownout 2027-06-01T14:00Z to 2027-06-02T14:00Z released https://docs.acme.example/from-2-to-3',
      'Version 3 live default version released',
      'users + new 2 routes + new GET /api/users users#index + new',
      '~ changed 2 routes ~ changed GET /api/users users#index status 200: [].name is gone',
      '= inherited 2 routes',
      '− removed 1 route − removed POST /api/sessions sessions#create',
      'From version 2 to 3 A user has a first and a last name.',
      'Version 2 deprecated old-reports 3 2027-01-19T08:30:00Z',
      'Version 4 preview no calls in the usage file',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('npx @hv/router-cli@0.1 check')
  })

  it('says what to do without documents, a lock file and a usage file', async () => {
    const { hv, read } = createProject(reportFiles)
    expect((await hv('report')).code).toBe(0)
    for (const command of [
      'report --documents',
      'check --update-lock',
      'report --usage usage.json',
    ])
      expect(read('report.html')).toContain(`npx @hv/router-cli@0.1 ${command}`)
  })

  it.each([
    ['https://acme.example/2', true],
    ['/moved?to=https://acme.example/2', false], // the page isn't on the API's host
  ])("shows a version's docs, %s, as a link: %s", async (docs, isLink) => {
    const { hv, read } = createProject({
      'routes.ts': `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme', only: 'index' },
  version(1, { deprecated: '2027-01-01', docs: '${docs}' }, resources('users')))\n`,
    })
    await hv('report')
    const page = read('report.html')
    expect(textOf(page)).toContain(` ${docs} `)
    expect(page.includes(`href="${docs}"`)).toBe(isLink)
  })

  it('shows a route that ends before its version', async () => {
    const { hv, read } = createProject({
      'routes.ts': `import { api, cache, inherit, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme', only: 'index' },
  version(1, cache({ as: 'v1' }, resources('users'), resources('tags', { sunset: '2027-08-01' }))),
  version(2, inherit({ from: 'v1' })))\n`,
    })
    await hv('report')
    const text = textOf(read('report.html'))
    expect(text).toContain('= inherited 1 route')
    expect(text).toContain('GET /api/tags: ends on 2027-08-01')
  })

  it.each([
    [
      ['--lock', 'other.lock.json'],
      'no such file: other.lock.json. Write it when you release a version:',
    ],
    [['--documents', 'nowhere.ts'], "nowhere.ts doesn't exist."],
    [['--usage', 'documents.ts'], 'documents.ts'],
    [['--out', 'src'], 'EISDIR'],
  ])('rejects %j, and writes nothing', async (args, message) => {
    const { hv, list } = createProject(reportFiles)
    expect(await hv('report', ...args)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(message),
    })
    expect(list()).not.toContain('report.html')
  })
})
