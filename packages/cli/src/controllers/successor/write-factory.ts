import type { FunctionValue, ObjectValue } from '../../modules/value.ts'
import { CannotExtend, type Draft, exportProperty, importLine, isTypeScript, renumbered } from './draft.ts'
import { refuseInherited } from './write-object.ts'

/** A function that takes the same arguments, and spreads what this one returns. */
export function writeFactory(draft: Draft, value: ObjectValue, by: FunctionValue): readonly string[] {
  const { controller, file, next, style } = draft
  const { end, indent } = style
  if (value.made !== null)
    throw new CannotExtend('its function makes an instance of a class. Export the class', by.place)
  refuseInherited(value)

  const old = 'name' in controller.style ? controller.style.name : (by.name ?? 'create')
  const name = renumbered(old, file.version, next)
  const parent = name === old ? `${old}V${file.version}` : old
  const parameters = isTypeScript(draft) ? `(...args: Parameters<typeof ${parent}>)` : '(...args)'
  const async = by.isAsync ? 'async ' : ''
  const call = `${parent}(...args)`
  const spread = `{ ...${by.isAsync ? `(await ${call})` : call} }`
  const arrow = `${async}${parameters} => (${spread})`
  const declaration = [`${async}function ${name}${parameters} {`, `${indent}return ${spread}${end}`, '}']
  const head = [importLine(draft, parent), '']

  switch (controller.style.kind) {
    case 'named':
      return by.isArrow
        ? [...head, `export const ${name} = ${arrow}${end}`]
        : [...head, ...exported('export ', declaration)]
    case 'property':
      return [...head, exportProperty(draft, `${name}: ${arrow}`)]
    case 'module.exports':
    case 'equals': {
      const left = controller.style.kind === 'equals' ? 'export =' : 'module.exports ='
      return by.isArrow ? [...head, `${left} ${arrow}${end}`] : [...head, ...exported(`${left} `, declaration)]
    }
    default:
      return by.isArrow
        ? [...head, `export default ${arrow}${end}`]
        : [...head, ...exported('export default ', declaration)]
  }
}

const exported = (prefix: string, [first = '', ...rest]: readonly string[]): readonly string[] => [
  prefix + first,
  ...rest,
]
