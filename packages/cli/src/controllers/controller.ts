import { isCommonJs } from '../modules/read-exports.ts'
import type { ClassValue, FunctionValue, Members, ObjectValue, Unseen, Value } from '../modules/value.ts'
import type { SourceFile } from '../syntax/parse.ts'
import { actionNames, isAction, usualActions } from './action.ts'
import { usualNames } from './class-name.ts'

/** How a file exports its controller. */
export type ExportStyle =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'default' }
  /** `export = controller` */
  | { readonly kind: 'equals' }
  /** `module.exports = controller` */
  | { readonly kind: 'module.exports' }
  /** `exports.name = controller`, or `module.exports = { name: controller }` */
  | { readonly kind: 'property'; readonly name: string }
  /** The exported functions of a module are the actions. */
  | { readonly kind: 'namespace' }

/** What a controller is made of: a class, an object, or a function that creates one. */
export type Content =
  | { readonly kind: 'class'; readonly value: ClassValue }
  | { readonly kind: 'object'; readonly value: ObjectValue }
  /** A function whose result is the controller. */
  | { readonly kind: 'factory'; readonly value: ObjectValue; readonly by: FunctionValue }

/** The controller that a file exports. */
export type Controller = Content & {
  readonly file: SourceFile
  readonly style: ExportStyle
  readonly exports: ObjectValue
}

/** The members of a controller, as the router sees them. */
export const membersOf = (controller: Content): Members =>
  controller.kind === 'class' ? controller.value.instance : controller.value.members

interface Candidate {
  readonly name: string
  readonly content: Content
}

/**
 * Finds the controller among the exports of a file: the default export, else the one with a usual name such as
 * `UsersController`, else the only class, else the only object with actions, else the exported functions together.
 *
 * @returns null when the file exports nothing that could be one; `unseen` when it cannot be told
 */
export function controllerIn(
  file: SourceFile,
  exports: ObjectValue,
  key: string,
  version: number,
): Controller | Unseen | null {
  const inCommonJs = isCommonJs(file)
  const { known } = exports.members
  const found = (content: Content, style: ExportStyle): Controller => ({ ...content, file, style, exports })
  const exportedAs = ({ name }: Candidate): ExportStyle => ({ kind: inCommonJs ? 'property' : 'named', name })

  // 1. The default export. In CommonJS it may be the object that holds all exports.
  const main = known.get('default')?.value()
  const content = main === undefined ? null : contentOf(main)
  const isContainer = inCommonJs && content?.kind === 'object' && content.value.made === null
  const names = usualNames(key, version)
  if (content !== null && !isContainer && (hasActions(content) || firstNamed(known, names) === null)) {
    const inside = classInside(content)
    return inside === undefined
      ? found(content, wholeStyle(file))
      : { why: `its default export is an object that holds the class ${inside}`, place: exports.place }
  }
  if (main?.kind === 'unseen') return { why: main.why, place: main.place }

  // 2. The export with a usual name.
  const named = firstNamed(known, names)
  if (named !== null) return found(named.content, exportedAs(named))

  // 3. The only export that could be a controller.
  const candidates = [...known].flatMap(([name, member]): readonly Candidate[] => {
    const candidate = name === 'default' ? null : contentOf(member.value())
    return candidate === null ? [] : [{ name, content: candidate }]
  })
  const chosen = choose(candidates, exports, names)
  if (typeof chosen === 'object') return found(chosen.content, exportedAs(chosen))
  const { place } = exports
  if (chosen === 'several') {
    const several = candidates.map(({ name }) => name).join(', ')
    return { why: `several of its exports could be the controller: ${several}`, place }
  }

  // 4. The exported functions together, unless a function hides a controller.
  const whole = (): Controller =>
    isContainer ? found(content, wholeStyle(file)) : found({ kind: 'object', value: exports }, { kind: 'namespace' })
  const hiddenResult = exportsUsualActions(known) ? null : hiddenFactory(known, names)
  if (hiddenResult !== null) return hiddenResult
  if (chosen === 'all') return whole()

  // 5. Nothing that is seen. Say which unseen export may be the controller.
  const hidden = [...known].map(([name, member]) => [name, member.value()] as const)
  const wanted = hidden.find(
    ([name, value]) => value.kind === 'unseen' && (names.includes(name) || /controller$/i.test(name)),
  )
  if (wanted?.[1].kind === 'unseen') return { why: wanted[1].why, place: wanted[1].place }
  if (hidden.some(([, value]) => value.kind === 'unseen')) return whole()
  return exports.members.unseen
}

/** `export default { UsersController }` */
function classInside(content: Content): string | undefined {
  if (content.kind !== 'object' || actionNames(content.value.members).length > 0) return undefined
  return [...content.value.members.known].find(([, member]) => member.value().kind === 'class')?.[0]
}

const wholeStyle = (file: SourceFile): ExportStyle => {
  if (!isCommonJs(file)) return { kind: 'default' }
  return file.program.body.some(({ type }) => type === 'TSExportAssignment')
    ? { kind: 'equals' }
    : { kind: 'module.exports' }
}

/** What a value is as a controller; null for what cannot be one. */
function contentOf(value: Value): Content | null {
  if (value.kind === 'class') return { kind: 'class', value }
  if (value.kind === 'object') return { kind: 'object', value }
  if (value.kind !== 'function') return null
  const made = value.asClass()
  const result = value.call([])
  const isController =
    result.kind === 'object' && (result.members.unseen !== null || actionNames(result.members).length > 0)
  if (isController) return { kind: 'factory', value: result, by: value }
  return made !== null && made.instance.known.size > 0 ? { kind: 'class', value: made } : null
}

/** A function, exported as default or under a usual name, whose result is not seen: why. */
function hiddenFactory(known: Members['known'], names: readonly string[]): Unseen | null {
  const isFactory = (name: string): boolean =>
    name === 'default' || names.includes(name) || /^(?:create|make|build)|controller$/i.test(name)
  for (const [name, member] of known) {
    const value = isFactory(name) ? member.value() : null
    const result = value?.kind === 'function' ? value.call([]) : null
    if (result?.kind === 'unseen') return { why: result.why, place: result.place }
    if (result?.kind === 'class') return { why: `the function ${name} returns a class`, place: member.place }
  }
  return null
}

/** Whether the exported functions are the actions. Then `users` beside them is not a controller, unless its name says so. */
const exportsUsualActions = (known: Members['known']): boolean =>
  [...known].some(([name, member]) => usualActions.has(name) && isAction(member.value()) === true)

const isNamedController = (name: string): boolean => /controller/i.test(name)

/** The controller under the best of its usual names. The other exports are not read. */
function firstNamed(known: Members['known'], names: readonly string[]): Candidate | null {
  const all = exportsUsualActions(known) ? names.filter(isNamedController) : names
  for (const name of all) {
    const member = known.get(name)
    const content = member === undefined ? null : contentOf(member.value())
    if (content !== null && hasActions(content)) return { name, content }
  }
  return null
}

const hasActions = (content: Content): boolean => content.kind === 'class' || actionNames(membersOf(content)).length > 0

/** One of the exports, or all of them together. */
function choose(
  candidates: readonly Candidate[],
  exports: ObjectValue,
  names: readonly string[],
): Candidate | 'all' | 'several' | 'none' {
  const withActions = candidates.filter(({ content }) => hasActions(content))
  const classes = withActions.filter(({ content }) => content.kind === 'class')
  const controllers = classes.filter(({ name }) => isNamedController(name))
  for (const group of exportsUsualActions(exports.members.known) ? [controllers] : [controllers, classes]) {
    if (group.length === 1) return group[0]!
    if (group.length > 1) return 'several'
  }
  const actions = actionNames(exports.members).filter((name) => name !== 'default')
  const factories = new Set(withActions.filter(({ content }) => content.kind === 'factory').map(({ name }) => name))
  const functions = actions.filter((name) => !factories.has(name))
  if (functions.some((name) => usualActions.has(name))) return 'all'
  if (withActions.length === 1) return withActions[0]!
  if (withActions.length > 1) return 'several'
  if (functions.length > 0) return 'all'
  return candidates.find(({ name }) => names.includes(name)) ?? 'none'
}
