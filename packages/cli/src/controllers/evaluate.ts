// Reads the values of expressions, following imports. What it does not understand is unseen, with the reason and the place.
import type { ArrowFunctionExpression, CallExpression, Function as FunctionNode, Node } from 'oxc-parser'
import { type SourceFile, nameOf, placeOf } from '../syntax/parse.ts'
import { walk } from '../syntax/walk.ts'
import { type Changes, chainOf, changedValue, changesIn, innerOf, textOf } from './changes.ts'
import type { Modules } from './modules.ts'
import { readClass } from './read-class.ts'
import { isCommonJs, readExports } from './read-exports.ts'
import { readObject } from './read-object.ts'
import { type Binding, type Reader, type Scope, createScope, namesIn, unseen } from './scope.ts'
import { type ObjectValue, type Value, plain, unseenValue } from './value.ts'

interface Session extends Reader {
  readonly modules: Modules
  readonly files: Map<string, { readonly scope: Scope; readonly changes: Changes }>
  readonly exports: Map<string, ObjectValue>
  depth: number
}

/** Creates the function that reads what files export. It reads each file once. */
export function createEvaluator(modules: Modules): (file: SourceFile) => ObjectValue {
  const session: Session = {
    modules,
    files: new Map(),
    exports: new Map(),
    depth: 0,
    evaluate: (node, scope) => evaluate(session, node, scope),
    lookUp: (name, scope, node) => lookUp(session, name, scope, node),
    load: (specifier, scope, node, isImport) => load(session, specifier, scope, node, isImport),
    pick,
  }
  return (file) => exportsOf(session, file)
}

// ---- files ---------------------------------------------------------------------------------------

function openFile({ files }: Session, file: SourceFile): { readonly scope: Scope; readonly changes: Changes } {
  const known = files.get(file.path)
  if (known !== undefined) return known
  const scope = createScope(file, file.program.body)
  const opened = {
    scope,
    changes: changesIn(file.program, (callee) => /^(?:action|before)$/.test(ofAdapter(callee, scope))),
  }
  files.set(file.path, opened)
  return opened
}

function exportsOf(session: Session, file: SourceFile): ObjectValue {
  const known = session.exports.get(file.path)
  if (known !== undefined) return known
  const place = { path: file.path, line: 1 }
  const unfinished = { known: new Map(), unseen: { why: 'it is part of an import cycle', place } }
  session.exports.set(file.path, { kind: 'object', place, members: unfinished })
  const { scope, changes } = openFile(session, file)
  const exported = readExports(session, scope, changes)
  session.exports.set(file.path, exported)
  return exported
}

function load(session: Session, specifier: string, scope: Scope, node: Node, isImport: boolean): Value {
  const file = fileOf(session, specifier, scope)
  if (typeof file === 'string') return unseen(scope, node, file)
  const exported = exportsOf(session, file)
  const whole = isImport || !isCommonJs(file) ? undefined : exported.members.known.get('default')
  return whole?.value() ?? exported
}

function fileOf({ modules }: Session, specifier: string, scope: Scope): SourceFile | string {
  const found = modules.resolve(scope.file.path, specifier)
  if (typeof found === 'string') return found
  const file = modules.read(found.path)
  return 'why' in file ? `'${specifier}' cannot be read: ${file.why}` : file
}

// ---- names ---------------------------------------------------------------------------------------

function lookUp(session: Session, name: string, scope: Scope, node: Node): Value {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const known = at.values.get(name)
    if (known !== undefined) return known
    const binding = at.bindings.get(name)
    if (binding === undefined) continue
    at.values.set(name, unseen(at, node, `${name} refers to itself`))
    const changes = openFile(session, scope.file).changes(name)
    const value = changedValue(declaredValue(session, name, binding, at, node), changes, scope.file)
    at.values.set(name, value)
    return value
  }
  return name === 'undefined' || name === 'Object' ? plain : unseen(scope, node, `${name} is not declared in this file`)
}

function declaredValue(session: Session, name: string, binding: Binding, scope: Scope, node: Node): Value {
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
function pick(value: Value, name: string, scope: Scope, node: Node): Value {
  if (value.kind === 'unseen') return value
  if (value.kind !== 'object') return unseen(scope, node, `${name} is unknown`)
  const member = value.members.known.get(name)
  // Compiled CommonJS holds its default export as a member.
  const held = member?.value()
  if (name === 'default' && held?.kind === 'object' && held.members.known.has('__esModule'))
    return pick(held, 'default', scope, node)
  if (held !== undefined) return held
  const hidden = value.members.unseen
  return hidden === null ? unseen(scope, node, `there is no ${name} in it`) : unseenValue(hidden)
}

// ---- expressions ---------------------------------------------------------------------------------

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
  const callee = chainOf(node.callee)
  const name = callee === null ? '' : [callee.root, ...callee.path].join('.')
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

/** The package of a function that is imported or required, and its name there: `@hv/router-fastify action`. */
function originOf(callee: Node, scope: Scope): string {
  const chain = chainOf(callee)
  for (let at: Scope | null = chain === null ? null : scope; at !== null; at = at.outer) {
    const binding = at.bindings.get(chain!.root)
    if (binding === undefined) continue
    if (binding.kind === 'import')
      return `${binding.from} ${[binding.name, ...chain!.path].join('.').replace('*.', '')}`
    const init = binding.kind === 'variable' && binding.init?.type === 'CallExpression' ? binding.init : null
    const [specifier] = init !== null && chainOf(init.callee)?.root === 'require' ? init.arguments : []
    if (binding.kind !== 'variable' || specifier?.type !== 'Literal') return ''
    return `${String(specifier.value)} ${[...(binding.path ?? []), ...chain!.path].join('.')}`
  }
  return ''
}

function instanceOf(by: Value, node: Node, scope: Scope): Value {
  if (by.kind === 'unseen') return by
  if (by.kind !== 'class') return unseen(scope, node, `${textOf(scope.file, node)} is not an instance of a class`)
  return { kind: 'object', place: placeOf(scope.file, node), members: by.members }
}

// ---- functions -----------------------------------------------------------------------------------

/** What a function returns at its end. One that also returns elsewhere is not read. */
function callOf(session: Session, node: FunctionNode | ArrowFunctionExpression, outer: Scope): Value {
  const { body } = node
  const parameters = node.params.flatMap((parameter) =>
    namesIn(parameter, []).map(([name, path]): [string, Binding] => [
      name,
      {
        kind: 'value',
        value: () =>
          (path === null ? null : argumentOf(session, parameter, outer)) ??
          unseen(outer, parameter, `${name} is an argument`),
      },
    ]),
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

/** An argument whose type is a class, or what a function returns: `(users: UsersController) => …`. */
function argumentOf(session: Session, parameter: Node, scope: Scope): Value | null {
  const type = parameter.type === 'Identifier' ? parameter.typeAnnotation?.typeAnnotation : undefined
  if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return null
  const { name } = type.typeName
  const binding = scope.bindings.get(name)
  const aliased = binding?.kind === 'import' ? resultType(session, binding, scope) : null
  if (aliased !== null) return aliased
  const value = session.lookUp(name, scope, parameter)
  return value.kind === 'class' ? instanceOf(value, parameter, scope) : null
}

/** `export type UsersController = ReturnType<typeof createUsersController>`, as `bump` writes it. */
function resultType(session: Session, { from, name }: Binding & { kind: 'import' }, scope: Scope): Value | null {
  const file = fileOf(session, from, scope)
  if (typeof file === 'string') return null
  for (const statement of file.program.body) {
    const alias = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    if (alias?.type !== 'TSTypeAliasDeclaration' || alias.id.name !== name) continue
    const made = /^ReturnType<typeof (\w+)>$/.exec(
      file.text.slice(alias.typeAnnotation.start, alias.typeAnnotation.end),
    )
    const value = made === null ? null : session.lookUp(made[1]!, openFile(session, file).scope, statement)
    return value?.kind === 'function' ? value.call() : null
  }
  return null
}
