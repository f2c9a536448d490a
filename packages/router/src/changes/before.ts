import { assertObject, invalidOption } from '../errors.ts'
import type { Before } from '../types/before.ts'
import { type SchemaAction, isEvent, mapActions } from './actions.ts'
import { type Change, isChange } from './change.ts'
import { assertNoneMissed, describeNearest } from './lookalike.ts'
import { planOf } from './plan.ts'
import { type ChangeStep, changeError } from './step.ts'
import { historyOf, kHistory } from './translation.ts'

/**
 * Derives a version's controllers from those of the next version and what changed. If there are
 * several changes, list them in the order in which you made them. Controllers and actions that no
 * change touches are the same objects in both versions. You can replace a derived controller by one
 * of your own: `{ ...before(v2, fullName), teams: new TeamsController() }`.
 *
 * The router validates a request with the older schemas, converts it, and validates the result with
 * the newer schemas. It converts JSON responses, also those that are sent as text or bytes. A JSON
 * stream that a change would have to convert gets a 500 response. Other types and statuses are sent
 * as they are.
 *
 * @throws RouterError HV_CHANGE if a change doesn't apply, is ambiguous, lacks a direction or is
 *   async; HV_OPTION
 * @example
 * const v2 = { users: new UsersController(store) }
 * const v1 = before(v2, listsAreEnvelopes)
 * const router = createRouter(routes, { 1: v1, 2: v2 })
 */
export function before<M extends object, const C extends readonly Change[]>(
  newer: M,
  ...changes: C
): Before<M, C> {
  assertArguments(newer, changes)
  const undone = changes.toReversed().map(stepsFromLast)
  const named = new Set<unknown>()
  for (const { declared } of undone.flat())
    if ('newer' in declared) named.add(declared.older).add(declared.newer)
  const older = mapActions(newer, (action, where) => {
    const options = typeof action === 'function' ? { handler: action } : action
    let schema = (options as SchemaAction).schema ?? {}
    const history = [...historyOf(action)]
    for (const steps of undone) {
      for (const step of steps) {
        const plan = planOf(where, schema, step, isEvent(action))
        step.tried.set(where, schema)
        if (plan === null) continue
        step.touched.add(where)
        history.push(plan)
        schema = plan.schema
      }
      for (const step of steps) assertNoneMissed(where, schema, step, named)
    }
    if (history.length === historyOf(action).length) return action
    // A spread would leave out the handler if it's a method of a class.
    return { ...options, handler: options.handler, schema, [kHistory]: history }
  })
  for (const step of undone.flat()) assertTouched(step)
  return older as Before<M, C>
}

function stepsFromLast({ about, became: steps }: Change): readonly ChangeStep[] {
  const undone = steps.map((declared, index) => ({
    about,
    declared,
    became: { number: index + 1, of: steps.length },
    replacements: new WeakMap(),
    tried: new Map(),
    touched: new Set<string>(),
  }))
  return undone.toReversed()
}

function assertTouched(step: ChangeStep): void {
  const { declared, tried, touched } = step
  const untouched = declared.only?.find((where) => !touched.has(where)) ?? null
  if (touched.size > 0 && untouched === null) return
  if (!('newer' in declared)) throw changeError(step, untouched, 'status')
  const without = [...tried].filter(([where]) => !touched.has(where))
  throw changeError(step, untouched, 'unused', describeNearest(without, declared.newer))
}

/** A circular import may leave a controller undefined. */
function assertArguments(newer: object, changes: readonly Change[]): void {
  const where = 'before()'
  assertObject(where, 'newer', 'the controllers of a version', newer)
  for (const [key, controller] of Object.entries(newer as Readonly<Record<string, unknown>>))
    if (controller === undefined || controller === null)
      throw invalidOption(where, `newer.${key}`, 'a controller', controller)
  for (const change of changes)
    if (!isChange(change))
      throw invalidOption(where, 'every change', 'what change() returns', change)
}
