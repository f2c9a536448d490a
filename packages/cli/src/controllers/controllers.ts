import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { type ExportKind, controllerExport } from '@hv/router/controllers'
import { type Place, type SourceFile, type Unseen, isCommonJs } from '../syntax/parse.ts'
import { exportsOf } from './exports.ts'
import type { ControllerFile, ControllerFolder } from './find.ts'
import { type Modules, createModules } from './modules.ts'
import {
  type ClassValue,
  type FunctionValue,
  type Members,
  type ObjectValue,
  type Value,
  isAction,
  noMembers,
} from './value.ts'

export { findControllers } from './find.ts'

/** How a file exports its controller. */
export interface ExportStyle {
  /**
   * A `property` is in the default export: `exports.name = …`, `module.exports = { name }`.
   * A `namespace` exports the actions.
   */
  readonly kind: 'named' | 'default' | 'module.exports' | 'property' | 'namespace'
  /** The name of the export: `default` or `*` where it has none. */
  readonly name: string
}

/** The controller that a file exports: a class, an object, or a function that returns one. */
export type Controller = (
  | { readonly kind: 'class'; readonly value: ClassValue }
  | { readonly kind: 'object'; readonly value: ObjectValue }
  | { readonly kind: 'factory'; readonly value: ObjectValue; readonly by: FunctionValue }
) & {
  readonly file: SourceFile
  readonly style: ExportStyle
  readonly exports: ObjectValue
}

export const isController = (read: Controller | Unseen | null): read is Controller =>
  read !== null && read.kind !== 'unseen'

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
  const root = folder.files.length === 0 ? folder.root : realpathSync(folder.root)
  const known = new Map<ControllerFile, Controller | Unseen | null>()

  return { folder, modules, find, read, source }

  function read(file: ControllerFile): Controller | Unseen | null {
    let controller = known.get(file)
    if (controller === undefined) known.set(file, (controller = controllerIn(file, modules)))
    return controller
  }

  function source(file: ControllerFile): SourceFile | null {
    const parsed = modules.read(file.realPath)
    return 'why' in parsed ? null : parsed
  }

  function find(version: number, key: string, action: string): ActionFound {
    const file = folder.files.find((one) => one.version === version && one.key === key)
    if (file === undefined) return { kind: 'missing', note: null }
    const controller = read(file)
    if (controller === null) return { kind: 'missing', note: 'the file exports no controller' }
    if (!isController(controller)) return { kind: 'unseen', version, unseen: controller }
    const { known: members, unseen } = controller.value.members
    const member = members.get(action)
    if (member !== undefined) {
      const found = isAction(member.value())
      if (found === false)
        return { kind: 'missing', note: `${action} is not a function, and has no handler` }
      const from = versionOf(member.place, key, action, version)
      return found === true
        ? { kind: 'found', version: from }
        : { kind: 'unseen', version: from, unseen: found }
    }
    if (unseen !== null) return { kind: 'unseen', version, unseen }
    return { kind: 'missing', note: null }
  }

  /** The version in whose folder a member is written; of code outside, the first version that has it. */
  function versionOf({ path, line }: Place, key: string, action: string, version: number): number {
    const [, written] = /^v([1-9]\d*)[/\\]/.exec(relative(root, path)) ?? []
    if (written !== undefined) return Number(written)
    const isSame = (file: ControllerFile): boolean => {
      const controller = read(file)
      const place = isController(controller)
        ? controller.value.members.known.get(action)?.place
        : undefined
      return place?.path === path && place.line === line
    }
    const earlier = folder.files.filter(
      (file) => file.key === key && file.version <= version && isSame(file),
    )
    return Math.min(version, ...earlier.map((file) => file.version))
  }
}

/** Finds the controller among the exports of a file, as `loadControllers` does. Null when none of them could be one. */
function controllerIn(
  { path, realPath, key, version }: ControllerFile,
  modules: Modules,
): Controller | Unseen | null {
  const file = modules.read(realPath)
  if ('why' in file)
    return { ...file, why: `it cannot be read: ${file.why}`, place: { ...file.place, path } }
  const exports = exportsOf(file, modules)
  const { known, unseen } = exports.members
  const main = known.get('default')?.value()
  const inDefault: Members['known'] = main?.kind === 'object' ? main.members.known : new Map()
  const hidden = (why: string, { place }: { readonly place: Place } = exports): Unseen => ({
    kind: 'unseen',
    why,
    place,
  })
  const nameWith = (guess: ExportKind, guessOfDefault = guess) => {
    const kinds = kindsOf(known, guess)
    if (main !== undefined && kindOf(main) === 'unknown') kinds.set('default', guessOfDefault)
    return controllerExport(kinds, kindsOf(inDefault, guess), key, version)
  }
  const name = nameWith('unknown')
  if (unseen !== null && name !== 'default' && !/controller/i.test(String(name))) return unseen
  if (name === null) return null
  if (typeof name === 'object')
    return hidden(`several of its exports could be the controller: ${name.join(', ')}`)
  const common = { file, exports, style: styleOf(file, name, known.has(name)) }
  const value = name === '*' ? exports : (known.get(name) ?? inDefault.get(name))!.value()
  if (value.kind === 'unseen') return value
  // What is not seen may make another export the controller. A CommonJS module itself has the members of its default export.
  const others = [
    ...(['other', 'action', 'function', 'object', 'class'] as const).map((guess) =>
      nameWith(guess),
    ),
    ...(['other', 'object', 'class'] as const).map((guess) => nameWith(guess, 'other')),
  ]
  const isSame = (other: unknown) =>
    other === null || other === name || (other === '*' && name === 'default' && isCommonJs(file))
  if (!others.every(isSame)) {
    const unknown = [...known, ...inDefault]
      .map(([, member]) => member.value())
      .find((one) => kindOf(one) === 'unknown')
    return { ...whyUnknown(unknown!), isCalled: false } // it isn't assumed to be an action
  }
  if (value.kind === 'class') return { kind: 'class', value, ...common }
  if (value.kind === 'object') return { kind: 'object', value, ...common }
  const made = value.kind === 'function' ? value.call() : value
  if (value.kind === 'function' && made.kind === 'object')
    return { kind: 'factory', value: made, by: value, ...common }
  return made.kind === 'unseen' ? made : hidden(`${name} returns no object`, known.get(name))
}

function styleOf(file: SourceFile, name: string, isExported: boolean): ExportStyle {
  if (name === '*') return { kind: 'namespace', name }
  if (name === 'default') return { kind: isCommonJs(file) ? 'module.exports' : 'default', name }
  return { kind: isExported && !isCommonJs(file) ? 'named' : 'property', name }
}

/** The kinds of exports. Those that cannot be told are as guessed, as far as that is possible. */
function kindsOf(members: Members['known'], guess: ExportKind): Map<string, ExportKind> {
  const kindWith = (value: Value): ExportKind => {
    const kind = kindOf(value)
    if (kind !== 'unknown' || value.kind !== 'object') return kind === 'unknown' ? guess : kind
    const isPossible =
      guess === 'action'
        ? value.members.known.has('handler')
        : guess !== 'class' && guess !== 'function'
    return isPossible ? guess : 'object'
  }
  return new Map([...members].map(([name, member]) => [name, kindWith(member.value())]))
}

/** Why the kind of a value is unknown: neither it nor one of its members need be an action. */
function whyUnknown(value: Value): Unseen {
  const { known, unseen } = value.kind === 'object' ? value.members : noMembers
  const actions = [value, ...[...known.values()].map((member) => member.value())].map(isAction)
  return unseen ?? actions.find((action) => typeof action === 'object')!
}

function kindOf(value: Value): ExportKind {
  if (value.kind === 'class' || value.kind === 'function') return value.kind
  if (value.kind === 'unseen') return 'unknown'
  if (value.kind !== 'object') return 'other'
  const { known, unseen } = value.members
  const own = isAction(value)
  if (own === true) return 'action'
  const values = [...known.values()].map((member) => member.value())
  const members = values.map((member) => member.kind !== 'class' && isAction(member)) // `{ Users }` only holds a class
  if (members.includes(true)) return own !== false && known.has('handler') ? 'unknown' : 'object'
  return members.some((member) => member !== false) || unseen !== null ? 'unknown' : 'other'
}
