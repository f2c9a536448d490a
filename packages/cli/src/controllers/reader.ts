// What the readers of classes, objects and exports share.
import type { Node } from 'oxc-parser'
import { nameOf, placeOf } from '../syntax/parse.ts'
import type { Scope } from './scope.ts'
import { type Unseen, type Value, unseenValue } from './value.ts'

/** Reads values. The readers of each kind of expression call it for the expressions inside. */
export interface Reader {
  /** The value of an expression or a declaration. */
  evaluate(node: Node, scope: Scope): Value
  /** The value of a name, after all that the file does to it. */
  lookUp(name: string, scope: Scope, node: Node): Value
  /** What `require(specifier)` or, for `isImport`, `import * from specifier` gives. */
  load(specifier: string, scope: Scope, node: Node, isImport: boolean): Value
  /** A member of an object or a module. */
  pick(value: Value, name: string, scope: Scope, node: Node): Value
}

/** Why something at a node cannot be known. */
export const unseenAt = (scope: Scope, node: Node, why: string): Unseen => ({ why, place: placeOf(scope.file, node) })

/** The value of a node that cannot be known. */
export const unseen = (scope: Scope, node: Node, why: string): Value => unseenValue(unseenAt(scope, node, why))

/** The name of a member. Null when it is private or a symbol; `unseen` when it is computed. */
export function memberName(
  key: Node,
  computed: boolean,
  scope: Scope,
): { readonly name: string | null } | { readonly unseen: Unseen } {
  if (key.type === 'PrivateIdentifier') return { name: null }
  if (!computed || key.type === 'Literal') return { name: nameOf(key) }
  if (key.type === 'MemberExpression' && key.object.type === 'Identifier' && key.object.name === 'Symbol')
    return { name: null }
  return { unseen: unseenAt(scope, key, `the name [${scope.file.text.slice(key.start, key.end)}] is computed`) }
}
