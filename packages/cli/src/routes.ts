import { type Io, UsageError, columns, count, paint, print, printJson } from './io.ts'
import { type ListedRow, listRows } from './list-rows.ts'
import { loadRoutes } from './load-routes.ts'
import { createProviders } from './providers.ts'
import { findControllers } from './sources.ts'

export interface RoutesOptions {
  readonly routes?: string
  readonly controllers?: string
  readonly for?: readonly number[]
  readonly resource?: string
  readonly verb?: string
  readonly path?: string
  readonly json?: boolean
}

/** Prints the table of routes, as `rails routes` does, with the version and the origin of each. */
export async function routes(io: Io, options: RoutesOptions): Promise<number> {
  const { api } = await loadRoutes(io, options.routes)
  const folder = findControllers(io, options.controllers)
  const all = listRows(api, folder && createProviders(folder))
  const declared = [...new Set(all.map(({ version }) => version))]
  for (const version of options.for ?? [])
    if (!api.versions.some(({ name }) => name === version))
      throw new UsageError(`there is no version ${version}. Declared: ${declared.join(', ')}.`)

  const verb = options.verb?.toUpperCase()
  const rows = all.filter(
    ({ version, controller, method, path }) =>
      (options.for === undefined || options.for.includes(version)) &&
      (options.resource === undefined || `/${controller}`.endsWith(`/${options.resource}`)) &&
      (verb === undefined || method === verb) &&
      (options.path === undefined || path.includes(options.path)),
  )
  if (options.json === true) {
    printJson(io, rows)
    return 0
  }
  const head = ['Version', 'Name', 'Verb', 'Path', 'Controller#Action', 'Origin']
  const lines = columns([
    head,
    ...rows.map((row) => [
      String(row.version),
      row.name ?? '',
      row.method,
      row.path,
      `${row.controller}#${row.action}`,
      originOf(row),
    ]),
  ])
  if (rows.length > 0) {
    print(io, paint(io.out, 'bold', lines[0]!))
    for (const [i, line] of lines.slice(1).entries()) print(io, rows[i]!.shadowed ? paint(io.out, 'dim', line) : line)
    print(io, '')
  }
  const shown =
    rows.length === all.length ? count(all.length, 'route') : `${rows.length} of ${count(all.length, 'route')}`
  print(io, `${shown}, ${count(declared.length, 'version')}.`)
  return 0
}

function originOf({ origin, declaredIn, actionFrom, shadowed }: ListedRow): string {
  const text =
    origin === 'own'
      ? 'own'
      : origin === 'inherited'
        ? `inherited from v${declaredIn}`
        : `overridden in v${actionFrom}, inherited from v${declaredIn}`
  return shadowed ? `${text}, shadowed` : text
}
