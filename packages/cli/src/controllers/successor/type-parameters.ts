import type { Node } from 'oxc-parser'
import { nameOf } from '../../modules/scope.ts'
import type { ClassValue } from '../../modules/value.ts'
import { walk } from '../../syntax/walk.ts'
import { carryImport } from './carry-import.ts'
import type { Draft } from './draft.ts'

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
  const imports = [...names]
    .filter((name) => !own.includes(name))
    .flatMap((name) => carryImport(draft, file, name, true) ?? [])
  return { parameters: file.text.slice(declared.start, declared.end), args: `<${own.join(', ')}>`, imports }
}

function leftmost(name: Node): string {
  return name.type === 'TSQualifiedName' ? leftmost(name.left) : nameOf(name)
}
