// What clients of the service see while something happens to its databases.
import { setTimeout as wait } from 'node:timers/promises'
import { startInstance } from '../test/services.ts'
import type { DatabaseCluster } from './database-cluster.ts'
import { startProbe } from './probe.ts'
import { type Response, startRecorder } from './recorder.ts'

export interface Services {
  readonly origins: readonly string[]
  readonly stop: () => void
}

/** Starts three instances of the service on a cluster. */
export async function startServices({ urls }: DatabaseCluster): Promise<Services> {
  const environment = { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent', LOGIN_FAILURES: '5' }
  const started = await Promise.all(
    urls.map((DATABASE_URL) => startInstance({ ...environment, DATABASE_URL })),
  )
  for (const { origin } of started)
    while ((await fetch(`${origin}/health/ready`)).status !== 200) await wait(200)
  const stop = () => {
    for (const { child } of started) child.kill('SIGKILL')
  }
  process.once('exit', stop) // also after an error
  return { origins: started.map(({ origin }) => origin), stop }
}

/** Milliseconds before an event, and from it until the cluster is healed. */
const calm = 4000
const trouble = 12_000
/** How long a server may take to notice that it's healed, in milliseconds. One that waits for its disk asks once a minute. */
const patience = 70_000

/** Runs events one after the other under clients, prints a line for each, and compares all servers in the end. */
export async function runEvents(
  cluster: DatabaseCluster,
  events: readonly string[],
  clients: number,
): Promise<void> {
  const services = await startServices(cluster)
  const recorder = startRecorder(services.origins, clients)
  const probe = await startProbe(cluster.urls[0]!, recorder.now)
  console.log(
    '| Event | Without writes | Of which the cluster | Failed | Slowest | Hung | 500 | No Retry-After | Ready after |',
  )
  console.log(
    '| ----- | -------------- | -------------------- | ------ | ------- | ---- | --- | -------------- | ----------- |',
  )
  for (const event of events) {
    await wait(calm)
    const from = recorder.now()
    const what = await cluster.actions[event]!()
    if (event !== 'switch-over') await wait(trouble)
    await cluster.actions['heal']!()
    const healed = recorder.now()
    while (probe.writes.at(-1)! < healed && recorder.now() - healed < patience) await wait(200)
    await wait(calm)
    const ready = await Promise.all(
      services.origins.map((origin) => fetch(`${origin}/health/ready`)),
    )
    const to = recorder.now()
    const during = recorder.responses.filter(({ at }) => at >= from && at <= to)
    const writes = during
      .filter(({ isWrite, status }) => isWrite && status < 300 && status > 0)
      .map(({ at }) => at)
    const [gap, least] = [writes, probe.writes].map((times) => longestGap(times, from, to))
    console.log(
      `| ${[what, seconds(gap!), seconds(least!), ...describeFailures(during), `${ready.filter(({ ok }) => ok).length} of 3`].join(' | ')} |`,
    )
  }
  await recorder.stop()
  await probe.stop()
  await wait(2000) // the other servers apply the last writes
  const acknowledged = recorder.responses.filter(
    ({ isWrite, status }) => isWrite && status > 0 && status < 300,
  ).length
  const reads = recorder.responses.filter(
    ({ isWrite, status }) => !isWrite && status === 200,
  ).length
  const logins = recorder.responses.filter(({ what }) => what === 'login')
  console.log(`${clients} clients: ${acknowledged} writes acknowledged, ${reads} reads; logins:`)
  console.log(Object.fromEntries(countBy(logins.map(({ status }) => String(status)))))
  for (const node of cluster.nodes) {
    const { checked, lost } = await recorder.compare(node)
    console.log(
      `${node.name}: ${checked} users compared, ${lost.length} differences`,
      ...lost.slice(0, 5),
    )
  }
  console.log(
    `contradictions: ${recorder.anomalies.length}`,
    Object.fromEntries(countBy(recorder.anomalies)),
  )
  services.stop()
}

function describeFailures(responses: readonly Response[]): readonly string[] {
  const failures = responses.filter(({ status }) => status === 0 || status >= 500)
  const statuses = [...countBy(failures.map(({ status }) => String(status)))].map(
    ([status, n]) => `${n} x ${status}`,
  )
  const slowest = Math.max(0, ...failures.map(({ took }) => took))
  const count = (is: (response: Response) => boolean) => String(failures.filter(is).length)
  return [
    statuses.join(', ') || '0',
    seconds(slowest),
    count(({ took }) => took >= 19_000),
    count(({ status }) => status === 500),
    count(({ status, retryAfter }) => status === 503 && retryAfter === null),
  ]
}

/** The longest time between two of these times, or the edges of the window. */
function longestGap(times: readonly number[], from: number, to: number): number {
  const inside = [from, ...times.filter((time) => time > from && time < to), to]
  return Math.max(...inside.slice(1).map((time, i) => time - inside[i]!))
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

function countBy(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
