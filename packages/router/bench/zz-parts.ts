import { workloads } from './workload.ts'
import { peers } from './peers.ts'
import { createMatcher } from '../src/index.ts'
import { createNegotiator } from '../src/negotiate.ts'
import { createServe } from '../src/serve.ts'
import { rowOf } from "../src/table.ts"
import { createTrie } from '../src/trie.ts'
const [w, R, V, part] = process.argv.slice(2) as [never, string, string, string]
const { routes, requests: all } = workloads[w as 'regular'](Number(R), Number(V))
let requests = all
const negotiate = createNegotiator(routes)
const serve = createServe(createTrie(routes), routes.options)
const { match } = createMatcher(routes)
const kind = process.argv[6]
if (kind) requests = all.filter(r => { for (const w of negotiate(r.accept).acceptable) { const f = serve(r.method, r.path, w); const k = f===null?'null':typeof f==='number'?'node':f.kind; if (k==='match'||k==='miss'||k==='null') return k===kind; if (f===null) break } return kind==='node' })
const acc = requests.map(({ accept }) => negotiate(accept).acceptable[0] ?? { version: 1, index: 0, format: null, vendor: true })
const mem = peers['memoirist + Map']!(routes)
const mem2 = peers['memoirist + our cache']!(routes)
const parts: Record<string, (m: string, p: string, a: string, i: number) => unknown> = {
  none: (_m, p) => p,
  negotiate: (_m, _p, a) => negotiate(a),
  serve: (m, p, _a, i) => serve(m, p, acc[i]!),
  mem: (m, p, a) => mem(m, p, a),
  mem2: (m, p, a) => mem2(m, p, a),
  match: (m, p, a) => match(m, p, a),
}
const find = parts[part]!
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
    found[i] = find(method, path, accept, i)
  }
  const spent = Number(process.hrtime.bigint() - start) / batch.length
  if (performance.now() > warm) passes.push(spent)
}
console.log(w, R, V, part.padEnd(10), passes.toSorted((a, b) => a - b)[passes.length >> 1]!.toFixed(0), 'min', Math.min(...passes).toFixed(0))
