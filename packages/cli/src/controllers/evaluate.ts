// Reads the values of expressions, following imports. What it does not understand is unseen, with the reason and the place.
import type { ArrowFunctionExpression, CallExpression, Function as FunctionNode, Span } from 'oxc-parser'
import { type Node, chainOf, dottedName, innerOf, nameOf, textOf, walk } from '../syntax/nodes.ts'
import { type SourceFile, placeOf } from '../syntax/parse.ts'
import { type Mutations, mutatedValue, mutationsIn } from './mutations.ts'
import type { Modules } from './modules.ts'
import { isCommonJs, readExports } from './read-exports.ts'
import { readClass, readObject } from './read-members.ts'
import { type Binding, type Reader, type Scope, createScope, namesIn, originOf, unseen } from './scope.ts'
import { type ObjectValue, type Value, plain, unseenValue } from './value.ts'

interface OpenFile {
  readonly scope: Scope
  readonly mutations: Mutations
  exports: ObjectValue
}

interface Session extends Reader {
  readonly modules: Modules
  readonly files: Map<string, OpenFile>
  depth: number
}

/** Creates the function that reads what files export. It reads each file once. */
export function createEvaluator(modules: Modules): (file: SourceFile) => ObjectValue {
  const session: Session = {
    modules,
    files: new Map(),
    depth: 0,
    evaluate: (node, scope) => evaluate(session, node, scope),
    lookUp: (name, scope, node) => lookUp(session, name, scope, node),
    load: (specifier, scope, node, isImport) => load(session, specifier, scope, node, isImport),
    pick,
  }
  return (file) => openFile(session, file).exports
}

function openFile(session: Session, file: SourceFile): OpenFile {
  const known = session.files.get(file.path)
  if (known !== undefined) return known
  const scope = createScope(file, file.program.body)
  const mutations = mutationsIn(file.program, (callee) => /^(?:action|before)$/.test(ofAdapter(callee, scope)))
  const place = { path: file.path, line: 1 }
  const unfinished = { known: new Map(), unseen: { why: 'it is part of an import cycle', place } }
  const opened: OpenFile = { scope, mutations, exports: { kind: 'object', place, members: unfinished } }
  session.files.set(file.path, opened)
  opened.exports = readExports(session, scope, mutations)
  return opened
}

function load(session: Session, specifier: string, scope: Scope, node: Span, isImport: boolean): Value {
  const file = fileOf(session, specifier, scope)
  if (typeof file === 'string') return unseen(scope, node, file)
  const { exports } = openFile(session, file)
  const isWhole = isImport || !isCommonJs(file) || exports.members.known.has('__esModule')
  const whole = isWhole ? undefined : exports.members.known.get('default')
  return whole?.value() ?? exports
}

function fileOf({ modules }: Session, specifier: string, scope: Scope): SourceFile | string {
  const found = modules.resolve(scope.file.path, specifier)
  if (typeof found === 'string') return found
  const file = modules.read(found.path)
  return 'why' in file ? `'${specifier}' cannot be read: ${file.why}` : file
}

function lookUp(session: Session, name: string, scope: Scope, node: Span): Value {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const known = at.values.get(name)
    if (known !== undefined) return known
    const binding = at.bindings.get(name)
    if (binding === undefined) continue
    at.values.set(name, unseen(at, node, `${name} refers to itself`))
    const mutations = openFile(session, scope.file).mutations(name)
    const value = mutatedValue(declaredValue(session, name, binding, at, node), mutations, scope.file)
    at.values.set(name, value)
    return value
  }
  return name === 'undefined' || name === 'Object' ? plain : unseen(scope, node, `${name} is not declared in this file`)
}

function declaredValue(session: Session, name: string, binding: Binding, scope: Scope, node: Span): Value {
  switch (binding.kind) {
    case 'import': {
      const exported = load(session, binding.from, scope, node, true)
      return binding.name === '*' ? exported : pick(exported, binding.name, scope, node)
    }
    case 'declaration':
      return session.evaluate(binding.node, scope)
    case 'value':
      return binding.value()
    default: {
      const { init, path } = binding
      if (path === null) return unseen(scope, node, `${name} is declared in a way that is not supported`)
      const whole = init === null ? plain : session.evaluate(init, scope)
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
  const hidden = value.members.unseen
  return hidden === null ? unseen(scope, node, `there is no ${name} in it`) : unseenValue(hidden)
}

/** No code that people write nests deeper. It ends a cycle of types. */
const maxDepth = 200

function evaluate(session: Session, node: Node, scope: Scope): Value {
  if (session.depth > maxDepth) return unseen(scope, node, 'it is nested too deeply')
  session.depth++
  try {
    return valueOf(session, innerOf(node), scope)
  } finally {
    session.depth--
  }
}

function valueOf(session: Session, node: Node, scope: Scope): Value {
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
      return readClass(session, node, scope)
    case 'ObjectExpression':
      return readObject(session, node, scope)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { kind: 'function', place: placeOf(scope.file, node), node, call: () => callOf(session, node, scope) }
    case 'Identifier':
      return session.lookUp(node.name, scope, node)
    case 'Literal':
    case 'TemplateLiteral':
    case 'ArrayExpression':
    case 'BinaryExpression':
    case 'UnaryExpression':
    case 'UpdateExpression':
      return plain
    case 'MemberExpression': {
      if (chainOf(node)?.root === 'exports' && chainOf(node)?.path.length === 0) break
      const value = session.evaluate(node.object, scope)
      if (node.computed && node.property.type !== 'Literal') break
      return pick(value, nameOf(node.property), scope, node)
    }
    case 'CallExpression':
      return resultOf(session, node, scope)
    case 'NewExpression':
      return instanceOf(session.evaluate(node.callee, scope), node, scope)
    default:
  }
  return unseen(scope, node, `${textOf(scope.file, node)} is not read`)
}

function resultOf(session: Session, node: CallExpression, scope: Scope): Value {
  const name = dottedName(node.callee)
  const [first] = node.arguments
  if (name.endsWith('.bind') && node.callee.type === 'MemberExpression')
    return session.evaluate(node.callee.object, scope)
  if (name === 'require' && first?.type === 'Literal' && typeof first.value === 'string')
    return session.load(first.value, scope, node, false)
  const isFrozen = /^Object\.(?:freeze|seal|preventExtensions)$/.test(name)
  if (first !== undefined && (isFrozen || ofAdapter(node.callee, scope) === 'before'))
    return session.evaluate(first, scope)
  if (first !== undefined && ofAdapter(node.callee, scope) === 'action')
    return session.evaluate(node.arguments.at(-1)!, scope)
  if (originOf(node.callee, scope).startsWith('@hv/router ')) return plain // what change() returns
  const called = session.evaluate(node.callee, scope)
  const result = called.kind === 'function' && !called.node.async ? called.call() : null
  if (result !== null && result.kind !== 'unseen') return result
  const why = `the result of ${textOf(scope.file, node.callee)}() is unknown`
  return unseenValue({ why, place: placeOf(scope.file, node), isCalled: true })
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
function callOf(session: Session, node: FunctionNode | ArrowFunctionExpression, outer: Scope): Value {
  const { body } = node
  const parameters = node.params.flatMap((parameter) =>
    namesIn(parameter).map(([name]) => {
      const value = (): Value => argumentOf(session, name, parameter, outer)
      return [name, { kind: 'value', value }] as const
    }),
  )
  const statements = body?.type === 'BlockStatement' ? body.body : []
  const scope = createScope(outer.file, statements, outer, parameters)
  if (body === null || ('generator' in node && node.generator)) return unseen(outer, node, 'it is a generator')
  if (body.type !== 'BlockStatement') return session.evaluate(body, scope)
  let returns = 0
  walk(body, (part) => {
    if (part.type === 'ReturnStatement') returns++
    return !/Function|^Class/.test(part.type)
  })
  const last = statements.at(-1)
  if (returns !== 1 || last?.type !== 'ReturnStatement' || last.argument === null)
    return unseen(outer, node, 'the function does not return in one place, at its end')
  return session.evaluate(last.argument, scope)
}

/** An argument is known if its type is a class, or what a function returns: `(users: UsersController) => …`. */
function argumentOf(session: Session, name: string, parameter: Node, scope: Scope): Value {
  const type = parameter.type === 'Identifier' ? parameter.typeAnnotation?.typeAnnotation : undefined
  if (type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
    const made = resultType(session, type.typeName.name, scope, parameter)
    if (made !== null) return made
    const value = session.lookUp(type.typeName.name, scope, parameter)
    if (value.kind === 'class') return instanceOf(value, parameter, scope)
  }
  return unseen(scope, parameter, `${name} is an argument`)
}

/** `export type UsersController = ReturnType<typeof createUsersController>`, as `bump` writes it. */
function resultType(session: Session, name: string, scope: Scope, node: Node): Value | null {
  const binding = scope.bindings.get(name)
  const file = binding?.kind === 'import' ? fileOf(session, binding.from, scope) : ''
  if (typeof file === 'string') return null
  const [, made] = new RegExp(`^export type ${name} = ReturnType<typeof (\\w+)>`, 'm').exec(file.text) ?? []
  const value = made === undefined ? null : session.lookUp(made, openFile(session, file).scope, node)
  return value?.kind === 'function' ? value.call() : null
}
