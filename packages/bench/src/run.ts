// `npm run bench -- routers`: measures every router on every workload, in turn. Their results are compared
// before anything is timed. tsup builds the code first, because tsx would slow closures down.
//
//   npm run bench -- routers -- @hv memoirist   only peers whose names contain one of these
//   npm run bench -- routers -- --save         writes the results for the page of the documentation
//   BENCH_ROUNDS=5 BENCH_WORKLOADS=uneven BENCH_CELLS=R40V3,R400V30 BENCH_STRINGS=literal npm run bench -- routers
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { peers, reference } from './peers.ts'
import { createReport } from './report.ts'
import { workloads } from './workload.ts'

const {
  BENCH_ROUNDS: rounds = '3',
  BENCH_STRINGS: strings = 'fresh',
  BENCH_WORKLOADS,
  BENCH_CELLS,
} = process.env
const cells = (BENCH_CELLS ?? 'R4V3,R4V30,R40V3,R40V30,R400V3,R400V30').split(',')
const chosen = process.argv.slice(2).filter((argument) => argument !== '--save')
const names = Object.keys(peers).filter(
  (name) => chosen.length === 0 || chosen.some((part) => name.includes(part)),
)

const worker = join(import.meta.dirname, 'worker.js')
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!
function work(name: string, workload: string, cell: string, task: string): string | null {
  const [, R, V] = /^R(\d+)V(\d+)$/.exec(cell)!
  try {
    return execFileSync(process.execPath, ['--expose-gc', worker, name, workload, R!, V!, task], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return null // a peer that can't hold this table
  }
}

const report = createReport(
  'routers',
  `nanoseconds per request on ${strings} strings, median of ${rounds} rounds in turn`,
  chosen,
)
for (const workload of BENCH_WORKLOADS?.split(',') ?? Object.keys(workloads)) {
  const table: Record<string, Record<string, number | string>> = {}
  for (const name of names) table[name] = {}
  for (const cell of cells) {
    const expected = work(reference, workload, cell, 'answers')
    const times = new Map<string, number[]>()
    for (const name of names) {
      const answers = work(name, workload, cell, 'answers')
      if (answers !== null && answers === expected) times.set(name, [])
      else table[name]![cell] = answers === null ? 'refuses' : 'other answers'
    }
    for (let round = 0; round < Number(rounds); round++)
      for (const [name, all] of times) all.push(Number(work(name, workload, cell, strings)))
    for (const [name, all] of times) table[name]![cell] = Math.round(median(all))
  }
  report.table(`Workload: ${workload}`, table)
}

report.table(
  `${reference}: nanoseconds by the length of the header or path`,
  JSON.parse(work(reference, 'regular', 'R4V3', 'lengths')!) as Record<
    string,
    Record<string, number>
  >,
)

for (const workload of ['regular', 'uneven']) {
  const tables = names.map((name) => [name, work(name, workload, 'R400V30', 'table')] as const)
  report.table(
    `400 resources in 30 ${workload === 'regular' ? 'equal versions (84,000 rows)' : 'uneven versions'}: start and memory`,
    Object.fromEntries(
      tables.map(([name, found]) => [
        name,
        found === null ? {} : (JSON.parse(found) as Record<string, number>),
      ]),
    ),
  )
}
report.end()
