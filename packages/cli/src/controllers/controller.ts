import { type ExportKind, controllerExport } from '@hv/router/controllers'
import { type SourceFile, type Unseen, isCommonJs } from '../syntax/parse.ts'
import { type ClassValue, type FunctionValue, type Members, type ObjectValue, type Value, isAction } from './value.ts'

/** How a file exports its controller. */
export type ExportStyle =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'default' }
  /** `module.exports = controller`, or `export = controller`. */
  | { readonly kind: 'module.exports' }
  /** `exports.name = controller`, or `module.exports = { name: controller }`; inside of the default export. */
  | { readonly kind: 'property'; readonly name: string }
  /** The exported functions of a module are the actions. */
  | { readonly kind: 'namespace' }

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

/** Finds the controller among the exports of a file, as `loadControllers` does. Null when none of them could be one. */
export function controllerIn(
  file: SourceFile,
  exports: ObjectValue,
  key: string,
  version: number,
): Controller | Unseen | null {
  const { known, unseen } = exports.members
  const main = known.get('default')?.value()
  const inDefault: Members['known'] = main?.kind === 'object' ? main.members.known : new Map()
  const name = controllerExport(kindsOf(known), kindsOf(inDefault), key, version)
  const isSure = name === 'default' || name === '*' || (typeof name === 'string' && /controller/i.test(name))
  if (unseen !== null && !isSure) return unseen
  if (name === null) return null
  if (typeof name === 'object')
    return {
      kind: 'unseen',
      why: `several of its exports could be the controller: ${name.join(', ')}`,
      place: exports.place,
    }
  if (name === '*') return { kind: 'object', value: exports, file, style: { kind: 'namespace' }, exports }
  const value = (known.get(name) ?? inDefault.get(name))!.value()
  const style = styleOf(file, name, known.has(name))
  if (value.kind === 'class') return { kind: 'class', value, file, style, exports }
  if (value.kind === 'object') return { kind: 'object', value, file, style, exports }
  const made = value.kind === 'function' ? value.call() : value
  if (value.kind === 'function' && made.kind === 'object')
    return { kind: 'factory', value: made, by: value, file, style, exports }
  return made.kind === 'unseen'
    ? made
    : { kind: 'unseen', why: `${name} returns no object`, place: known.get(name)?.place ?? exports.place }
}

function styleOf(file: SourceFile, name: string, isExported: boolean): ExportStyle {
  if (isCommonJs(file)) return name === 'default' ? { kind: 'module.exports' } : { kind: 'property', name }
  if (name === 'default') return { kind: 'default' }
  return { kind: isExported ? 'named' : 'property', name }
}

const kindsOf = (known: Members['known']): ReadonlyMap<string, ExportKind> =>
  new Map([...known].map(([name, member]) => [name, kindOf(member.value())]))

function kindOf(value: Value): ExportKind {
  if (value.kind === 'class' || value.kind === 'function') return value.kind
  if (value.kind === 'unseen') return 'unknown'
  if (value.kind !== 'object') return 'other'
  const { known, unseen } = value.members
  const own = isAction(value)
  if (own === true) return 'action'
  const members = [...known.values()].map((member) => isAction(member.value()))
  if (members.includes(true)) return own !== false && known.has('handler') ? 'unknown' : 'object'
  return members.some((member) => member !== false) || unseen !== null ? 'unknown' : 'other'
}
