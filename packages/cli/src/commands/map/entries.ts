import type { Controller } from '../../controllers/controller.ts'
import type { Controllers } from '../../controllers/controllers.ts'
import type { ControllerFile } from '../../controllers/find.ts'
import type { ClassValue } from '../../modules/value.ts'
import { requiredOf } from '../../modules/value.ts'
import { type Io, UsageError, display } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'

/** A controller that the routes reach. */
export interface Entry {
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
export function entriesOf(io: Io, routeFile: RouteFile, controllers: Controllers): readonly Entry[] {
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
    if (!('kind' in controller))
      throw new UsageError(`${name}:${controller.place.line} cannot be read: ${controller.why}. Nothing was written.`)
    if (controller.kind === 'factory' && controller.by.isAsync)
      throw new UsageError(
        `${name}:${controller.by.place.line} makes its controller asynchronously. Nothing was written.`,
      )
    const local = localName(file, controller, taken)
    taken.add(local)
    return { version, key, file, controller, local, needsArguments: needsArguments(controller) }
  })
}

/** `UsersControllerV1`; `AdminUsersControllerV1` when another folder has that name already. */
function localName({ version, key }: ControllerFile, controller: Controller, taken: ReadonlySet<string>): string {
  const { style, value } = controller
  const own = 'name' in style && style.name !== 'default' ? style.name : 'name' in value ? value.name : null
  const words = key.split(/[/_-]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const long = `${words.join('')}Controller`
  const number = (name: string): string =>
    new RegExp(`[vV]${version}(?!\\d)`).test(name) ? name : `${name}V${version}`
  return (
    [own, long].flatMap((name) => (name === null ? [] : [number(name)])).find((name) => !taken.has(name)) ??
    number(`${long}_`)
  )
}

function needsArguments(controller: Controller): boolean {
  if (controller.kind === 'factory') return controller.by.required > 0
  return controller.kind === 'class' && constructorNeeds(controller.value) > 0
}

function constructorNeeds({ node, parent }: ClassValue): number {
  if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression') return requiredOf(node.params)
  const body = node.body && 'body' in node.body && node.body.type === 'ClassBody' ? node.body.body : []
  const found = body.find((element) => element.type === 'MethodDefinition' && element.kind === 'constructor')
  if (found?.type === 'MethodDefinition') return requiredOf(found.value.params)
  return parent === null ? 0 : constructorNeeds(parent)
}
