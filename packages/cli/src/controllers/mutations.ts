// What the code of a file does to a value after its declaration. It is found, and not read: such members are not checked.
import { type Node, chainOf, dottedName, innerOf, nameOf, namesIn, textOf, walk } from '../syntax/nodes.ts'
import type { SourceFile } from '../syntax/parse.ts'
import { type Members, type Value, hiddenBy, unseen } from './value.ts'

/** Code that changes a value. */
interface Mutation {
  readonly root: string
  /** The member that is changed; null for any of them, undefined for the value itself. */
  readonly name: string | null | undefined
  readonly node: Node
  /** It may add members, and changes none. */
  readonly isAddition: boolean
}

/** The mutations in a file or a class by the name of what they change: `users`, `this`, `exports`. */
export type Mutations = (root: string) => readonly Mutation[]

const harmless =
  /^(?:require|Object\.(?:freeze|seal|preventExtensions|keys|values|entries|create)|super\.\w+|.*\.bind)$/

/** Finds all mutations below a node. Names are compared as they are written: so a parameter of the same name counts as well. */
export function mutationsIn(program: Node): Mutations {
  const found: Mutation[] = []
  /** `const all = { users }`: what changes the one may change the other. */
  const holders: { readonly name: string; readonly root: string }[] = []
  const add = (node: Node, target: Node, isAddition = false, key?: Node): void => {
    const chain = chainOf(target)
    if (chain === null) return
    const [first, second = null] = key?.type === 'Literal' ? [...chain.path, nameOf(key)] : chain.path
    found.push({ root: chain.root, name: first === 'prototype' ? second : first, node, isAddition })
  }
  const addHolder = (id: Node, init: Node | null): void => {
    const parts =
      init?.type === 'ArrayExpression' ? init.elements : init?.type === 'ObjectExpression' ? init.properties : [init]
    for (const part of parts) {
      const chain = part === null ? null : chainOf(part.type === 'Property' ? part.value : part)
      if (chain !== null) for (const [name] of namesIn(id)) holders.push({ name, root: chain.root })
    }
  }
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator') addHolder(node.id, node.init)
    else if (node.type === 'TSParameterProperty')
      for (const [name] of namesIn(node)) found.push({ root: 'this', name, node, isAddition: false })
    else if (node.type === 'AssignmentExpression') {
      addHolder(node.left, node.right)
      if (node.left.type.endsWith('Pattern')) walk(node.left, (part) => add(node, part))
      else if (!isBound(node.left, node.right)) add(node, node.left)
    } else if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete'))
      add(node, node.argument)
    else if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const name = dottedName(node.callee)
      if (harmless.test(name)) return
      const list = node.callee.type === 'MemberExpression' ? innerOf(node.callee.object) : null
      if (list?.type === 'ArrayExpression') for (const element of list.elements) if (element) add(node, element)
      const [first, second] = node.arguments
      if (/^(?:Object|Reflect)\./.test(name)) {
        if (first !== undefined) add(node, first, false, name.endsWith('Property') ? second : undefined)
        return
      }
      for (const argument of node.arguments) {
        const target = argument.type === 'SpreadElement' ? argument.argument : argument
        const isMember = chainOf(target)?.path.some((part) => part !== 'prototype')
        if (isMember === false) add(node, target, true) // a function that gets an action cannot add others
      }
    }
  })
  const mutationsOf = (root: string, seen: readonly string[] = [root]): readonly Mutation[] => [
    ...found.filter((mutation) => mutation.root === root),
    ...holders
      .filter((holder) => holder.root === root && !seen.includes(holder.name))
      .flatMap(({ name }) => mutationsOf(name, [...seen, name]))
      .filter(({ name }) => name !== undefined)
      .map((mutation) => ({ ...mutation, name: null })),
  ]
  return (root) => mutationsOf(root)
}

/** `this.index = this.index.bind(this)` changes nothing that matters. */
const isBound = (left: Node, right: Node): boolean =>
  right.type === 'CallExpression' && dottedName(right.callee) === `${dottedName(left)}.bind`

/** A value after all that code does to it. */
export function mutatedValue(value: Value, mutations: readonly Mutation[], file: SourceFile): Value {
  if (mutations.length === 0) return value
  const isReplaced = ({ name, isAddition }: Mutation): boolean =>
    value.kind === 'function' ? name !== undefined || !isAddition : name === undefined && !isAddition
  const replaced = mutations.find(isReplaced)
  if (replaced !== undefined) return unseen({ file }, replaced.node, changedBy(replaced, file))
  if (value.kind !== 'object' && value.kind !== 'class') return value
  return { ...value, members: mutatedMembers(value.members, mutations, file) }
}

export function mutatedMembers(members: Members, mutations: readonly Mutation[], file: SourceFile): Members {
  let { known, unseen: hidden } = members
  for (const mutation of mutations) {
    const why = unseen({ file }, mutation.node, changedBy(mutation, file))
    if (typeof mutation.name === 'string') {
      known = new Map([...known, [mutation.name, { place: why.place, value: () => why, isOwn: true }]])
    } else {
      if (!mutation.isAddition) known = hiddenBy(known, why)
      hidden ??= why
    }
  }
  return { known, unseen: hidden }
}

const changedBy = ({ node }: Mutation, file: SourceFile): string => `it is changed by ${textOf(file, node)}`
