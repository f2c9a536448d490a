import type { ExportNamedDeclaration, Node } from 'oxc-parser'
import { type SourceFile, placeOf } from '../syntax/parse.ts'
import { applyMutations } from './apply-mutations.ts'
import { type Parts, emptyParts, withParts } from './read-object.ts'
import { type Mutation, exportsName } from './mutation.ts'
import { walk } from '../syntax/walk.ts'
import { type Reader, unseenAt } from './reader.ts'
import { type Scope, nameOf, namesIn } from './scope.ts'
import {
  type Member,
  type Members,
  type ObjectValue,
  type Unseen,
  type Value,
  noMembers,
  overlay,
  passedOn,
  objectValue,
  lineageOf,
  exportedBy,
  unseenValue,
} from './value.ts'

/** The exports of a file as `import * as` gives them. A CommonJS file exports its whole value as `default`. */
export function readExports(reader: Reader, scope: Scope, mutations: readonly Mutation[]): ObjectValue {
  const { file } = scope
  const { members, ancestors } = isCommonJs(file)
    ? { members: commonJsMembers(reader, scope, mutations), ancestors: [] }
    : moduleMembers(reader, scope)
  return objectValue(file, { path: file.path, line: 1 }, { members, ancestors })
}

/** A file without `export` exports by `module.exports`, if at all. */
export const isCommonJs = ({ program }: SourceFile): boolean =>
  !program.body.some(({ type }) => type.startsWith('Export'))

function commonJsMembers(reader: Reader, scope: Scope, mutations: readonly Mutation[]): Members {
  const value = exportedBy(commonJsValue(reader, scope, mutations), scope.file.path)
  const [statement] = scope.file.program.body
  const place = placeOf(scope.file, statement ?? scope.file.program)
  const whole: Member = { place, value: () => value, isOwn: true, via: [scope.file.path] }
  const named = value.kind === 'object' ? value.members : noMembers
  return overlay({ known: new Map([['default', whole]]), unseen: null }, named)
}

/** The value of `module.exports`, or of `export =`. */
export function commonJsValue(reader: Reader, scope: Scope, mutations: readonly Mutation[]): Value {
  const assignment = scope.file.program.body.find((statement) => statement.type === 'TSExportAssignment')
  if (assignment?.type === 'TSExportAssignment') return reader.evaluate(assignment.expression, scope)
  const own = mutations.filter(({ of }) => of === exportsName)
  const replaced = own.findLast((mutation) => mutation.kind === 'replace' && mutation.on === 'self')
  const base: Value =
    replaced?.kind === 'replace'
      ? reader.evaluate(replaced.value, scope)
      : objectValue(scope.file, { path: scope.file.path, line: 1 }, emptyParts)
  // What was exported before is lost.
  const start = replaced?.node.start ?? 0
  const isDetached = replaced !== undefined && !assignsExports(scope)
  const after = own.filter(
    ({ kind, node }) => kind !== 'replace' && node.start >= start && !(isDetached && isOnExports(node)),
  )
  return applyMutations(reader, base, after, scope)
}

/** `exports = module.exports = …`. Without it, `exports` is another object than what `module.exports` gets. */
function assignsExports({ statements }: Scope): boolean {
  let found = false
  for (const statement of statements)
    walk(statement, (part) => {
      if (part.type === 'AssignmentExpression' && part.left.type === 'Identifier')
        found ||= part.left.name === 'exports'
    })
  return found
}

/** Whether a mutation is written with `exports`: `exports.show = …`, `Object.assign(exports, …)`. */
function isOnExports(node: Node): boolean {
  let root =
    node.type === 'AssignmentExpression' ? node.left : node.type === 'CallExpression' ? node.arguments[0] : null
  while (root?.type === 'MemberExpression') root = root.object
  return root?.type === 'Identifier' && root.name === 'exports'
}

function moduleMembers(reader: Reader, scope: Scope): Parts {
  let starred: Parts = emptyParts
  const known = new Map<string, Member>()
  for (const statement of scope.file.program.body) {
    if (statement.type === 'ExportAllDeclaration' && statement.exportKind !== 'type') {
      const load = () => reader.load(statement.source.value, scope, statement, true)
      if (statement.exported !== null) known.set(nameOf(statement.exported), memberOf(scope, statement, load))
      else
        starred = withParts(starred, withoutConflicts(starred, starParts(load(), statement, scope), statement, scope))
    }
    for (const [name, node, value] of exported(reader, statement, scope)) known.set(name, memberOf(scope, node, value))
  }
  return withParts(starred, { members: { known, unseen: null }, ancestors: [] })
}

const memberOf = (scope: Scope, node: Node, value: Member['value']): Member => {
  let held: Value | undefined
  const once = () => (held ??= exportedBy(value(), scope.file.path))
  return { place: placeOf(scope.file, node), value: once, isOwn: true, via: [scope.file.path] }
}

/** What `export *` passes on: everything but the default export. */
function starParts(value: Value, node: Node, scope: Scope): Parts {
  if (value.kind !== 'object') {
    const reason: Unseen = value.kind === 'unseen' ? value : unseenAt(scope, node, 'its exports are unknown')
    return { members: { known: new Map(), unseen: reason }, ancestors: [] }
  }
  const { known, unseen } = passedOn(value.members, scope.file.path)
  const { path } = scope.file
  const passed = new Map(
    [...known]
      .filter(([name]) => name !== 'default')
      .map(([name, member]) => [name, { ...member, value: () => exportedBy(member.value(), path) }]),
  )
  return { members: { known: passed, unseen }, ancestors: lineageOf(value) }
}

/** Of two files that export one name, `export *` passes on neither, unless both got it from the same place. */
function withoutConflicts({ members: earlier }: Parts, { members, ancestors }: Parts, node: Node, scope: Scope): Parts {
  const known = [...members.known].map(([name, member]): readonly [string, Member] => {
    const other = earlier.known.get(name)?.place
    if (other === undefined || (other.path === member.place.path && other.line === member.place.line))
      return [name, member]
    const { why, place } = unseenAt(scope, node, `export * finds ${name} in two files`)
    return [name, { ...member, value: () => unseenValue(why, place) }]
  })
  return { members: { ...members, known: new Map(known) }, ancestors }
}

type Exported = readonly [name: string, node: Node, value: () => Value]

function exported(reader: Reader, statement: Node, scope: Scope): readonly Exported[] {
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement
    if (declaration.type === 'TSInterfaceDeclaration') return []
    const name = 'id' in declaration ? declaration.id?.name : undefined
    return [
      [
        'default',
        statement,
        () => (name === undefined ? reader.evaluate(declaration, scope) : reader.lookUp(name, scope, declaration)),
      ],
    ]
  }
  if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') return []
  const { declaration } = statement
  if (declaration === null) return listed(reader, statement, scope)
  return declaredNames(declaration).map((name) => [name, declaration, () => reader.lookUp(name, scope, declaration)])
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

function declaredNames(declaration: Node): readonly string[] {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => namesIn(id))
  const isValue = ['ClassDeclaration', 'FunctionDeclaration', 'TSEnumDeclaration', 'TSImportEqualsDeclaration']
  if (!isValue.includes(declaration.type) || ('declare' in declaration && declaration.declare)) return []
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}
