import { type RouterError, invalidOption, assertObject } from '../errors.ts'
import type { Before } from '../types/before.ts'
import type { ActionSchema } from '../types/schema.ts'
import { type Change, isChange } from './change.ts'
import { guard } from './guard.ts'
import { hasPartial } from './lookalike.ts'
import { mapActions } from './actions.ts'
import { type Plan, changeError, isBecame, planOf } from './plan.ts'
import { historyOf, kHistory } from './translation.ts'

/** By action, `users.index`: its schema, and what has been undone. */
type Derived = Map<string, { readonly schema: ActionSchema; readonly history: readonly Plan[] }>

/**
 * Derives the controllers of a version from those of the next version and what changed. Several changes are listed in the
 * order in which they were made. Controllers and actions that no change touches are the same objects in both versions. An
 * explicit controller replaces a derived one: `{ ...before(v2, fullName), teams: new TeamsController() }`.
 *
 * The router validates requests with the older schemas, converts them, and validates what comes out with the newer schemas.
 * It converts JSON responses. Streams, buffers and text are sent as they are.
 *
 * @throws RouterError HV_CHANGE when a change does not apply, is ambiguous, lacks a direction or is async; HV_OPTION
 * @example
 * const v2 = { users: new UsersController(store) }
 * const v1 = before(v2, listsAreEnvelopes)
 * const router = createRouter(routes, { 1: v1, 2: v2 })
 */
export function before<M extends object, const C extends readonly Change[]>(newer: M, ...changes: C): Before<M, C> {
  assertArguments(newer, changes)
  const derived: Derived = new Map()
  mapActions(newer, (action, where) => {
    const schema = typeof action === 'function' ? {} : (action.schema ?? {})
    derived.set(where, { schema, history: historyOf(action) })
    return action
  })
  for (const one of changes.toReversed()) undo(one, derived)

  return mapActions(newer, (action, where) => {
    const { schema, history } = derived.get(where)!
    if (history.length === historyOf(action).length) return action
    const options = typeof action === 'function' ? { handler: action } : { ...action, handler: action.handler } // of a class, perhaps
    return { ...options, schema, [kHistory]: history }
  }) as Before<M, C>
}

/** Undoes the steps of a change in all actions, from the last one to the first. */
function undo({ about, became: steps }: Change, derived: Derived): void {
  let unused: RouterError | undefined
  const undone = steps
    .map((one, index) => guard({ about, one, became: `${index + 1} of ${steps.length}`, known: new WeakMap() }))
    .toReversed()
  for (const step of undone) {
    const touched = new Set<string>()
    for (const [where, { schema, history }] of derived) {
      const plan = planOf(where, schema, step)
      if (plan === null) continue
      touched.add(where)
      derived.set(where, { schema: plan.schema, history: [...history, plan] })
    }
    const idle = step.one.only?.find((where) => !touched.has(where))
    if (touched.size === 0 || idle !== undefined)
      unused ??= changeError(step, idle ?? null, isBecame(step) ? 'unused' : 'status')
  }
  for (const step of undone.filter(isBecame))
    for (const [where, { schema }] of derived) {
      const isMeant = step.one.only?.includes(where) !== false && schema.body !== undefined
      if (isMeant && hasPartial(schema.body, step.one.newer)) throw changeError(step, where, 'partial')
    }
  if (unused !== undefined) throw unused
}

/** An undefined controller comes from a circular import, say. */
function assertArguments(newer: object, changes: readonly Change[]): void {
  const where = 'before()'
  assertObject(where, 'newer', 'the controllers of a version', newer)
  for (const [key, controller] of Object.entries(newer as Readonly<Record<string, unknown>>))
    if (controller === undefined || controller === null)
      throw invalidOption(where, `newer.${key}`, 'a controller', controller)
  for (const one of changes)
    if (!isChange(one)) throw invalidOption(where, 'every change', 'what change() returns', one)
}
