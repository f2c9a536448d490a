// Reads what a constructor does: what it assigns to `this`, and what it returns.
import type { CallExpression, Function as FunctionNode, Node } from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { walk } from '../syntax/walk.ts'
import { calleeName } from './mutation.ts'
import { type Reader, memberName, unseen, unseenAt } from './reader.ts'
import { spreadOf } from './read-object.ts'
import { type Binding, type Scope, createScope, nameOf, namesIn } from './scope.ts'
import { type Member, type Members, type Unseen, noMembers, overlay } from './value.ts'

/** What a constructor, or a constructor function, assigns to `this`. */
export function membersOfThis(reader: Reader, node: FunctionNode, scope: Scope): Members {
  const inner = createScope(scope.file, node.body?.body ?? [], scope, argumentsOf(reader, node, scope))
  const known = new Map<string, Member>()
  let hidden: Unseen | null = null
  const add = (name: string, at: Node, value: Member['value']) =>
    known.set(name, { place: placeOf(scope.file, at), value, isOwn: true, via: [scope.file.path] })

  for (const parameter of node.params)
    if (parameter.type === 'TSParameterProperty') {
      const { parameter: declared } = parameter
      const pattern = declared.type === 'AssignmentPattern' ? declared.left : declared
      if (pattern.type === 'Identifier')
        add(pattern.name, parameter, () => unseen(scope, parameter, `${pattern.name} is passed to the constructor`))
    }
  const aliases = new Set<string>()
  const isThis = (part: Node): boolean =>
    part.type === 'ThisExpression' || (part.type === 'Identifier' && aliases.has(part.name))

  let mayRun = true
  for (const statement of node.body?.body ?? []) {
    read(statement, mayRun)
    mayRun &&= !mayReturn(statement)
  }
  return { known, unseen: hidden }

  function read(within: Node, isSure: boolean): void {
    walk(within, (part) => {
      if (part.type === 'ClassBody' || part.type === 'FunctionExpression' || part.type === 'FunctionDeclaration')
        return false
      if (isSure && isConditional(part)) {
        read(part, false)
        return false
      }
      if (part.type === 'VariableDeclarator' && part.init?.type === 'ThisExpression' && part.id.type === 'Identifier')
        aliases.add(part.id.name)
      if (part.type === 'AssignmentExpression' && part.left.type === 'MemberExpression' && isThis(part.left.object)) {
        const named = memberName(reader, part.left.property, part.left.computed, inner)
        const value = () =>
          isSure ? reader.evaluate(part.right, inner) : unseen(inner, part, 'it depends on a condition')
        if ('unseen' in named) hidden ??= named.unseen
        else if (named.name !== null) add(named.name, part, value)
      }
      if (part.type === 'CallExpression' && part.arguments.some(isThis)) {
        const added = addedBy(reader, part, inner)
        for (const [name, member] of added.known) add(name, part, member.value)
        hidden ??= added.unseen
      }
      return true
    })
  }
}

/** The arguments of a constructor. Only those with a default are known. */
function argumentsOf(reader: Reader, { params }: FunctionNode, scope: Scope): ReadonlyMap<string, Binding> {
  return new Map(
    params.flatMap((parameter) => {
      const pattern = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter
      const byDefault =
        pattern.type === 'AssignmentPattern' && pattern.left.type === 'Identifier' ? pattern.right : null
      return namesIn(pattern).map((name) => {
        const value = () =>
          byDefault === null
            ? unseen(scope, parameter, `${name} is passed to the constructor`)
            : reader.evaluate(byDefault, scope)
        return [name, { kind: 'parameter', value }] as const
      })
    }),
  )
}

/** Whether the code inside a node may be skipped when the constructor runs. */
const isConditional = ({ type }: Node): boolean =>
  /^(?:If|For|ForIn|ForOf|While|DoWhile|Switch)Statement$/.test(type) ||
  /^(?:CatchClause|ConditionalExpression|LogicalExpression|ArrowFunctionExpression)$/.test(type)

/** Whether the statements that follow may be skipped. `if (!new.target) return new Users()` runs it for the new object. */
function mayReturn(statement: Node): boolean {
  let found = false
  walk(statement, (part) => {
    if (part.type === 'ReturnStatement' && part.argument?.type !== 'NewExpression') found = true
    return !found && !/^(?:ClassBody|FunctionExpression|FunctionDeclaration|ArrowFunctionExpression)$/.test(part.type)
  })
  return found
}

/** What a call that gets `this` adds: `Object.assign(this, …)`, `Base.call(this)`. */
function addedBy(reader: Reader, node: CallExpression, scope: Scope): Members {
  const name = calleeName(node) ?? 'a function'
  const hidden: Members = { known: new Map(), unseen: unseenAt(scope, node, `${name}(this) may add members`) }
  if (name === 'Object.assign')
    return node.arguments.slice(1).reduce((members: Members, source) => {
      return overlay(members, spreadOf(reader.evaluate(source, scope), source, scope).members)
    }, noMembers)
  if (node.callee.type !== 'MemberExpression') return hidden
  const method = nameOf(node.callee.property)
  if (method === 'bind') return noMembers
  if (method !== 'call' && method !== 'apply') return hidden
  const called = reader.evaluate(node.callee.object, scope)
  const made = called.kind === 'function' ? called.asClass() : called
  if (made?.kind !== 'class') return hidden
  const { known, unseen: within } = made.instance
  return { known: new Map([...known].filter(([, { isOwn }]) => isOwn)), unseen: within }
}

/** `constructor() { return { … } }`: `new` does not return an instance. */
export function returnedInstead({ body }: FunctionNode, scope: Scope): Unseen | null {
  let found: Unseen | null = null
  for (const statement of body?.body ?? [])
    walk(statement, (part) => {
      if (/Function/.test(part.type) || part.type === 'ClassBody') return false
      if (part.type === 'ReturnStatement' && part.argument !== null && part.argument.type !== 'ThisExpression')
        found ??= unseenAt(scope, part, 'its constructor returns another object')
      return true
    })
  return found
}
