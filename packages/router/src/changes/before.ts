import { assertObject, invalidOption } from '../errors.ts'
import type { Before } from '../types/before.ts'
import type { ActionSchema } from '../types/schema.ts'
import { type SchemaAction, mapActions } from './actions.ts'
import { type Change, type Step, isChange } from './change.ts'
import { hasPartial, hidesEqual } from './lookalike.ts'
import { describeNearest } from './nearest-schema.ts'
import { planOf, requestParts } from './plan.ts'
import { type ChangeStep, isBecame, refuseIn } from './step.ts'
import { historyOf, kHistory } from './translation.ts'

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
export function before<M extends object, const C extends readonly Change[]>(
  newer: M,
  ...changes: C
): Before<M, C> {
  assertArguments(newer, changes)
  const undone = changes.toReversed().map(stepsOf)
  const older = mapActions(newer, (action, where) => {
    const options = typeof action === 'function' ? { handler: action } : action
    let schema = (options as SchemaAction).schema ?? {}
    const history = [...historyOf(action)]
    for (const steps of undone) {
      for (const step of steps) {
        const plan = planOf(where, schema, step)
        step.tried.set(where, schema)
        if (plan === null) continue
        step.touched.add(where)
        history.push(plan)
        schema = plan.schema
      }
      assertNoLookalike(where, schema, steps)
    }
    if (history.length === historyOf(action).length) return action
    return { ...options, handler: options.handler, schema, [kHistory]: history } // the handler of a class, perhaps
  })
  for (const step of undone.flat()) assertTouched(step)
  return older as Before<M, C>
}

/** The steps of a change, from the last one to the first. */
function stepsOf({ about, became: steps }: Change): readonly ChangeStep[] {
  const stepOf = (one: Step, index: number): ChangeStep => {
    const became = `${index + 1} of ${steps.length}`
    return { about, one, became, known: new WeakMap(), tried: new Map(), touched: new Set() }
  }
  return steps.map(stepOf).toReversed()
}

function assertNoLookalike(
  where: string,
  schema: ActionSchema,
  steps: readonly ChangeStep[],
): void {
  const parts = [
    ...requestParts.map((part) => schema[part]),
    ...Object.values(schema.response ?? {}),
  ]
  for (const step of steps) {
    if (!isBecame(step) || step.one.only?.includes(where) === false) continue
    const { newer } = step.one
    if (schema.body !== undefined && hasPartial(schema.body, newer))
      refuseIn(step, where)('partial')
    if (parts.some((part) => part !== undefined && hidesEqual(part, newer)))
      refuseIn(step, where)('library')
  }
}

function assertTouched(step: ChangeStep): void {
  const idle = step.one.only?.find((where) => !step.touched.has(where))
  if (step.touched.size > 0 && idle === undefined) return
  const refuse = refuseIn(step, idle ?? null)
  if (!isBecame(step)) refuse('status')
  else refuse('unused', describeNearest(step.tried, step.one.newer))
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
