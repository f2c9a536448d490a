// The alerts, the dashboard and the runbook.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { isAll } from '../../../tools/test-all.ts'
import { announce } from './announce.ts'
import { password, register, send } from './client.ts'
import { prometheus, startPrometheus } from './prometheus.ts'
import { startInstance } from './services.ts'

const promtool = findProgram('promtool')
const hasPrometheus = promtool !== undefined && prometheus !== undefined
announce(
  'REQUIRE_PROMETHEUS',
  hasPrometheus,
  'no prometheus and promtool here. Install prometheus.',
)

const folder = resolve(import.meta.dirname, '../operations')
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
const alerts = [...read('alerts.yaml').matchAll(/- alert: (\w+)\n([^]*?)(?=\n\n|$)/g)].map(
  ([, name, rule]) => ({ name: name!, rule: rule! }),
)
/** The test cases, and whether each one expects an alert. */
const cases = [
  ...read('alerts.test.yaml').matchAll(/- alertname: (\w+)\n.*\n( +exp_alerts)?/g),
].map(([, name, expected]) => ({ name: name!, fires: expected !== undefined }))

describe('the alerts', () => {
  it.skipIf(!hasPrometheus)('fire when they should, as promtool tests them', () => {
    const run = (...command: string[]) =>
      spawnSync(promtool!, command, { cwd: folder, encoding: 'utf8' })
    expect(run('check', 'rules', 'alerts.yaml')).toMatchObject({ status: 0 })
    const { status, stdout, stderr } = run('test', 'rules', 'alerts.test.yaml')
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  it('are all found', () => {
    expect(alerts.length).toBeGreaterThan(12)
    expect(read('alerts.yaml').match(/alert: /g)).toHaveLength(alerts.length)
    expect(read('alerts.test.yaml').match(/alertname: /g)).toHaveLength(cases.length)
  })

  it.each(alerts)("$name has a case that fires and one that doesn't", ({ name }) => {
    const own = cases.filter((tested) => tested.name === name)
    expect(new Set(own.map(({ fires }) => fires))).toEqual(new Set([true, false]))
  })

  describe('ask for metrics', () => {
    let instance: Awaited<ReturnType<typeof startInstance>>
    let metrics: string
    const data = mkdtempSync(join(tmpdir(), 'users-operations-'))
    beforeAll(async () => {
      instance = await startInstance({ DATABASE_FILE: join(data, 'users.db') })
      await fetch(`${instance.origin}/users`)
      metrics = await (await fetch(`${instance.origin}/metrics`)).text()
    })
    afterAll(() => {
      instance.child.kill('SIGKILL')
      rmSync(data, { recursive: true })
    })

    it.each(alerts)('that the service has: $name', ({ name, rule }) => {
      const expression = rule.replaceAll(/ by \(.*?\)/g, '')
      const names = expression.match(/\b[a-z]+(_[a-z]\w*)+(?=\{|\[| >|\))/g) ?? []
      const asked = names.filter((metric) => !metric.endsWith('over_time'))
      if (name !== 'InstanceDown') expect(asked).not.toEqual([])
      for (const metric of asked)
        expect(metrics).toContain(`# TYPE ${metric.replace(/_bucket$/, '')} `)
    })
  })
})

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}
const { panels } = JSON.parse(read('dashboard.json')) as Dashboard

describe('the dashboard', () => {
  it('has at most twelve panels', () => expect(panels.length).toBeLessThanOrEqual(12))

  it.runIf(hasPrometheus && isAll)('has no empty panel for a service with traffic', async () => {
    const data = mkdtempSync(join(tmpdir(), 'users-dashboard-'))
    const start = (environment: object) =>
      startInstance({ DATABASE_FILE: join(data, 'users.db'), ...environment })
    const serving = await start({})
    const ended = await start({
      V1_SUNSET: '2026-01-01',
      DATABASE_FILE: join(data, 'ended.db'), // a file is for one instance
    })
    const server = await startPrometheus([serving.origin, ended.origin])
    try {
      const { jwt } = await register(serving.origin, 'ann')
      const isEmpty = async (expr: string) =>
        (await server.query(expr.replaceAll('$__rate_interval', '1m'))).every(
          ({ value }) => value[1] === 'NaN',
        )
      const use = async () => {
        const headers = { authorization: `Bearer ${jwt}`, 'user-agent': 'acme/1' }
        for (const path of ['/users', '/users/1', '/nothing', '/health/ready'])
          await send(serving.origin, 'GET', path, undefined, headers)
        await send(serving.origin, 'POST', '/users/login', { username: 'ann', password })
        await send(ended.origin, 'GET', '/users')
        const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
        const empty = await Promise.all(queries.map(isEmpty))
        return queries.filter((_query, i) => empty[i])
      }
      await expect.poll(use, { interval: 250 }).toEqual([])
    } finally {
      await server.stop()
      for (const { child } of [serving, ended]) child.kill('SIGKILL')
      rmSync(data, { recursive: true, force: true })
    }
  })
})

describe('the runbook', () => {
  const runbook = read('RUNBOOK.md')
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^\w-]/g, '')
  const headings = runbook.matchAll(/^##+ (.*)$/gm)
  const anchors = new Set([...headings].map(([, heading]) => anchorOf(heading!)))

  it.each(alerts)('has a section for $name, which the alert links to', ({ name, rule }) => {
    expect(rule).toContain(`runbook: RUNBOOK.md#${anchorOf(name)}\n`.trim())
    const [, text = ''] = new RegExp(`^## ${name}\\n([^]*?)(?=^## )`, 'm').exec(runbook) ?? []
    expect(text).toContain('**Users**')
    expect(text).toContain('**Do:**')
    expect(runbook).toContain(`| [${name}](#${anchorOf(name)}) `)
  })
  it('has only links that lead somewhere', () => {
    const links = [...runbook.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor!)
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([])
  })
})
