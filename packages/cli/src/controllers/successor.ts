// What bump writes: a class that extends the one before, an object that spreads it, a function that spreads its result.
import { type Place, type SourceFile, isCommonJs } from '../syntax/parse.ts'
import { type Style, styleOf } from '../syntax/style.ts'
import type { Controller } from './controllers.ts'
import { type ControllerFile, classNameOf } from './find.ts'
import { importOf } from './imports.ts'

/** A controller that bump cannot extend, and why. */
export class CannotExtend extends Error {
  readonly place: Place

  constructor(why: string, place: Place) {
    super(why)
    this.place = place
  }
}

/** A controller to extend or to derive, at the path of its version, and the path that it gets in the next one. */
interface Wanted {
  readonly file: ControllerFile
  readonly controller: Controller
  readonly path: string
  readonly next: number
  /** Other controllers of the version, for what the file itself does not show. */
  readonly neighbours: readonly SourceFile[]
}

/** A file to write, and the one that it imports. */
interface Draft extends Style {
  readonly controller: Controller
  readonly isTypeScript: boolean
  /** The name under which the new file declares or exports the controller. */
  readonly name: string
  /** What the new file imports from the other one, and how it names the other controller. */
  readonly local: string
  readonly parent: string
  /** The quoted path of the other file. */
  readonly from: string
  /** What else the other file exports. */
  readonly values: readonly string[]
  readonly types: readonly string[]
}

type At = Pick<ControllerFile, 'path' | 'version'>

function draftOf({ controller, file, neighbours }: Wanted, { path, version }: At, parent: At): Draft {
  const { file: source, kind, style: exported } = controller
  const style = styleOf([source, ...neighbours].map(({ text }) => text))
  const node = kind === 'object' ? null : kind === 'class' ? controller.value.node : controller.by.node
  const usual = kind === 'class' ? classNameOf(file.key) : 'create'
  const old = 'name' in exported ? exported.name : (node?.id?.name ?? usual)
  const name = old.replace(new RegExp(`(^|[a-z_])([Vv])${parent.version}(?!\\d)`), `$1$2${version}`)
  const isHeld = exported.kind === 'property'
  const wanted = kind === 'object' || isHeld ? `v${parent.version}` : old
  // Where the name does not have the version, that of the parent gets it: one file cannot declare it twice.
  const local = name === wanted ? `${wanted}V${parent.version}` : wanted
  return {
    ...style,
    controller,
    isTypeScript: path.endsWith('ts'),
    name,
    local,
    parent: isHeld ? `${local}.${exported.name}` : local,
    from: style.quote + importOf(path, parent.path, [source, ...neighbours]) + style.quote,
    ...otherExports(controller),
  }
}

/** What a file exports beside its controller. `module.exports` is passed on as a whole. */
function otherExports(controller: Controller): Pick<Draft, 'values' | 'types'> {
  const { style, exports, file, kind } = controller
  if (style.kind === 'namespace' || style.kind === 'module.exports') return { values: [], types: [] }
  const { known, unseen } = exports.members
  if (unseen !== null) throw new CannotExtend(`it may export more: ${unseen.why}`, unseen.place)
  const own = kind === 'factory' ? controller.by : controller.value
  const isOwn = (name: string): boolean =>
    ['default', '__esModule', 'name' in style && style.name].includes(name) || known.get(name)!.value() === own
  // `export { 'a-b' }` is also a name.
  const written = (name: string): string => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name))
  const values = [...known.keys()].filter((name) => !isOwn(name)).map(written)
  const types = file.module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName: { name }, isType }) => (isType && name !== null && !known.has(name) ? [name] : []))
  return { values, types }
}

/** The text of a file that has all of a controller of the version before, in its style. */
export function successorOf(wanted: Wanted): string {
  const { controller, file, path, next } = wanted
  assertExtendable(controller)
  const draft = draftOf(wanted, { path, version: next }, file)
  const { end, from, newline, quote } = draft
  if (controller.style.kind === 'namespace') return `export * from ${from}${end}${newline}`
  const isNest = controller.kind === 'class' && controller.value.isNest
  const lines = [
    ...(isNest ? [`import { Controller } from ${quote}@nestjs/common${quote}${end}`] : []),
    importLine(draft),
    '',
    ...(isNest ? ['@Controller()'] : []),
    ...exportLines(draft, draft.name, extension(draft)),
    ...passOn(draft),
  ]
  return lines.join(newline) + newline
}

function assertExtendable({ file, kind, style, value, exports }: Controller): void {
  if (style.kind === 'property' && !isCommonJs(file))
    throw new CannotExtend(`its default export is an object that holds ${style.name}. Export that`, exports.place)
  if (kind === 'class') {
    if (value.node.typeParameters?.params.some((parameter) => !parameter.default))
      throw new CannotExtend('it has type parameters without defaults. Write the next version yourself', exports.place)
    return
  }
  const inherited = [...value.members.known].find(([, { isOwn }]) => !isOwn)
  if (inherited === undefined) return
  const why = `it inherits ${inherited[0]} from a class, which a spread does not copy. Export the class`
  throw new CannotExtend(why, value.place)
}

function extension({ controller, name, parent, isTypeScript }: Draft): string {
  if (controller.kind === 'object') return `{ ...${parent} }`
  if (controller.kind === 'class')
    return `${controller.value.node.abstract ? 'abstract ' : ''}class ${name} extends ${parent} {}`
  const parameters = isTypeScript ? `(...args: Parameters<typeof ${parent}>)` : '(...args)'
  return controller.by.node.async
    ? `async ${parameters} => ({ ...(await ${parent}(...args)) })`
    : `${parameters} => ({ ...${parent}(...args) })`
}

/** Loads the other controller. */
function importLine({ controller: { style }, from, local, end }: Draft, keyword = 'import'): string {
  if (style.kind === 'module.exports' || style.kind === 'property') return `const ${local} = require(${from})${end}`
  if (style.kind !== 'named') return `${keyword} ${local} from ${from}${end}`
  return `${keyword} { ${style.name === local ? local : `${style.name} as ${local}`} } from ${from}${end}`
}

/** Exports a value as the other file exports its controller. */
function exportLines(
  { controller: { style }, end, local, values }: Draft,
  name: string,
  value: string,
): readonly string[] {
  const isClass = /^(?:abstract )?class /.test(value)
  if (style.kind === 'named') return [isClass ? `export ${value}` : `export const ${name} = ${value}${end}`]
  if (style.kind === 'default') return [`export default ${value}${isClass ? '' : end}`]
  if (style.kind !== 'property') return [`module.exports = ${value}${end}`]
  const others = values.length > 0 ? `...${local}, ` : ''
  return isClass
    ? [value, '', `module.exports = { ${others}${name} }${end}`]
    : [`module.exports = { ${others}${name}: ${value} }${end}`]
}

/** The lines of an ES module that export what the other file exports beside the controller. */
function passOn({ controller: { style }, values, types, from, end }: Draft): readonly string[] {
  if (style.kind === 'property' || values.length + types.length === 0) return []
  return [
    '',
    ...(values.length > 0 ? [`export { ${values.join(', ')} } from ${from}${end}`] : []),
    ...(types.length > 0 ? [`export type { ${types.join(', ')} } from ${from}${end}`] : []),
  ]
}

/** The text of a controller that is derived from the next version, with an adapter's `before`, by a change to describe. */
export function derivedFrom(wanted: Wanted, adapter: string): string {
  const { controller, file, next, path } = wanted
  const { kind, style, exports } = controller
  if (style.kind !== 'named' && style.kind !== 'default')
    throw new CannotExtend(
      'it is neither a named nor a default export. Export one object, class or function',
      exports.place,
    )
  const draft = draftOf(wanted, file, { path, version: next })
  const { name, parent, end, newline, quote, isTypeScript } = draft
  const key = file.key.slice(file.key.lastIndexOf('/') + 1).replace(/\W/g, '_')
  const typed = (type: string): string => (isTypeScript ? `: ${type}` : '')
  const derived = {
    class: `(${key}${typed(parent)}) => before({ ${key} }, changed).${key}`,
    object: `before({ ${key}: ${parent} }, changed).${key}`,
    factory: `(...args${typed(`Parameters<typeof ${parent}>`)}) => before({ ${key}: ${parent}(...args) }, changed).${key}`,
  }[kind]
  const exportName = kind === 'class' ? `create${name}` : name
  const isTyped = kind === 'class' && isTypeScript
  const lines = [
    `import { change } from ${quote}@hv/router${quote}${end}`,
    `import { before } from ${quote}${adapter}${quote}${end}`,
    importLine(draft, isTyped ? 'import type' : 'import'),
    '',
    `/** What version ${next} changed. Describe it, and name each schema that became another one. */`,
    `export const changed = change(${quote}Describe what changed in version ${next}.${quote})${end}`,
    '',
    `/** Version ${file.version}: version ${next}, before the change. */`,
    ...exportLines(draft, exportName, derived),
    ...(isTyped && style.kind === 'named' ? [`export type ${name} = ReturnType<typeof ${exportName}>${end}`] : []),
    ...passOn(draft),
  ]
  return lines.join(newline) + newline
}
