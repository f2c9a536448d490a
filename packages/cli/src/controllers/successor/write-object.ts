import type { ObjectValue } from '../../modules/value.ts'
import { CannotExtend, type Draft, exportProperty, importLine, renumbered } from './draft.ts'
import { writeInstance } from './write-instance.ts'

/** An object that spreads this one. */
export function writeObject(draft: Draft, value: ObjectValue): readonly string[] {
  const { controller, style, file, next, from } = draft
  const { end } = style
  if (value.made !== null) return writeInstance(draft, value)
  refuseInherited(value)
  if (controller.style.kind === 'namespace') return [`export * from ${from}${end}`]

  const exported = 'name' in controller.style ? renumbered(controller.style.name, file.version, next) : null
  const local = exported === `v${file.version}` ? `${exported}Parent` : `v${file.version}`
  const head = [importLine(draft, local), '']
  const spread = `{ ...${local} }`
  switch (controller.style.kind) {
    case 'named':
      return [...head, `export const ${exported} = ${spread}${end}`]
    case 'property':
      return [...head, exportProperty(draft, `${exported}: ${spread}`)]
    case 'equals':
      return [...head, `export = ${spread}${end}`]
    case 'module.exports':
      return [...head, `module.exports = ${spread}${end}`]
    default:
      return [...head, `export default ${spread}${end}`]
  }
}

/** A spread copies the members of an object, not those of its prototype. */
export function refuseInherited({ members, place }: ObjectValue): void {
  const inherited = [...members.known].find(([, { isOwn }]) => !isOwn)
  if (inherited !== undefined)
    throw new CannotExtend(`it inherits ${inherited[0]} from a prototype, which a spread does not copy`, place)
}
