// Route tables printed by Rails 6.1, for constructs and for route files in the style of known applications. They hold
// the nodes below `namespace :api, module: 'api/v1'`. PATCH rows are left out; their names are on the PUT rows.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as dsl from '../../src/index.ts'

type Options = Readonly<Record<string, unknown>>
type Tree =
  | [kind: 'resources' | 'resource' | 'namespace', name: string, options: Options, nodes: Tree[]]
  | [kind: 'scope', options: Options, nodes: Tree[]]
  | [kind: 'member' | 'collection', verbs: Tree[]]
  | [kind: 'get' | 'post' | 'put' | 'delete', path: string, options: Options]
type Row = [
  name: string,
  method: string,
  path: string,
  target: string,
  constraints?: Record<string, string>,
]
interface Table {
  readonly id: string
  readonly nodes: Tree[]
  readonly rows: Row[]
}

const tables = JSON.parse(
  readFileSync(new URL('./rails-tables.json', import.meta.url), 'utf8'),
) as Table[]

const helpers = dsl as never as Record<string, (...args: unknown[]) => never>
function build([kind, ...args]: Tree): never {
  const toNode = (argument: unknown) =>
    Array.isArray(argument) ? (argument as Tree[]).map(build) : [argument]
  return helpers[kind === 'delete' ? 'del' : kind]!(...args.flatMap(toNode))
}

/** Rails gives a verb without `as` the name of what encloses it when its path has a parameter, a glob or a dot. */
const isAccident = (path: string, name: string | null) => name === null && /[.:*][^/]*$/.test(path)

describe('route tables of Rails', () => {
  it.each(tables.map((table) => [table.id, table] as const))('%s', (_id, { nodes, rows }) => {
    const routes = helpers['api']!(
      { vendorString: 'acme' },
      helpers['version']!(1, {}, ...nodes.map(build)),
    )
    const ours = dsl
      .routeTable(routes)
      .map(({ name, method, path, pattern, controller, action, constraints }, i) => {
        const sources = Object.entries(constraints).map(([param, { source }]) => [
          param,
          source.slice(4, -2),
        ])
        const row = [
          isAccident(pattern, name) ? rows[i]?.[0] : (name ?? ''),
          method,
          path,
          `${controller}#${action}`,
        ]
        return sources.length === 0 ? row : [...row, Object.fromEntries(sources)]
      })
    expect(ours).toEqual(rows)
  })
})
