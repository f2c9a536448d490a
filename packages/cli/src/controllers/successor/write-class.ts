import type { ClassValue } from '../../modules/value.ts'
import { placeOf } from '../../syntax/parse.ts'
import { classNameOf } from '../class-name.ts'
import { CannotExtend, type Draft, exportProperty, importLine, renamed, renumbered } from './draft.ts'
import { typeParametersOf } from './type-parameters.ts'

/**
 * A class of the same name that extends this one.
 *
 * @param further lines that import what the file needs besides
 */
export function writeClass(draft: Draft, value: ClassValue, further: readonly string[] = []): readonly string[] {
  const { controller, style, file, next } = draft
  const { end } = style
  refusePrivateConstructor(value)
  const old = value.name ?? exportedName(draft) ?? classNameOf(file.key)
  const name = renumbered(old, file.version, next)
  // Where the name does not have the version, that of the parent gets it: one file cannot declare it twice.
  const parent = name === old ? `${old}V${file.version}` : old
  const { parameters, args, imports } = typeParametersOf(draft, value)
  const abstract = value.node.type !== 'FunctionDeclaration' && 'abstract' in value.node && value.node.abstract
  const declaration = `${abstract ? 'abstract ' : ''}class ${name}${parameters} extends ${parent}${args} {}`
  const head = [importLine(draft, parent), ...imports, ...further, '']

  switch (controller.style.kind) {
    case 'named': {
      const exported = renumbered(controller.style.name, file.version, next)
      return exported === name
        ? [...head, `export ${declaration}`]
        : [...head, declaration, '', `export { ${renamed(name, exported, ' as ')} }${end}`]
    }
    case 'property': {
      const exported = renumbered(controller.style.name, file.version, next)
      return [...head, declaration, '', exportProperty(draft, renamed(exported, name, ': '))]
    }
    case 'equals':
      return [...head, declaration, '', `export = ${name}${end}`]
    case 'module.exports':
      return [...head, `module.exports = ${declaration}${end}`]
    default:
      return [...head, `export default ${declaration}`]
  }
}

const exportedName = ({ controller: { style } }: Draft): string | null =>
  'name' in style && style.name !== 'default' ? style.name : null

function refusePrivateConstructor({ node, file }: ClassValue): void {
  if (!('body' in node) || node.body?.type !== 'ClassBody') return
  const found = node.body.body.find(
    (element) =>
      element.type === 'MethodDefinition' && element.kind === 'constructor' && element.accessibility === 'private',
  )
  if (found !== undefined) throw new CannotExtend('its constructor is private', placeOf(file, found))
}
