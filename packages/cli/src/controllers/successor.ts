// What bump writes: a class that extends the one before, an object that spreads it, a function that spreads its result.
import { dirname, extname } from 'node:path'
import type { Place, SourceFile } from '../syntax/parse.ts'
import { localImports } from '../syntax/imports.ts'
import { nameOf } from '../syntax/parse.ts'
import { type Style, styleOf } from '../syntax/style.ts'
import { compilerOptionsFor, importExtension } from '../project/tsconfig.ts'
import { classNameOf } from './class-name.ts'
import type { Controller } from './controller.ts'
import type { ControllerFile } from './find.ts'
import { importPath } from './move.ts'
import { isCommonJs } from './read-exports.ts'
import type { Value } from './value.ts'

/** A controller that bump cannot extend, and why. */
export class CannotExtend extends Error {
  readonly place: Place

  constructor(why: string, place: Place) {
    super(why)
    this.place = place
  }
}

/** What the writers share. */
interface Draft {
  readonly controller: Controller
  readonly style: Style
  readonly isTypeScript: boolean
  /** The name under which the new file declares or exports the controller, and the local name of the old one. */
  readonly name: string
  readonly parent: string
  /** The quoted path of the old file. */
  readonly from: string
  /** What else the old file exports. */
  readonly others: { readonly values: readonly string[]; readonly types: readonly string[] }
}

/**
 * The text of a controller of another version that has all of this one, in the style of its file.
 *
 * @param path - of the file to write
 * @param neighbours - other controllers of the version, for what the file itself does not show
 * @throws CannotExtend
 */
export function successorOf(
  file: ControllerFile,
  controller: Controller,
  path: string,
  next: number,
  neighbours: readonly SourceFile[],
): string {
  assertExtendable(controller)
  const draft = draftOf(file, controller, path, next, neighbours)
  const { newline } = draft.style
  return [...directive(draft), ...importLines(draft), ...bodyOf(draft), ...passOn(draft)].join(newline) + newline
}

function draftOf(
  file: ControllerFile,
  controller: Controller,
  path: string,
  next: number,
  neighbours: readonly SourceFile[],
): Draft {
  const { file: source, kind, style: exported } = controller
  const style = styleOf(source, neighbours)
  const stem = file.path.slice(0, -extname(file.path).length)
  const written = importPath(dirname(path), stem) + importExtensionOf(file.path, [source, ...neighbours])
  const old = 'name' in exported ? exported.name : (declaredName(controller) ?? defaultName(kind, file.key))
  const name = old.replace(new RegExp(`(^|[a-z_])([Vv])${file.version}(?!\\d)`), `$1$2${next}`)
  const local = kind === 'object' ? `v${file.version}` : old
  return {
    controller,
    style,
    isTypeScript: file.path.endsWith('ts'),
    name,
    // Where the name does not have the version, that of the parent gets it: one file cannot declare it twice.
    parent: name === local ? `${local}V${file.version}` : local,
    from: style.quote + written + style.quote,
    others: otherExports(controller),
  }
}

const declaredName = (controller: Controller): string | null => {
  if (controller.kind === 'object') return null
  const { node } = controller.kind === 'class' ? controller.value : controller.by
  return node.id?.name ?? null
}
const defaultName = (kind: Controller['kind'], key: string): string => (kind === 'class' ? classNameOf(key) : 'create')

function assertExtendable(controller: Controller): void {
  const { file, kind, style, value, exports } = controller
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

/** What a file exports beside its controller. Module functions and `module.exports` are passed on as a whole. */
function otherExports({ style, exports, file, ...content }: Controller): Draft['others'] {
  if (style.kind === 'namespace' || style.kind === 'module.exports') return { values: [], types: [] }
  const { known, unseen } = exports.members
  if (unseen !== null) throw new CannotExtend(`it may export more: ${unseen.why}`, unseen.place)
  const identity = (value: Value): unknown =>
    value.kind === 'object' ? `${value.place.path}:${value.place.line}` : 'node' in value ? value.node : value
  const own = identity(content.kind === 'factory' ? content.by : content.value)
  const values: string[] = []
  for (const [name, member] of known) {
    if (['default', '__esModule', 'name' in style ? style.name : ''].includes(name)) continue
    if (identity(member.value()) === own) continue // the controller under a second name
    if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name))
      throw new CannotExtend(`it exports '${name}', which is not an identifier`, member.place)
    values.push(name)
  }
  const types = file.program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { declaration, specifiers } = statement
    if (declaration?.type === 'TSInterfaceDeclaration' || declaration?.type === 'TSTypeAliasDeclaration')
      return [declaration.id.name]
    return specifiers
      .filter(({ exportKind }) => statement.exportKind === 'type' || exportKind === 'type')
      .map(({ exported }) => nameOf(exported))
  })
  return { values, types: types.filter((name) => !known.has(name)) }
}

const isEquals = ({ program }: SourceFile): boolean => program.body.some(({ type }) => type === 'TSExportAssignment')

const renamed = (name: string, local: string, separator: string): string =>
  name === local ? name : `${name}${separator}${local}`

function importLines({ controller: { style, file }, style: { end }, from, parent, others }: Draft): readonly string[] {
  switch (style.kind) {
    case 'named':
      return [`import { ${renamed(style.name, parent, ' as ')} } from ${from}${end}`, '']
    case 'default':
      return [`import ${parent} from ${from}${end}`, '']
    case 'module.exports':
      return [`${isEquals(file) ? 'import' : 'const'} ${parent} = require(${from})${end}`, '']
    case 'property':
      return [
        `const { ${[renamed(style.name, parent, ': '), ...others.values].join(', ')} } = require(${from})${end}`,
        '',
      ]
    default:
      return []
  }
}

function bodyOf(draft: Draft): readonly string[] {
  const { controller, name, parent, from, others, style, isTypeScript } = draft
  const { end } = style
  if (controller.style.kind === 'namespace') return [`export * from ${from}${end}`]
  if (controller.kind === 'class') {
    const text = `${controller.value.node.abstract ? 'abstract ' : ''}class ${name} extends ${parent} {}`
    if (controller.style.kind === 'named') return [`export ${text}`]
    if (controller.style.kind === 'default') return [`export default ${text}`]
    if (isEquals(controller.file)) return [text, '', `export = ${name}${end}`]
    if (controller.style.kind === 'module.exports') return [`module.exports = ${text}${end}`]
    return [text, '', `module.exports = { ${[...others.values, name].join(', ')} }${end}`]
  }
  const value =
    controller.kind === 'object' ? `{ ...${parent} }` : factory(parent, controller.by.node.async, isTypeScript)
  if (controller.style.kind === 'named') return [`export const ${name} = ${value}${end}`]
  if (controller.style.kind === 'default') return [`export default ${value}${end}`]
  const left = isEquals(controller.file) ? 'export' : 'module.exports'
  if (controller.style.kind === 'module.exports') return [`${left} = ${value}${end}`]
  return [`module.exports = { ${[...others.values, `${name}: ${value}`].join(', ')} }${end}`]
}

function factory(parent: string, isAsync: boolean, isTypeScript: boolean): string {
  const parameters = isTypeScript ? `(...args: Parameters<typeof ${parent}>)` : '(...args)'
  return isAsync
    ? `async ${parameters} => ({ ...(await ${parent}(...args)) })`
    : `${parameters} => ({ ...${parent}(...args) })`
}

/** The lines of an ES module that export what the old file exports beside the controller. */
function passOn({ controller, others: { values, types }, from, style: { end } }: Draft): readonly string[] {
  if (controller.style.kind === 'property' || values.length + types.length === 0) return []
  return [
    '',
    ...(values.length > 0 ? [`export { ${values.join(', ')} } from ${from}${end}`] : []),
    ...(types.length > 0 ? [`export type { ${types.join(', ')} } from ${from}${end}`] : []),
  ]
}

/** `'use strict'`, where the file begins with it. */
function directive({ controller: { file }, style: { end } }: Draft): readonly string[] {
  const [first] = file.program.body
  const isStrict = first?.type === 'ExpressionStatement' && 'directive' in first && first.directive === 'use strict'
  return isStrict ? [file.text.slice(first.start, first.end).replace(/;$/, '') + end, ''] : []
}

/** What a relative import of a controller ends in: as the first of some files writes it, else as the project needs it. */
export function importExtensionOf(path: string, sources: readonly SourceFile[]): string {
  const own = extname(path)
  for (const source of sources) {
    const written = localImports(source)
      .map(({ specifier }) => extname(specifier))
      .find((extension) => extension !== '.json')
    if (written === undefined) continue
    if (/^\.[mc]?ts$/.test(written)) return own
    return /^\.[mc]?js$/.test(written) ? own.replace('ts', 'js') : ''
  }
  if (own.endsWith('ts')) return importExtension(compilerOptionsFor(path), own)
  return own === '.js' && isCommonJs(sources[0]!) ? '' : own
}

/**
 * The text of a controller that is derived from the next version by a change that is yet to be described.
 *
 * @param adapter - the package whose `before` the project uses
 * @throws CannotExtend
 */
export function derivedFrom(
  file: ControllerFile,
  controller: Controller,
  path: string,
  next: number,
  neighbours: readonly SourceFile[],
  adapter: string,
): string {
  const { kind, style: exported } = controller
  if (exported.kind === 'namespace' || isEquals(controller.file))
    throw new CannotExtend(
      'it uses export =, or exports its actions one by one. Export one object or class',
      controller.exports.place,
    )
  const moved = { ...file, path, version: next }
  const draft = draftOf(moved, controller, file.path, next, neighbours)
  const {
    style: { end, newline, quote },
    isTypeScript,
    from,
    others,
  } = draft
  const isClass = kind === 'class'
  const className = draft.name
  const parent = kind === 'object' ? `v${next}` : `${className}V${next}`
  const isModule = exported.kind === 'named' || exported.kind === 'default'
  const key = file.key.slice(file.key.lastIndexOf('/') + 1).replace(/\W/g, '_')
  const load = (names: string, specifier: string): string =>
    isModule ? `import { ${names} } from ${specifier}${end}` : `const { ${names} } = require(${specifier})${end}`
  const importLine = importLines({ ...draft, parent, others: { values: [], types: [] } })[0]!
  const typed = (type: string): string => (isTypeScript ? type : '')
  const made = {
    class: `(${key}${typed(`: ${parent}`)}) => before({ ${key} }, changed).${key}`,
    object: `before({ ${key}: ${parent} }, changed).${key}`,
    factory: `(...args${typed(`: Parameters<typeof ${parent}>`)}) => before({ ${key}: ${parent}(...args) }, changed).${key}`,
  }[kind]
  const name = isClass ? `create${className}` : className
  const isNamed = exported.kind === 'named' || exported.kind === 'property'
  const type = isClass ? [`export type ${className} = ReturnType<typeof ${isNamed ? name : 'create'}>${end}`] : []
  const lines = [
    load('change', `${quote}@hv/router${quote}`),
    load('before', quote + adapter + quote),
    isClass && isTypeScript && isModule ? importLine.replace('import ', 'import type ') : importLine,
    '',
    `/** What version ${next} changed. Describe it, and name each schema that became another one. */`,
    `${isModule ? 'export ' : ''}const changed = change(${quote}Describe what changed in version ${next}.${quote})${end}`,
    '',
    `/** Version ${file.version}: version ${next}, before the change. */`,
    ...(exported.kind === 'named' ? [`export const ${name} = ${made}${end}`] : []),
    ...(exported.kind === 'default' ? [`const create = ${made}${end}`, `export default create${end}`] : []),
    ...(isModule ? [] : [`module.exports = ${exported.kind === 'property' ? `{ ${name}: ${made} }` : made}${end}`]),
    ...(isTypeScript && isModule ? type : []),
    ...passOn({ ...draft, others, from }),
  ]
  return lines.join(newline) + newline
}
