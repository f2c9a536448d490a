import { type Api, type Match, RouterError, type Row, routeTable } from '@hv/router'
import type { SchemaAction } from '@hv/router/adapter'
import type { Type } from '@nestjs/common'
import { describeProblem, olderActionOf, servingClass } from './before.ts'
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
  /** What `before` derived for the row, if it did. */
  readonly olderAction: SchemaAction | undefined
}

/**
 * Finds every row's controller. The adapter reports keys without a class.
 *
 * @throws Error that lists the classes that are in no module, whatever isn't a class, and actions
 *   that can't be derived; RouterError HV_MISSING_ACTIONS, which lists every missing method
 */
export function findControllers(
  { routes, classes }: VersionedApi,
  container: NestContainer,
): readonly Served[] {
  const wrapperOf = new Map<unknown, InstanceWrapper>()
  for (const { controllers } of container.getModules().values())
    for (const wrapper of controllers.values())
      // If several modules list a class, the first one has its instance.
      if (!wrapperOf.has(wrapper.metatype)) wrapperOf.set(wrapper.metatype, wrapper)
  const unlisted = new Set<string>()
  const missing = new Set<string>()
  const problems = new Set<string>()
  const served: Served[] = []
  for (const row of routeTable(routes)) {
    const declared = classes[row.version]?.[row.key] ?? null
    if (declared === null) continue
    const metatype = servingClass(declared, (candidate) => wrapperOf.has(candidate))
    const wrapper = wrapperOf.get(metatype)
    const where = `controllers[${row.version}]['${row.key}']`
    const { name = 'not a class' } = metatype
    if (wrapper === undefined) unlisted.add(`${where} (${name})`)
    else if (metatype.prototype[row.action]) {
      const problem = describeProblem(declared, row)
      if (problem !== undefined) problems.add(problem)
      served.push({ row, metatype, wrapper, olderAction: olderActionOf(declared, row.action) })
    } else
      missing.add(
        `${where}.${row.action} (${name} has no such method, and a property such as ` +
          `${row.action} = () => … isn't one)`,
      )
  }
  if (unlisted.size > 0)
    throw new Error(
      'VersionedApiModule.forRoot(): no module has these in its controllers: ' +
        `${[...unlisted].join(', ')}. List each class in a module.`,
    )
  if (missing.size > 0) throw new RouterError('HV_MISSING_ACTIONS', { missing: [...missing] })
  if (problems.size > 0) throw new Error(`before(): ${[...problems].join('\n')}`)
  return served
}

/**
 * Arranges handlers as an adapter's controllers: version → key → action. An action chooses its
 * handler by row, because the handlers that Nest creates for a method differ: only the one for POST
 * responds with 201.
 *
 * @param toAction - adds an action's options. `handler` has the method's metadata
 */
export function actionsOf(
  handlers: ReadonlyMap<Row, Handler>,
  toAction: (action: Handler, handler: Handler) => object = (action) => action,
): object {
  const actions: any = {}
  const action: Handler = (request, response, next) =>
    handlers.get((request as { apiMatch: Match }).apiMatch.row)!(request, response, next)
  for (const [row, handler] of handlers)
    ((actions[row.version] ??= {})[row.key] ??= {})[row.action] = toAction(action, handler)
  return actions
}
