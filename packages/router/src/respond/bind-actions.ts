import { ownerOf } from '../changes/owner.ts'
import { type Api, checked, routeTable } from '../compile/api.ts'
import type { Row } from '../compile/route.ts'
import { RouterError, requireObject } from '../errors.ts'

/** An action, ready to be called: `this` is the controller, or the newer one that it was derived from. */
export interface BoundAction {
  readonly handler: (...native: never[]) => unknown
  /** The framework's route options. Actions without options share one empty object. */
  readonly options: Readonly<Record<string, unknown>>
}

type Action = BoundAction['handler'] | ({ readonly handler: BoundAction['handler'] } & Record<string, unknown>)
type ControllerMap = Readonly<Record<number, Readonly<Record<string, Readonly<Record<string, Action>>>>>>

/**
 * Finds the action of every row.
 *
 * @param controllers - version → controller key → action
 * @throws RouterError HV_MISSING_ACTIONS, which lists every missing controller and action; HV_OPTION
 */
export function bindActions(api: Api, controllers: object): ReadonlyMap<Row, BoundAction> {
  const bound = new Map<Row, BoundAction>()
  checked(api, 'createRouter()')
  requireObject('createRouter()', 'controllers', 'the controllers by version', controllers)
  const missing = new Set<string>()
  const optionsOf = createOptionsOf()

  for (const row of routeTable(api)) {
    const controller = (controllers as ControllerMap)[row.version]?.[row.key]
    const action = controller?.[row.action]
    const handler = typeof action === 'function' ? action : action?.handler
    const where = `controllers[${row.version}]${/^[a-z_$][\w$]*$/i.test(row.key) ? `.${row.key}` : `['${row.key}']`}`
    if (typeof handler !== 'function') missing.add(controller === undefined ? where : `${where}.${row.action}`)
    else bound.set(row, { handler: handler.bind(ownerOf(controller!) as never), options: optionsOf(action!) })
  }
  if (missing.size > 0) throw new RouterError('HV_MISSING_ACTIONS', { missing: [...missing] })
  return bound
}

/** One options object per action object: an adapter may group actions by the identity of their options. */
function createOptionsOf(): (action: Action) => BoundAction['options'] {
  const known = new Map<Action, BoundAction['options']>()
  return (action) => {
    if (typeof action === 'function') return none
    const { handler: _handler, ...own } = action
    const options = known.get(action) ?? own
    known.set(action, options)
    return options
  }
}

const none: BoundAction['options'] = Object.freeze({})
