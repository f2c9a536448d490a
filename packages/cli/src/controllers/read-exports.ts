import type { Span } from 'oxc-parser'
import { type Node, chainOf } from '../syntax/nodes.ts'
import { type SourceFile, placeOf } from '../syntax/parse.ts'
import { type Mutations, mutatedValue } from './mutations.ts'
import { type Reader, type Scope, unseen, unseenAt } from './scope.ts'
import { type Member, type Members, type ObjectValue, type Value, noMembers, overlay } from './value.ts'

/** The exports of a file as `import * as` gives them. A CommonJS file exports its whole value as `default`. */
export function readExports(reader: Reader, scope: Scope, mutations: Mutations): ObjectValue {
  const { path } = scope.file
  const members = isCommonJs(scope.file) ? commonJsMembers(reader, scope, mutations) : moduleMembers(reader, scope)
  return { kind: 'object', place: { path, line: 1 }, members }
}

/** A file without `export` exports by `module.exports`, if at all. */
export const isCommonJs = ({ program }: SourceFile): boolean =>
  !program.body.some(({ type }) => type.startsWith('Export'))

function commonJsMembers(reader: Reader, scope: Scope, mutations: Mutations): Members {
  const { file } = scope
  const value = commonJsValue(reader, scope, mutations)
  const whole: Member = {
    place: placeOf(file, file.program.body[0] ?? file.program),
    value: () => value,
    isOwn: true,
  }
  const named = value.kind === 'object' ? value.members : noMembers
  if (named.known.has('__esModule')) return named // compiled from an ES module
  return overlay(named, { known: new Map([['default', whole]]), unseen: null })
}

/** The value of `module.exports`. */
function commonJsValue(reader: Reader, scope: Scope, mutations: Mutations): Value {
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
  return mutatedValue(base, mutations('exports', new Set([...read].filter((node) => !isLost(node)))), file)
}

function moduleMembers(reader: Reader, scope: Scope): Members {
  const { file } = scope
  let starred = noMembers
  const known = new Map<string, Member>()
  const exported = file.module.staticExports.flatMap(({ entries, end }) => entries.map((entry) => ({ entry, end })))
  for (const { entry, end } of exported) {
    const { exportName, importName, isType, moduleRequest } = entry
    // `import { users } …` and `export { users }` have one entry. What has a name here may be changed here.
    const isPassedOn = moduleRequest !== null && moduleRequest.start > entry.start && moduleRequest.end <= end
    const name = moduleRequest === null ? entry.localName.name : nameAt(file, entry)
    const value = (): Value => {
      if (!isPassedOn)
        return name === null ? reader.evaluate(defaultExport(file), scope) : reader.lookUp(name, scope, entry)
      const loaded = reader.load(moduleRequest.value, scope, entry, true)
      return importName.name === null ? loaded : reader.pick(loaded, importName.name, scope, entry)
    }
    if (isType) continue
    if (importName.kind === 'AllButDefault') starred = withStar(starred, value(), entry, scope)
    else known.set(exportName.name ?? 'default', { place: placeOf(file, entry), value, isOwn: true })
  }
  return { known: new Map([...starred.known, ...known]), unseen: starred.unseen }
}

const nameAt = ({ text }: SourceFile, { start }: Span): string => /[\w$]+/.exec(text.slice(start))![0]

/** What follows `export default`. */
const defaultExport = ({ program }: SourceFile): Node =>
  program.body.find((statement) => statement.type === 'ExportDefaultDeclaration')!.declaration

/** Adds what `export *` passes on: everything but the default export, and no name that two files export. */
function withStar(earlier: Members, value: Value, entry: Span, scope: Scope): Members {
  if (value.kind !== 'object') {
    const hidden = value.kind === 'unseen' ? value : unseenAt(scope, entry, 'its exports are unknown')
    return { known: earlier.known, unseen: earlier.unseen ?? hidden }
  }
  const known = new Map(earlier.known)
  for (const [name, member] of value.members.known) {
    const other = earlier.known.get(name)?.place
    const isSame = other === undefined || (other.path === member.place.path && other.line === member.place.line)
    const conflict = () => unseen(scope, entry, `export * finds ${name} in two files`)
    if (name !== 'default') known.set(name, { ...member, value: isSame ? member.value : conflict })
  }
  return { known, unseen: earlier.unseen ?? value.members.unseen }
}
