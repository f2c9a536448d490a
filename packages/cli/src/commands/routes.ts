import { type Io, columns, count, paint, print, printJson } from '../output.ts'
import { type ListedRow, listRows } from '../route-file/list-rows.ts'
import { dateOf, formatLife } from '../route-file/lives.ts'
import type { RouteFile } from '../route-file/route-file.ts'
import * as cli from './define.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.controllersOption)
    .option('--for <versions>', 'only these versions: 2 or 1,3', (text): readonly number[] =>
      cli.parseList(text).map(cli.parseVersion),
    )
    .option('--grep <text>', "only routes whose line contains this text: users#, 'get /api'")
    .option(...cli.jsonOption)

export type RoutesOptions = cli.OptionsOf<typeof declare>
export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => routes(io, options)))

/** Prints the route table, as `rails routes` does, with the version and the origin of each row. */
async function routes(io: Io, options: RoutesOptions): Promise<number> {
  const { routeFile, controllers } = await cli.openProject(io, options)
  cli.assertDeclared(routeFile, options.for)
  cli.reportRouteFile(io, routeFile, options)
  const all = listRows(routeFile, controllers)
  const rows = all.filter((row) => isWanted(row, options))
  if (options.json === true) {
    printJson(io, rows.map(jsonOf))
    return 0
  }
  const [head, ...lines] = columns([
    ['Version', 'Name', 'Verb', 'Path', 'Controller#Action', 'Origin'],
    ...rows.map(cellsOf),
  ])
  if (rows.length > 0) {
    print(io, paint(io.out, 'bold', head!))
    for (const [i, line] of lines.entries())
      print(io, rows[i]!.shadowed ? paint(io.out, 'dim', line) : line)
    print(io, '')
  } else if (all.length > 0) print(io, 'No route matches.')
  for (const line of livesOf(routeFile)) print(io, line)
  const total = count(all.length, 'route')
  const shown = rows.length === all.length ? total : `${rows.length} of ${total}`
  print(io, `${shown}, ${count(new Set(all.map(({ version }) => version)).size, 'version')}.`)
  return 0
}

/** The fields that `--json` prints. Those without a value are left out. */
function jsonOf({
  version,
  name,
  method,
  path,
  controller,
  action,
  life,
  ...listed
}: ListedRow): object {
  const { origin, declaredIn, actionFrom, shadowed, state } = listed
  const sunset = typeof life?.sunset === 'number' ? dateOf(life.sunset) : undefined
  return {
    version,
    name,
    method,
    path,
    controller,
    action,
    origin,
    declaredIn,
    actionFrom,
    shadowed,
    state,
    sunset,
  }
}

/** One line per version. None when no version is deprecated, ends or is a preview. */
function livesOf({ lives, defaultVersion }: RouteFile): readonly string[] {
  if (lives.every(({ life, isPreview }) => life === null && !isPreview)) return []
  const lines = lives.map((version) => {
    const isDefault = version.number === defaultVersion ? 'default, ' : ''
    return `Version ${version.number}: ${isDefault}${formatLife(version, Date.now())}.`
  })
  return [...lines, '']
}

function isWanted(row: ListedRow, { for: versions, grep = '' }: RoutesOptions): boolean {
  const line = `${row.name ?? ''} ${row.method} ${row.path} ${row.controller}#${row.action}`
  return (
    (versions === undefined || versions.includes(row.version)) &&
    line.toLowerCase().includes(grep.toLowerCase())
  )
}

const cellsOf = (row: ListedRow): readonly string[] => [
  String(row.version),
  row.name ?? '',
  row.method,
  row.path,
  `${row.controller}#${row.action}`,
  originOf(row),
]

function originOf({ origin, declaredIn, actionFrom, shadowed, state }: ListedRow): string {
  const inherited = `inherited from v${declaredIn}`
  const text = { own: 'own', inherited, overridden: `overridden in v${actionFrom}, ${inherited}` }[
    origin
  ]
  return [text, shadowed && 'shadowed', state !== 'live' && state].filter(Boolean).join(', ')
}
