// `npm run bench -- http`: measures one app over loopback in four variants: bare, bare again, bare
// with the headers that versioning needs, and with our adapters. The variants take turns for ten
// rounds, each in a fresh process, because one process may be faster than the next by chance. The
// difference between the two bare variants is the noise. CPU time only counts the server, although
// the client runs on the same machine. BENCH_ROUNDS, BENCH_SECONDS and BENCH_APPS make it shorter.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'

const { BENCH_ROUNDS = '10', BENCH_SECONDS = '2' } = process.env
const apps = (process.env['BENCH_APPS'] ?? 'fastify,express,fastify-400,express-400').split(',')
const variants = apps.flatMap((app) => [
  `${app} bare`,
  `${app} again`,
  `${app} headers`,
  `${app} ours`,
])

interface Sample {
  readonly cpu: number
  /** The CPU time outside of the kernel, whose own is larger and varies more. */
  readonly user: number
  readonly rate: number
  readonly p99: number
}

const ask = async (server: ChildProcess): Promise<readonly [cpu: number, user: number]> => {
  server.send('cpu')
  return ((await once(server, 'message')) as [[number, number]])[0]
}

async function measure(variant: string): Promise<Sample> {
  const server = fork(join(import.meta.dirname, 'http-server.js'), variant.split(' '))
  const [port] = (await once(server, 'message')) as [number]
  const resources = variant.includes('400') ? 400 : 4
  const requests = Array.from({ length: 64 }, (_, i) => ({
    path: `/api/r${(i * 37) % resources}s/${i + 1}`,
    headers: { accept: `application/vnd.acme+json;version=${1 + (i % 3)}` },
  }))
  const load = (duration: number) =>
    autocannon({ url: `http://127.0.0.1:${port}`, connections: 20, duration, requests })
  await load(2) // warm
  const before = await ask(server)
  const result = await load(Number(BENCH_SECONDS))
  const after = await ask(server)
  server.disconnect()
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${variant}: ${result.non2xx} answers were no success`)
  const perRequest = (i: 0 | 1): number => (after[i] - before[i]) / result.requests.total
  return {
    cpu: perRequest(0),
    user: perRequest(1),
    rate: result.requests.average,
    p99: result.latency.p99,
  }
}

const samples = new Map<string, Sample[]>(variants.map((variant) => [variant, []]))
for (let round = 0; round < Number(BENCH_ROUNDS); round++)
  for (const variant of variants) samples.get(variant)!.push(await measure(variant))

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b)
const median = (values: readonly number[]): number => ascending(values)[values.length >> 1]!
const of = (variant: string, key: keyof Sample): readonly number[] =>
  samples.get(variant)!.map((sample) => sample[key])
const range = (values: readonly number[], digits: number): string =>
  [median(values), Math.min(...values), Math.max(...values)]
    .map((value) => value.toFixed(digits))
    .join(', ')
console.log(
  `Node ${process.version}, ${BENCH_ROUNDS} rounds of ${BENCH_SECONDS} s in turn, 20 connections, 3 versions; median, least, most`,
)
console.table(
  Object.fromEntries(
    variants.map((variant) => {
      const bare = of(variant.replace(/ \w+$/, ' bare'), 'cpu')
      const ofBare = of(variant, 'cpu').map((cpu, round) => cpu / bare[round]!)
      return [
        variant,
        {
          'CPU us a request': range(of(variant, 'cpu'), 1),
          'of bare, by round': range(ofBare, 2),
          'rounds above bare': ofBare.filter((ratio) => ratio > 1).length,
          'user us': median(of(variant, 'user')).toFixed(1),
          'requests a second': Math.round(median(of(variant, 'rate'))),
          'p99 ms': median(of(variant, 'p99')),
        },
      ]
    }),
  ),
)
