import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import type { ParamPattern } from 'oxc-parser'
import { type Controller, isController } from '../controllers/controller.ts'
import type { Controllers } from '../controllers/controllers.ts'
import type { ControllerFile } from '../controllers/find.ts'
import { mapHeader } from '../controllers/importers.ts'
import { importPath } from '../controllers/move.ts'
import { isCommonJs } from '../controllers/read-exports.ts'
import { importExtensionOf } from '../controllers/successor.ts'
import { type Io, UsageError, count, display, paint, print } from '../output.ts'
import type { RouteFile } from '../route-file/route-file.ts'
import type { SourceFile } from '../syntax/parse.ts'
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
    throw new UsageError('no controllers folder found. Name the folder that holds api/v1 with --controllers <folder>.')
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
  print(io, `${paint(io.out, 'green', exists ? 'update' : 'create')}  ${display(io, path)}`)
  print(io, `It exports ${name} with ${count(entries.length, 'controller')}.`)
  return 0
}

/** A controller that the routes reach. */
interface Entry {
  readonly version: number
  readonly key: string
  readonly file: ControllerFile
  readonly controller: Controller
  /** Its name in the map. No two entries have the same. */
  readonly local: string
  readonly needsArguments: boolean
}

/** The controllers that the routes reach, in the order of the routes. */
function entriesOf(io: Io, { rows }: RouteFile, { folder, read }: Controllers): readonly Entry[] {
  const files = new Map(folder.files.map((file) => [`${file.version} ${file.key}`, file]))
  const reached = new Map(rows.map(({ version, key }) => [`${version} ${key}`, `v${version}/${key}_controller`]))
  const missing = [...reached].flatMap(([id, name]) => (files.has(id) ? [] : [name]))
  if (missing.length > 0)
    throw new UsageError(`nothing was written, because controllers are missing: ${missing.join(', ')}.`)
  const taken = new Set<string>()
  return [...reached.keys()].map((id) => {
    const file = files.get(id)!
    const controller = read(file)
    const refuse = (line: number, why: string): never => {
      throw new UsageError(`${display(io, file.path)}:${line} ${why}. Nothing was written.`)
    }
    if (controller === null) return refuse(1, 'exports no controller that map can find')
    if (!isController(controller)) return refuse(controller.place.line, `cannot be read: ${controller.why}`)
    if (controller.kind === 'factory' && controller.by.node.async)
      return refuse(controller.by.place.line, 'makes its controller asynchronously')
    const local = localName(file, controller, taken)
    taken.add(local)
    return { version: file.version, key: file.key, file, controller, local, needsArguments: hasParameters(controller) }
  })
}

/** `UsersControllerV1`; `AdminUsersControllerV1` when another folder has that name already. */
function localName({ version, key }: ControllerFile, controller: Controller, taken: ReadonlySet<string>): string {
  const { style, kind, value } = controller
  const declared = kind === 'class' ? value.node.id?.name : undefined
  const words = key.split(/[/_-]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const long = `${words.join('')}Controller`
  return ['name' in style ? style.name : (declared ?? long), long, `${long}_`]
    .map((name) => (new RegExp(`[vV]${version}(?!\\d)`).test(name) ? name : `${name}V${version}`))
    .find((name) => !taken.has(name))!
}

function hasParameters(controller: Controller): boolean {
  if (controller.kind === 'factory') return areRequired(controller.by.node.params)
  for (let at = controller.kind === 'class' ? controller.value : null; at !== null; at = at.parent) {
    const made = at.node.body.body.find((one) => one.type === 'MethodDefinition' && one.kind === 'constructor')
    if (made?.type === 'MethodDefinition') return areRequired(made.value.params)
  }
  return false
}

const areRequired = (parameters: readonly ParamPattern[]): boolean =>
  parameters.some((parameter) => {
    const pattern = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter
    const isOptional = 'optional' in pattern && pattern.optional
    return pattern.type !== 'AssignmentPattern' && pattern.type !== 'RestElement' && !isOptional
  })

/** The text of the map: an object when no controller needs arguments, else a function that passes them on. */
function mapText(path: string, entries: readonly Entry[], name: string): string {
  const sources = entries.map(({ controller }) => controller.file)
  const { end, indent, newline, quote } = styleOf(sources[0]!, sources.slice(1))
  const isTypeScript = path.endsWith('ts')
  const isModule = isTypeScript || !sources.every(isCommonJs)
  const first = entries.find(({ needsArguments }) => needsArguments)
  const helper = first?.controller.kind === 'class' ? 'ConstructorParameters' : 'Parameters'
  const services = isTypeScript ? `...services: ${helper}<typeof ${first?.local}>` : '...services'
  const versions = [...new Set(entries.map(({ version }) => version))].toSorted((a, b) => a - b)
  const keyOf = ({ key }: Entry): string => (/^[a-z_$][\w$]*$/i.test(key) ? key : quote + key + quote)
  const lines = [
    mapHeader,
    ...entries.map((entry) => importLine(path, entry, sources, isModule, quote) + end),
    '',
    `${isModule ? 'export ' : ''}const ${name} = ${first === undefined ? '' : `(${services}) => (`}{`,
    ...versions.flatMap((version) => [
      `${indent}${version}: {`,
      ...entries
        .filter((entry) => entry.version === version)
        .map((entry) => `${indent}${indent}${keyOf(entry)}: ${valueOf(entry)},`),
      `${indent}},`,
    ]),
    `}${first === undefined ? '' : ')'}${end}`,
    ...(isModule ? [] : ['', `module.exports = { ${name} }${end}`]),
  ]
  return lines.join(newline) + newline
}

function valueOf({ controller, local, needsArguments }: Entry): string {
  if (controller.kind === 'object') return local
  return `${controller.kind === 'class' ? 'new ' : ''}${local}(${needsArguments ? '...services' : ''})`
}

function importLine(
  path: string,
  { file, controller: { style }, local }: Entry,
  sources: readonly SourceFile[],
  isModule: boolean,
  quote: string,
): string {
  const stem = importPath(dirname(path), file.path.slice(0, -extname(file.path).length))
  const from = quote + stem + importExtensionOf(file.path, sources) + quote
  const name = 'name' in style ? style.name : style.kind === 'default' && !isModule ? 'default' : null
  if (name !== null) {
    const names = name === local ? local : `${name}${isModule ? ' as ' : ': '}${local}`
    return isModule ? `import { ${names} } from ${from}` : `const { ${names} } = require(${from})`
  }
  const all = style.kind === 'namespace' ? `* as ${local}` : local
  return isModule ? `import ${all} from ${from}` : `const ${local} = require(${from})`
}
