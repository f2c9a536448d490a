// What a chain of versions costs, in steps and objects rather than in time: each version inherits
// from the one before it.
import { describe, expect, it } from 'vitest'
import { type Api, api, cache, inherit, resources, routeTable, version } from '../../src/index.ts'

/** The chain is built in a loop, so its types are unknown. */
type Untyped = (...parts: unknown[]) => never
type Chain = (n: number, own: unknown) => unknown

const version1 = (own: unknown) => (version as Untyped)(1, cache({ as: 'v1' }, own as never))
const previous = (n: number, more: object = {}) => (inherit as Untyped)({ from: n - 1, ...more })

/** Declares versions that add a resource each, and counts how often the compiler reads options. */
function declare(versions: number, chain: Chain): { readonly routes: Api; readonly reads: number } {
  let reads = 0
  const counted = (n: number) => {
    const node = resources(`items${n}`, { path: `items-${n}` })
    const get = (options: object, name: string) => {
      reads += 1
      return Reflect.get(options, name) as unknown
    }
    return { ...node, options: new Proxy({ ...node.options }, { get }) }
  }
  const rest = Array.from({ length: versions - 1 }, (_, i) => chain(i + 2, counted(i + 2)))
  const routes = (api as Untyped)({ vendorString: 'a' }, version1(counted(1)), ...rest) as Api
  return { routes, reads }
}

const distinct = ({ table }: Api): number => new Set(table.flatMap(({ routes }) => routes)).size

describe('a chain of versions', () => {
  it.each<[string, Chain]>([
    ['inherits', (n, own) => (version as Untyped)(n, previous(n), own)],
    [
      'inherits caches',
      (n, own) =>
        (version as Untyped)(
          n,
          (cache as Untyped)({ as: `v${n}` }, (inherit as Untyped)({ from: `v${n - 1}` }), own),
        ),
    ],
    [
      'leaves something out each time',
      (n, own) => (version as Untyped)(n, previous(n, { except: `items${n - 1}#show` }), own),
    ],
    ['has previews', (n, own) => (version as Untyped)(n, { preview: true }, previous(n), own)],
  ])('that %s is three times the work for three times the versions', (_, chain) => {
    const [short, long] = [declare(10, chain), declare(30, chain)]
    expect(short.reads).toBeGreaterThan(0)
    expect(long.reads).toBe(3 * short.reads)
    expect(distinct(short.routes)).toBe(7 * 10)
    expect(distinct(long.routes)).toBe(7 * 30)
  })

  it.each<[string, Chain]>([
    [
      'has dates',
      (n, own) => (version as Untyped)(n, previous(n, { deprecated: '2027-01-01' }), own),
    ],
    ['has options', (n, own) => (version as Untyped)(n, { except: 'edit' }, previous(n), own)],
  ])('that %s is as much work per row as a short one', (_, chain) => {
    const [short, long] = [declare(10, chain), declare(30, chain)]
    const perRow = ({ routes, reads }: typeof short) => reads / routeTable(routes).length
    expect(perRow(long)).toBeLessThan(1.1 * perRow(short))
  })

  it('that inherits nothing shares what its paths have in common', () => {
    const { routes } = declare(30, (n) => (version as Untyped)(n, resources('items1')))
    const all = routes.table.slice(1).flatMap((one) => one.routes)
    expect(all.length).toBe(7 * 29)
    // `/items1`, `/items1/new`, `/items1/:id/edit` and `/items1/:id`
    expect(new Set(all.map(({ params }) => params)).size).toBe(4)
  })
})
