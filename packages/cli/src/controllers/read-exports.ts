import type { ExportNamedDeclaration } from 'oxc-parser'
import { type Node, chainOf, nameOf } from '../syntax/nodes.ts'
import { type SourceFile, placeOf } from '../syntax/parse.ts'
import { type Changes, changedValue } from './changes.ts'
import { type Reader, type Scope, declared, unseen, unseenAt } from './scope.ts'
import { type Member, type Members, type ObjectValue, type Value, noMembers, overlay } from './value.ts'

/** The exports of a file as `import * as` gives them. A CommonJS file exports its whole value as `default`. */
export function readExports(reader: Reader, scope: Scope, changes: Changes): ObjectValue {
  const { path } = scope.file
  const members = isCommonJs(scope.file) ? commonJsMembers(reader, scope, changes) : moduleMembers(reader, scope)
  return { kind: 'object', place: { path, line: 1 }, members }
}

/** A file without `export` exports by `module.exports`, if at all. */
export const isCommonJs = ({ program }: SourceFile): boolean =>
  !program.body.some(({ type }) => type.startsWith('Export'))

// ---- CommonJS ------------------------------------------------------------------------------------

function commonJsMembers(reader: Reader, scope: Scope, changes: Changes): Members {
  const { file } = scope
  const value = commonJsValue(reader, scope, changes)
  const whole: Member = {
    place: placeOf(file, file.program.body[0] ?? file.program),
    value: () => value,
    isOwn: true,
  }
  const named = value.kind === 'object' ? value.members : noMembers
  return overlay(named, { known: new Map([['default', whole]]), unseen: null })
}

/** The value of `module.exports`. */
function commonJsValue(reader: Reader, scope: Scope, changes: Changes): Value {
  const { file } = scope
  const assigned = file.program.body.find((statement) => statement.type === 'TSExportAssignment')
  if (assigned !== undefined) return unseen(scope, assigned, 'it uses export =. Export a class or an object by name')
  const known = new Map<string, Member>()
  const read = new Set<Node>()
  let whole: Node | null = null
  const visit = (node: Node): Node => {
    if (node.type !== 'AssignmentExpression' || node.operator !== '=') return node
    const value = visit(node.right)
    const chain = chainOf(node.left)
    const [name, ...rest] = chain?.root === 'exports' ? chain.path : [null, null]
    if (rest.length > 0 || name === null) return value
    if (name !== undefined) {
      known.set(name, { place: placeOf(file, node), value: () => reader.evaluate(value, scope), isOwn: true })
    } else if (node.left.type === 'MemberExpression') whole = value
    read.add(node)
    return value
  }
  for (const statement of file.program.body) if (statement.type === 'ExpressionStatement') visit(statement.expression)
  const base: Value =
    whole === null
      ? { kind: 'object', place: { path: file.path, line: 1 }, members: { known, unseen: null } }
      : reader.evaluate(whole, scope)
  if (whole === null && known.size === 0 && /\b(?:module|exports|this)\b/.test(file.text))
    return unseen(scope, file.program, 'what it exports is not seen')
  // Beside `module.exports = …`, a member of `exports` may be lost, or replace one.
  const isLost = (node: Node): boolean => {
    const chain = node.type === 'AssignmentExpression' ? chainOf(node.left) : null
    return whole !== null && chain !== null && chain.path.length > 0
  }
  return changedValue(base, changes('exports', new Set([...read].filter((node) => !isLost(node)))), file)
}

// ---- modules -------------------------------------------------------------------------------------

function moduleMembers(reader: Reader, scope: Scope): Members {
  let starred = noMembers
  const known = new Map<string, Member>()
  for (const statement of scope.file.program.body) {
    if (statement.type === 'ExportAllDeclaration' && statement.exportKind !== 'type') {
      const load = () => reader.load(statement.source.value, scope, statement, true)
      if (statement.exported !== null) known.set(nameOf(statement.exported), memberOf(scope, statement, load))
      else starred = withStar(starred, load(), statement, scope)
    }
    for (const [name, node, value] of exported(reader, statement, scope)) known.set(name, memberOf(scope, node, value))
  }
  return { known: new Map([...starred.known, ...known]), unseen: starred.unseen }
}

const memberOf = (scope: Scope, node: Node, value: Member['value']): Member => ({
  place: placeOf(scope.file, node),
  value,
  isOwn: true,
})

/** Adds what `export *` passes on: everything but the default export, and no name that two files export. */
function withStar(earlier: Members, value: Value, node: Node, scope: Scope): Members {
  if (value.kind !== 'object') {
    const hidden = value.kind === 'unseen' ? value : unseenAt(scope, node, 'its exports are unknown')
    return { known: earlier.known, unseen: earlier.unseen ?? hidden }
  }
  const known = new Map(earlier.known)
  for (const [name, member] of value.members.known) {
    const other = earlier.known.get(name)?.place
    const isSame = other === undefined || (other.path === member.place.path && other.line === member.place.line)
    const conflict = () => unseen(scope, node, `export * finds ${name} in two files`)
    if (name !== 'default') known.set(name, { ...member, value: isSame ? member.value : conflict })
  }
  return { known, unseen: earlier.unseen ?? value.members.unseen }
}

type Exported = readonly [name: string, node: Node, value: () => Value]

function exported(reader: Reader, statement: Node, scope: Scope): readonly Exported[] {
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement
    if (declaration.type === 'TSInterfaceDeclaration') return []
    const name = 'id' in declaration && declaration.type.endsWith('Declaration') ? declaration.id?.name : undefined
    const value = () =>
      name === undefined ? reader.evaluate(declaration, scope) : reader.lookUp(name, scope, declaration)
    return [['default', statement, value]]
  }
  if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') return []
  const { declaration } = statement
  if (declaration === null) return listed(reader, statement, scope)
  return declared(statement).map(([name]) => [name, declaration, () => reader.lookUp(name, scope, declaration)])
}

/** `export { a, b as c }`, also from another file. */
function listed(reader: Reader, statement: ExportNamedDeclaration, scope: Scope): readonly Exported[] {
  const { source } = statement
  return statement.specifiers
    .filter(({ exportKind }) => exportKind !== 'type')
    .map((specifier): Exported => {
      const local = nameOf(specifier.local)
      const value = () => {
        if (source === null) return reader.lookUp(local, scope, specifier)
        return reader.pick(reader.load(source.value, scope, statement, true), local, scope, specifier)
      }
      return [nameOf(specifier.exported), specifier, value]
    })
}
