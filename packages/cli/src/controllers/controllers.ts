import { relative, sep } from 'node:path'
import { realpathSync } from 'node:fs'
import type { Place, SourceFile, Unseen } from '../syntax/parse.ts'
import { type Controller, controllerIn, isController } from './controller.ts'
import { createEvaluator } from './evaluate.ts'
import type { ControllerFile, ControllerFolder } from './find.ts'
import { type Modules, createModules } from './modules.ts'
import { isAction } from './value.ts'

export { findControllers } from './find.ts'

/** Where an action of a version is. */
export type ActionFound =
  /** The version whose controller file holds it. */
  | { readonly kind: 'found'; readonly version: number }
  /** `note` says what is there instead. */
  | { readonly kind: 'missing'; readonly note: string | null }
  /** Reading the files does not show it. `version` is that of the controller. */
  | { readonly kind: 'unseen'; readonly version: number; readonly unseen: Unseen }

/** What the controller files contain. They are parsed, never run. */
export interface Controllers {
  readonly folder: ControllerFolder
  readonly modules: Modules
  readonly find: (version: number, key: string, action: string) => ActionFound
  /** The controller that a file exports; null when it exports none, `unseen` when it cannot be told. */
  readonly read: (file: ControllerFile) => Controller | Unseen | null
  /** A parsed file; null when it cannot be read. */
  readonly source: (file: ControllerFile) => SourceFile | null
}

/** Creates the reader of the controllers in a folder. Files are read on demand, once each. */
export function readControllers(folder: ControllerFolder): Controllers {
  const modules = createModules()
  const exportsOf = createEvaluator(modules)
  const byKey = new Map(folder.files.map((file) => [`${file.version} ${file.key}`, file]))
  const versions = new Map(folder.files.map((file) => [file.realPath, file.version]))
  const root = folder.files.length === 0 ? folder.root : realpathSync(folder.root)
  const known = new Map<string, Controller | Unseen | null>()

  return { folder, modules, find, read, source }

  function read(file: ControllerFile): Controller | Unseen | null {
    let controller = known.get(file.path)
    if (controller === undefined) {
      const parsed = modules.read(file.realPath)
      controller =
        'why' in parsed
          ? { ...parsed, why: `it cannot be read: ${parsed.why}`, place: { ...parsed.place, path: file.path } }
          : controllerIn(parsed, exportsOf(parsed), file.key, file.version)
      known.set(file.path, controller)
    }
    return controller
  }

  function source(file: ControllerFile): SourceFile | null {
    const parsed = modules.read(file.realPath)
    return 'why' in parsed ? null : parsed
  }

  function find(version: number, key: string, action: string): ActionFound {
    const file = byKey.get(`${version} ${key}`)
    if (file === undefined) return { kind: 'missing', note: null }
    const controller = read(file)
    if (controller === null) return { kind: 'missing', note: 'the file exports no controller' }
    if (!isController(controller)) return { kind: 'unseen', version, unseen: controller }
    const { known: members, unseen } = controller.value.members
    const member = members.get(action)
    if (member !== undefined) {
      const found = isAction(member.value())
      if (found === false) return { kind: 'missing', note: `${action} is not a function, and has no handler` }
      const from = versionOf(member.place, key, action, version)
      return found === true ? { kind: 'found', version: from } : { kind: 'unseen', version: from, unseen: found }
    }
    if (unseen !== null) return { kind: 'unseen', version, unseen }
    const isStatic = controller.kind === 'class' && controller.value.statics.has(action)
    return { kind: 'missing', note: isStatic ? `${action} is static` : null }
  }

  /** The version in whose folder a member is written; of code outside, the first version that has it. */
  function versionOf({ path, line }: Place, key: string, action: string, version: number): number {
    const [, written] = /^v([1-9]\d*)$/.exec(relative(root, path).split(sep)[0]!) ?? []
    const inFolder = versions.get(path) ?? (written === undefined ? null : Number(written))
    if (inFolder !== null) return inFolder
    const isSame = (file: ControllerFile): boolean => {
      const controller = read(file)
      const place = isController(controller) ? controller.value.members.known.get(action)?.place : undefined
      return place?.path === path && place.line === line
    }
    const earlier = folder.files.filter((file) => file.key === key && file.version <= version && isSame(file))
    return Math.min(version, ...earlier.map((file) => file.version))
  }
}
