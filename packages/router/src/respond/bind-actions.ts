import { type Action, isEvent, ownerOf } from '../changes/actions.ts'
import { isAnyObject } from '../objects.ts'
import { type Api, assertApi, routeTable } from '../compile/api.ts'
import type { Row } from '../compile/route.ts'
import { RouterError, assertKnown, assertObject, invalidOption } from '../errors.ts'

/**
 * An action that's ready to be called: `this` is bound to its controller. If the controller was
 * derived from a newer one, `this` is the newer controller.
 */
export interface BoundAction {
  readonly handler: (...native: never[]) => unknown
  /** The framework's route options. Empty if the action is a function. */
  readonly options: Readonly<Record<string, unknown>>
}

type BoundByOwner = Map<object, Map<Action, BoundAction>>
type ControllerMap = Readonly<
  Record<number, Readonly<Record<string, Readonly<Record<string, Action>>>>>
>

/**
 * The packages whose `action()` made an action. Copies, such as `{ ...show, use }`, aren't in it.
 */
const makers = new WeakMap<object, string>()

/**
 * Notes that an adapter's `action()` made an action, and returns the action.
 *
 * @param adapter - the adapter's package
 */
export function madeBy<A>(adapter: string, action: A): A {
  if (isAnyObject(action)) makers.set(action, adapter)
  return action
}

/**
 * Finds every row's action. Versions that share a controller share its actions.
 *
 * @param controllers - version → controller key → action
 * @param actionOptions - an action's options besides `schema` and `handler`. If they're left out,
 *   options aren't checked
 * @param adapter - the adapter's package. If it's left out, any adapter's `action()` may have made
 *   the actions
 * @throws RouterError HV_MISSING_ACTIONS, which lists every missing controller and action;
 *   HV_OPTION
 */
export function bindActions(
  api: Api,
  controllers: object,
  actionOptions?: readonly string[],
  adapter?: string,
): ReadonlyMap<Row, BoundAction> {
  const bound = new Map<Row, BoundAction>()
  assertApi(api, 'createRouter()')
  assertObject('createRouter()', 'controllers', 'the controllers by version', controllers)
  const missing = new Set<string>()
  const byOwner: BoundByOwner = new Map()

  for (const row of routeTable(api)) {
    const ofVersion = (controllers as ControllerMap)[row.version]
    const controller = memberOf(ofVersion, row.key)
    const action = memberOf(controller, row.action)
    const handler = typeof action === 'function' ? action : action?.handler
    const maker = makers.get(action!) ?? adapter
    if (adapter !== undefined && maker !== adapter)
      throw invalidOption(placeOf(row), 'action()', `imported from '${adapter}'`, maker)
    const isUndefined = ofVersion
      ? Object.hasOwn(ofVersion, row.key)
      : Object.hasOwn(controllers, row.version)
    if (typeof handler !== 'function' || isEvent(action))
      missing.add(describeMissing(row, isUndefined, controller, action))
    else bound.set(row, bind(ownerOf(controller!), action!, byOwner))
  }
  if (missing.size > 0) throw new RouterError('HV_MISSING_ACTIONS', { missing: [...missing] })
  if (actionOptions === undefined) return bound
  for (const [row, { options }] of bound) {
    assertKnown(placeOf(row), options, [...actionOptions, 'schema', 'handler'])
    // With a circular import, the schema is undefined, and the action would run without validation.
    if ('schema' in options && options['schema'] === undefined)
      throw invalidOption(placeOf(row), 'schema', 'an object', undefined)
  }
  return bound
}

/**
 * Binds an action to its owner, but only once, because several versions' rows may have the same
 * action.
 */
function bind(owner: object, action: Action, byOwner: BoundByOwner): BoundAction {
  const ofOwner = byOwner.get(owner) ?? new Map<Action, BoundAction>()
  byOwner.set(owner, ofOwner)
  const { handler, ...options } = typeof action === 'function' ? { handler: action } : action
  const bound = ofOwner.get(action) ?? { handler: handler.bind(owner as never), options }
  ofOwner.set(action, bound)
  return bound
}

/** An action as messages show it: `api/v1/users#index in version 1`. */
export const placeOf = (row: Row): string =>
  `${row.controller}#${row.action} in version ${row.version}`

/**
 * Returns an object's member, unless every object inherits it, such as `constructor` and
 * `toString`.
 */
function memberOf<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  const member = object?.[name]
  const isInherited = name === 'constructor' || member === Object.prototype[name as 'toString']
  return isInherited && object != null && !Object.hasOwn(object, name) ? undefined : member
}

function describeMissing(
  { version, key, action: name }: Row,
  isUndefined: boolean,
  controller: unknown,
  action: unknown,
): string {
  const isIdentifier = /^[a-z_$][\w$]*$/i.test(key)
  const where = `controllers[${version}]${isIdentifier ? `.${key}` : `['${key}']`}`
  if (controller === undefined)
    return isUndefined ? `${where} (undefined: look for a circular import)` : where
  if (typeof controller === 'function')
    return `${where} (a class or function: pass an object, such as new UsersController())`
  if (action === undefined) return `${where}.${name}`
  const problem = isEvent(action) ? 'an event' : 'neither a function nor an object with a handler'
  return `${where}.${name} (${problem})`
}
