// What authors of an adapter need besides `createMatcher`: `@hv/router/adapter`.
import { type Api, routeTable, versionsOf } from './api.ts'
import { RouterError } from './errors.ts'
import type { Match } from './matcher.ts'
import { type Row, controllerKey } from './table.ts'

export { problemOf } from './problem.ts'

/** An action as an adapter calls it: `this` is the controller. */
export interface BoundAction {
  readonly handler: (...native: never[]) => unknown
  /** The framework's own options for the route: the same object for the same action, and for all plain methods. */
  readonly options: Readonly<Record<string, unknown>>
}

type Action = BoundAction['handler'] | ({ readonly handler: BoundAction['handler'] } & Record<string, unknown>)
type ControllerMap = Readonly<Record<number, Readonly<Record<string, Readonly<Record<string, Action>>>>>>

/**
 * Finds the action of every row in a map version → controller → action.
 *
 * @throws RouterError HV_MISSING_ACTIONS that lists all that are missing
 */
export function bindActions(api: Api, controllers: object): ReadonlyMap<Row, BoundAction> {
  const bound = new Map<Row, BoundAction>()
  const missing = new Set<string>()
  const known = new Map<Action, BoundAction['options']>()
  const optionsOf = (action: Action): BoundAction['options'] => {
    if (typeof action === 'function') return none
    const { handler: _handler, ...own } = action
    const options = known.get(action) ?? own
    known.set(action, options)
    return options
  }

  for (const row of routeTable(api)) {
    const key = controllerKey(api, row)
    const controller = (controllers as ControllerMap)[row.version]?.[key]
    const action = controller?.[row.action]
    const handler = typeof action === 'function' ? action : action?.handler
    if (typeof handler !== 'function') {
      missing.add(controller === undefined ? placeOf(row.version, key) : `${placeOf(row.version, key)}.${row.action}`)
      continue
    }
    bound.set(row, { handler: handler.bind(controller as never), options: optionsOf(action!) })
  }
  if (missing.size > 0)
    throw new RouterError(
      'HV_MISSING_ACTIONS',
      `the routes reach what the controllers lack: ${[...missing].join(', ')}. ` +
        'Add each as a method, or leave its route out with only or except.',
      { missing: [...missing] },
    )
  return bound
}

const none: BoundAction['options'] = Object.freeze({})

const placeOf = (version: number, key: string): string =>
  `controllers[${version}]${/^[a-z_$][\w$]*$/i.test(key) ? `.${key}` : `['${key}']`}`

/** Adds `Accept` to a Vary header (RFC 9110, 12.5.5), keeping what is there. */
export function varyAccept(vary: string | undefined): string {
  if (vary === undefined || vary === '') return 'Accept'
  return /(?:^|,)\s*(?:accept|\*)\s*(?:,|$)/i.test(vary) ? vary : `${vary}, Accept`
}

/**
 * Makes the function that tells the Content-Type of an answer, unless the handler sets its own: the vendor type with the
 * version when the client asked for the vendor type, else `application/json`. It makes no string per request.
 */
export function createContentTypeOf(api: Api): (match: Match) => string {
  const vendorTypes = new Map(
    versionsOf(api).map((version) => [
      version,
      `application/vnd.${api.options.vendorString}+json; version=${version}; charset=utf-8`,
    ]),
  )
  return ({ vendor, version }) => (vendor ? vendorTypes.get(version)! : 'application/json; charset=utf-8')
}

/** Whether a Content-Type is JSON under the API's vendor type; parameters are free. */
export function isVendorJson(api: Api, contentType: string): boolean {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  const vendorType = `application/vnd.${api.options.vendorString.toLowerCase()}`
  return type === vendorType || type === `${vendorType}+json`
}
