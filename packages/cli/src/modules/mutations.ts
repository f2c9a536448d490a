// Finds the changes that the code of a file makes to its declared values, in order, and which of them are certain.
import type { ArrowFunctionExpression, Function as FunctionNode, Node } from 'oxc-parser'
import { walk } from '../syntax/walk.ts'
import {
  type Mutation,
  type Target,
  exportsName,
  mutationByAssignment,
  mutationByDelete,
  mutationsByCall,
  mutationsByUnknownCall,
  targetOf,
} from './mutation.ts'
import { namesDeclaredIn, namesIn } from './scope.ts'

/** The mutations that some statements make, in their order. Those inside classes are not looked for. */
export function mutationsIn(statements: readonly Node[]): readonly Mutation[] {
  const mutations = statements.flatMap((statement) => mutationsOf(statement, topLevel))
  const aliases = aliasesOfExports(statements)
  const others = otherNames(statements)
  return mutations.flatMap((mutation) => {
    const other = others.get(mutation.of)
    return [
      mutation,
      ...(aliases.has(mutation.of) ? [{ ...mutation, of: exportsName }] : []),
      ...(other === undefined || (other.on === 'prototype' && mutation.on === 'prototype')
        ? []
        : [{ ...mutation, of: other.of, on: other.on === 'prototype' ? other.on : mutation.on }]),
    ]
  })
}

/** What the code around a node says about it. */
interface Surroundings {
  /** Names that the code declares again. */
  readonly shadowed: ReadonlySet<string>
  readonly isSure: boolean
  /** The code runs while the file is loaded, as far as parsing shows. */
  readonly isRun: boolean
}

const topLevel: Surroundings = { shadowed: new Set(), isSure: true, isRun: true }

function mutationsOf(node: Node, outside: Surroundings): readonly Mutation[] {
  const mutations: Mutation[] = []
  const around = surroundingsIn(node, outside) ?? outside
  const add = (found: readonly Mutation[]) => {
    const isShadowed = (of: string): boolean => around.shadowed.has(of === exportsName ? 'exports' : of)
    for (const mutation of found)
      if (!isShadowed(mutation.of)) mutations.push({ ...mutation, isSure: mutation.isSure && around.isSure })
  }
  const unsure: Surroundings = { ...around, isSure: false }
  const inside = (part: Node | null, inner: Surroundings) => {
    if (part !== null) mutations.push(...mutationsOf(part, inner))
  }
  walk(node, (part) => {
    switch (part.type) {
      case 'ClassBody':
        return false
      case 'IfStatement':
      case 'ConditionalExpression':
        inside(part.test, around)
        inside(part.consequent, unsure)
        inside(part.alternate, unsure)
        return false
      case 'LogicalExpression':
        inside(part.left, around)
        inside(part.right, unsure)
        return false
      case 'CallExpression':
        add(mutationsByCall(part))
        for (const called of [part.callee, ...part.arguments]) {
          if (isFunction(called)) {
            const inner = insideFunction(called, around, called === part.callee)
            for (const within of [...called.params, called.body]) inside(within, inner)
          } else inside(called, around)
          if (called.type === 'ArrowFunctionExpression' && around.isRun) add(mutationsByUnknownCall(called.body))
        }
        return false
      case 'ExpressionStatement':
        if (around.isRun) add(mutationsByUnknownCall(part.expression))
        return true
      case 'AssignmentExpression':
        add(mutationByAssignment(part))
        return true
      case 'UnaryExpression':
        if (part.operator === 'delete') add(mutationByDelete(part.argument))
        return true
    }
    if (part === node || surroundingsIn(part, around) === null) return true
    inside(part, around)
    return false
  })
  return mutations
}

/** Null for a node that neither declares names nor may be skipped. */
const surroundingsIn = (node: Node, around: Surroundings): Surroundings | null =>
  isFunction(node) ? insideFunction(node, { ...around, isRun: false }, false) : insideBlock(node, around)

const isFunction = (node: Node): node is FunctionNode | ArrowFunctionExpression =>
  node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'ArrowFunctionExpression'

function insideFunction(
  { body, params }: FunctionNode | ArrowFunctionExpression,
  around: Surroundings,
  isCalled: boolean,
): Surroundings {
  const own = body?.type === 'BlockStatement' ? namesDeclaredIn(body.body) : []
  return { ...around, ...shadowing(around, [...params.flatMap(namesIn), ...own]), isSure: around.isSure && isCalled }
}

/** Null for what is not a block. */
function insideBlock(node: Node, around: Surroundings): Surroundings | null {
  switch (node.type) {
    case 'BlockStatement':
      return { ...around, ...shadowing(around, namesDeclaredIn(node.body)) }
    case 'CatchClause':
      return { ...around, ...shadowing(around, namesIn(node.param)), isSure: false }
    case 'SwitchStatement':
      return { ...around, isSure: false }
    case 'ForStatement':
      return { ...around, ...shadowing(around, node.init === null ? [] : namesDeclaredIn([node.init])), isSure: false }
    case 'ForInStatement':
    case 'ForOfStatement':
      return { ...around, ...shadowing(around, namesDeclaredIn([node.left])), isSure: false }
    case 'WhileStatement':
      return { ...around, isSure: false }
    default:
      return null
  }
}

const shadowing = ({ shadowed }: Surroundings, names: readonly string[]): Pick<Surroundings, 'shadowed'> => ({
  shadowed: names.length === 0 ? shadowed : new Set([...shadowed, ...names]),
})

/** `const proto = Users.prototype`: what is done to `proto` is done to the prototype. */
function otherNames(statements: readonly Node[]): ReadonlyMap<string, Target> {
  const names = new Map<string, Target>()
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) {
      const target = init === null ? null : targetOf(init)
      if (id.type === 'Identifier' && target !== null && target.of !== exportsName) names.set(id.name, target)
    }
  }
  return names
}

/** `const users = (module.exports = {})`: what is done to `users` is done to the exports. */
function aliasesOfExports(statements: readonly Node[]): ReadonlySet<string> {
  const aliases = new Set<string>()
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) {
      let value: Node | null = init
      while (value?.type === 'AssignmentExpression' && targetOf(value.left)?.of !== exportsName) value = value.right
      const target = value?.type === 'AssignmentExpression' ? value.left : value
      const isExports = target !== null && targetOf(target)?.of === exportsName
      if (isExports && id.type === 'Identifier') aliases.add(id.name)
    }
  }
  return aliases
}
