import { RouterError, failOption, requireObject } from '../errors.ts'
import type { Before } from '../types/before.ts'
import type { ActionSchema } from '../types/schema.ts'
import { type Change, isChange } from './change.ts'
import type { Convert } from './convert.ts'
import { ownerOf, withOwner } from './owner.ts'
import { type ConvertedPart, type Plan, type ResponsePlan, planOf } from './plan.ts'

/** An action with a schema, as a controller has it. */
export type SchemaAction = Readonly<Record<string, unknown>> & {
  readonly handler: (...native: never[]) => unknown
  readonly schema?: ActionSchema
}

/** What an adapter needs to serve an older version with the action of a newer one. */
export interface Translation {
  /** The schema of the older action. */
  readonly schema: ActionSchema
  /** Converts the validated parts of an older request, if they changed. */
  readonly request: readonly (readonly [part: ConvertedPart, convert: Convert])[]
  /**
   * Converts the body of a response, and sets the headers of older responses. Null if no response changed.
   *
   * @param status - the status of the response
   */
  readonly respond: ((status: number, body: unknown, setHeader: SetHeader) => unknown) | null
}
type SetHeader = (name: string, value: string) => void

/** Creates an older action from a newer one. `this` of the handlers is the controller. */
export type Derive = (newer: SchemaAction, translation: Translation) => SchemaAction

type Actions = Readonly<Record<string, SchemaAction | SchemaAction['handler']>>

/**
 * Creates the `before` of an adapter: the controllers of a version, from those of the next version and what changed.
 *
 * Several changes are listed in the order in which they were made. Controllers and actions that no change touches are the
 * same objects in both versions.
 *
 * @throws RouterError HV_CHANGE when a change does not apply, is ambiguous, or lacks a direction; HV_OPTION
 */
export const createBefore =
  (derive: Derive) =>
  <M extends object, const C extends readonly Change[]>(newer: M, ...changes: C): Before<M, C> => {
    assertArguments(newer, changes)
    const undone = changes
      .toReversed()
      .flatMap(({ about, became }) => became.toReversed().map((one) => ({ about, one })))
    const actions = Object.entries(newer).flatMap(([key, controller]) =>
      Object.entries(actionsOf(controller as Actions)).map(([name, action]) => ({ key, name, action })),
    )
    const plans = new Map<string, { schema: ActionSchema; plans: Plan[] }>()
    for (const { about, one } of undone) {
      const touched = new Set<string>()
      for (const { key, name, action } of actions) {
        const where = `${key}.${name}`
        const known = plans.get(where) ?? { schema: schemaOf(action), plans: [] }
        const plan = planOf(where, known.schema, about, one)
        if (plan === null) continue
        touched.add(where)
        plans.set(where, { schema: plan.schema, plans: [...known.plans, plan] })
      }
      const idle = one.only?.find((where) => !touched.has(where))
      if (touched.size === 0 || idle !== undefined)
        throw new RouterError('HV_CHANGE', { about, where: idle ?? null, reason: 'unused' })
    }

    const older = Object.entries(newer).map(([key, controller]) => {
      const own = actionsOf(controller as Actions)
      const derived = Object.keys(own).flatMap((name) => {
        const plan = plans.get(`${key}.${name}`)
        return plan === undefined ? [] : [[name, derive(own[name] as SchemaAction, translate(plan))] as const]
      })
      if (derived.length === 0) return [key, controller as unknown] as const
      return [key, withOwner({ ...own, ...Object.fromEntries(derived) }, controller as object)] as const
    })
    return Object.fromEntries(older) as Before<M, C>
  }

/** An undefined controller comes from a circular import, say. */
function assertArguments(newer: object, changes: readonly Change[]): void {
  const where = 'before()'
  requireObject(where, 'newer', 'the controllers of a version', newer)
  for (const [key, controller] of Object.entries(newer as Readonly<Record<string, unknown>>))
    if (controller === undefined || controller === null) failOption(where, `newer.${key}`, 'a controller', controller)
  for (const one of changes) if (!isChange(one)) failOption(where, 'every change', 'what change() returns', one)
}

const schemaOf = (action: Actions[string]): ActionSchema => (typeof action === 'function' ? {} : (action.schema ?? {}))

/** Combines the plans of an action, those of the latest change first. */
function translate({ schema, plans }: { readonly schema: ActionSchema; readonly plans: readonly Plan[] }): Translation {
  const upwards = plans.toReversed()
  const request = (['params', 'querystring', 'headers', 'body'] as const).flatMap((part) => {
    const converts = upwards.flatMap((plan) => plan.request[part] ?? [])
    const convert: Convert = (value) => converts.reduce((now, next) => next(now), value)
    return converts.length === 0 ? [] : [[part, convert] as const]
  })
  const statuses = Object.keys(plans[0]!.response).map((status): [string, readonly ResponsePlan[]] => [
    status,
    plans.flatMap((plan) => plan.response[status] ?? []),
  ])
  if (statuses.every(([, steps]) => steps.length === 0)) return { schema, request, respond: null }
  const byStatus = new Map(statuses)
  return {
    schema,
    request,
    respond(status, body, setHeader) {
      const steps = byStatus.get(String(status)) ?? byStatus.get(`${String(status)[0]}xx`) ?? byStatus.get('default')
      const set: (readonly [string, string])[] = []
      let now = body
      for (const { convert, headers } of steps ?? []) {
        set.push(...headers(now))
        now = convert(now)
      }
      for (const [name, value] of set) setHeader(name, value)
      return now
    },
  }
}

/** The actions of a controller: its methods, and its objects with a handler. */
export function actionsOf(controller: Actions): Actions {
  const owner = ownerOf(controller)
  const found: Record<string, Actions[string]> = {}
  const ends = new Set<unknown>([null, Object.prototype, Function.prototype])
  for (let at: object = controller; !ends.has(at); at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name === 'constructor' || Object.hasOwn(found, name)) continue
      const action = controller[name] as Actions[string] | null | undefined
      const isAction = typeof action === 'function' || typeof action?.handler === 'function'
      if (isAction) found[name] = action
    }
  return withOwner(found, owner)
}
