// A private Prometheus that scrapes instances of the service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findProgram } from '../../../tools/find-program.ts'
import { freePort } from './database-server.ts'

export const prometheus = findProgram('prometheus')

export interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [time: number, value: string]
}

export interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly state: 'pending' | 'firing'
}

/**
 * Starts Prometheus, which scrapes instances four times a second.
 *
 * @param origins of the instances
 * @param rules YAML with the alerts
 */
export async function startPrometheus(origins: readonly string[], rules = 'groups: []') {
  const folder = mkdtempSync(join(tmpdir(), 'users-prometheus-'))
  const targets = origins.map((origin) => `'${new URL(origin).host}'`).join(', ')
  writeFileSync(join(folder, 'alerts.yaml'), rules)
  writeFileSync(
    join(folder, 'prometheus.yaml'),
    `global: { scrape_interval: 250ms, evaluation_interval: 250ms }
rule_files: [alerts.yaml]
scrape_configs:
  - job_name: users
    static_configs: [{ targets: [${targets}] }]
`,
  )
  const address = `127.0.0.1:${await freePort()}`
  const options = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ]
  const child = spawn(prometheus!, options, { stdio: 'ignore' })
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://${address}/api/v1/${path}`)
    const { status, data, error } = (await response.json()) as {
      status: string
      data: T
      error?: string
    }
    if (status !== 'success') throw new Error(error)
    return data
  }
  for (let i = 0; i < 2000; i++) {
    const isReady = await fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) break
    await wait(100)
  }
  return {
    /** The samples that an expression selects now. */
    query: async (expression: string): Promise<readonly Sample[]> =>
      (await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(expression)}`)).result,
    alerts: async (): Promise<readonly Alert[]> =>
      (await ask<{ alerts: Alert[] }>('alerts')).alerts,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
