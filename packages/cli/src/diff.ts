import { type Api } from '@hv/router'
import { controllerKeyOf } from './controller-key.ts'
import { type Io, UsageError, columns, count, paint, print, printJson } from './io.ts'
import { type ListedRow, listRows } from './list-rows.ts'
import { loadRoutes } from './load-routes.ts'
import { createProviders } from './providers.ts'
import { findControllers } from './sources.ts'

export interface DiffOptions {
  readonly routes?: string
  readonly controllers?: string
  readonly markdown?: boolean
  readonly json?: boolean
}

interface Change {
  readonly method: string
  readonly path: string
  /** `users#index` */
  readonly target: string
}
interface Overridden extends Change {
  /** What the older version calls. */
  readonly was: string
  /** The version whose controller holds the new action. */
  readonly changedIn: number | null
}

/** What a client that moves from one version to another finds added, gone, and answered otherwise. */
export async function diff(io: Io, from: number, to: number, options: DiffOptions): Promise<number> {
  const { api } = await loadRoutes(io, options.routes)
  const declared = [...new Set(api.versions.map(({ name }) => name))].toSorted((a, b) => a - b)
  for (const version of [from, to])
    if (!declared.includes(version))
      throw new UsageError(`there is no version ${version}. Declared: ${declared.join(', ')}.`)
  const folder = findControllers(io, options.controllers)
  const rows = listRows(api, folder && createProviders(folder), [from, to])
  const [before, after] = [from, to].map((version) => targetsOf(api, rows, version)) as [Targets, Targets]

  const added = [...after].filter(([place]) => !before.has(place)).map(([, target]) => change(target))
  const gone = [...before].filter(([place]) => !after.has(place)).map(([, target]) => change(target))
  const overridden = [...after].flatMap(([place, now]): readonly Overridden[] => {
    const was = before.get(place)
    if (was === undefined || (was.target === now.target && was.actionFrom === now.actionFrom)) return []
    return [{ ...change(now), was: was.target, changedIn: now.actionFrom }]
  })

  if (options.json === true) printJson(io, { from, to, added, gone, overridden })
  else if (options.markdown === true) print(io, ...markdown(from, to, added, gone, overridden))
  else {
    const section = (mark: string, colour: 'green' | 'red' | 'yellow', changes: readonly (Change | Overridden)[]) => {
      for (const line of columns(changes.map((one) => [mark, one.method, plain(one.path), noteOf(one)])))
        print(io, paint(io.out, colour, line))
    }
    section('+', 'green', added)
    section('-', 'red', gone)
    section('~', 'yellow', overridden)
    print(
      io,
      `${count(added.length, 'route')} added, ${gone.length} gone, ${overridden.length} overridden from version ${from} to ${to}.`,
    )
    if (folder === null)
      print(io, 'No controllers folder found: overridden actions are not seen. Name it with --controllers.')
  }
  return 0
}

interface Target extends Change {
  readonly actionFrom: number | null
}
type Targets = ReadonlyMap<string, Target>

function targetsOf(api: Api, rows: readonly ListedRow[], version: number): Targets {
  const targets = new Map<string, Target>()
  for (const row of rows)
    if (row.version === version && !row.shadowed)
      targets.set(`${row.method} ${row.path.replace(/:\w+/g, ':')}`, {
        method: row.method,
        path: row.path,
        target: `${controllerKeyOf(api, row)}#${row.action}`,
        actionFrom: row.actionFrom,
      })
  return new Map([...targets].toSorted(([, a], [, b]) => compare(a.path, b.path) || compare(a.method, b.method)))
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const change = ({ method, path, target }: Change): Change => ({ method, path, target })
const plain = (path: string): string => path.replace('(.:format)', '')
const noteOf = (one: Change | Overridden): string =>
  'was' in one
    ? one.was === one.target
      ? `${one.target}, changed in version ${one.changedIn}`
      : `${one.target}, was ${one.was}`
    : one.target

function markdown(
  from: number,
  to: number,
  added: readonly Change[],
  gone: readonly Change[],
  overridden: readonly Overridden[],
): readonly string[] {
  const section = (title: string, changes: readonly (Change | Overridden)[]): readonly string[] =>
    changes.length === 0
      ? []
      : ['', `### ${title}`, '', ...changes.map((one) => `- \`${one.method} ${plain(one.path)}\` (${noteOf(one)})`)]
  const all = [...section('Added', added), ...section('Removed', gone), ...section('Changed', overridden)]
  return [`## From version ${from} to ${to}`, ...(all.length === 0 ? ['', 'No changes.'] : all)]
}
