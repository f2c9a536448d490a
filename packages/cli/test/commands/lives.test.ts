// What the commands say about versions that end. Dates are relative to today, because the commands read the clock.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createProject } from '../project.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const declare = (nodes: string, options = '') =>
  `import { api, cache, inherit, resources, version } from '@hv/router'\nexport const routes = api({ vendorString: 'acme', only: 'index'${options} }, ${nodes})\n`
const projectOf = (nodes: string, options?: string) =>
  createProject({ 'routes.ts': declare(nodes, options) })
const second = "version(2, resources('users'))"

describe('check warns', () => {
  const check = async (nodes: string, args: string[] = [], options?: string) => {
    const { code, out } = await projectOf(nodes, options).hv('check', ...args)
    const lines = out.trim().split('\n').slice(0, -1)
    return {
      code,
      lines,
      total: out.trim().split('\n').at(-1),
    }
  }
  const ending = (days: number) =>
    `${second}, version(1, { sunset: '${inDays(days)}' }, resources('users'))`

  it("of a version that ends within 30 days, and doesn't fail", async () => {
    expect(await check(ending(10))).toEqual({
      code: 0,
      lines: [`warning  near-sunset  version 1 ends on ${inDays(10)}, in 10 days`],
      total: '1 warning: 2 routes, 2 versions.',
    })
  })
  it.each([
    [31, [], 0],
    [29, [], 1],
    [29, ['--within', '7'], 0],
    [100, ['--within', '120'], 1],
  ])('a version that ends in %i days, with %j: %i warnings', async (days, args, count) => {
    expect((await check(ending(days), args)).lines).toHaveLength(count)
  })
  it('of a route that ends before its version', async () => {
    const { lines } = await check(
      `${second}, version(1, { sunset: '${inDays(20)}' }, resources('users'), resources('keys', { sunset: '${inDays(1)}' }))`,
    )
    expect(lines).toEqual([
      `warning  near-sunset  version 1 ends on ${inDays(20)}, in 20 days`,
      `warning  near-sunset  version 1: GET /api/keys ends on ${inDays(1)}, in 1 day`,
    ])
  })
  it("of a default version that's deprecated or ends", async () => {
    const first = (policy: string) => `version(1, ${policy}, resources('users')), ${second}`
    const advice = 'Choose a newer one'
    expect((await check(first("{ deprecated: '2020-01-01' }"))).lines).toEqual([
      `warning  deprecated-default  version 1 is the default version and deprecated since 2020-01-01. ${advice}`,
    ])
    expect((await check(first(`{ sunset: '${inDays(90)}' }`))).lines).toEqual([
      `warning  deprecated-default  version 1 is the default version and ends on ${inDays(90)}. ${advice}`,
    ])
    expect((await check(first("{ sunset: '2020-01-01' }"))).lines).toEqual([
      'warning  ended-version  version 1 ended on 2020-01-01, but its code is still here: routes.ts:2',
      `warning  deprecated-default  version 1 is the default version and retired since 2020-01-01. ${advice}`,
    ])
    for (const options of [', defaultVersion: 2', ', requireVersion: true'])
      expect((await check(first("{ deprecated: '2020-01-01' }"), [], options)).lines).toEqual([])
  })
  it('of a successor that lacks a route', async () => {
    const { lines } = await check(
      `${second}, version(1, { deprecated: '2020-01-01', successor: 2 }, resources('users'), resources('keys'))`,
    )
    expect(lines).toEqual([
      'warning  incomplete-successor  version 1: its successor, version 2, has no GET /api/keys',
    ])
  })
  it('of the code of a version that has ended', async () => {
    const { hv } = createProject({
      'routes.ts': `import { api, resources, version } from '@hv/router'
const users = resources('users', { only: 'index' })
const older = version(1, { sunset: '2020-01-01T12:00Z' }, users)
export const routes = api({ vendorString: 'acme', defaultVersion: 4 },
  older,
  version(2,
    { sunset: '2020-02-01' },
    users,
  ),
  ...[3].map((number) => version(number, { sunset: '2020-03-01' }, users)),
  version(4, users),
  version(5, { sunset: '2020-04-01' }),
  version(6, { sunset: '2020-05-01', retire: 'serve' }, users),
)\n`,
      'src/controllers/api/v2/users_controller.ts': '',
      'src/controllers/api/v4/users_controller.ts': '',
    })
    const ended = (version: number, date: string, places: string) =>
      `warning  ended-version  version ${version} ended on ${date}, but its code is still here: ${places}`
    expect((await hv('check')).out.trim().split('\n')).toEqual([
      ended(1, '2020-01-01T12:00:00Z', 'routes.ts:3'),
      ended(2, '2020-02-01', 'routes.ts:6-9, src/controllers/api/v2'),
      ended(3, '2020-03-01', 'routes.ts'),
      '3 warnings: 5 routes, 6 versions.',
    ])
    const [first] = JSON.parse((await hv('check', '--json')).out) as object[]
    expect(first).toMatchObject({ level: 'warning', file: 'routes.ts', line: 3 })
  })
  it("refuses a number of days that's none", async () => {
    expect(await projectOf(second).hv('check', '--within', 'soon')).toMatchObject({ code: 2 })
  })
})

describe('check --lock', () => {
  const policy = (sunset: string) =>
    `${second}, version(1, { sunset: '${sunset}' }, resources('users'))`
  const moved = async (before: string, after: string) => {
    const { hv, write } = projectOf(before)
    await hv('check', '--update-lock')
    write({ 'routes.ts': declare(after) })
    const { code, out } = await hv('check', '--lock', '--within', '0')
    return {
      code,
      lines: out
        .trim()
        .split('\n')
        .slice(0, -1)
        .map((line) => line.replace(/ {2}\[[0-9a-f]{8}\]$/, '')),
    }
  }

  it('says which broken promises a new lock file drops', async () => {
    const { hv, write } = projectOf(policy('2091-01-01'))
    await hv('check', '--update-lock')
    write({ 'routes.ts': declare(policy('2090-01-01')) })
    const { out, code } = await hv('check', '--update-lock')
    expect(code).toBe(0)
    expect(out).toMatch(
      /as released\.\n.*\ncheck --lock now accepts 1 finding:\nerror {4}earlier-sunset {2}released version 1: .*\n$/,
    )
    expect((await hv('check', '--update-lock')).out).not.toContain('now accepts')
  })
  it.each([
    ['a later sunset', policy('2090-01-01'), policy('2091-01-01')],
    ['no sunset any more', policy('2090-01-01'), `${second}, version(1, resources('users'))`],
    ['a first sunset', `${second}, version(1, resources('users'))`, policy('2090-01-01')],
    [
      'a deprecation',
      `${second}, version(1, resources('users'))`,
      `${second}, version(1, { deprecated: '2020-01-01' }, resources('users'))`,
    ],
    [
      'the deleted routes of a retired version',
      policy('2020-01-01'),
      `${second}, version(1, { sunset: '2020-01-01' })`,
    ],
  ])('accepts %s', async (_what, before, after) =>
    expect(await moved(before, after)).toEqual({ code: 0, lines: [] }),
  )

  it.each([
    ['a version', policy('2090-01-01'), `${second}, version(1, { sunset: '2090-01-01' })`],
    [
      'a route',
      `${second}, version(1, resources('users', { sunset: '2090-01-01' }), resources('keys'))`,
      `${second}, version(1, resources('keys'))`,
    ],
  ])(
    'lets the routes of %s go from the millisecond of its sunset',
    async (_what, before, after) => {
      const { hv, write } = projectOf(before)
      await hv('check', '--update-lock')
      write({ 'routes.ts': declare(after) })
      onTestFinished(() => void vi.useRealTimers())
      const lost = async (now: number) => {
        vi.useFakeTimers({ toFake: ['Date'], now })
        return (await hv('check', '--lock')).out.includes('lost-')
      }
      const sunset = Date.parse('2090-01-01')
      expect([await lost(sunset - 1), await lost(sunset)]).toEqual([true, false])
    },
  )

  it('refuses an earlier sunset of a version', async () => {
    expect(await moved(policy('2090-01-01'), policy('2089-12-31'))).toEqual({
      code: 1,
      lines: [
        'error    earlier-sunset  released version 1: the sunset moved from 2090-01-01 to 2089-12-31',
      ],
    })
  })
  it('refuses an earlier sunset of a route', async () => {
    const routes = (sunset: string, ofVersion = '') =>
      `${second}, version(1, { ${ofVersion} }, resources('users', { sunset: '${sunset}' }))`
    const told = 'released version 1 GET /api/users: the sunset moved from 2090-01-01 to'
    expect((await moved(routes('2090-01-01'), routes('2089-01-01'))).lines).toEqual([
      `error    earlier-sunset  ${told} 2089-01-01`,
    ])
    const shown = (param: string, sunset: string) =>
      `${second}, version(1, resources('users', { only: 'show', param: '${param}', sunset: '${sunset}' }))`
    expect((await moved(shown('id', '2090-01-01'), shown('name', '2089-01-01'))).lines).toEqual([
      'error    earlier-sunset  released version 1 GET /api/users/:id: the sunset moved from 2090-01-01 to 2089-01-01',
    ])
    expect(
      (await moved(routes('2090-01-01'), routes('2091-01-01', "sunset: '2088-01-01'"))).lines,
    ).toEqual([`error    earlier-sunset  ${told} 2088-01-01`])
  })
  it("refuses the deleted routes of a version that's not retired yet", async () => {
    expect(
      (await moved(policy('2090-01-01'), `${second}, version(1, { sunset: '2090-01-01' })`)).lines,
    ).toEqual(['error    lost-route  released version 1 has lost GET /api/users'])
  })
})

describe('routes', () => {
  const nodes =
    `version(1, { deprecated: '2020-01-01', sunset: '2021-01-01', successor: 2 }, resources('users')), ` +
    "version(2, { deprecated: '2090-01-01', brownouts: [['2090-02-01', '2090-02-02']] }, resources('users'), resources('keys', { deprecated: '2020-01-01' })), " +
    "version(3, { preview: true }, resources('users')), version(4, { sunset: '2090-01-01', retire: 'serve' }, resources('users')), version(5, resources('users'))"

  it('shows the state of each version', async () => {
    const { out } = await projectOf(nodes, ', defaultVersion: 2').hv('routes')
    expect(out).toContain(`
Version 1: deprecated since 2020-01-01, retired since 2021-01-01, successor 2.
Version 2: default, deprecated from 2090-01-01.
Version 3: preview.
Version 4: sunset (not enforced) 2090-01-01.
Version 5: live.

6 routes, 5 versions.`)
    expect(out).toMatch(/1 .* users#index +new, retired\n/)
    expect(out).toMatch(/2 .* keys#index +new, deprecated\n/)
    expect(out).toMatch(/3 .* users#index +new, preview\n/)
  })
  it('shows nothing of it where nothing ends', async () => {
    expect((await projectOf(second).hv('routes')).out).not.toContain('Version 2:')
  })
  it('prints it as JSON', async () => {
    const { out } = await projectOf(nodes, ', defaultVersion: 2').hv('routes', '--json')
    const rows = JSON.parse(out) as { state?: string; sunset?: string }[]
    expect(rows.map(({ state, sunset }) => [state, sunset])).toEqual([
      ['retired', '2021-01-01'],
      ['live', undefined],
      ['deprecated', undefined],
      ['preview', undefined],
      ['live', '2090-01-01'],
      [undefined, undefined],
    ])
  })
})
