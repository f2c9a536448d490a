// The alerts and the runbook.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { announce } from './announce.ts'
import { startInstance } from './services.ts'

const promtool = findProgram('promtool')
announce('REQUIRE_PROMETHEUS', promtool !== undefined, 'no promtool here. Install prometheus.')

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
  it.skipIf(promtool === undefined)('fire when they should, as promtool tests them', () => {
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

  it.each(alerts)('$name has a case that fires and one that does not', ({ name }) => {
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
