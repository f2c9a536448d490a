// `npm run bench -- life`: measures what deprecations, sunsets and `pinVersion` cost, in nanoseconds
// per match. The modes take turns, each in a fresh process, and the fastest round is kept. `plain`
// runs twice: the difference is the noise.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  type Api,
  type LifeOptions,
  type Match,
  type MatcherOptions,
  type Miss,
  api,
  createMatcher,
} from '@hv/router'
import { createNotify } from '@hv/router/source/respond/notify.ts'
import { workloads } from './workload.ts'

interface Mode {
  /** The life of every version. */
  readonly life?: LifeOptions
  readonly options?: MatcherOptions<never>
  readonly onRouted?: (found: Match | Miss) => void
}

const calls = new Map<number, number>()
const modes: Record<string, Mode> = {
  plain: {},
  'plain again': {},
  'deprecated, without an end': {
    life: { deprecated: '2026-01-01', docs: 'https://docs.example/v1' },
  },
  'an end in the future': { life: { deprecated: '2026-01-01', sunset: '2090-01-01' } },
  'a pinned version': { options: { pinVersion: () => 1 } },
  'an empty subscriber': { onRouted: () => {} },
  'a subscriber that counts by version': {
    onRouted: (found) => {
      if (found.kind === 'match') calls.set(found.version, (calls.get(found.version) ?? 0) + 1)
    },
  },
}

const [name] = process.argv.slice(2)
if (name === undefined) run()
else console.log(time(modes[name]!))

function run(): void {
  const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7)
  const times = new Map<string, number[]>(Object.keys(modes).map((mode) => [mode, []]))
  for (let round = 0; round < rounds; round++)
    for (const [mode, all] of times)
      all.push(
        Number(
          execFileSync(process.execPath, [fileURLToPath(import.meta.url), mode], {
            encoding: 'utf8',
          }),
        ),
      )
  console.log(
    `Node ${process.version}, nanoseconds a request, 40 resources in 3 versions, least of ${rounds} rounds in turn`,
  )
  console.table(
    Object.fromEntries([...times].map(([mode, all]) => [mode, Math.round(Math.min(...all))])),
  )
}

function time({ life, options, onRouted }: Mode): number {
  const { routes: plain, requests } = workloads.regular(40, 3)
  const nodes = plain.nodes.map((node) => ({ ...node, options: { ...life } }))
  const routes = (api as (...args: unknown[]) => Api)(
    { vendorString: plain.settings.vendor },
    ...nodes,
  )
  const { match } = createMatcher(routes, options)
  const notify = createNotify(onRouted, console.error)
  const found: unknown[] = []
  const passes: number[] = []
  const warm = performance.now() + 400
  const until = warm + 600
  while (performance.now() < until) {
    const batch = requests.map(
      ({ method, path, accept }) => [method, fresh(path), fresh(accept)] as const,
    )
    const start = process.hrtime.bigint()
    for (let i = 0; i < batch.length; i++) {
      const [method, path, accept] = batch[i]!
      const result = match(method, path, accept)
      notify?.({ kind: 'action', match: result } as never, undefined)
      found[i] = result
    }
    const spent = Number(process.hrtime.bigint() - start) / batch.length
    if (performance.now() > warm) passes.push(spent)
  }
  return passes.toSorted((a, b) => a - b)[passes.length >> 1]!
}

/** A string that nothing has hashed yet, as the HTTP parser makes it. */
function fresh(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
