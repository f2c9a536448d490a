// What a file exports, as an ES module or by CommonJS, with what it passes on from other files.
import type { Span } from 'oxc-parser'
import { type Node, chainOf, nameOf } from '../syntax/nodes.ts'
import { type SourceFile, type Unseen, isCommonJs, placeOf } from '../syntax/parse.ts'
import { declareIn, evaluate } from './evaluate.ts'
import type { Modules } from './modules.ts'
import { type Scope, lookUp, pick } from './scope.ts'
import { usedValue, usesIn } from './uses.ts'
import {
  type Member,
  type Members,
  type ObjectValue,
  type Value,
  noMembers,
  overlay,
  unseen,
  unseenMembers,
} from './value.ts'

const opened = new WeakMap<SourceFile, ObjectValue>()

/** Reads what a file exports, once. */
export function exportsOf(file: SourceFile, modules: Modules): ObjectValue {
  const known = opened.get(file)
  if (known !== undefined) return known
  const load: Scope['load'] = (specifier, node, isImport) =>
    loadFrom(file, modules, specifier, node, isImport)
  const scope: Scope = { file, load, uses: usesIn(file.program), values: new Map(), outer: null }
  const cycle = unseenMembers(unseen(scope, file.program, 'it is part of an import cycle'))
  const exports = { kind: 'object', place: { path: file.path, line: 1 } } as const
  opened.set(file, { ...exports, members: cycle })
  declareIn(scope, file.program.body)
  const members = isCommonJs(file) ? commonJsMembers(scope) : moduleMembers(scope)
  opened.set(file, { ...exports, members })
  return { ...exports, members }
}

/** Packages whose functions are known by their names. */
const knownPackage = /^(?:@hv\/router(?:-\w+)?|@nestjs\/common)$/

function loadFrom(
  from: SourceFile,
  modules: Modules,
  specifier: string,
  node: Span,
  isImport: boolean,
): Value {
  const hidden = (why: string): Unseen => unseen({ file: from }, node, why)
  if (knownPackage.test(specifier))
    return { ...hidden(`'${specifier}' is not read`), origin: specifier }
  const path = modules.resolve(from.path, specifier)
  if (path === null) return hidden(`'${specifier}' is not found`)
  const file = modules.read(path)
  if ('why' in file) return hidden(`'${specifier}' cannot be read: ${file.why}`)
  const exports = exportsOf(file, modules)
  const isWhole = isImport || !isCommonJs(file) || exports.members.known.has('__esModule')
  return (isWhole ? undefined : exports.members.known.get('default')?.value()) ?? exports
}

function moduleMembers(scope: Scope): Members {
  let starred = noMembers
  const known = new Map<string, Member>()
  const add = (name: string, node: Span, value: () => Value): void => {
    known.set(name, { place: placeOf(scope.file, node), value, isOwn: true })
  }
  for (const node of scope.file.program.body) {
    if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node
      const name =
        declaration.type.endsWith('Declaration') && 'id' in declaration
          ? declaration.id?.name
          : undefined
      // What has a name may be changed below.
      add('default', node, () =>
        name === undefined ? evaluate(declaration, scope) : lookUp(name, scope, node),
      )
    }
    if (node.type === 'ExportAllDeclaration' && node.exportKind !== 'type') {
      const value = (): Value => scope.load(node.source.value, node, true)
      if (node.exported === null) starred = withStar(starred, value(), node, scope)
      else add(nameOf(node.exported), node, value)
    }
    if (node.type === 'ExportNamedDeclaration' && node.exportKind !== 'type') {
      const { declaration, source, specifiers } = node
      const declared: Scope = { ...scope, values: new Map() }
      if (declaration !== null) declareIn(declared, [declaration])
      for (const name of declared.values.keys()) add(name, node, () => lookUp(name, scope, node))
      for (const specifier of specifiers.filter(({ exportKind }) => exportKind !== 'type')) {
        const name = nameOf(specifier.local)
        const from = (): Value => scope.load(source!.value, specifier, true)
        const value = () =>
          source === null ? lookUp(name, scope, specifier) : pick(from(), name, scope, specifier)
        add(nameOf(specifier.exported), specifier, value)
      }
    }
  }
  return { known: new Map([...starred.known, ...known]), unseen: starred.unseen }
}

/** Adds what `export *` passes on: everything but the default export, and no name that two files export. */
function withStar(earlier: Members, value: Value, entry: Span, scope: Scope): Members {
  if (value.kind !== 'object') {
    const hidden = value.kind === 'unseen' ? value : unseen(scope, entry, 'its exports are unknown')
    return { known: earlier.known, unseen: earlier.unseen ?? hidden }
  }
  const known = new Map(earlier.known)
  for (const [name, member] of value.members.known) {
    const other = earlier.known.get(name)?.place
    const isSame =
      other === undefined || (other.path === member.place.path && other.line === member.place.line)
    const conflict = () => unseen(scope, entry, `export * finds ${name} in two files`)
    if (name !== 'default') known.set(name, { ...member, value: isSame ? member.value : conflict })
  }
  return { known, unseen: earlier.unseen ?? value.members.unseen }
}

/** What a CommonJS file exports as `import * as` gives it: its whole value is `default`. */
function commonJsMembers(scope: Scope): Members {
  const value = commonJsValue(scope)
  const { file } = scope
  const place = placeOf(file, file.program.body[0] ?? file.program)
  const named = value.kind === 'object' ? value.members : noMembers
  if (named.known.has('__esModule')) return named // compiled from an ES module
  return overlay(named, {
    known: new Map([['default', { place, value: () => value, isOwn: true }]]),
    unseen: null,
  })
}

/** The value of `module.exports`. */
function commonJsValue(scope: Scope): Value {
  const { file, uses } = scope
  const assigned = file.program.body.find((statement) => statement.type === 'TSExportAssignment')
  if (assigned !== undefined)
    return unseen(scope, assigned, 'it uses export =. Export a class or an object by name')
  const known = new Map<string, Member>()
  const read = new Set<Node>()
  let whole: Node | null = null
  const visit = (node: Node): Node => {
    if (node.type !== 'AssignmentExpression' || node.operator !== '=') return node
    const value = visit(node.right)
    const chain = chainOf(node.left)
    const isExports = chain?.root === 'exports' || chain?.root === 'this' // outside of functions
    const [name, ...rest] = isExports ? chain.path : [null, null]
    if (rest.length > 0 || name === null) return value
    if (name !== undefined) {
      known.set(name, {
        place: placeOf(file, node),
        value: () => evaluate(value, scope),
        isOwn: true,
      })
    } else if (node.left.type === 'MemberExpression') whole = value
    read.add(node)
    return value
  }
  for (const statement of file.program.body)
    if (statement.type === 'ExpressionStatement') visit(statement.expression)
  if (whole === null && known.size === 0 && /\b(?:module|exports|this)\b/.test(file.text))
    return unseen(scope, file.program, 'what it exports is not seen')
  const place = { path: file.path, line: 1 }
  const base: Value =
    whole === null
      ? { kind: 'object', place, members: { known, unseen: null } }
      : evaluate(whole, scope)
  // Beside `module.exports = …`, a member of `exports` may be lost, or replace one.
  const isRead = (node: Node): boolean =>
    read.has(node) && (whole === null || chainOf(node)!.path.length === 0)
  const others = uses('exports').filter(({ node }) => !isRead(node))
  return usedValue(base, [...others, ...uses('module')], file)
}
