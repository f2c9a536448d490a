import { RouterError, failOption, requireObject } from '../errors.ts'
import type { Before } from '../types/before.ts'
import type { ActionSchema, Schema } from '../types/schema.ts'
import { type Change, isChange } from './change.ts'
import type { Convert } from './convert.ts'
import { guard } from './guard.ts'
import { nearestSchema } from './nearest-schema.ts'
import { ownerOf, withOwner } from './owner.ts'
import { type ConvertedPart, type Plan, type ResponsePlan, planOf } from './plan.ts'

/** An action with a schema, as a controller has it. */
export type SchemaAction = Readonly<Record<string, unknown>> & {
  readonly handler: (...native: never[]) => unknown
  readonly schema?: ActionSchema
}

/** How an action of an older version is served with the action of a newer one. */
export interface Translation {
  /** By part of the request: the steps from the oldest version to the newest. Only parts that changed. */
  readonly request: Readonly<Partial<Record<ConvertedPart, readonly RequestStep[]>>>
  /**
   * Converts the body of a response, and sets the headers of older responses. Null if no response changed.
   *
   * @param status - the status of the response
   */
  readonly respond: ((status: number, body: unknown, setHeader: SetHeader) => unknown) | null
}
type SetHeader = (name: string, value: string) => void

/** Takes a validated part of a request to the next version. */
export interface RequestStep {
  /** The change. */
  readonly about: string
  readonly convert: Convert
  /** The schema of the part in the next version. The converted value has to match it. */
  readonly schema: Schema
}

/** What one change means for an action, and the schema of the action before it is undone. */
interface Undone {
  readonly about: string
  readonly plan: Plan
  readonly newer: ActionSchema
}

/** A derived action is the newer one with an older schema and its history, from the latest change on. Copies keep it. */
const kHistory = Symbol.for('@hv/router.history')
const historyOf = (action: unknown): readonly Undone[] =>
  (action as { readonly [kHistory]?: readonly Undone[] })[kHistory] ?? []

type Actions = Readonly<Record<string, SchemaAction | SchemaAction['handler']>>

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
  const undone = changes
    .toReversed()
    .flatMap(({ about, became }) =>
      became.map((one, index) => guard({ about, one, became: `${index + 1} of ${became.length}` })).toReversed(),
    )
  const actions = Object.entries(newer).flatMap(([key, controller]) =>
    Object.entries(actionsOf(controller as Actions)).map(([name, action]) => ({ key, name, action })),
  )
  const plans = new Map<string, { schema: ActionSchema; history: readonly Undone[] }>()
  for (const step of undone) {
    const { about, one, became } = step
    const touched = new Set<string>()
    for (const { key, name, action } of actions) {
      const where = `${key}.${name}`
      const { schema, history } = plans.get(where) ?? { schema: schemaOf(action), history: historyOf(action) }
      const plan = planOf(where, schema, step)
      if (plan === null) continue
      touched.add(where)
      plans.set(where, { schema: plan.schema, history: [...history, { about, plan, newer: schema }] })
    }
    const idle = one.only?.find((where) => !touched.has(where))
    if (touched.size > 0 && idle === undefined) continue
    const schemas = actions.map(({ key, name, action }): [string, ActionSchema] => {
      const where = `${key}.${name}`
      return [where, plans.get(where)?.schema ?? schemaOf(action)]
    })
    const nearest = nearestSchema(new Map(schemas), one.newer)
    const where = idle ?? null
    throw new RouterError('HV_CHANGE', { about, where, became, reason: 'unused', nearest, difference: null })
  }

  const older = Object.entries(newer).map(([key, controller]) => {
    const own = actionsOf(controller as Actions)
    const derived = Object.keys(own).flatMap((name) => {
      const plan = plans.get(`${key}.${name}`)
      if (plan === undefined) return []
      const action = own[name] as SchemaAction
      const { handler } = action // of a class, perhaps
      return [[name, { ...action, handler, schema: plan.schema, [kHistory]: plan.history }] as const]
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

/**
 * Returns how requests and responses of an action are converted; nothing is, if `before` has not made it.
 *
 * @param options - the options of the action
 */
export function translationOf(options: BoundOptions): Translation {
  const history = historyOf(options)
  const request: Partial<Record<ConvertedPart, readonly RequestStep[]>> = {}
  for (const part of ['params', 'querystring', 'headers', 'body'] as const) {
    const steps = history.toReversed().flatMap(({ about, plan, newer }) => {
      const convert = plan.request[part]
      return convert === undefined ? [] : [{ about, convert, schema: newer[part]! }]
    })
    if (steps.length > 0) request[part] = steps
  }
  return { request, respond: respondWith(history.map(({ plan }) => plan.response)) }
}
type BoundOptions = Readonly<Record<string, unknown>>

function respondWith(plans: readonly Plan['response'][]): Translation['respond'] {
  const statuses = Object.keys(plans[0] ?? {}).map((status): [string, readonly ResponsePlan[]] => [
    status,
    plans.flatMap((plan) => plan[status] ?? []),
  ])
  if (statuses.every(([, steps]) => steps.length === 0)) return null
  const byStatus = new Map(statuses)
  return (status, body, setHeader) => {
    const steps = byStatus.get(String(status)) ?? byStatus.get(`${String(status)[0]}xx`) ?? byStatus.get('default')
    const set: (readonly [string, string])[] = []
    let now = body
    for (const { convert, headers } of steps ?? []) {
      set.push(...headers(now))
      now = convert(now)
    }
    for (const [name, value] of set) setHeader(name, value)
    return now
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
