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
import type { ClassValue } from '../controllers/value.ts'
import { type Io, UsageError, count, display, paint, print } from '../output.ts'
import type { RouteFile } from '../route-file/route-file.ts'
import { type Style, styleOf } from '../syntax/style.ts'
import { type Command, type Define, type OptionsOf, controllersOption, openProject, routesOption } from './define.ts'

const declare = (command: Command) =>
  command
    .option(...routesOption)
    .option(...controllersOption)
    .option('--out <file>', 'the file to write (default: map.ts or map.js beside the controllers)')
    .option('--force', 'overwrite an existing file')

type MapOptions = OptionsOf<typeof declare>
export const define: Define = (command, run) => declare(command).action((options) => run((io) => writeMap(io, options)))

/** Writes a file that imports every controller that the routes reach, and exports the map for `createRouter`. */
async function writeMap(io: Io, options: MapOptions): Promise<number> {
  const { routeFile, controllers } = await openProject(io, options)
  if (controllers === null)
    throw new UsageError('no controllers folder found. Name the folder that holds api/v1 with --controllers <folder>.')
  const entries = entriesOf(io, routeFile, controllers)
  const path = outputPath(io, controllers, entries, options)
  const exists = existsSync(path)
  if (exists && options.force !== true)
    throw new UsageError(`${display(io, path)} exists already. Overwrite it with --force.`)
  const text = mapText(path, entries, styleOfMap(entries, extname(path)))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const name = entries.some(({ needsArguments }) => needsArguments) ? 'createControllers' : 'controllers'
  print(io, `${paint(io.out, 'green', exists ? 'update' : 'create')}  ${display(io, path)}`)
  print(io, `It exports ${name} with ${count(entries.length, 'controller')}.`)
  return 0
}

/** Beside the controllers, in the language of the first of them. */
function outputPath(io: Io, { folder }: Controllers, entries: readonly Entry[], { out }: MapOptions): string {
  if (out !== undefined) return resolve(io.cwd, out)
  const extension = extname(entries[0]!.file.path)
  return join(dirname(folder.root), `map${extension}`)
}

function styleOfMap(entries: readonly Entry[], extension: string): MapStyle {
  const sources = entries.map(({ controller }) => controller.file)
  return {
    ...styleOf(sources[0]!, sources.slice(1)),
    isTypeScript: extension.endsWith('ts'),
    isModule: extension.endsWith('ts') || !sources.every(isCommonJs),
    extension: (path) => importExtensionOf(path, sources),
  }
}

// ---- entries -------------------------------------------------------------------------------------

/** A controller that the routes reach. */
interface Entry {
  readonly version: number
  readonly key: string
  readonly file: ControllerFile
  readonly controller: Controller
  /** Its name in the map. No two entries have the same. */
  readonly local: string
  /** It is made with arguments. */
  readonly needsArguments: boolean
}

/**
 * The controllers that the routes reach, in the order of the routes, version by version.
 *
 * @throws UsageError when one is missing, or cannot be imported into a map
 */
function entriesOf(io: Io, routeFile: RouteFile, controllers: Controllers): readonly Entry[] {
  const files = new Map(controllers.folder.files.map((file) => [`${file.version} ${file.key}`, file]))
  const reached = new Map(routeFile.rows.map(({ version, key }) => [`${version} ${key}`, { version, key }]))
  const missing = [...reached.values()].filter(({ version, key }) => !files.has(`${version} ${key}`))
  if (missing.length > 0) {
    const names = missing.map(({ version, key }) => `v${version}/${key}_controller`)
    throw new UsageError(`nothing was written, because controllers are missing: ${names.join(', ')}.`)
  }
  const taken = new Set<string>()
  return [...reached].map(([id, { version, key }]) => {
    const file = files.get(id)!
    const controller = controllers.read(file)
    const name = display(io, file.path)
    if (controller === null)
      throw new UsageError(`${name} exports no controller that map can find. Nothing was written.`)
    if (!isController(controller))
      throw new UsageError(`${name}:${controller.place.line} cannot be read: ${controller.why}. Nothing was written.`)
    if (controller.kind === 'factory' && controller.by.node.async)
      throw new UsageError(
        `${name}:${controller.by.place.line} makes its controller asynchronously. Nothing was written.`,
      )
    const local = localName(file, controller, taken)
    taken.add(local)
    return { version, key, file, controller, local, needsArguments: hasParameters(controller) }
  })
}

/** `UsersControllerV1`; `AdminUsersControllerV1` when another folder has that name already. */
function localName({ version, key }: ControllerFile, controller: Controller, taken: ReadonlySet<string>): string {
  const { style } = controller
  const own =
    'name' in style ? style.name : controller.kind === 'class' ? (controller.value.node.id?.name ?? null) : null
  const words = key.split(/[/_-]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const long = `${words.join('')}Controller`
  const number = (name: string): string =>
    new RegExp(`[vV]${version}(?!\\d)`).test(name) ? name : `${name}V${version}`
  return (
    [own, long].flatMap((name) => (name === null ? [] : [number(name)])).find((name) => !taken.has(name)) ??
    number(`${long}_`)
  )
}

function hasParameters(controller: Controller): boolean {
  if (controller.kind === 'factory') return requiredOf(controller.by.node.params) > 0
  return controller.kind === 'class' && constructorNeeds(controller.value) > 0
}

function constructorNeeds({ node, parent }: ClassValue): number {
  const found = node.body.body.find((element) => element.type === 'MethodDefinition' && element.kind === 'constructor')
  if (found?.type === 'MethodDefinition') return requiredOf(found.value.params)
  return parent === null ? 0 : constructorNeeds(parent)
}

/** How many arguments a function needs. */
const requiredOf = (parameters: readonly ParamPattern[]): number =>
  parameters.filter((parameter) => {
    const pattern = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter
    if (pattern.type === 'AssignmentPattern' || pattern.type === 'RestElement') return false
    return !('optional' in pattern && pattern.optional)
  }).length

// ---- text ----------------------------------------------------------------------------------------

/** How the map is written. */
interface MapStyle extends Style {
  readonly isTypeScript: boolean
  /** It uses `import` and `export`. */
  readonly isModule: boolean
  /** What a relative import of a controller ends in. */
  readonly extension: (path: string) => string
}

/** The text of the map: an object when no controller needs arguments, else a function that passes them on. */
function mapText(path: string, entries: readonly Entry[], style: MapStyle): string {
  const { end, indent, newline, isModule, isTypeScript } = style
  const first = entries.find(({ needsArguments }) => needsArguments)
  const name = first === undefined ? 'controllers' : 'createControllers'
  const versions = [...new Set(entries.map(({ version }) => version))].toSorted((a, b) => a - b)
  const map = [
    '{',
    ...versions.flatMap((version) => [
      `${indent}${version}: {`,
      ...entries
        .filter((entry) => entry.version === version)
        .map((entry) => `${indent}${indent}${keyOf(entry, style)}: ${valueOf(entry)},`),
      `${indent}},`,
    ]),
  ]
  const parameters = first === undefined ? '' : `${parametersOf(first, isTypeScript)} => (`
  const declared = `const ${name} = ${parameters}`
  const lines = [
    mapHeader,
    ...entries.map((entry) => importLine(path, entry, style)),
    '',
    (isModule ? 'export ' : '') + declared + map[0],
    ...map.slice(1),
    `}${first === undefined ? '' : ')'}${end}`,
    ...(isModule ? [] : ['', `module.exports = { ${name} }${end}`]),
  ]
  return lines.join(newline) + newline
}

function parametersOf({ controller, local }: Entry, isTypeScript: boolean): string {
  if (!isTypeScript) return '(...services)'
  const helper = controller.kind === 'class' ? 'ConstructorParameters' : 'Parameters'
  return `(...services: ${helper}<typeof ${local}>)`
}

const keyOf = ({ key }: Entry, { quote }: MapStyle): string =>
  /^[a-z_$][\w$]*$/i.test(key) ? key : quote + key + quote

function valueOf({ controller, local, needsArguments }: Entry): string {
  const args = needsArguments ? '...services' : ''
  if (controller.kind === 'class') return `new ${local}(${args})`
  return controller.kind === 'factory' ? `${local}(${args})` : local
}

function importLine(path: string, { file, controller: { style }, local }: Entry, map: MapStyle): string {
  const { end, quote, isModule } = map
  const stem = file.path.slice(0, -extname(file.path).length)
  const from = quote + importPath(dirname(path), stem) + map.extension(file.path) + quote
  if (isModule) {
    if ('name' in style)
      return `import { ${style.name === local ? local : `${style.name} as ${local}`} } from ${from}${end}`
    return `import ${style.kind === 'namespace' ? `* as ${local}` : local} from ${from}${end}`
  }
  const member = 'name' in style ? style.name : style.kind === 'default' ? 'default' : null
  const names = member === null ? local : `{ ${member === local ? local : `${member}: ${local}`} }`
  return `const ${names} = require(${from})${end}`
}
