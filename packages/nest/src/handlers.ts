import { type Api, type Match, type Row, routeTable } from '@hv/router'
import type { Type } from '@nestjs/common'
import type { Handler, InstanceWrapper, NestContainer } from './internals.ts'
import type { VersionedApiOptions } from './types.ts'

/** What one `forRoot` describes. */
export interface VersionedApi {
  readonly routes: Api
  /** Version → controller key → class. */
  readonly classes: Readonly<Record<number, Readonly<Record<string, Type | undefined> | undefined>>>
  readonly options: VersionedApiOptions
}

/** A row and the controller that serves it. */
export interface Served {
  readonly row: Row
  readonly metatype: Type
  readonly wrapper: InstanceWrapper
}

/**
 * Finds the controller of every row.
 *
 * @throws Error that lists every missing class and method, and every class that is in no module
 */
export function findControllers({ routes, classes }: VersionedApi, container: NestContainer): readonly Served[] {
  const wrappers = [...container.getModules().values()].flatMap(({ controllers }) => [...controllers.values()])
  // The first module that lists a class has its instance.
  const wrapperOf = new Map(wrappers.toReversed().map((wrapper) => [wrapper.metatype as unknown, wrapper]))
  const problems = new Set<string>()
  const served: Served[] = []

  for (const row of routeTable(routes)) {
    const { version, key, action } = row
    const where = `controllers[${version}]${/^\w+$/.test(key) ? `.${key}` : `['${key}']`}`
    const metatype = classes[version]?.[key]
    const wrapper = wrapperOf.get(metatype)
    if (metatype === undefined) problems.add(`${where} is missing`)
    else if (typeof metatype !== 'function') problems.add(`${where} is not a class`)
    else if (wrapper === undefined) problems.add(`${where}: no module lists ${metatype.name} in its controllers`)
    else if (typeof metatype.prototype[action] !== 'function')
      problems.add(`${where}: ${metatype.name} has no ${action}()`)
    else served.push({ row, metatype, wrapper })
  }
  if (problems.size > 0) throw new Error(`VersionedApiModule.forRoot(): ${[...problems].join('; ')}.`)
  return served
}

/**
 * Arranges handlers as an adapter's controllers: version → key → action. An action chooses the handler by row, because Nest's
 * handlers of one method differ: POST responds with 201.
 *
 * @param toAction - adds the options of an action. `handler` has the metadata of the method
 */
export function actionsOf(
  handlers: ReadonlyMap<Row, Handler>,
  toAction: (action: Handler, handler: Handler) => object = (action) => action,
): object {
  const actions: Record<number, Record<string, Record<string, object>>> = {}
  const action: Handler = (request, response, next) =>
    handlers.get((request as { apiMatch: Match }).apiMatch.row)!(request, response, next)
  for (const [row, handler] of handlers)
    ((actions[row.version] ??= {})[row.key] ??= {})[row.action] = toAction(action, handler)
  return actions
}
