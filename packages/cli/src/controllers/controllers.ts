import { createEvaluator } from '../modules/evaluate.ts'
import { createModules } from '../modules/modules.ts'
import { type Member, type Unseen, lineageOf } from '../modules/value.ts'
import type { SourceFile } from '../syntax/parse.ts'
import { hiddenAction, isAction } from './action.ts'
import { type Controller, controllerIn, membersOf } from './controller.ts'
import type { ControllerFile, ControllerFolder } from './find.ts'

export { findControllers } from './find.ts'

/** Where an action of a version is. */
export type ActionFound =
  /** The version whose controller file holds it. */
  | { readonly kind: 'found'; readonly version: number }
  /** `note` says what is there instead. */
  | { readonly kind: 'missing'; readonly note: string | null }
  /** The controller has it, and a call returns its value: `show = wrap(handler)`. `unseen` says why that is not read. */
  | { readonly kind: 'called'; readonly version: number; readonly unseen: Unseen }
  /** Reading the files does not show it. `version` is that of the controller. */
  | { readonly kind: 'unseen'; readonly version: number; readonly unseen: Unseen }

/** What the controller files contain. They are parsed, never run. */
export interface Controllers {
  readonly folder: ControllerFolder
  readonly has: (version: number, key: string) => boolean
  readonly find: (version: number, key: string, action: string) => ActionFound
  /** The controller that a file exports; null when it exports none, `unseen` when it cannot be told. */
  readonly read: (file: ControllerFile) => Controller | Unseen | null
  /** A parsed file; null when it cannot be read. */
  readonly source: (file: ControllerFile) => SourceFile | null
  /** The version that a controller extends or spreads; null when it does neither. */
  readonly parentVersion: (file: ControllerFile) => number | null
}

/** Creates the reader of the controllers in a folder. Files are read on demand, once each. */
export function readControllers(folder: ControllerFolder): Controllers {
  const modules = createModules()
  const exportsOf = createEvaluator(modules)
  const byKey = new Map(folder.files.map((file) => [`${file.version} ${file.key}`, file]))
  const byPath = new Map(folder.files.map((file) => [file.realPath, file]))
  const known = new Map<string, Controller | Unseen | null>()

  return { folder, has: (version, key) => byKey.has(`${version} ${key}`), find, read, source, parentVersion }

  function read(file: ControllerFile): Controller | Unseen | null {
    let controller = known.get(file.path)
    if (controller === undefined) {
      const parsed = modules.read(file.realPath)
      controller =
        'why' in parsed
          ? { why: `it cannot be read: ${parsed.why}`, place: { path: file.path, line: parsed.line } }
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
    if (!('kind' in controller)) return { kind: 'unseen', version, unseen: controller }
    const { known: members, unseen } = membersOf(controller)
    const member = members.get(action)
    if (member !== undefined) {
      const value = member.value()
      if (isAction(value) === false) return { kind: 'missing', note: `${action} is not a function, and has no handler` }
      const hidden = hiddenAction(value)
      const from = versionOf(member, version)
      if (hidden === null) return { kind: 'found', version: from }
      const kind = hidden.isCalled === true ? 'called' : 'unseen'
      return { kind, version: from, unseen: { why: hidden.why, place: hidden.place } }
    }
    if (unseen !== null) return { kind: 'unseen', version, unseen }
    const isStatic = controller.kind === 'class' && controller.value.statics.has(action)
    return { kind: 'missing', note: isStatic ? `${action} is static` : null }
  }

  /** The controller file nearest to where the member is written. */
  function versionOf({ via }: Member, version: number): number {
    return via.map((path) => byPath.get(path)?.version).find((one) => one !== undefined) ?? version
  }

  function parentVersion(file: ControllerFile): number | null {
    const controller = read(file)
    if (controller === null || !('kind' in controller)) return null
    return (
      lineageOf(controller.value)
        .filter((path) => path !== file.realPath)
        .map((path) => byPath.get(path)?.version)
        .find((version) => version !== undefined) ?? null
    )
  }
}
