// Measures one router in a fresh process, and prints the result as JSON.
import { routeTable } from '@hv/router'
import { peers, reference } from './peers.ts'
import type { Found } from './types.ts'
import { type Workload, workloads } from './workload.ts'

const [name, workload, R, V, task] = process.argv.slice(2) as [
  string,
  keyof typeof workloads,
  string,
  string,
  string,
]
const create = (): Workload => workloads[workload](Number(R), Number(V))

if (task === 'answers') console.log(JSON.stringify(answers()))
else if (task === 'lengths') console.log(JSON.stringify(lengths()))
else if (task === 'table') console.log(JSON.stringify(table()))
else console.log(JSON.stringify(time(task === 'literal')))

function answers(): (string | null)[] {
  const { routes, requests } = create()
  const find = peers[name]!(routes)
  const show = (found: Found | null) =>
    found &&
    `${found.row.version} ${found.row.controller}#${found.row.action} ${JSON.stringify(Object.entries(found.params))}`
  return requests.map(({ method, path, accept }) => show(find(method, path, accept)))
}

/**
 * Nanoseconds per request: the median of passes over fresh strings, as the HTTP parser creates
 * them, or over literals.
 */
function time(literal: boolean): number {
  const { routes, requests } = create()
  const find = peers[name]!(routes)
  let sent = 0
  const batchOf = () =>
    requests.map(({ method, path, accept }) => {
      const header = accept.includes('trace=0')
        ? accept.replace('trace=0', `trace=${++sent}`)
        : accept
      return literal
        ? ([method, path, header] as const)
        : ([method, fresh(path), fresh(header)] as const)
    })
  const found: unknown[] = []
  const passes: number[] = []
  const warm = performance.now() + 400
  const until = warm + 600
  while (performance.now() < until) {
    const batch = batchOf()
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

/**
 * Nanoseconds by the length of hostile headers and paths. Twice the length should take twice the
 * time.
 */
function lengths(): Record<string, Record<string, number>> {
  const find = peers[name]!(create().routes)
  const type = 'application/vnd.acme+json;version=1'
  const shapes: Record<string, (length: number) => readonly [path: string, accept: string]> = {
    'header: one parameter': (n) => ['/api/x', `${type};a=${'x'.repeat(n)}`],
    'header: quotes and backslashes': (n) => ['/api/x', `${type};a="${'\\"'.repeat(n / 2)}`],
    'header: semicolons': (n) => ['/api/x', `${type}${';'.repeat(n)}`],
    'header: commas': (n) => ['/api/x', ','.repeat(n) + type],
    'header: spaces': (n) => ['/api/x', type + ' '.repeat(n)],
    'path: one segment': (n) => [`/api/resa0s/${'x'.repeat(n)}`, type],
    'path: slashes': (n) => [`/api/resa0s${'/'.repeat(n)}`, type],
    'path: dots': (n) => [`/api/resa0s/${'.'.repeat(n)}`, type],
    'path: escapes': (n) => [`/api/resa0s/${'%41'.repeat(n / 3)}`, type],
  }
  return Object.fromEntries(
    Object.entries(shapes).map(([shape, make]) => [
      shape,
      Object.fromEntries(
        [1000, 2000, 4000].map((length) => {
          for (let i = 0; i < 1000; i++)
            find('GET', ...(make(length + (i % 8)).map(fresh) as [string, string])) // warm
          const batch = Array.from(
            { length: 300 },
            () => make(length).map(fresh) as [string, string],
          )
          const times = batch.map(([path, accept]) => {
            const at = process.hrtime.bigint()
            find('GET', path, accept)
            return Number(process.hrtime.bigint() - at)
          })
          return [`${length} characters`, times.toSorted((a, b) => a - b)[150]!]
        }),
      ),
    ]),
  )
}

/**
 * Measures `api()` and the creation of the router in milliseconds and megabytes, a request with an
 * unseen header in nanoseconds, and what a hundred thousand of these add to the heap. The rows that
 * a router receives aren't counted.
 */
function table(): Record<string, number> {
  const empty = heap()
  const declaring = performance.now()
  const { routes, requests } = create()
  const building = performance.now()
  const rows = name === reference ? [] : routeTable(routes)
  const declared = heap()
  const started = performance.now()
  const find = peers[name]!(routes)
  const ready = performance.now()
  const built = heap()

  const unseen = (from: number, count: number): number => {
    let spent = 0
    for (let i = from; i < from + count; i += requests.length) {
      const batch = requests.map(
        ({ method, path, accept }, k) =>
          [method, fresh(path), fresh(`${accept};trace=${i + k}`)] as const,
      )
      const at = performance.now()
      for (const [method, path, accept] of batch) find(method, path, accept)
      spent += performance.now() - at
    }
    return (spent / count) * 1e6
  }
  unseen(0, 20_000)
  const before = heap()
  const spent = unseen(20_000, 100_000)
  const growth = heap() - before
  const megabytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(1))
  return {
    'api() ms': Math.round(building - declaring),
    'api() MB': rows.length === 0 ? megabytes(declared - empty) : 0,
    'build ms': Math.round(ready - started),
    'router MB': megabytes(built - declared),
    'unseen header ns': Math.round(spent),
    'growth MB': megabytes(growth),
  }
}

/** A string as the HTTP parser creates it: not internalized, and not hashed yet. */
function fresh(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
