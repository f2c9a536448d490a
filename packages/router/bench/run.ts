// `npm run bench`, with parts of names to choose peers. It runs what tsup makes of it: tsx would slow closures down.
// Every peer on both workloads, in turn, three rounds; the answers are compared before anything is timed.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { peers } from './peers.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const cells = [
  [4, 3],
  [4, 30],
  [40, 3],
  [40, 30],
  [400, 3],
  [400, 30],
] as const
const only = process.argv.slice(2)
const names = Object.keys(peers).filter((name) => only.length === 0 || only.some((part) => name.includes(part)))

const worker = join(import.meta.dirname, 'worker.js')
const work = (...args: (string | number)[]): string =>
  execFileSync(process.execPath, ['--expose-gc', worker, ...args.map(String)], { encoding: 'utf8', maxBuffer: 2 ** 26 })
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

console.log(`Node ${process.version}, ns a request on fresh strings, median of ${rounds} rounds in turn\n`)
for (const workload of ['regular', 'uneven']) {
  const table: Record<string, Record<string, string>> = {}
  for (const [R, V] of cells) {
    const cell = `R${R} V${V}`
    const expected = work('@hv/router', workload, R, V, 'answers')
    const equal = names.filter((name) => work(name, workload, R, V, 'answers') === expected)
    for (const name of names) if (!equal.includes(name)) (table[name] ??= {})[cell] = 'other answers'
    const times = new Map<string, number[]>(equal.map((name) => [name, []]))
    for (let round = 0; round < rounds; round++)
      for (const name of equal)
        times.get(name)!.push((JSON.parse(work(name, workload, R, V, 'time')) as { ns: number }).ns)
    for (const [name, all] of times) (table[name] ??= {})[cell] = median(all).toFixed(0)
  }
  console.log(workload)
  console.table(table)
}
for (const name of names) {
  const { build, kilobytes } = JSON.parse(work(name, 'regular', 400, 30, 'time')) as {
    build: number
    kilobytes: number
  }
  console.log(`${name.padEnd(36)} 84,000 rows: built in ${build.toFixed(0)} ms, ${(kilobytes / 1024).toFixed(1)} MB`)
}
