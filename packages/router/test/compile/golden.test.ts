import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as dsl from '../../src/index.ts'

type Tree = [kind: string, name: unknown, options?: unknown, nodes?: Tree[]]
interface Golden {
  readonly id: string
  readonly options: { readonly vendor_string: string } & Record<string, unknown>
  readonly versions: [kind: 'version', number: number, nodes: Tree[]][]
  readonly rows: {
    readonly name: string
    readonly verb: string
    readonly path: string
    readonly to: string
  }[]
}

const golden = JSON.parse(
  readFileSync(new URL('./golden-tables.json', import.meta.url), 'utf8'),
) as Golden[]

/** The neutral tree of the golden tables, as our words. */
function build([kind, name, a, b]: Tree): never {
  const word = dsl as never as Record<string, (...args: unknown[]) => never>
  switch (kind) {
    case 'cache':
      return dsl.cache({ as: name as string }, ...(a as Tree[]).map(build)) as never
    case 'inherit':
      return dsl.inherit({ from: name as string }) as never
    case 'member':
    case 'collection':
      return word[kind]!(...(name as Tree[]).map(build))
    case 'resources':
    case 'resource':
    case 'namespace':
      return word[kind]!(name, a ?? {}, ...(b ?? []).map(build))
    default:
      return word[kind === 'delete' ? 'del' : kind]!(name)
  }
}

describe('golden tables of the original', () => {
  it.each(golden.map((table) => [table.id, table] as const))(
    '%s',
    (_id, { options, versions, rows }) => {
      const { vendor_string: vendorString, default_version: defaultVersion, ...rest } = options
      const api = dsl.api(
        { vendorString, ...(defaultVersion !== undefined && { defaultVersion }), ...rest } as never,
        ...(versions.map(([, number, nodes]) =>
          dsl.version(number, {}, ...nodes.map(build)),
        ) as never[]),
      )
      const ours = dsl.routeTable(api).map(({ name, method, path, controller, action }) => ({
        name: name ?? '',
        verb: method,
        path,
        to: `${controller}#${action}`,
      }))
      expect(ours).toEqual(rows)
      expect(rows.length).toBeGreaterThan(0)
    },
  )
})
