import type { CallExpression, Node } from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { calleeName } from './mutation.ts'
import { type Parts, inheritedFrom, spreadOf, withParts } from './read-object.ts'
import { type Reader, unseen } from './reader.ts'
import { type Scope, nameOf } from './scope.ts'
import { type Argument, type Value, lineageOf, objectValue } from './value.ts'

/** Reads the value of a call. */
export function readCall(reader: Reader, node: CallExpression, scope: Scope): Value {
  const known = knownCall(reader, node, scope)
  if (known !== null) return known
  const called = reader.evaluate(node.callee, scope)
  const text = scope.file.text.slice(node.callee.start, node.callee.end)
  const why = `the result of ${text}() is unknown`
  const result =
    called.kind === 'function'
      ? called.call(node.arguments.flatMap((argument) => argumentsOf(reader, argument, scope)))
      : unseen(scope, node, called.kind === 'unseen' ? `${why}: ${called.why}` : why)
  return result.kind === 'unseen' ? { ...result, isCalled: true } : result
}

/** Calls of functions of the language, of Node and of the adapters. */
function knownCall(reader: Reader, node: CallExpression, scope: Scope): Value | null {
  const name = calleeName(node)
  const { callee } = node
  const [first, ...rest] = node.arguments
  if (callee.type === 'MemberExpression' && nameOf(callee.property) === 'bind')
    return reader.evaluate(callee.object, scope)
  if (first === undefined) return null
  if (name === 'require' && first.type === 'Literal' && typeof first.value === 'string')
    return reader.load(first.value, scope, node, false)
  if (name === 'Object.freeze' || name === 'Object.seal' || name === 'Object.preventExtensions')
    return reader.evaluate(first, scope)
  if (name === 'Object.assign') return evaluateAssign(reader, reader.evaluate(first, scope), rest, scope)
  const imported = name === null ? null : importedFromAdapter(name, scope)
  if (imported === 'before') return reader.evaluate(first, scope)
  if (imported === 'action') return reader.evaluate(rest.at(-1) ?? first, scope)
  if (name !== 'Object.create' || rest.length > 0) return null
  const place = placeOf(scope.file, node)
  return objectValue(scope.file, place, inheritedFrom(reader.evaluate(first, scope), node, scope))
}

/** What a name is in an adapter: `before` returns the actions of its first argument, `action` returns its last. */
function importedFromAdapter(name: string, scope: Scope): string | null {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const binding = at.bindings.get(name)
    if (binding !== undefined)
      return binding.kind === 'import' && binding.from.startsWith('@hv/router-') ? binding.name : null
  }
  return null
}

function argumentsOf(reader: Reader, node: Node, scope: Scope): readonly Argument[] {
  if (node.type !== 'SpreadElement') return [() => reader.evaluate(node, scope)]
  return Array.from({ length: 10 }, () => () => unseen(scope, node, 'an argument is spread'))
}

function evaluateAssign(reader: Reader, target: Value, sources: readonly Node[], scope: Scope): Value {
  if (target.kind !== 'object') return target
  let parts: Parts = target
  for (const source of sources) parts = withParts(parts, spreadOf(reader.evaluate(source, scope), source, scope))
  return { ...target, members: parts.members, ancestors: parts.ancestors, made: null }
}

/** Reads the value of `new called(…)`. */
export function instanceOf(called: Value, args: readonly Node[], node: Node, scope: Scope): Value {
  const by = called.kind === 'function' ? called.asClass() : called
  if (by?.kind !== 'class')
    return by?.kind === 'unseen' ? by : unseen(scope, node, 'what new makes is not an instance of a class')
  const { file } = scope
  const lineage = lineageOf(by)
  const ancestors = lineage[0] === file.path ? lineage.slice(1) : lineage
  const instance = objectValue(file, placeOf(file, node), { members: by.instance, ancestors })
  return { ...instance, made: { by, args } }
}
