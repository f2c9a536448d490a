import type { Node, TSEnumDeclaration, TemplateElement } from 'oxc-parser'
import { type SourceFile, placeOf } from '../syntax/parse.ts'
import { applyMutations, prototypeOf } from './apply-mutations.ts'
import type { Mutation } from './mutation.ts'
import { mutationsIn } from './mutations.ts'
import type { Modules } from './modules.ts'
import { instanceOf, readCall } from './read-call.ts'
import { readClass } from './read-class.ts'
import { commonJsValue, isCommonJs, readExports } from './read-exports.ts'
import { readFunction } from './read-function.ts'
import { readObject } from './read-object.ts'
import { eitherOf } from './either.ts'
import { type Reader, unseen } from './reader.ts'
import { type Binding, type Scope, createScope, nameOf } from './scope.ts'
import { type ObjectValue, type Value, absent, objectValue, plain, textValue, unseenValue } from './value.ts'

/** No code that people write nests deeper. It ends a cycle of functions. */
const maxDepth = 200

/** The state of reading files. */
interface Session {
  readonly modules: Modules
  readonly reader: Reader
  readonly scopes: Map<string, Scope>
  readonly mutations: WeakMap<Scope, readonly Mutation[]>
  readonly exports: Map<string, ObjectValue>
  depth: number
}

/** Reads what a file exports, following its imports. */
export type ReadExports = (file: SourceFile) => ObjectValue

/** Creates the function that reads what files export. It reads each file once. */
export function createEvaluator(modules: Modules): ReadExports {
  const reader: Reader = {
    evaluate: (node, scope) => evaluate(session, node, scope),
    lookUp: (name, scope, node) => lookUp(session, name, scope, node),
    load: (specifier, scope, node, isImport) => load(session, specifier, scope, node, isImport),
    pick,
  }
  const session: Session = {
    modules,
    reader,
    scopes: new Map(),
    mutations: new WeakMap(),
    exports: new Map(),
    depth: 0,
  }
  return (file) => exportsOf(session, file)
}

// ---- files ---------------------------------------------------------------------------------------

function exportsOf(session: Session, file: SourceFile): ObjectValue {
  const known = session.exports.get(file.path)
  if (known !== undefined) return known
  // Files of an import cycle find this until the file is read.
  const place = { path: file.path, line: 1 }
  const unfinished = { known: new Map(), unseen: { why: 'it is part of an import cycle', place } }
  session.exports.set(file.path, objectValue(file, place, { members: unfinished, ancestors: [] }))
  const scope = scopeOf(session, file)
  const exported = readExports(session.reader, scope, mutationsOf(session, scope))
  session.exports.set(file.path, exported)
  return exported
}

function scopeOf({ scopes }: Session, file: SourceFile): Scope {
  const scope = scopes.get(file.path) ?? createScope(file, file.program.body, null)
  scopes.set(file.path, scope)
  return scope
}

function mutationsOf({ mutations }: Session, scope: Scope): readonly Mutation[] {
  const found = mutations.get(scope) ?? mutationsIn(scope.statements)
  mutations.set(scope, found)
  return found
}

function load(session: Session, specifier: string, scope: Scope, node: Node, isImport: boolean): Value {
  const found = session.modules.resolve(scope.file.path, specifier)
  if (typeof found === 'string') return unseen(scope, node, found)
  const file = session.modules.read(found.path)
  if ('why' in file) return unseen(scope, node, `'${specifier}' cannot be read: ${file.why}`)
  const exported = exportsOf(session, file)
  return isImport || !isCommonJs(file) ? exported : pick(exported, 'default', scope, node)
}

// ---- names ---------------------------------------------------------------------------------------

function lookUp(session: Session, name: string, scope: Scope, node: Node): Value {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const known = at.values.get(name)
    if (known !== undefined) return known
    const binding = at.bindings.get(name)
    if (binding === undefined) continue
    at.values.set(name, unseen(at, node, `${name} refers to itself`))
    const value = valueOfBinding(session, name, binding, at, node)
    at.values.set(name, value)
    return value
  }
  if (name === 'undefined') return absent
  return name === 'Object' ? plain : unseen(scope, node, `${name} is not declared in this file`)
}

/** What a name is declared as, with all that the file does to it. */
function valueOfBinding(session: Session, name: string, binding: Binding, scope: Scope, node: Node): Value {
  const mutations = mutationsOf(session, scope).filter(({ of }) => of === name)
  const assigned = mutations.filter((mutation) => mutation.kind === 'replace' && mutation.on === 'self')
  const others = mutations.filter((mutation) => !assigned.includes(mutation))
  return applyMutations(session.reader, declaredValue(session, name, binding, assigned, scope, node), others, scope)
}

function declaredValue(
  session: Session,
  name: string,
  binding: Binding,
  assigned: readonly Mutation[],
  scope: Scope,
  node: Node,
): Value {
  switch (binding.kind) {
    case 'import':
      return importedValue(load(session, binding.from, scope, node, true), binding.name, scope, node)
    case 'require':
      return load(session, binding.from, scope, node, false)
    case 'declaration':
      return evaluate(session, binding.node, scope)
    case 'enum':
      return enumOf(session, binding.node, scope)
    case 'parameter':
      return assigned.length > 0 ? unseen(scope, node, `${name} is assigned`) : binding.value()
    case 'variable': {
      const [first] = binding.isConst ? [] : assigned
      if (first !== undefined && (binding.init !== null || assigned.length > 1 || first.kind !== 'replace'))
        return unseen(scope, node, `${name} is assigned more than once`)
      if (first?.isSure === false) return unseen(scope, node, 'it depends on a condition')
      const init = first?.kind === 'replace' ? first.value : binding.init
      const whole = init === null ? plain : evaluate(session, init, scope)
      return binding.path.reduce((value, part) => pick(value, part, scope, node), whole)
    }
    default:
      return unseen(scope, node, `${name} is declared in a way that is not supported`)
  }
}

function importedValue(exported: Value, name: string, scope: Scope, node: Node): Value {
  if (name === '*') return exported
  const isGone = exported.kind === 'object' && exported.members.unseen === null && !exported.members.known.has(name)
  if (isGone) return unseen(scope, node, `the imported file does not export ${name}`)
  const value = pick(exported, name, scope, node)
  // Compiled CommonJS holds its default export as a member.
  const isCompiled = name === 'default' && value.kind === 'object' && value.members.known.has('__esModule')
  return isCompiled ? pick(value, 'default', scope, node) : value
}

function enumOf(session: Session, node: TSEnumDeclaration, scope: Scope): Value {
  const { file } = scope
  const known = node.body.members.map(({ id, initializer }) => {
    const value = () => (initializer === null ? plain : evaluate(session, initializer, scope))
    return [nameOf(id), { place: placeOf(file, id), value, isOwn: true, via: [file.path] }] as const
  })
  return objectValue(file, placeOf(file, node), { members: { known: new Map(known), unseen: null }, ancestors: [] })
}

/** A member of an object, a module or a class. */
function pick(value: Value, name: string, scope: Scope, node: Node): Value {
  if (value.kind === 'unseen') return unseenValue(value.why, value.place)
  if (value.kind === 'class') {
    if (name === 'prototype') return prototypeOf(value)
    return value.statics.get(name)?.value() ?? unseen(scope, node, `there is no static ${name} in it`)
  }
  if (value.kind === 'function') {
    const made = name === 'prototype' ? value.asClass() : null
    return made === null ? unseen(scope, node, `${name} of a function is unknown`) : prototypeOf(made)
  }
  if (value.kind !== 'object') return unseen(scope, node, `${name} is unknown`)
  const member = value.members.known.get(name)
  if (member !== undefined) return member.value()
  if (name === 'constructor' && value.made !== null) return value.made.by
  const { unseen: hidden } = value.members
  return hidden === null ? unseen(scope, node, `there is no ${name} in it`) : unseenValue(hidden.why, hidden.place)
}

// ---- expressions ---------------------------------------------------------------------------------

function evaluate(session: Session, node: Node, scope: Scope): Value {
  if (session.depth > maxDepth) return unseen(scope, node, 'it is nested too deeply')
  session.depth++
  try {
    const inner = innerOf(node)
    return inner === null ? valueOf(session, node, scope) : evaluate(session, inner, scope)
  } finally {
    session.depth--
  }
}

/** The part of an expression that has its value: without types, `await`, and what an assignment assigns to. */
function innerOf(node: Node): Node | null {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return node.expression
    case 'AwaitExpression':
      return node.argument
    case 'AssignmentExpression':
      return node.right
    case 'SequenceExpression':
      return node.expressions.at(-1)!
    default:
      return null
  }
}

function valueOf(session: Session, node: Node, scope: Scope): Value {
  const { reader } = session
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
      return readClass(reader, node, scope)
    case 'ObjectExpression':
      return readObject(reader, node, scope)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return readFunction(reader, node, scope)
    case 'Identifier':
      return lookUp(session, node.name, scope, node)
    case 'ThisExpression':
      return lookUp(session, 'this', scope, node)
    case 'Literal':
      return typeof node.value === 'string' ? textValue(node.value) : plain
    case 'TemplateLiteral':
      return templateOf(session, node.quasis, node.expressions, scope)
    case 'BinaryExpression':
      return node.operator === '+' ? sumOf(session, node.left, node.right, scope) : plain
    case 'ArrayExpression':
    case 'UpdateExpression':
      return plain
    case 'UnaryExpression':
      return node.operator === 'void' ? absent : plain
    case 'MemberExpression':
      return memberOf(session, node.object, node.property, node.computed, scope)
    case 'CallExpression':
      return readCall(reader, node, scope)
    case 'NewExpression':
      return instanceOf(evaluate(session, node.callee, scope), node.arguments, node, scope)
    case 'ImportExpression':
      return node.source.type === 'Literal' && typeof node.source.value === 'string'
        ? load(session, node.source.value, scope, node, true)
        : unseen(scope, node, 'the path of an import is computed')
    case 'ConditionalExpression':
      return eitherOf(
        [evaluate(session, node.consequent, scope), evaluate(session, node.alternate, scope)],
        node,
        scope,
      )
    case 'LogicalExpression':
      if (node.operator !== '&&')
        return eitherOf([evaluate(session, node.left, scope), evaluate(session, node.right, scope)], node, scope)
      return unseen(scope, node, 'it depends on a condition')
    default:
      return unseen(scope, node, 'this expression is not supported')
  }
}

function templateOf(
  session: Session,
  quasis: readonly TemplateElement[],
  expressions: readonly Node[],
  scope: Scope,
): Value {
  const values = expressions.map((expression) => evaluate(session, expression, scope))
  const texts = values.flatMap((value) => (value.kind === 'text' ? [value.text] : []))
  if (texts.length < values.length) return plain
  return textValue(quasis.map(({ value }, i) => (value.cooked ?? '') + (texts[i] ?? '')).join(''))
}

function sumOf(session: Session, left: Node, right: Node, scope: Scope): Value {
  const [a, b] = [evaluate(session, left, scope), evaluate(session, right, scope)]
  return a.kind === 'text' && b.kind === 'text' ? textValue(a.text + b.text) : plain
}

function memberOf(session: Session, object: Node, property: Node, computed: boolean, scope: Scope): Value {
  const isExports = object.type === 'Identifier' && object.name === 'module' && nameOf(property) === 'exports'
  if (isExports) return commonJsValue(session.reader, scope, mutationsOf(session, scope))
  const value = evaluate(session, object, scope)
  const key = computed ? evaluate(session, property, scope) : textValue(nameOf(property))
  return key.kind === 'text' ? pick(value, key.text, scope, property) : unseen(scope, property, 'its name is computed')
}
