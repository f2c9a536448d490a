import { type Io, columns, count, print, printJson } from '../output.ts'
import { type ListedRow, listRows } from '../route-file/list-rows.ts'
import { dateOf, formatLife } from '../route-file/lives.ts'
import { loadRouteFile } from '../route-file/load.ts'
import type { RouteFile } from '../route-file/route-file.ts'
import * as cli from './define.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option('--for <versions>', 'only these versions: 2 or 1,3', (text): readonly number[] =>
      text.split(',').map((version) => cli.parseVersion(version.trim())),
    )
    .option(...cli.jsonOption)

export type RoutesOptions = cli.OptionsOf<typeof declare>
export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => routes(io, options)))

/** Prints the route table, as `rails routes` does, with each row's version and origin. */
async function routes(io: Io, options: RoutesOptions): Promise<number> {
  const { routeFile } = await loadRouteFile(io, options.routes)
  cli.assertDeclared(routeFile, options.for)
  cli.reportRouteFile(io, routeFile, options)
  const all = listRows(routeFile)
  const rows = all.filter(({ version }) => options.for?.includes(version) ?? true)
  if (options.json === true) {
    printJson(io, rows.map(jsonOf))
    return 0
  }
  if (rows.length > 0) {
    const [head, ...lines] = tableOf(rows)
    print(io, { style: 'bold', text: head! })
    for (const [index, text] of lines.entries())
      print(io, rows[index]!.shadowed ? { style: 'dim', text } : text)
    print(io, '')
  }
  print(io, ...livesOf(routeFile))
  const total = count(all.length, 'route')
  const shown = rows.length === all.length ? total : `${rows.length} of ${total}`
  print(io, `${shown}, ${count(new Set(all.map(({ version }) => version)).size, 'version')}.`)
  return 0
}

/** The fields that `--json` prints. `JSON.stringify` leaves out those without a value. */
function jsonOf(row: ListedRow): object {
  const { version, name, method, path, controller, action, life } = row
  const { origin, declaredIn, shadowed, state } = row
  const route = { version, name, method, path, controller, action }
  const sunset = typeof life?.sunset === 'number' ? dateOf(life.sunset) : undefined
  return { ...route, origin, declaredIn, shadowed, state, sunset }
}

const terminalWidth = 80

/** The table, with the route names only if the rows have some and they fit a terminal. */
function tableOf(rows: readonly ListedRow[]): readonly string[] {
  const withNames = columns([
    ['Version', 'Name', 'Verb', 'Path', 'Action', 'Origin'],
    ...rows.map((row) => cellsOf(row).toSpliced(1, 0, row.name ?? '')),
  ])
  const fits = withNames.every((line) => line.length <= terminalWidth)
  return fits && rows.some(({ name }) => name !== null)
    ? withNames
    : columns([['Version', 'Verb', 'Path', 'Action', 'Origin'], ...rows.map(cellsOf)])
}

const cellsOf = (row: ListedRow): readonly string[] => [
  String(row.version),
  row.method,
  row.pattern,
  `${row.key}#${row.action}`,
  originOf(row),
]

function originOf({ origin, declaredIn, shadowed, state }: ListedRow): string {
  const words = [
    origin === 'new' ? 'new' : `inherited from ${declaredIn}`,
    shadowed && 'shadowed',
    state !== 'live' && state,
  ]
  return words.filter(Boolean).join(', ')
}

/** A line for each version, unless none of them is deprecated, ends or is a preview. */
function livesOf({ lives, defaultVersion }: RouteFile): readonly string[] {
  if (lives.every(({ life, isPreview }) => life === null && !isPreview)) return []
  const lines = lives.map((version) => {
    const isDefault = version.number === defaultVersion ? 'default, ' : ''
    return `Version ${version.number}: ${isDefault}${formatLife(version, Date.now())}.`
  })
  return [...lines, '']
}
