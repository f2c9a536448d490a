import { dirname, relative, resolve, sep } from 'node:path'
import type { Node } from 'oxc-parser'
import { type Binding, createScope, nameOf } from '../../modules/scope.ts'
import { type SourceFile, placeOf } from '../../syntax/parse.ts'
import { CannotExtend, type Draft, renamed } from './draft.ts'

/**
 * The line that imports what a name of this file stands for, in the file of the next version; null for a global name.
 *
 * @throws CannotExtend when the file declares the name, and does not export it
 */
export function carryImport(draft: Draft, file: SourceFile, name: string, isType: boolean): string | null {
  const { body } = file.program
  const declaration = body.map(declarationIn).find((one) => one !== null && namesOf(one).includes(name))
  const binding = createScope(file, body, null).bindings.get(name)
  const line = binding === undefined ? null : importLine(draft, file, name, binding, isType)
  if (line !== null || (binding === undefined && declaration === undefined)) return line
  const keyword = isType ? 'import type' : 'import'
  const isExported = body.some(
    (statement) => statement.type === 'ExportNamedDeclaration' && statement.declaration === declaration,
  )
  if (isExported && file === draft.source) return `${keyword} { ${name} } from ${draft.from}${draft.style.end}`
  throw new CannotExtend(`it needs ${name}, which is not exported`, placeOf(file, declaration ?? file.program))
}

const declarationIn = (statement: Node): Node | null =>
  statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement

function namesOf(declaration: Node): readonly string[] {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => nameOf(id))
  return 'id' in declaration && declaration.id ? [nameOf(declaration.id)] : []
}

function importLine(draft: Draft, file: SourceFile, name: string, binding: Binding, isType: boolean): string | null {
  const { end, quote } = draft.style
  const from = (specifier: string): string => quote + rebased(specifier, file.path, draft) + quote
  if (binding.kind === 'import') {
    const keyword = isType ? 'import type' : 'import'
    const names = { '*': `* as ${name}`, default: name }[binding.name] ?? `{ ${renamed(binding.name, name, ' as ')} }`
    return `${keyword} ${names} from ${from(binding.from)}${end}`
  }
  if (binding.kind === 'require') return `import ${name} = require(${from(binding.from)})${end}`
  const specifier = binding.kind === 'variable' ? requiredIn(binding.init) : null
  if (binding.kind !== 'variable' || specifier === null || binding.path.length > 1) return null
  const [member] = binding.path
  const names = member === undefined ? name : `{ ${renamed(member, name, ': ')} }`
  return `const ${names} = require(${from(specifier)})${end}`
}

function requiredIn(node: Node | null): string | null {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require')
    return null
  const [specifier] = node.arguments
  return specifier?.type === 'Literal' && typeof specifier.value === 'string' ? specifier.value : null
}

/** A relative path as the next version's file writes it. */
function rebased(specifier: string, path: string, { file, next }: Draft): string {
  if (!specifier.startsWith('.')) return specifier
  const target = resolve(dirname(path), specifier)
  const depth = file.key.split('/').length
  const root = resolve(dirname(file.realPath), ...Array.from({ length: depth }, () => '..'))
  const folder = dirname(resolve(root, `v${next}`, file.key))
  const written = relative(folder, target).split(sep).join('/')
  return written.startsWith('.') ? written : `./${written}`
}
