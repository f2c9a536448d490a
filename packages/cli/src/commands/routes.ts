import { columns, count, type Io, print, printJson } from '../output.ts'
import { formatLife } from '../route-file/lives.ts'
import * as cli from './define.ts'

export const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option('--for <versions>', 'only these versions: 2 or 1,3', (text): readonly number[] =>
      text.split(',').map((version) => cli.parseVersion(version.trim())),
    )
    .option(...cli.jsonOption)

export type RoutesOptions = cli.OptionsOf<typeof declare>

const terminalWidth = 80

/** What `--json` prints of a row, in this order. */
const jsonFields =
  'version name method path controller action origin declaredIn shadowed state sunset'.split(' ')

/** Prints the route table, as `rails routes` does, with each row's version and origin. */
export async function run(io: Io, options: RoutesOptions): Promise<number> {
  const routeFile = await cli.openRouteFile(io, options, options.for)
  const { rows: all, lives, defaultVersion, now } = routeFile
  const rows = all.filter(({ version }) => options.for?.includes(version) ?? true)
  if (options.json === true) {
    printJson(io, rows, jsonFields) // without the fields that have no value
    return 0
  }

  const cells = rows.map(({ version, name, method, pattern, target, ...row }) => {
    const origin = row.origin === 'new' ? 'new' : `inherited from ${row.declaredIn}`
    const words = [origin, row.shadowed && 'shadowed', row.state !== 'live' && row.state]
    return [`${version}`, name ?? '', method, pattern, target, words.filter(Boolean).join(', ')]
  })
  if (rows.length > 0) {
    const table = [['Version', 'Name', 'Verb', 'Path', 'Action', 'Origin'], ...cells]
    const withNames = columns(table)
    const areNamesShown =
      rows.some(({ name }) => name !== null) &&
      withNames.every((line) => line.length <= terminalWidth)
    const [head, ...lines] = areNamesShown
      ? withNames
      : columns(table.map((line) => line.toSpliced(1, 1)))
    print(io, { style: 'bold', text: head! })
    for (const [index, text] of lines.entries())
      print(io, rows[index]!.shadowed ? { style: 'dim', text } : text)
    print(io, '')
  }
  if (lives.some(({ life, isPreview }) => life !== null || isPreview)) {
    for (const version of lives) {
      const isDefault = version.number === defaultVersion ? 'default, ' : ''
      print(io, `Version ${version.number}: ${isDefault}${formatLife(version, now)}.`)
    }
    print(io, '')
  }
  const total = count(all.length, 'route')
  const shown = rows.length === all.length ? total : `${rows.length} of ${total}`
  print(io, `${shown}, ${count(new Set(all.map(({ version }) => version)).size, 'version')}.`)
  return 0
}
