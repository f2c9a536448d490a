// Times one peer on one workload, in a process of its own, and prints what it found as JSON.
import { type Answer, peers } from './peers.ts'
import { workloads } from './workload.ts'

const [name, workload, R, V, check] = process.argv.slice(2) as [string, keyof typeof workloads, string, string, string]
const { routes, requests } = workloads[workload](Number(R), Number(V))
const before = heap()
const started = performance.now()
const find = peers[name]!(routes)
const build = performance.now() - started
const kilobytes = (heap() - before) / 1024

const show = (answer: Answer | null) =>
  answer &&
  `${answer.route.version} ${answer.route.controller}#${answer.route.action} ${JSON.stringify(Object.entries(answer.params))}`
const answers = requests.map(({ method, path, accept }) => show(find(method, path, accept)))
if (check === 'answers') console.log(JSON.stringify(answers))
else console.log(JSON.stringify({ ns: time(), build, kilobytes }))

/** Nanoseconds a request, the median of passes over fresh strings, as the HTTP parser makes them. */
function time(): number {
  const fresh = (text: string) => Buffer.from(text, 'latin1').toString('latin1')
  const found: unknown[] = []
  const passes: number[] = []
  const warm = performance.now() + 250
  const until = warm + 600
  while (performance.now() < until) {
    const batch = requests.map(({ method, path, accept }) => [method, fresh(path), fresh(accept)] as const)
    const start = process.hrtime.bigint()
    for (let i = 0; i < batch.length; i++) {
      const [method, path, accept] = batch[i]!
      found[i] = find(method, path, accept)
    }
    const spent = Number(process.hrtime.bigint() - start) / batch.length
    if (performance.now() > warm) passes.push(spent)
  }
  return passes.toSorted((a, b) => a - b)[passes.length >> 1]!
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
