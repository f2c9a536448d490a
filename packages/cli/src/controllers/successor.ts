// What bump writes: a class that extends the one before, an object that spreads it, a function that spreads its result.
import { type Place, type SourceFile, isCommonJs } from '../syntax/parse.ts'
import { type Style, styleOf } from '../syntax/style.ts'
import type { Controller } from './controllers.ts'
import { type ControllerFile, classNameOf } from './find.ts'
import { importOf } from './imports.ts'
import type { Value } from './value.ts'

/** A controller that bump cannot extend, and why. */
export class CannotExtend extends Error {
  readonly place: Place

  constructor(why: string, place: Place) {
    super(why)
    this.place = place
  }
}

/** A controller, and the path of the file with its next version. */
interface Wanted {
  readonly file: ControllerFile
  readonly controller: Controller
  readonly path: string
  readonly next: number
  /** Other controllers of the version, for what the file itself does not show. */
  readonly neighbours: readonly SourceFile[]
}

interface Draft {
  readonly controller: Controller
  readonly style: Style
  readonly isTypeScript: boolean
  /** The name under which the new file declares or exports the controller. */
  readonly name: string
  /** What the new file imports from the old one, and how it names the old controller. */
  readonly local: string
  readonly parent: string
  /** The quoted path of the old file. */
  readonly from: string
  /** What else the old file exports. */
  readonly others: { readonly values: readonly string[]; readonly types: readonly string[] }
}

/** The text of a file that has all of a controller of the version before, in its style. */
export function successorOf(wanted: Wanted): string {
  const { controller } = wanted
  assertExtendable(controller)
  const draft = draftOf(wanted)
  const { end, newline, quote } = draft.style
  if (controller.style.kind === 'namespace') return `export * from ${draft.from}${end}${newline}`
  const isNest = controller.kind === 'class' && controller.value.isNest
  const lines = [
    ...(isNest ? [`import { Controller } from ${quote}@nestjs/common${quote}${end}`] : []),
    importLine(draft),
    '',
    ...(isNest ? ['@Controller()'] : []),
    ...bodyOf(draft),
    ...passOn(draft),
  ]
  return lines.join(newline) + newline
}

function draftOf({ file, controller, path, next, neighbours }: Wanted): Draft {
  const { file: source, kind, style: exported } = controller
  const style = styleOf([source, ...neighbours].map(({ text }) => text))
  const written = importOf(path, file.path, [source, ...neighbours])
  const node = kind === 'object' ? null : kind === 'class' ? controller.value.node : controller.by.node
  const usual = kind === 'class' ? classNameOf(file.key) : 'create'
  const old = 'name' in exported ? exported.name : (node?.id?.name ?? usual)
  const name = old.replace(new RegExp(`(^|[a-z_])([Vv])${file.version}(?!\\d)`), `$1$2${next}`)
  const isHeld = exported.kind === 'property'
  const wanted = kind === 'object' || isHeld ? `v${file.version}` : old
  // Where the name does not have the version, that of the parent gets it: one file cannot declare it twice.
  const local = name === wanted ? `${wanted}V${file.version}` : wanted
  return {
    controller,
    style,
    isTypeScript: file.path.endsWith('ts'),
    name,
    local,
    parent: isHeld ? `${local}.${exported.name}` : local,
    from: style.quote + written + style.quote,
    others: otherExports(controller),
  }
}

function assertExtendable({ file, kind, style, value, exports }: Controller): void {
  const place = kind === 'class' ? exports.place : value.place
  if (style.kind === 'property' && !isCommonJs(file))
    throw new CannotExtend(`its default export is an object that holds ${style.name}. Export that`, place)
  if (kind === 'class') {
    const parameters = value.node.typeParameters?.params ?? []
    if (parameters.some((parameter) => !parameter.default))
      throw new CannotExtend('it has type parameters without defaults. Write the next version yourself', place)
    return
  }
  const inherited = [...value.members.known].find(([, { isOwn }]) => !isOwn)
  if (inherited !== undefined)
    throw new CannotExtend(
      `it inherits ${inherited[0]} from a class, which a spread does not copy. Export the class`,
      place,
    )
}

/** What a file exports beside its controller. `module.exports` is passed on as a whole. */
function otherExports({ style, exports, file, ...content }: Controller): Draft['others'] {
  if (style.kind === 'namespace' || style.kind === 'module.exports') return { values: [], types: [] }
  const { known, unseen } = exports.members
  if (unseen !== null) throw new CannotExtend(`it may export more: ${unseen.why}`, unseen.place)
  const identity = (value: Value): unknown =>
    value.kind === 'object' ? `${value.place.path}:${value.place.line}` : 'node' in value ? value.node : value
  const own = identity(content.kind === 'factory' ? content.by : content.value)
  const ownNames = new Set(['default', '__esModule', 'name' in style ? style.name : ''])
  // The controller may have a second name.
  const others = [...known].filter(([name, member]) => !ownNames.has(name) && identity(member.value()) !== own)
  const types = file.module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName, isType }) => (isType && exportName.name !== null ? [exportName.name] : []))
  // `export { 'a-b' }` is also a name.
  const written = (name: string): string => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name))
  return { values: others.map(([name]) => written(name)), types: types.filter((name) => !known.has(name)) }
}

/** Loads the old controller. */
function importLine({ controller: { style: exported }, style, from, local }: Draft): string {
  if (exported.kind !== 'named') return loadLine(style, exported.kind === 'default', local, from)
  return loadLine(style, true, `{ ${exported.name === local ? local : `${exported.name} as ${local}`} }`, from)
}

const loadLine = ({ end }: Style, isModule: boolean, names: string, from: string): string =>
  isModule ? `import ${names} from ${from}${end}` : `const ${names} = require(${from})${end}`

function bodyOf(draft: Draft): readonly string[] {
  const { controller, name, parent, isTypeScript } = draft
  if (controller.kind === 'object') return exportLines(draft, name, `{ ...${parent} }`)
  if (controller.kind === 'class') {
    const text = `${controller.value.node.abstract ? 'abstract ' : ''}class ${name} extends ${parent} {}`
    if (controller.style.kind === 'named') return [`export ${text}`]
    if (controller.style.kind === 'default') return [`export default ${text}`]
    return controller.style.kind === 'property'
      ? [text, '', moduleExports(draft, name)]
      : exportLines(draft, name, text)
  }
  const parameters = isTypeScript ? `(...args: Parameters<typeof ${parent}>)` : '(...args)'
  const made = controller.by.node.async
    ? `async ${parameters} => ({ ...(await ${parent}(...args)) })`
    : `${parameters} => ({ ...${parent}(...args) })`
  return exportLines(draft, name, made)
}

/** Exports a value as the old file exports its controller. */
function exportLines(draft: Draft, name: string, value: string): readonly string[] {
  const { end } = draft.style
  const { kind } = draft.controller.style
  if (kind === 'named') return [`export const ${name} = ${value}${end}`]
  if (kind === 'default') return [`export default ${value}${end}`]
  return [kind === 'property' ? moduleExports(draft, `${name}: ${value}`) : `module.exports = ${value}${end}`]
}

/** What the old file exports, with a property of its own. */
const moduleExports = ({ others, local, style: { end } }: Draft, property: string): string =>
  `module.exports = { ${others.values.length > 0 ? `...${local}, ` : ''}${property} }${end}`

/** The lines of an ES module that export what the old file exports beside the controller. */
function passOn({ controller: { style }, others: { values, types }, from, style: { end } }: Draft): readonly string[] {
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
  const { kind, style: exported } = controller
  if (exported.kind === 'namespace')
    throw new CannotExtend('it exports its actions one by one. Export one object or class', controller.exports.place)
  const draft = draftOf({ ...wanted, file: { ...file, path, version: next }, path: file.path })
  const { name, style, isTypeScript } = draft
  const { end, newline, quote } = style
  const isModule = exported.kind === 'named' || exported.kind === 'default'
  const isClass = kind === 'class'
  const local = kind === 'object' || exported.kind === 'property' ? `v${next}` : `${name}V${next}`
  const parent = exported.kind === 'property' ? `${local}.${name}` : local
  const key = file.key.slice(file.key.lastIndexOf('/') + 1).replace(/\W/g, '_')
  const load = (helper: string, from: string) => loadLine(style, isModule, `{ ${helper} }`, quote + from + quote)
  const loadNext = importLine({ ...draft, local })
  const typed = (type: string): string => (isTypeScript ? `: ${type}` : '')
  const made = {
    class: `(${key}${typed(parent)}) => before({ ${key} }, changed).${key}`,
    object: `before({ ${key}: ${parent} }, changed).${key}`,
    factory: `(...args${typed(`Parameters<typeof ${parent}>`)}) => before({ ${key}: ${parent}(...args) }, changed).${key}`,
  }[kind]
  const exportName = isClass ? `create${name}` : name
  const isTyped = isClass && isTypeScript && isModule
  const lines = [
    load('change', '@hv/router'),
    load('before', adapter),
    isTyped ? loadNext.replace('import ', 'import type ') : loadNext,
    '',
    `/** What version ${next} changed. Describe it, and name each schema that became another one. */`,
    `${isModule ? 'export ' : ''}const changed = change(${quote}Describe what changed in version ${next}.${quote})${end}`,
    '',
    `/** Version ${file.version}: version ${next}, before the change. */`,
    ...(exported.kind === 'default'
      ? [`const create = ${made}${end}`, `export default create${end}`]
      : exportLines({ ...draft, local }, exportName, made)),
    ...(isTyped
      ? [`export type ${name} = ReturnType<typeof ${exported.kind === 'named' ? exportName : 'create'}>${end}`]
      : []),
    ...passOn(draft),
  ]
  return lines.join(newline) + newline
}
