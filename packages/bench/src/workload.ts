// The benchmark's workloads. `regular`: R flat resources in V identical versions. `uneven`: an API
// as it looks after years. We tuned the matcher with it, so its results may be too good. `untuned`:
// written after the matcher was done, and nothing was tuned with it.
import {
  type Api,
  api,
  cache,
  collection,
  get,
  inherit,
  member,
  namespace,
  post,
  resource,
  resources,
  routeTable,
  version,
} from '@hv/router'

/** A request of a workload. */
export interface Request {
  readonly method: string
  readonly path: string
  /**
   * The benchmark replaces `trace=0` with a different number each time, so that no cache contains
   * the header.
   */
  readonly accept: string
}
export interface Workload {
  readonly routes: Api
  readonly requests: readonly Request[]
}

/** A small generator with a seed, so that the requests are identical on every machine. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
type Loose = (...args: unknown[]) => never

/** Workload 1: R resources with seven routes each, in V versions. */
export function regular(R: number, V: number): Workload {
  const names = range(R).map((i) => `res${String.fromCharCode(97 + (i % 26))}${i}s`)
  const first = (cache as Loose)({ as: 'v1' }, ...names.map((name) => resources(name)))
  const later = range(V - 1).map((n) =>
    (version as Loose)(n + 2, cache({ as: `v${n + 2}` }, inherit({ from: `v${n + 1}` }) as never)),
  )
  const routes = (api as Loose)({ vendorString: 'acme' }, version(1, first), ...later) as Api
  const random = createRandom(R * 100 + V)
  const requests = range(512).map((): Request => {
    const name = names[random(R)]!
    const [id, n, other, kind] = [random(100_000), 1 + random(V), 1 + random(V), random(100)]
    const json = kind < 50 && random(100) < 15 ? '.json' : ''
    const [method, path] =
      kind < 20 ? ['GET', `/api/${name}${json}`]
      : kind < 50 ? ['GET', `/api/${name}/${id}${json}`]
      : kind < 60 ? ['GET', `/api/${name}/new`]
      : kind < 75 ? ['GET', `/api/${name}/${id}/edit`]
      : kind < 90 ? ['GET', `/api/none${id}/${id}`]
      : ['PATCH', `/api/${name}`] // prettier-ignore
    const type = 'application/vnd.acme+json'
    const accept = [
      `${type};version=${n}`,
      `${type};version=${n}`,
      `${type};version=${n}`,
      `${type}; version=${n}`,
      `${type}; version="${n}"`,
      `text/html;q=0.8, ${type};version=${n}`,
      `${type};version=${n};q=0.9, */*;q=0.1`,
      `${type};version=${other};q=0.5, ${type};version=${n}`,
    ][random(8)]!
    return { method: method!, path: path!, accept }
  })
  return { routes, requests }
}

/**
 * Workload 2: uneven versions, nested paths, extra routes, escapes, a long vendor, headers of one
 * to four ranges.
 */
export function uneven(R: number, V: number): Workload {
  const vendor = 'a-vendor-of-a-large-company.public.api.v'.slice(0, 40)
  const random = createRandom(7 * R + V)
  const words = range(R).map(
    (i) => `${['order', 'invoice', 'customer', 'line-item', 'shipment'][i % 5]}${i}`,
  )
  const block = (path: string, i: number) => {
    const name = path.replace('-', '_')
    return i % 3 === 0
      ? resources(
          name,
          { path, singular: 'parent' },
          resources(
            'parts',
            { singular: 'part' },
            resources('notes', { only: ['index', 'show', 'update'] }),
          ),
          member(post('publish')),
          collection(get('search')),
        )
      : resources(name, {
          path,
          only: i % 2 ? ['index', 'show', 'create'] : ['index', 'show', 'update', 'destroy'],
        })
  }
  const versions = range(V).map((n) =>
    (version as Loose)(
      n + 1,
      ...words.flatMap((name, i) =>
        (i + n) % 4 === 0 && V > 1 ? [] : [block(name, i + (n % 2) * 3)],
      ),
    ),
  )
  const routes = (api as Loose)({ vendorString: vendor }, ...versions) as Api
  const rows = routeTable(routes)
  const requests = range(2048).map((i): Request => {
    const row = rows[random(rows.length)]!
    const value = () =>
      random(8) === 0
        ? `caf%C3%A9-${random(1000)}`
        : random(3) === 0
          ? `${random(1 << 30).toString(16)}-${random(1 << 30).toString(16)}`
          : String(random(1_000_000))
    const path = (row.pattern + (random(10) === 0 ? '.json' : '')).replace(/:\w+/g, value)
    const type = `application/vnd.${vendor}+json`
    const own = random(100) < 90 ? row.version : 1 + random(V)
    const others = range(random(4)).map(
      () => `${type};version=${1 + random(V)};q=0.${1 + random(8)}`,
    )
    const fresh = i % 100 === 0 ? ';trace=0' : ''
    const accept = [...others, `${type};version=${own}${fresh}`].join(random(2) ? ', ' : ',')
    return {
      method: random(20) === 0 ? 'PATCH' : row.method,
      path: random(20) === 0 ? `${path}/none` : path,
      accept,
    }
  })
  return { routes, requests }
}

/**
 * Workload 3: namespaces, singular resources, shallow nesting, browsers and other clients' headers,
 * queries, slashes.
 */
export function untuned(R: number, V: number): Workload {
  const random = createRandom(11 * R + 3 * V)
  const names = range(R).map(
    (i) => `${['tickets', 'agents', 'teams', 'macros', 'sla_policies', 'views'][i % 6]}_${i}x`,
  )
  const tree = (name: string, i: number) =>
    [
      () => resources(name, resource('settings', { only: ['show', 'update'] })),
      () =>
        resources(
          name,
          { shallow: true, singular: 'owner' },
          resources('comments', { except: ['new', 'edit'] }),
        ),
      () =>
        namespace(
          `n${i}`,
          resources(name, { param: 'slug' }),
          resource('status', { only: 'show' }),
        ),
      () =>
        resources(
          name,
          { except: ['new', 'edit'] },
          member(post('archive'), get('history')),
          collection(get('export')),
        ),
    ][i % 4]!()
  const declared = range(V).map((n) => {
    const own = names.flatMap((name, i) =>
      n === 0 || (i * 7 + n) % 9 === 0 ? [tree(name, i + (n % 3))] : [],
    )
    const inherited =
      n === 0
        ? []
        : [inherit({ from: `v${n}`, except: own.map(({ name }) => name as string) } as never)]
    return { n: n + 1, own, inherited }
  })
  // `except` can only name what the cache contains, so resources that are new in a version are left
  // out.
  const held = new Set<string>()
  const versions = declared.map(({ n, own, inherited }) => {
    const except = own.map(({ name }) => name as string).filter((name) => held.has(name))
    for (const { name } of own) held.add(name as string)
    const from =
      inherited.length === 0
        ? []
        : [inherit({ from: `v${n - 1}`, ...(except.length > 0 && { except }) } as never)]
    return (version as Loose)(n, cache({ as: `v${n}` }, ...(from as never[]), ...(own as never[])))
  })
  const routes = (api as Loose)({ vendorString: 'helpdesk', defaultVersion: V }, ...versions) as Api
  const rows = routeTable(routes)
  const type = 'application/vnd.helpdesk+json'
  const requests = range(1024).map((i): Request => {
    const row = rows[random(rows.length)]!
    const n = random(10) < 8 ? row.version : 1 + random(V)
    const accept = [
      `${type};version=${n}`,
      `${type};version=${n}`,
      `${type};version=${n};charset=utf-8`,
      `${type}; version=${n}, application/json;q=0.9, */*;q=0.8`,
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      '*/*',
      `application/json, ${type}; version="${n}"`,
      `${type};version=${n};q=0.8,${type};version=${1 + random(V)};q=0.4,${type};version=${1 + random(V)};q=0.3`,
    ][random(8)]!
    const end = ['', '', '', '', '.json', '/'][random(6)]!
    const path = (row.pattern + end).replace(/:\w+/g, () =>
      random(3) === 0 ? `key-${random(1 << 24).toString(36)}` : String(random(100_000)),
    )
    const query = random(5) === 0 ? `?page=${random(50)}&sort=-created_at` : ''
    return {
      method: random(25) === 0 ? 'DELETE' : row.method,
      path: (random(25) === 0 ? path.replace('/api', '/v2/api') : path) + query,
      accept: i % 100 === 0 ? `${accept};trace=0` : accept,
    }
  })
  return { routes, requests }
}

export const workloads = { regular, uneven, untuned }
