import type { Node } from 'oxc-parser'
import type { ObjectValue } from '../../modules/value.ts'
import { walk } from '../../syntax/walk.ts'
import { classNameOf } from '../class-name.ts'
import { carryImport } from './carry-import.ts'
import { type Draft, exportProperty, importLine, isTypeScript, renumbered } from './draft.ts'
import { writeClass } from './write-class.ts'

/** For an instance: a class that extends its class, and an instance of that, made with the same arguments. */
export function writeInstance(draft: Draft, value: ObjectValue): readonly string[] {
  const { controller, file, next, style } = draft
  const { by, args } = value.made!
  const name = renumbered(by.name ?? classNameOf(file.key), file.version, next)
  const imports = [...namesIn(args)].flatMap((used) => carryImport(draft, value.file, used, false) ?? [])
  const text = args.map((argument) => value.file.text.slice(argument.start, argument.end)).join(', ')
  const instance = `new ${name}(${text})`

  const isModule = controller.style.kind === 'named' || controller.style.kind === 'default'
  const exported = isModule ? exportedClass(controller.exports, value) : null
  const lines =
    exported === null
      ? withoutClass(draft, name, args.length > 0, imports)
      : writeClass({ ...draft, controller: { ...controller, style: { kind: 'named', name: exported } } }, by, imports)
  const numbered = 'name' in controller.style ? renumbered(controller.style.name, file.version, next) : ''
  const left = {
    named: `export const ${numbered} = ${instance}`,
    property: exportProperty(draft, `${numbered}: ${instance}`).slice(0, -style.end.length || undefined),
    equals: `export = ${instance}`,
    'module.exports': `module.exports = ${instance}`,
    default: `export default ${instance}`,
    namespace: instance,
  }[controller.style.kind]
  return [...lines, '', left + style.end]
}

/** The name under which an ES module exports the class of the instance, too. */
function exportedClass({ members }: ObjectValue, { made }: ObjectValue): string | null {
  const found = [...members.known].find(([name, member]) => {
    if (name === 'default') return false
    const value = member.value()
    return value.kind === 'class' && value.node === made!.by.node
  })
  return found?.[0] ?? null
}

/** The class is reached through the instance, because the file does not export it. */
function withoutClass(
  draft: Draft,
  name: string,
  hasArguments: boolean,
  imports: readonly string[],
): readonly string[] {
  const local = `v${draft.file.version}`
  const parameters = hasArguments ? '(...args: unknown[])' : '()'
  const parent = isTypeScript(draft)
    ? `(${local}.constructor as new ${parameters} => typeof ${local})`
    : `${local}.constructor`
  return [importLine(draft, local), ...imports, '', `class ${name} extends ${parent} {}`]
}

/** The names that some expressions use. */
function namesIn(nodes: readonly Node[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of nodes)
    walk(node, (inner) => {
      if (inner.type === 'MemberExpression' && !inner.computed) {
        for (const name of namesIn([inner.object])) names.add(name)
        return false
      }
      if (inner.type === 'Property' && !inner.computed) {
        for (const name of namesIn([inner.value])) names.add(name)
        return false
      }
      if (inner.type === 'Identifier') names.add(inner.name)
      return !inner.type.startsWith('TS')
    })
  return names
}
