// Writes bump's new controllers. Each is a class that extends its predecessor, or it exports the
// predecessor's exports again.
import type { Class } from 'oxc-parser'
import { classNameOf, controllerNames } from '@hv/router/controllers'
import type { Node } from '../syntax/nodes.ts'
import type { SourceFile } from '../syntax/parse.ts'
import { type FileExports, exportsOf } from './exports.ts'
import type { ControllerFile } from './find.ts'
import { importOf } from './import-path.ts'

/** The controller file that the new file succeeds. */
interface Predecessor extends ControllerFile, FileExports {
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
  const { syntax, values } = exports
  const name = ['default', ...controllerNames(file.key)].find((usual) => values.has(usual)) ?? '*'
  const from = `'${importOf(source, path, syntax !== 'module')}'`
  const predecessor = { ...file, ...exports, name, from }
  const value = values.get(name)
  // A TypeScript file that's CommonJS declares its names globally, so they could collide.
  const isScript = syntax === 'commonjs' && source.path.endsWith('ts')
  const text =
    isExtendable(value) && !isScript ? classText(value, predecessor) : exportsText(predecessor)
  return text.replaceAll('\n', source.newline)
}

/** Whether a value is a class, and `extends` needs nothing but its name. */
function isExtendable(value: Node | null | undefined): value is Class {
  if (value?.type !== 'ClassDeclaration' && value?.type !== 'ClassExpression') return false
  const { typeParameters, body } = value
  const isPrivate = body.body.some(
    (member) =>
      member.type === 'MethodDefinition' &&
      member.kind === 'constructor' &&
      member.accessibility === 'private',
  )
  return !isPrivate && (typeParameters?.params ?? []).every((parameter) => parameter.default)
}

/** A class without members: `class UsersController extends UsersControllerV1 {}`. */
function classText(controller: Class, predecessor: Predecessor): string {
  const { key, version, syntax, values, name, from } = predecessor
  const className = name === 'default' ? classNameOf(key) : name
  const parent = `${className}V${version}`
  const declaration = `${controller.abstract ? 'abstract ' : ''}class ${className} extends ${parent} {}`
  if (syntax === 'commonjs')
    return linesOf(`const ${parent} = require(${from})`, '', `module.exports = ${declaration}`)
  const imported = name === 'default' ? parent : `{ ${name} as ${parent} }`
  const others = [...values.keys()].filter((other) => other !== name)
  return linesOf(
    `import ${imported} from ${from}`,
    '',
    `export ${name === 'default' ? 'default ' : ''}${declaration}`,
    ...(others.length > 0 ? [''] : []),
    ...reexports(from, others),
  )
}

/** Exports everything again, below a comment that shows how to override an action. */
function exportsText(predecessor: Predecessor): string {
  const { version, syntax, values, from } = predecessor
  const example = overrideOf(predecessor).map((line) => `//   ${line}`)
  const hint = example.length === 0 ? 'export a controller of your own.' : 'for example:'
  const comment = `// Everything in version ${version}. To override an action, ${hint}`
  if (syntax === 'commonjs') return linesOf(comment, `module.exports = require(${from})`)
  if (syntax === 'assignment')
    return linesOf(`import v${version} = require(${from})`, '', comment, `export = v${version}`)
  const names = values.size === 0 ? ['*'] : [...values.keys()]
  return linesOf(comment, ...example, ...reexports(from, names))
}

/** An example with the action `show`, in place of the export. Empty if the text shows none. */
function overrideOf({ version, syntax, name, values, from }: Predecessor): readonly string[] {
  if (name === '*') return values.has('index') ? ['export function show() { … }'] : []
  const type = values.get(name)?.type
  if (syntax !== 'module' || type?.startsWith('Class')) return []
  const old = `v${version}`
  const overridden = type?.includes('Function')
    ? `(...args) => ({ ...${old}(...args), show() { … } })`
    : `{ ...${old}, show() { … } }`
  if (name === 'default') return [`import ${old} from ${from}`, `export default ${overridden}`]
  return [`import { ${name} as ${old} } from ${from}`, `export const ${name} = ${overridden}`]
}

/**
 * `export *` covers everything but the default export, and the names that the file exports itself.
 */
function reexports(from: string, names: readonly string[]): readonly string[] {
  const lines: string[] = []
  if (names.some((name) => name !== 'default')) lines.push(`export * from ${from}`)
  if (names.includes('default')) lines.push(`export { default } from ${from}`)
  return lines
}

const linesOf = (...lines: readonly string[]): string => [...lines, ''].join('\n')
