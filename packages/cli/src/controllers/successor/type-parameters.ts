import { dirname, relative, resolve, sep } from 'node:path'
import type { Node } from 'oxc-parser'
import type { ClassValue } from '../../modules/value.ts'
import { type SourceFile, placeOf } from '../../syntax/parse.ts'
import { walk } from '../../syntax/walk.ts'
import { nameOf } from '../../modules/scope.ts'
import { CannotExtend, type Draft, renamed } from './draft.ts'

interface TypeParameters {
  /** `<T extends Store>`, or nothing. */
  readonly parameters: string
  /** `<T>`, or nothing. */
  readonly args: string
  /** Lines that import the types in the constraints. */
  readonly imports: readonly string[]
}

const none: TypeParameters = { parameters: '', args: '', imports: [] }

/** The type parameters that the next class needs: those of this one, unless each has a default. */
export function typeParametersOf(draft: Draft, { node, file }: ClassValue): TypeParameters {
  const declared = node.typeParameters
  if (!declared || declared.params.every((parameter) => parameter.default !== null)) return none
  const own = declared.params.map(({ name }) => name.name)
  const names = new Set<string>()
  walk(declared, (inner) => {
    if (inner.type === 'TSTypeReference') names.add(leftmost(inner.typeName))
    if (inner.type === 'TSTypeQuery') names.add(leftmost(inner.exprName))
  })
  const imports = [...names].filter((name) => !own.includes(name)).flatMap((name) => importOfType(draft, file, name))
  return { parameters: file.text.slice(declared.start, declared.end), args: `<${own.join(', ')}>`, imports }
}

function leftmost(name: Node): string {
  return name.type === 'TSQualifiedName' ? leftmost(name.left) : nameOf(name)
}

/** The import of a type that the file imports or exports; none for a global one. */
function importOfType(draft: Draft, file: SourceFile, name: string): readonly string[] {
  const { end, quote } = draft.style
  for (const statement of file.program.body) {
    if (statement.type === 'ImportDeclaration') {
      const specifier = statement.specifiers.find(({ local }) => local.name === name)
      if (specifier === undefined) continue
      const from = quote + rebased(statement.source.value, file.path, draft) + quote
      if (specifier.type === 'ImportNamespaceSpecifier') return [`import type * as ${name} from ${from}${end}`]
      const imported = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
      return [`import type { ${renamed(imported, name, ' as ')} } from ${from}${end}`]
    }
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? statement.declaration : statement
    if (!declaration || !('id' in declaration) || declaration.id?.type !== 'Identifier' || declaration.id.name !== name)
      continue
    if (isExported && file === draft.source) return [`import type { ${name} } from ${draft.from}${end}`]
    throw new CannotExtend(
      `its type parameter needs the type ${name}, which is not exported`,
      placeOf(file, declaration),
    )
  }
  return []
}

/** A relative path as the next version's file writes it. */
function rebased(specifier: string, path: string, { file, next }: Draft): string {
  if (!specifier.startsWith('.')) return specifier
  const target = resolve(dirname(path), specifier)
  const depth = file.key.split('/').length
  const root = resolve(dirname(file.path), ...Array.from({ length: depth }, () => '..'))
  const folder = dirname(resolve(root, `v${next}`, file.key))
  const written = relative(folder, target).split(sep).join('/')
  return written.startsWith('.') ? written : `./${written}`
}
