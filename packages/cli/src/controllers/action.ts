import type { Members, Unseen, Value } from '../modules/value.ts'

/** Whether a value is an action: a function, or an object with a `handler`. Null when it cannot be told. */
export function isAction(value: Value): boolean | null {
  if (value.kind === 'function') return true
  if (value.kind === 'unseen') return null
  if (value.kind !== 'object') return false
  const handler = value.members.known.get('handler')
  if (handler !== undefined) return isAction(handler.value()) !== false
  return value.members.unseen === null ? false : null
}

/** Why a value cannot be told to be an action; null when it can. `isCalled`: it is what a call returns, `wrap(handler)`. */
export const hiddenAction = (value: Value): (Unseen & { readonly isCalled?: true }) | null => {
  if (value.kind === 'unseen') return value
  if (value.kind !== 'object') return null
  const handler = value.members.known.get('handler')
  return handler === undefined ? value.members.unseen : hiddenAction(handler.value())
}

/** The names of the members that are actions. */
export const actionNames = ({ known }: Members): readonly string[] =>
  [...known].filter(([, member]) => isAction(member.value()) === true).map(([name]) => name)

/** The seven actions of a resource. A file that exports one of them as a function is a controller itself. */
export const usualActions: ReadonlySet<string> = new Set([
  'index',
  'create',
  'new',
  'edit',
  'show',
  'update',
  'destroy',
])
