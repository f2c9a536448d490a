// Writes bump's new controllers. Each is a class that extends its predecessor, or it exports the
// predecessor's exports again.
import type { Class } from 'oxc-parser'
import { classNameOf, controllerExport } from '@hv/router/controllers'
import type { SourceFile } from '../syntax/parse.ts'
import { type FileExports, exportsOf } from './exports.ts'
import type { ControllerFile } from './find.ts'
import { importOf } from './import-path.ts'

/** The controller file that the new file succeeds. */
interface Predecessor extends Pick<ControllerFile, 'key' | 'version'> {
  readonly exports: FileExports
  /** The controller among the exports: `default`, or `*` for the module itself. */
  readonly name: string
  /** The path in the successor's import, with its quotes: `'../v1/users_controller.js'`. */
  readonly from: string
}

/**
 * Returns the text of a controller's file in the next version. The file loads if its predecessor
 * does, because both export the same names, each with a value of the same kind.
 */
export function successorOf(source: SourceFile, file: ControllerFile, path: string): string {
  const exports = exportsOf(source)
  const { kinds, kindsInDefault, classes, syntax } = exports
  const name = controllerExport(kinds, kindsInDefault, file.key, file.version)
  const predecessor: Predecessor = {
    key: file.key,
    version: file.version,
    exports,
    name: typeof name === 'string' ? name : '*',
    from: `'${importOf(source, path, syntax !== 'module')}'`,
  }
  const controller = classes.get(predecessor.name)
  return controller !== undefined && isExtendable(controller, predecessor, source)
    ? classText(controller, predecessor)
    : exportsText(predecessor)
}

function isExtendable(controller: Class, { name, exports }: Predecessor, source: SourceFile) {
  // In a CommonJS file in TypeScript, names are global. Compiled CommonJS has marks that a spread
  // loses.
  const isOpaque = source.path.endsWith('ts') || source.text.includes('__esModule')
  if (exports.syntax === 'commonjs' && isOpaque) return false
  const parameters = controller.typeParameters?.params ?? []
  const isPrivate = controller.body.body.some(
    (member) =>
      member.type === 'MethodDefinition' &&
      member.kind === 'constructor' &&
      member.accessibility === 'private',
  )
  return /^[\w$]+$/.test(name) && !isPrivate && parameters.every((parameter) => parameter.default)
}

/** A class without members: `class UsersController extends UsersControllerV1 {}`. */
function classText(controller: Class, { key, version, exports, name, from }: Predecessor): string {
  const { syntax, kinds, hasMore } = exports
  const oldName =
    name === 'default' ? (controller.id?.name ?? classNameOf(key).replace(/^\d+|\W/g, '')) : name
  const newName = oldName.replace(new RegExp(`(v)${version}(?!\\d)`, 'i'), `$1${version + 1}`)
  const parent = oldName === newName ? `${oldName}V${version}` : oldName
  const declare = (superclass: string): string =>
    `${controller.abstract ? 'abstract ' : ''}class ${newName} extends ${superclass} {}`
  if (syntax === 'assignment')
    return linesOf(
      `import ${parent} = require(${from})`,
      '',
      declare(parent),
      '',
      `export = ${newName}`,
    )
  if (syntax === 'commonjs' && name === 'default')
    return linesOf(`const ${parent} = require(${from})`, '', `module.exports = ${declare(parent)}`)
  if (syntax === 'commonjs')
    return linesOf(
      `const v${version} = require(${from})`,
      '',
      declare(`v${version}.${name}`),
      '',
      `module.exports = { ...v${version}, ${newName} }`,
    )
  const imported =
    name === 'default' ? parent : name === parent ? `{ ${name} }` : `{ ${name} as ${parent} }`
  const others = [...kinds.keys()].filter((other) => other !== name)
  return linesOf(
    `import ${imported} from ${from}`,
    '',
    `export ${name === 'default' ? 'default ' : ''}${declare(parent)}`,
    ...(others.length > 0 || hasMore ? [''] : []),
    ...reexports(from, others, hasMore),
  )
}

/** All exports once more, below a comment that shows how to override an action. */
function exportsText(predecessor: Predecessor): string {
  const { version, exports, from } = predecessor
  const example = overrideOf(predecessor).map((line) => `//   ${line}`)
  const hint = example.length === 0 ? 'export a class of your own.' : 'for example:'
  const comment = [
    `// Everything in version ${version}. To override an action, ${hint}`,
    ...example,
  ]
  if (exports.syntax === 'commonjs') return linesOf(...comment, `module.exports = require(${from})`)
  if (exports.syntax === 'assignment')
    return linesOf(`import v${version} = require(${from})`, '', ...comment, `export = v${version}`)
  const names = [...exports.kinds.keys()]
  return linesOf(...comment, ...reexports(from, names, exports.hasMore || names.length === 0))
}

/** An example with the action `show`, in place of the export. */
function overrideOf({ version, exports, name, from }: Predecessor): readonly string[] {
  const { kinds, kindsInDefault, syntax } = exports
  const kind = kinds.get(name) ?? kindsInDefault.get(name)
  if (kind === 'class') return []
  const old = `v${version}`
  const overridden = (controller: string): string => {
    return kind === 'function'
      ? `(...args) => ({ ...${controller}(...args), show() { … } })`
      : `{ ...${controller}, show() { … } }`
  }
  if (syntax === 'assignment') return [`export = ${overridden(old)}`]
  if (syntax === 'commonjs') {
    const isMember = name !== 'default' && name !== '*'
    const value = isMember
      ? `{ ...${old}, ${name}: ${overridden(`${old}.${name}`)} }`
      : overridden(old)
    return [`const ${old} = require(${from})`, `module.exports = ${value}`]
  }
  if (name === '*') return ['export function show() { … }']
  if (name === 'default') return [`import ${old} from ${from}`, `export default ${overridden(old)}`]
  return [`import { ${name} as ${old} } from ${from}`, `export const ${name} = ${overridden(old)}`]
}

/** `export *` has everything but the default export, and no name that the file exports itself. */
function reexports(from: string, names: readonly string[], hasMore: boolean): readonly string[] {
  const hasNames = hasMore || names.some((name) => name !== 'default')
  return [
    ...(hasNames ? [`export * from ${from}`] : []),
    ...(names.includes('default') ? [`export { default } from ${from}`] : []),
  ]
}

const linesOf = (...lines: readonly string[]): string => [...lines, ''].join('\n')
