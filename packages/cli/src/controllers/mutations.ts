// What the code of a file does to a value after its declaration. It is found, and not read: such members are not checked.
import { type Chain, type Node, chainOf, dottedName, innerOf, nameOf, namesIn, textOf, walk } from '../syntax/nodes.ts'
import type { SourceFile, Unseen } from '../syntax/parse.ts'
import { type Members, type Value, hiddenBy, unseen } from './value.ts'

/** Code that changes a value: a member, all of them (a `null` in the path), or at most adds one (`isAddition`). */
interface Mutation extends Chain {
  readonly node: Node
  readonly isAddition: boolean
}

/** The mutations in a file or a class by the name of what they change: `users`, `this`, `exports`. */
export type Mutations = (root: string, except?: ReadonlySet<Node>) => readonly Mutation[]

const harmless = /^(?:require|Object\.(?:freeze|seal|preventExtensions|keys|values|entries|create)|super\.\w+)$/

/** Finds all mutations below a node. Names are compared as they are written: so a parameter of the same name counts as well. */
export function mutationsIn(program: Node, isHarmless: (callee: Node) => boolean = () => false): Mutations {
  const found: Mutation[] = []
  /** `const all = { users }`: what changes the one may change the other. */
  const holders: { readonly name: string; readonly of: Chain }[] = []
  const add = (node: Node, target: Node, isAddition: boolean, name?: Node): void => {
    const chain = chainOf(target)
    if (chain === null) return
    const path = name?.type === 'Literal' ? [...chain.path, nameOf(name)] : chain.path
    found.push({ root: chain.root, path, node, isAddition })
  }
  const addHolder = (id: Node, init: Node | null): void => {
    const list =
      init?.type === 'ArrayExpression' ? init.elements : init?.type === 'ObjectExpression' ? init.properties : [init]
    for (const one of list) {
      const of = one === null ? null : chainOf(one.type === 'Property' ? one.value : one)
      for (const [name] of of === null ? [] : namesIn(id)) holders.push({ name, of: of! })
    }
  }
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator') addHolder(node.id, node.init)
    else if (node.type === 'TSParameterProperty')
      for (const [name] of namesIn(node)) found.push({ root: 'this', path: [name], node, isAddition: false })
    else if (node.type === 'AssignmentExpression') {
      addHolder(node.left, node.right)
      if (node.left.type.endsWith('Pattern')) walk(node.left, (part) => add(node, part, false))
      else if (!isBound(node.left, node.right)) add(node, node.left, false)
    } else if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete'))
      add(node, node.argument, false)
    else if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const name = dottedName(node.callee)
      if (harmless.test(name) || name.endsWith('.bind') || isHarmless(node.callee)) return
      const isOfObject = /^(?:Object|Reflect)\./.test(name)
      const list = node.callee.type === 'MemberExpression' ? innerOf(node.callee.object) : null
      if (list?.type === 'ArrayExpression') for (const one of list.elements) if (one !== null) add(node, one, false)
      const [first, second] = node.arguments
      if (isOfObject && first !== undefined) add(node, first, false, name.endsWith('Property') ? second : undefined)
      for (const argument of isOfObject ? [] : node.arguments) {
        const target = argument.type === 'SpreadElement' ? argument.argument : argument
        const depth = chainOf(target)?.path.filter((part) => part !== 'prototype').length ?? 0
        if (depth === 0) add(node, target, true) // a function that gets an action cannot add others
      }
    }
  })
  const mutationsOf = (root: string, depth = 0): readonly Mutation[] => [
    ...found.filter((mutation) => mutation.root === root),
    ...holders
      .filter(({ name, of }) => of.root === root && name !== root && depth < 5)
      .flatMap(({ name, of }) =>
        mutationsOf(name, depth + 1)
          .filter(({ path }) => path.length > 0)
          .map((mutation) => ({ ...mutation, path: [...of.path, null] })),
      ),
  ]
  return (root, except) => mutationsOf(root).filter(({ node }) => except?.has(node) !== true)
}

/** `this.index = this.index.bind(this)` changes nothing that matters. */
const isBound = (left: Node, right: Node): boolean =>
  right.type === 'CallExpression' && dottedName(right.callee) === `${dottedName(left)}.bind`

/** Members after some mutations. `prototype` is left out of the paths: it is where the members of a class are. */
export function mutatedMembers(members: Members, mutations: readonly Mutation[], file: SourceFile): Members {
  let { known, unseen: hidden } = members
  for (const { path, node, isAddition } of mutations) {
    const [name = null] = path
    const why = mutatedBy(node, file)
    if (name !== null) {
      known = new Map([...known, [name, { place: why.place, value: () => why, isOwn: true }]])
    } else {
      if (!isAddition) known = hiddenBy(known, why)
      hidden ??= why
    }
  }
  return { known, unseen: hidden }
}

/** A value after all that its file does to the name it has. */
export function mutatedValue(value: Value, mutations: readonly Mutation[], file: SourceFile): Value {
  if (mutations.length === 0) return value
  const assigned = mutations.find(({ path, isAddition }) => path.length === 0 && !isAddition)
  const onPrototype = mutations.filter(({ path }) => path.length === 0 || path[0] === 'prototype' || path[0] === null)
  const hidden = assigned ?? (value.kind === 'function' ? onPrototype.find(({ path }) => path.length > 0) : undefined)
  if (hidden !== undefined) return mutatedBy(hidden.node, file)
  if (value.kind === 'object') return { ...value, members: mutatedMembers(value.members, mutations, file) }
  if (value.kind !== 'class') return value
  const own = onPrototype.map((mutation) => ({ ...mutation, path: mutation.path.slice(1) }))
  return { ...value, members: mutatedMembers(value.members, own, file) }
}

const mutatedBy = (node: Node, file: SourceFile): Unseen =>
  unseen({ file }, node, `it is changed by ${textOf(file, node)}`)
