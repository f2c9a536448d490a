import type { Node } from 'oxc-parser'
import { nameOf } from '../../modules/scope.ts'
import type { Value } from '../../modules/value.ts'
import type { Controller } from '../controller.ts'
import { CannotExtend, type Draft, type OtherExports } from './draft.ts'

const none: OtherExports = { values: [], types: [] }

/**
 * What a file exports beside its controller. In the other styles a file has no other exports, or all of them are passed on.
 *
 * @throws CannotExtend when the names are not seen
 */
export function otherExports(controller: Controller): OtherExports {
  const { style, exports, file } = controller
  if (style.kind !== 'named' && style.kind !== 'default' && style.kind !== 'property') return none
  const { known, unseen } = exports.members
  if (unseen !== null) throw new CannotExtend(`it may export more: ${unseen.why}`, unseen.place)
  const own = new Set(['default', '__esModule', 'name' in style ? style.name : 'default'])
  // The controller under a second name would be that of this version.
  for (const [name, member] of known) if (isPartOf(controller, member.value())) own.add(name)
  const isOther = (name: string): boolean => !own.has(name)
  for (const [name, { place }] of known)
    if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name))
      throw new CannotExtend(`it exports '${name}', which is not an identifier`, place)
  return {
    values: [...known.keys()].filter(isOther),
    types: file.program.body.flatMap(typesIn).filter(isOther),
  }
}

/** Whether a value is the controller, the class that it is an instance of, or the function that makes it. */
function isPartOf(controller: Controller, value: Value): boolean {
  if (controller.kind === 'class') return value.kind === 'class' && value.node === controller.value.node
  if (controller.kind === 'factory')
    return (
      value.kind === 'function' && value.place.line === controller.by.place.line && value.name === controller.by.name
    )
  const { made, place } = controller.value
  if (value.kind === 'class') return value.node === made?.by.node
  return value.kind === 'object' && value.place.path === place.path && value.place.line === place.line
}

function typesIn(statement: Node): readonly string[] {
  if (statement.type !== 'ExportNamedDeclaration') return []
  const { declaration, specifiers } = statement
  if (declaration?.type === 'TSInterfaceDeclaration' || declaration?.type === 'TSTypeAliasDeclaration')
    return [nameOf(declaration.id)]
  return specifiers
    .filter(({ exportKind }) => statement.exportKind === 'type' || exportKind === 'type')
    .map(({ exported }) => nameOf(exported))
}

/** The lines of an ES module that export what the file of this version exports beside the controller. */
export function passOn({ controller, others, from, style: { end } }: Draft): readonly string[] {
  if (controller.style.kind === 'property') return []
  const { values, types } = others
  const lines = [
    ...(values.length > 0 ? [`export { ${values.join(', ')} } from ${from}${end}`] : []),
    ...(types.length > 0 ? [`export type { ${types.join(', ')} } from ${from}${end}`] : []),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}
