import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { type Controller, type Controllers, isController } from '../controllers/controllers.ts'
import type { ControllerFile } from '../controllers/find.ts'
import { importOf } from '../controllers/imports.ts'
import { groupBy } from '../group-by.ts'
import { type Io, UsageError, count, display, print, printStep } from '../output.ts'
import type { RouteFile } from '../route-file/route-file.ts'
import { isCommonJs } from '../syntax/parse.ts'
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
    throw new UsageError(
      'no controllers folder found. Pass the folder that holds api/v1 with --controllers <folder>.',
    )
  const entries = entriesOf(io, routeFile, controllers)
  const beside = join(dirname(controllers.folder.root), `map${extname(entries[0]!.file.path)}`)
  const path = options.out === undefined ? beside : resolve(io.cwd, options.out)
  const exists = existsSync(path)
  if (exists && options.force !== true)
    throw new UsageError(`${display(io, path)} exists already. Overwrite it with --force.`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, mapText(path, entries))
  printStep(io, exists ? 'update' : 'create', display(io, path))
  print(io, `It imports ${count(entries.length, 'controller')}.`)
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
  const reached = groupBy(rows, ({ version, key }) => `v${version}/${key}`)
  return [...reached].map(([id, [row]]) => {
    const file = folder.files.find(({ version, key }) => version === row.version && key === row.key)
    if (file === undefined)
      throw new UsageError(`nothing was written, because there is no ${id}_controller.`)
    const controller = read(file)
    const refuse = (line: number, why: string): never => {
      throw new UsageError(`${display(io, file.path)}:${line} ${why}. Nothing was written.`)
    }
    if (controller === null) return refuse(1, 'exports no controller that map can find')
    if (!isController(controller))
      return refuse(controller.place.line, `cannot be read: ${controller.why}`)
    if (isCommonJs(controller.file)) return refuse(1, 'is CommonJS, and map writes an ES module')
    if (controller.style.kind === 'property')
      return refuse(
        controller.exports.place.line,
        `holds ${controller.style.name} in its default export. Export that`,
      )
    if (controller.kind === 'factory' && controller.by.node.async)
      return refuse(controller.by.place.line, 'makes its controller asynchronously')
    const words = file.key
      .split(/[/_-]/)
      .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    return {
      file,
      controller,
      local: `${words.join('')}V${file.version}`,
      needsArguments: hasParameters(controller),
    }
  })
}

function hasParameters(controller: Controller): boolean {
  if (controller.kind === 'factory') return controller.by.node.params.length > 0
  for (
    let at = controller.kind === 'class' ? controller.value : null;
    at !== null;
    at = at.parent
  ) {
    const made = at.node.body.body.find(
      (one) => one.type === 'MethodDefinition' && one.kind === 'constructor',
    )
    if (made?.type === 'MethodDefinition') return made.value.params.length > 0
  }
  return false
}

/** The text of the map: an object when no controller takes arguments, else a function that passes them on. */
function mapText(path: string, entries: readonly Entry[]): string {
  const sources = entries.map(({ controller }) => controller.file)
  const imports = entries.map(({ file, controller: { style }, local }) => {
    const all = style.kind === 'namespace' ? `* as ${local}` : local
    const names = style.kind === 'named' ? `{ ${style.name} as ${local} }` : all
    return `import ${names} from '${importOf(path, file.path, sources)}'`
  })
  const members = ([version, group]: readonly [number, readonly Entry[]]) => [
    `  ${version}: {`,
    ...group.map(({ file: { key }, controller: { kind }, local, needsArguments }) => {
      const call = `${kind === 'class' ? 'new ' : ''}${local}(${needsArguments ? '...services' : ''})`
      return `    '${key}': ${kind === 'object' ? local : call},`
    }),
    '  },',
  ]
  const first = entries.find(({ needsArguments }) => needsArguments)
  const type = first?.controller.kind === 'class' ? 'ConstructorParameters' : 'Parameters'
  const services = path.endsWith('ts')
    ? `...services: ${type}<typeof ${first?.local}>`
    : '...services'
  const [start, end] =
    first === undefined
      ? ['controllers = {', '}']
      : [`createControllers = (${services}) => ({`, '})']
  const lines = [
    '// Written by hv-router map. To write it again: npx @hv/router-cli map --force',
    ...imports,
    '',
    `export const ${start}`,
    ...[...groupBy(entries, ({ file }) => file.version)]
      .toSorted(([a], [b]) => a - b)
      .flatMap(members),
    end,
  ]
  return `${lines.join('\n')}\n`
}
