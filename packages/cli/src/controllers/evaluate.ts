// Reads the values of expressions, following imports. What it does not understand is unseen, with the reason and the place.
import type {
  ArrowFunctionExpression,
  CallExpression,
  Class,
  Function as FunctionNode,
  ObjectExpression,
  Span,
} from 'oxc-parser'
import { type Node, chainOf, dottedName, innerOf, nameOf, namesIn, textOf, walk } from '../syntax/nodes.ts'
import { type SourceFile, type Unseen, isCommonJs, placeOf } from '../syntax/parse.ts'
import type { Modules } from './modules.ts'
import { mutatedMembers, mutatedValue, mutationsIn } from './mutations.ts'
import { type Binding, type OpenFile, type Scope, type Session, createScope, originOf } from './scope.ts'
import {
  type ClassValue,
  type Member,
  type Members,
  type ObjectValue,
  type Value,
  hiddenBy,
  noMembers,
  overlay,
  plain,
  unseen,
  unseenMembers,
} from './value.ts'

/** Creates the function that reads what files export. It reads each file once. */
export function createEvaluator(modules: Modules): (file: SourceFile) => ObjectValue {
  const session: Session = { modules, files: new Map(), depth: 0 }
  return (file) => openFile(session, file).exports
}

function openFile(session: Session, file: SourceFile): OpenFile {
  const known = session.files.get(file.path)
  if (known !== undefined) return known
  const scope = createScope(session, file, file.program.body)
  const mutations = mutationsIn(file.program, (callee) => /^(?:action|before)$/.test(ofAdapter(callee, scope)))
  const place = { path: file.path, line: 1 }
  const members = unseenMembers(unseen(scope, file.program, 'it is part of an import cycle'))
  const opened: OpenFile = { scope, mutations, exports: { kind: 'object', place, members } }
  session.files.set(file.path, opened)
  opened.exports = { ...opened.exports, members: isCommonJs(file) ? commonJsMembers(opened) : moduleMembers(scope) }
  return opened
}

function load(specifier: string, scope: Scope, node: Span, isImport: boolean): Value {
  const file = fileOf(specifier, scope)
  if (typeof file === 'string') return unseen(scope, node, file)
  const { exports } = openFile(scope.session, file)
  const isWhole = isImport || !isCommonJs(file) || exports.members.known.has('__esModule')
  const whole = isWhole ? undefined : exports.members.known.get('default')
  return whole?.value() ?? exports
}

function fileOf(specifier: string, scope: Scope): SourceFile | string {
  const { modules } = scope.session
  const found = modules.resolve(scope.file.path, specifier)
  if (typeof found === 'string') return found
  const file = modules.read(found.path)
  return 'why' in file ? `'${specifier}' cannot be read: ${file.why}` : file
}

function lookUp(name: string, scope: Scope, node: Span): Value {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const known = at.values.get(name)
    if (known !== undefined) return known
    const binding = at.bindings.get(name)
    if (binding === undefined) continue
    at.values.set(name, unseen(at, node, `${name} refers to itself`))
    const mutations = openFile(scope.session, scope.file).mutations(name)
    const value = mutatedValue(declaredValue(name, binding, at, node), mutations, scope.file)
    at.values.set(name, value)
    return value
  }
  return name === 'undefined' || name === 'Object' ? plain : unseen(scope, node, `${name} is not declared in this file`)
}

function declaredValue(name: string, binding: Binding, scope: Scope, node: Span): Value {
  switch (binding.kind) {
    case 'import': {
      const exported = load(binding.from, scope, node, true)
      return binding.name === '*' ? exported : pick(exported, binding.name, scope, node)
    }
    case 'value':
      return binding.value()
    default: {
      const { init, path } = binding
      if (path === null) return unseen(scope, node, `${name} is declared in a way that is not supported`)
      const whole = init === null ? plain : evaluate(init, scope)
      return path.reduce((value, part) => pick(value, part, scope, node), whole)
    }
  }
}

/** A member of an object, a module or a class. */
function pick(value: Value, name: string, scope: Scope, node: Span): Value {
  if (value.kind === 'unseen') return value
  if (value.kind !== 'object') return unseen(scope, node, `${name} is unknown`)
  const member = value.members.known.get(name)
  if (member !== undefined) return member.value()
  return value.members.unseen ?? unseen(scope, node, `there is no ${name} in it`)
}

/** No code that people write nests deeper. It ends a cycle of types. */
const maxDepth = 200

function evaluate(node: Node, scope: Scope): Value {
  const { session } = scope
  if (session.depth > maxDepth) return unseen(scope, node, 'it is nested too deeply')
  session.depth++
  try {
    return valueOf(innerOf(node), scope)
  } finally {
    session.depth--
  }
}

function valueOf(node: Node, scope: Scope): Value {
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
      return readClass(node, scope)
    case 'ObjectExpression':
      return readObject(node, scope)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { kind: 'function', place: placeOf(scope.file, node), node, call: () => callOf(node, scope) }
    case 'Identifier':
      return lookUp(node.name, scope, node)
    case 'Literal':
    case 'TemplateLiteral':
    case 'ArrayExpression':
    case 'BinaryExpression':
    case 'UnaryExpression':
    case 'UpdateExpression':
      return plain
    case 'MemberExpression': {
      if (chainOf(node)?.root === 'exports' && chainOf(node)?.path.length === 0) break
      const value = evaluate(node.object, scope)
      if (node.computed && node.property.type !== 'Literal') break
      return pick(value, nameOf(node.property), scope, node)
    }
    case 'CallExpression':
      return resultOf(node, scope)
    case 'NewExpression':
      return instanceOf(evaluate(node.callee, scope), node, scope)
    default:
  }
  return unseen(scope, node, `${textOf(scope.file, node)} is not read`)
}

function resultOf(node: CallExpression, scope: Scope): Value {
  const name = dottedName(node.callee)
  const [first] = node.arguments
  if (name.endsWith('.bind') && node.callee.type === 'MemberExpression') return evaluate(node.callee.object, scope)
  if (name === 'require' && first?.type === 'Literal' && typeof first.value === 'string')
    return load(first.value, scope, node, false)
  const isFrozen = /^Object\.(?:freeze|seal|preventExtensions)$/.test(name)
  const adapter = ofAdapter(node.callee, scope)
  if (first !== undefined && (isFrozen || adapter === 'before')) return evaluate(first, scope)
  if (first !== undefined && adapter === 'action') return evaluate(node.arguments.at(-1)!, scope)
  if (originOf(node.callee, scope).startsWith('@hv/router ')) return plain // what change() returns
  const called = evaluate(node.callee, scope)
  const result = called.kind === 'function' && !called.node.async ? called.call() : null
  if (result !== null && result.kind !== 'unseen') return result
  const why = `the result of ${textOf(scope.file, node.callee)}() is unknown`
  return { ...unseen(scope, node, why), isCalled: true }
}

/** The name of an adapter's function: `before` returns the actions of its first argument, `action` returns its last. */
const ofAdapter = (callee: Node, scope: Scope): string =>
  /^@hv\/router-(?:express|fastify|fetch) (\w+)$/.exec(originOf(callee, scope))?.[1] ?? ''

function instanceOf(by: Value, node: Node, scope: Scope): Value {
  if (by.kind === 'unseen') return by
  if (by.kind !== 'class') return unseen(scope, node, `${textOf(scope.file, node)} is not an instance of a class`)
  return { kind: 'object', place: placeOf(scope.file, node), members: by.members }
}

/** What a function returns at its end. One that also returns elsewhere is not read. */
function callOf(node: FunctionNode | ArrowFunctionExpression, outer: Scope): Value {
  const { body } = node
  const parameters = node.params.flatMap((parameter) =>
    namesIn(parameter).map(([name]) => {
      const value = (): Value => argumentOf(name, parameter, outer)
      return [name, { kind: 'value', value }] as const
    }),
  )
  const statements = body?.type === 'BlockStatement' ? body.body : []
  const scope = createScope(outer.session, outer.file, statements, outer, parameters)
  if (body === null || ('generator' in node && node.generator)) return unseen(outer, node, 'it is a generator')
  if (body.type !== 'BlockStatement') return evaluate(body, scope)
  let returns = 0
  walk(body, (part) => {
    if (part.type === 'ReturnStatement') returns++
    return !/Function|^Class/.test(part.type)
  })
  const last = statements.at(-1)
  if (returns !== 1 || last?.type !== 'ReturnStatement' || last.argument === null)
    return unseen(outer, node, 'the function does not return in one place, at its end')
  return evaluate(last.argument, scope)
}

/** An argument is known if its type is a class, or what a function returns: `(users: UsersController) => …`. */
function argumentOf(name: string, parameter: Node, scope: Scope): Value {
  const type = parameter.type === 'Identifier' ? parameter.typeAnnotation?.typeAnnotation : undefined
  if (type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
    const made = resultType(type.typeName.name, scope, parameter)
    if (made !== null) return made
    const value = lookUp(type.typeName.name, scope, parameter)
    if (value.kind === 'class') return instanceOf(value, parameter, scope)
  }
  return unseen(scope, parameter, `${name} is an argument`)
}

/** `export type UsersController = ReturnType<typeof createUsersController>`, as `bump` writes it. */
function resultType(name: string, scope: Scope, node: Node): Value | null {
  const binding = scope.bindings.get(name)
  const file = binding?.kind === 'import' ? fileOf(binding.from, scope) : ''
  if (typeof file === 'string') return null
  const [, made] = new RegExp(`^export type ${name} = ReturnType<typeof (\\w+)>`, 'm').exec(file.text) ?? []
  const value = made === undefined ? null : lookUp(made, openFile(scope.session, file).scope, node)
  return value?.kind === 'function' ? value.call() : null
}

/** A method, an accessor or a property, of a class or an object. */
interface Written {
  readonly key: Node
  readonly computed: boolean
  readonly kind?: string
  readonly value: Node | null
  readonly decorators?: readonly Node[]
}

/** The name of a member and its value. Null for setters, private names and symbols; `Unseen` when the name is computed. */
function readMember(
  { key, computed, kind, value, decorators: [decorator] = [] }: Written,
  scope: Scope,
): { readonly name: string; readonly value: () => Value } | Unseen | null {
  if (kind === 'set' || key.type === 'PrivateIdentifier') return null
  if (computed && key.type !== 'Literal') {
    if (chainOf(key)?.root === 'Symbol') return null
    return unseen(scope, key, `the name [${textOf(scope.file, key)}] is computed`)
  }
  const name = nameOf(key)
  const read = (): Value => {
    if (kind === 'get') return unseen(scope, key, `${name} is a getter`)
    if (kind === undefined && decorator !== undefined)
      return unseen(scope, decorator, `the decorator ${textOf(scope.file, decorator)} may set it`)
    return value === null ? plain : evaluate(value, scope)
  }
  return { name, value: read }
}

/** Reads an object literal, with what it spreads. */
function readObject(node: ObjectExpression, scope: Scope): ObjectValue {
  const parts = node.properties.map((property): Members => {
    if (property.type === 'SpreadElement') return spreadMembers(property.argument, scope)
    const { computed, key, method } = property
    if (!computed && !method && nameOf(key) === '__proto__')
      return unseenMembers(unseen(scope, property, 'its prototype is set'))
    const member = readMember(property, scope)
    if (member === null) return noMembers
    if ('why' in member) return unseenMembers(member)
    const { name, value } = member
    return { known: new Map([[name, { place: placeOf(scope.file, property), value, isOwn: true }]]), unseen: null }
  })
  return { kind: 'object', place: placeOf(scope.file, node), members: parts.reduce(overlay, noMembers) }
}

/** A spread copies own members, and not those of a prototype. */
function spreadMembers(source: Node, scope: Scope): Members {
  const value = evaluate(source, scope)
  if (value.kind === 'plain') return noMembers
  if (value.kind === 'object')
    return { ...value.members, known: new Map([...value.members.known].filter(([, { isOwn }]) => isOwn)) }
  const why = value.kind === 'unseen' ? `what is not seen: ${value.why}` : `a ${value.kind}`
  return unseenMembers(unseen(scope, source, `it spreads ${why}`))
}

/** Reads a class: its own members over those that it inherits. */
function readClass(node: Class, scope: Scope): ClassValue {
  const { file } = scope
  const parent = node.superClass === null ? plain : evaluate(node.superClass, scope)
  const inherited = inheritedMembers(parent, node, scope)
  const statics = new Set<string>()
  const methods = new Map<string, Member>()
  const fields = new Map<string, Member>()
  let hidden: Unseen | null = null
  for (const element of node.body.body) {
    if (element.type === 'StaticBlock' || element.type === 'TSIndexSignature' || isDeclaration(element)) continue
    const member = readMember(element as Written, scope)
    if (member === null) continue
    if ('why' in member) hidden ??= member
    else if (element.static) statics.add(member.name)
    else {
      // The getter of an auto-accessor is on the prototype.
      const isOwn = element.type === 'PropertyDefinition'
      const group = isOwn ? fields : methods
      group.set(member.name, { place: placeOf(file, element), value: member.value, isOwn })
    }
  }
  const [decorator] = node.decorators
  const isNest = node.decorators.some(
    ({ expression }) =>
      expression.type === 'CallExpression' && originOf(expression.callee, scope) === '@nestjs/common Controller',
  )
  if (decorator !== undefined && !isNest)
    hidden ??= unseen(scope, decorator, `the decorator ${textOf(file, decorator)} may add members`)
  // A field hides a method of the same name.
  const known = new Map([...inherited.known, ...methods, ...fields])
  const members = mutatedByItself(node, scope, { known, unseen: hidden ?? inherited.unseen })
  return { kind: 'class', file, node, parent: parent.kind === 'class' ? parent : null, members, statics, isNest }
}

/** What a class gets from the expression after `extends`. */
function inheritedMembers(parent: Value, { superClass }: Class, scope: Scope): Members {
  if (parent.kind === 'class') return parent.members
  if (parent.kind === 'plain') return noMembers
  const reason = parent.kind === 'unseen' ? parent.why : 'that is not a class'
  return unseenMembers(unseen(scope, superClass!, `it extends ${textOf(scope.file, superClass!)}: ${reason}`))
}

/** Constructors, overloads, and what only TypeScript sees. */
const isDeclaration = (element: Class['body']['body'][number]): boolean =>
  element.type.startsWith('TS') ||
  (element.type === 'PropertyDefinition' && element.declare === true) ||
  (element.type === 'MethodDefinition' && (element.kind === 'constructor' || element.value.body === null))

/** What the code of a class does to `this`, in the constructor or elsewhere. */
function mutatedByItself({ body }: Class, { file }: Scope, members: Members): Members {
  const mutations = mutationsIn(body)('this').map((mutation) =>
    mutation.path[0] === 'prototype' ? { ...mutation, path: mutation.path.slice(1) } : mutation,
  )
  const changed = mutatedMembers(members, mutations, file)
  const made = body.body.find((element) => element.type === 'MethodDefinition' && element.kind === 'constructor')
  if (made === undefined || !/\breturn\b\s*[^\s;}]/.test(file.text.slice(made.start, made.end))) return changed
  const why = unseen({ file }, made, 'its constructor returns something')
  return { known: hiddenBy(changed.known, why), unseen: why }
}

/** What a CommonJS file exports as `import * as` gives it: its whole value is `default`. */
function commonJsMembers(opened: OpenFile): Members {
  const value = commonJsValue(opened)
  const { file } = opened.scope
  const place = placeOf(file, file.program.body[0] ?? file.program)
  const named = value.kind === 'object' ? value.members : noMembers
  if (named.known.has('__esModule')) return named // compiled from an ES module
  return overlay(named, { known: new Map([['default', { place, value: () => value, isOwn: true }]]), unseen: null })
}

/** The value of `module.exports`. */
function commonJsValue({ scope, mutations, exports }: OpenFile): Value {
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
      known.set(name, { place: placeOf(file, node), value: () => evaluate(value, scope), isOwn: true })
    } else if (node.left.type === 'MemberExpression') whole = value
    read.add(node)
    return value
  }
  for (const statement of file.program.body) if (statement.type === 'ExpressionStatement') visit(statement.expression)
  const base: Value = whole === null ? { ...exports, members: { known, unseen: null } } : evaluate(whole, scope)
  if (whole === null && known.size === 0 && /\b(?:module|exports|this)\b/.test(file.text))
    return unseen(scope, file.program, 'what it exports is not seen')
  // Beside `module.exports = …`, a member of `exports` may be lost, or replace one.
  const seen = [...read].filter((node) => whole === null || chainOf(node)!.path.length === 0)
  return mutatedValue(base, mutations('exports', new Set(seen)), file)
}

function moduleMembers(scope: Scope): Members {
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
      if (!isPassedOn) return name === null ? evaluate(defaultExport(file), scope) : lookUp(name, scope, entry)
      const loaded = load(moduleRequest.value, scope, entry, true)
      return importName.name === null ? loaded : pick(loaded, importName.name, scope, entry)
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
    const hidden = value.kind === 'unseen' ? value : unseen(scope, entry, 'its exports are unknown')
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
