import type { CallExpression, Node, TSEnumDeclaration } from 'oxc-parser'
import { type SourceFile, placeOf } from '../syntax/parse.ts'
import { applyChanges, prototypeOf } from './apply-changes.ts'
import { type Change, calleeName, changesIn } from './changes.ts'
import type { Modules } from './modules.ts'
import { readClass } from './read-class.ts'
import { commonJsValue, isCommonJs, readExports } from './read-exports.ts'
import { readFunction } from './read-function.ts'
import { type Parts, inheritedFrom, readObject, spreadOf, withParts } from './read-object.ts'
import { type Reader, unseen } from './reader.ts'
import { type Binding, type Scope, createScope, nameOf } from './scope.ts'
import { type ObjectValue, type Value, plain, textValue, unseenValue } from './value.ts'

/** Deeper than any code that people write; a cycle ends here. */
const maxDepth = 200

/** Reads what files export, following their imports. */
export interface Evaluator {
  /** The exports of a file. */
  exportsOf(file: SourceFile): ObjectValue
}

export function createEvaluator(modules: Modules): Evaluator {
  const scopes = new Map<string, Scope>()
  const changes = new WeakMap<Scope, readonly Change[]>()
  const exports = new Map<string, ObjectValue>()
  let depth = 0

  const reader: Reader = { evaluate, lookUp, load, pick }
  return { exportsOf }

  function exportsOf(file: SourceFile): ObjectValue {
    let read = exports.get(file.path)
    if (read !== undefined) return read
    // A file that imports itself in a circle finds this in the meantime.
    const place = { path: file.path, line: 1 }
    const unfinished = { known: new Map(), unseen: { why: 'it is imported in a circle', place } }
    exports.set(file.path, { kind: 'object', file, place, members: unfinished, ancestors: [], made: null })
    const scope = scopeOf(file)
    exports.set(file.path, (read = readExports(reader, scope, changesOf(scope))))
    return read
  }

  function scopeOf(file: SourceFile): Scope {
    let scope = scopes.get(file.path)
    if (scope === undefined) scopes.set(file.path, (scope = createScope(file, file.program.body, null)))
    return scope
  }

  function changesOf(scope: Scope): readonly Change[] {
    let found = changes.get(scope)
    if (found === undefined) changes.set(scope, (found = changesIn(scope.statements)))
    return found
  }

  function load(specifier: string, scope: Scope, node: Node, isImport: boolean): Value {
    const found = modules.resolve(scope.file.path, specifier)
    if (typeof found === 'string') return unseen(scope, node, found)
    const file = modules.read(found.path)
    if ('why' in file) return unseen(scope, node, `'${specifier}' cannot be read: ${file.why}`)
    if (isImport || !isCommonJs(file)) return exportsOf(file)
    return pick(exportsOf(file), 'default', scope, node)
  }

  function lookUp(name: string, scope: Scope, node: Node): Value {
    for (let at: Scope | null = scope; at !== null; at = at.outer) {
      const known = at.values.get(name)
      if (known !== undefined) return known
      const binding = at.bindings.get(name)
      if (binding === undefined) continue
      at.values.set(name, unseen(at, node, `${name} refers to itself`))
      const value = bound(name, binding, at, node)
      at.values.set(name, value)
      return value
    }
    return name === 'undefined' || name === 'Object'
      ? plain
      : unseen(scope, node, `${name} is not declared in this file`)
  }

  function bound(name: string, binding: Binding, scope: Scope, node: Node): Value {
    const own = changesOf(scope).filter(({ of }) => of === name)
    const base = baseOf(name, binding, own, scope, node)
    return applyChanges(
      reader,
      base,
      own.filter((change) => change.kind !== 'replace' || change.on === 'prototype'),
      scope,
    )
  }

  function baseOf(name: string, binding: Binding, own: readonly Change[], scope: Scope, node: Node): Value {
    switch (binding.kind) {
      case 'import': {
        const exported = load(binding.from, scope, node, true)
        if (binding.name === '*') return exported
        const value = pick(exported, binding.name, scope, node)
        const isInterop = binding.name === 'default' && value.kind === 'object' && value.members.known.has('__esModule')
        return isInterop ? pick(value, 'default', scope, node) : value
      }
      case 'require':
        return load(binding.from, scope, node, false)
      case 'declaration':
        return evaluate(binding.node, scope)
      case 'enum':
        return enumOf(binding.node, scope)
      case 'variable': {
        const assigned = own.filter((change) => change.kind === 'replace' && change.on === 'self')
        const [first] = assigned
        const isConst = binding.isConst || assigned.length === 0
        if (!isConst && (binding.init !== null || assigned.length > 1 || first?.kind !== 'replace'))
          return unseen(scope, node, `${name} is assigned more than once`)
        const init = !isConst && first?.kind === 'replace' ? first.value : binding.init
        let value = init === null ? plain : evaluate(init, scope)
        for (const part of binding.path) value = pick(value, part, scope, node)
        return value
      }
      default:
        return unseen(scope, node, `${name} is declared in a way that is not read`)
    }
  }

  function enumOf(node: TSEnumDeclaration, scope: Scope): Value {
    const known = node.body.members.map(({ id, initializer }) => {
      const value = () => (initializer === null ? plain : evaluate(initializer, scope))
      return [nameOf(id), { place: placeOf(scope.file, id), value, isOwn: true, via: [scope.file.path] }] as const
    })
    return objectOf({ members: { known: new Map(known), unseen: null }, ancestors: [] }, node, scope)
  }

  function pick(value: Value, name: string, scope: Scope, node: Node): Value {
    if (value.kind === 'unseen') return value
    if (value.kind === 'class')
      return name === 'prototype' ? prototypeOf(value) : (value.statics.get(name)?.value() ?? plain)
    if (value.kind === 'function') {
      const made = name === 'prototype' ? value.asClass() : null
      return made === null ? unseen(scope, node, `${name} of a function is not seen`) : prototypeOf(made)
    }
    if (value.kind !== 'object') return unseen(scope, node, `${name} is not seen`)
    const member = value.members.known.get(name)
    if (member !== undefined) return member.value()
    const { unseen: hidden } = value.members
    return hidden === null ? unseen(scope, node, `there is no ${name} in it`) : unseenValue(hidden.why, hidden.place)
  }

  function evaluate(node: Node, scope: Scope): Value {
    if (depth > maxDepth) return unseen(scope, node, 'it is nested too deeply')
    depth++
    try {
      return valueOf(node, scope)
    } finally {
      depth--
    }
  }

  function valueOf(node: Node, scope: Scope): Value {
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
        return lookUp(node.name, scope, node)
      case 'Literal':
        return typeof node.value === 'string' ? textValue(node.value) : plain
      case 'TemplateLiteral':
        return templateOf(node.quasis, node.expressions, scope)
      case 'BinaryExpression': {
        const [left, right] = [evaluate(node.left, scope), evaluate(node.right, scope)]
        const isText = node.operator === '+' && left.kind === 'text' && right.kind === 'text'
        return isText ? textValue(left.text + right.text) : plain
      }
      case 'ArrayExpression':
      case 'UnaryExpression':
      case 'UpdateExpression':
        return plain
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'TSInstantiationExpression':
      case 'ChainExpression':
        return evaluate(node.expression, scope)
      case 'AwaitExpression':
        return evaluate(node.argument, scope)
      case 'AssignmentExpression':
        return evaluate(node.right, scope)
      case 'SequenceExpression':
        return evaluate(node.expressions.at(-1)!, scope)
      case 'MemberExpression':
        return memberOf(node.object, node.property, node.computed, scope)
      case 'CallExpression':
        return callOf(node, scope)
      case 'NewExpression': {
        const made = evaluate(node.callee, scope)
        return instanceOf(
          made.kind === 'function' ? (made.asClass() ?? made) : made,
          node.arguments.length > 0,
          node,
          scope,
        )
      }
      case 'ImportExpression':
        return node.source.type === 'Literal' && typeof node.source.value === 'string'
          ? load(node.source.value, scope, node, true)
          : unseen(scope, node, 'the path of an import is computed')
      case 'ConditionalExpression':
      case 'LogicalExpression':
        return unseen(scope, node, 'it depends on a condition')
      default:
        return unseen(scope, node, 'this expression is not read')
    }
  }

  function templateOf(
    quasis: readonly { readonly value: { readonly cooked: string | null } }[],
    expressions: readonly Node[],
    scope: Scope,
  ): Value {
    const values = expressions.map((expression) => evaluate(expression, scope))
    if (values.some(({ kind }) => kind !== 'text')) return plain
    return textValue(quasis.map(({ value }, i) => (value.cooked ?? '') + textOf(values[i])).join(''))
  }

  function memberOf(object: Node, property: Node, computed: boolean, scope: Scope): Value {
    const isCommonJsExports = object.type === 'Identifier' && object.name === 'module' && nameOf(property) === 'exports'
    if (isCommonJsExports) return commonJsValue(reader, scope, changesOf(scope))
    const value = evaluate(object, scope)
    const key = computed ? evaluate(property, scope) : textValue(nameOf(property))
    return key.kind === 'text'
      ? pick(value, key.text, scope, property)
      : unseen(scope, property, 'its name is computed')
  }

  function callOf(node: CallExpression, scope: Scope): Value {
    const name = calleeName(node)
    const [first, ...rest] = node.arguments
    if (name === 'require' && first?.type === 'Literal' && typeof first.value === 'string')
      return load(first.value, scope, node, false)
    if (first !== undefined && name !== null && /^Object\.(?:freeze|seal|preventExtensions)$/.test(name))
      return evaluate(first, scope)
    if (first !== undefined && name === 'Object.assign') return assigned(evaluate(first, scope), rest, scope)
    if (first !== undefined && name === 'Object.create' && rest.length === 0)
      return objectOf(inheritedFrom(evaluate(first, scope), node, scope), node, scope)
    const { callee } = node
    if (callee.type === 'MemberExpression' && nameOf(callee.property) === 'bind') return evaluate(callee.object, scope)

    const called = evaluate(callee, scope)
    const text = scope.file.text.slice(callee.start, callee.end)
    if (called.kind === 'unseen') return unseen(scope, node, `what ${text}() returns is not seen: ${called.why}`)
    if (called.kind !== 'function') return unseen(scope, node, `what ${text}() returns is not seen`)
    return called.call(node.arguments.flatMap((argument) => argumentsOf(argument, scope)))
  }

  function argumentsOf(node: Node, scope: Scope): readonly Value[] {
    if (node.type !== 'SpreadElement') return [evaluate(node, scope)]
    return Array.from({ length: 10 }, () => unseen(scope, node, 'an argument is spread'))
  }

  function assigned(target: Value, sources: readonly Node[], scope: Scope): Value {
    if (target.kind !== 'object') return target
    let parts: Parts = target
    for (const source of sources) parts = withParts(parts, spreadOf(evaluate(source, scope), source, scope))
    return { ...target, members: parts.members, ancestors: parts.ancestors }
  }

  function instanceOf(made: Value, hasArguments: boolean, node: Node, scope: Scope): Value {
    if (made.kind !== 'class')
      return made.kind === 'unseen' ? made : unseen(scope, node, 'what is made by new is not a class')
    const { instance, ancestors, file } = made
    const from = file.path === scope.file.path ? ancestors : [file.path, ...ancestors]
    return {
      kind: 'object',
      file: scope.file,
      place: placeOf(scope.file, node),
      members: instance,
      ancestors: from,
      made: { by: made, hasArguments },
    }
  }

  function objectOf({ members, ancestors }: Parts, node: Node, scope: Scope): ObjectValue {
    const { file } = scope
    return { kind: 'object', file, place: placeOf(file, node), members, ancestors, made: null }
  }
}

const textOf = (value: Value | undefined): string => (value?.kind === 'text' ? value.text : '')
