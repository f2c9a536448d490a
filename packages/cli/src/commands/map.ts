import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { type Controller, type Controllers, isController } from '../controllers/controllers.ts'
import type { ControllerFile } from '../controllers/find.ts'
import { importOf } from '../controllers/imports.ts'
import { type Io, UsageError, count, display, listed, print, printStep } from '../output.ts'
import type { RouteFile } from '../route-file/route-file.ts'
import { isCommonJs } from '../syntax/parse.ts'
import { styleOf } from '../syntax/style.ts'
import * as cli from './define.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.controllersOption)
    .option('--out <file>', 'the file to write (default: map.ts or map.js beside the controllers)')
    .option('--force', 'overwrite an existing file')

type MapOptions = cli.OptionsOf<typeof declare>
export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => writeMap(io, options)))

/** Writes a file that imports every controller that the routes reach, and exports the map for `createRouter`. */
async function writeMap(io: Io, options: MapOptions): Promise<number> {
  const { routeFile, controllers } = await cli.openProject(io, options)
  if (controllers === null)
    throw new UsageError('no controllers folder found. Pass the folder that holds api/v1 with --controllers <folder>.')
  const entries = entriesOf(io, routeFile, controllers)
  const beside = join(dirname(controllers.folder.root), `map${extname(entries[0]!.file.path)}`)
  const path = options.out === undefined ? beside : resolve(io.cwd, options.out)
  const exists = existsSync(path)
  if (exists && options.force !== true)
    throw new UsageError(`${display(io, path)} exists already. Overwrite it with --force.`)
  const name = entries.some(({ needsArguments }) => needsArguments) ? 'createControllers' : 'controllers'
  const text = mapText(path, entries, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  printStep(io, exists ? 'update' : 'create', display(io, path))
  print(io, `It exports ${name} with ${count(entries.length, 'controller')}.`)
  return 0
}

/** A controller that the routes reach. */
interface Entry {
  readonly file: ControllerFile
  readonly controller: Controller
  /** Its name in the map: `AdminUsersV1`. */
  readonly local: string
  readonly needsArguments: boolean
}

/** The controllers that the routes reach, in the order of the routes. */
function entriesOf(io: Io, { rows }: RouteFile, { folder, read }: Controllers): readonly Entry[] {
  const files = new Map(folder.files.map((file) => [`v${file.version}/${file.key}`, file]))
  const reached = [...new Set(rows.map(({ version, key }) => `v${version}/${key}`))]
  const missing = reached.filter((id) => !files.has(id))
  if (missing.length > 0)
    throw new UsageError(
      `nothing was written, because controllers are missing: ${listed(missing.map((id) => `${id}_controller`))}.`,
    )
  return reached.map((id) => {
    const file = files.get(id)!
    const controller = read(file)
    const refuse = (line: number, why: string): never => {
      throw new UsageError(`${display(io, file.path)}:${line} ${why}. Nothing was written.`)
    }
    if (controller === null) return refuse(1, 'exports no controller that map can find')
    if (!isController(controller)) return refuse(controller.place.line, `cannot be read: ${controller.why}`)
    if (isCommonJs(controller.file)) return refuse(1, 'is CommonJS, and map writes an ES module')
    if (controller.style.kind === 'property')
      return refuse(controller.exports.place.line, `holds ${controller.style.name} in its default export. Export that`)
    if (controller.kind === 'factory' && controller.by.node.async)
      return refuse(controller.by.place.line, 'makes its controller asynchronously')
    const words = file.key.split(/[/_-]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    return { file, controller, local: `${words.join('')}V${file.version}`, needsArguments: hasParameters(controller) }
  })
}

function hasParameters(controller: Controller): boolean {
  if (controller.kind === 'factory') return controller.by.node.params.length > 0
  for (let at = controller.kind === 'class' ? controller.value : null; at !== null; at = at.parent) {
    const made = at.node.body.body.find((one) => one.type === 'MethodDefinition' && one.kind === 'constructor')
    if (made?.type === 'MethodDefinition') return made.value.params.length > 0
  }
  return false
}

/** The text of the map: an object when no controller takes arguments, else a function that passes them on. */
function mapText(path: string, entries: readonly Entry[], name: string): string {
  const sources = entries.map(({ controller }) => controller.file)
  const { end, indent, newline, quote } = styleOf(sources.map(({ text }) => text))
  const first = entries.find(({ needsArguments }) => needsArguments)
  const helper = first?.controller.kind === 'class' ? 'ConstructorParameters' : 'Parameters'
  const services = path.endsWith('ts') ? `...services: ${helper}<typeof ${first?.local}>` : '...services'
  const versions = [...new Set(entries.map(({ file }) => file.version))].toSorted((a, b) => a - b)
  const importLine = ({ file, controller: { style }, local }: Entry): string => {
    const from = quote + importOf(path, file.path, sources) + quote
    const all = style.kind === 'namespace' ? `* as ${local}` : local
    return `import ${style.kind === 'named' ? `{ ${style.name} as ${local} }` : all} from ${from}${end}`
  }
  const member = ({ file: { key }, controller: { kind }, local, needsArguments }: Entry): string => {
    const call = `${kind === 'class' ? 'new ' : ''}${local}(${needsArguments ? '...services' : ''})`
    return `${/^[a-z_$][\w$]*$/i.test(key) ? key : quote + key + quote}: ${kind === 'object' ? local : call},`
  }
  const lines = [
    '// Written by hv-router map. To write it again: npx @hv/router-cli map --force',
    ...entries.map(importLine),
    '',
    `export const ${name} = ${first === undefined ? '' : `(${services}) => (`}{`,
    ...versions.flatMap((version) => [
      `${indent}${version}: {`,
      ...entries.filter(({ file }) => file.version === version).map((entry) => `${indent}${indent}${member(entry)}`),
      `${indent}},`,
    ]),
    `}${first === undefined ? '' : ')'}${end}`,
  ]
  return lines.join(newline) + newline
}
