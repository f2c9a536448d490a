import { type Api, RouterError, type Row, routeTable } from '@hv/router'
import type { SchemaAction } from '@hv/router/adapter'
import { isEvent } from '@hv/router/internal'
import type { Type } from '@nestjs/common'
import { describeProblem, olderActionOf, servingClass } from './before.ts'
import { type InstanceWrapper, type NestContainer, controllersOf } from './internals.ts'
import type { VersionedApiOptions } from './types.ts'

/** The API that one `forRoot()` call describes. */
export interface VersionedApi {
  readonly routes: Api
  /** Version → controller key → class. */
  readonly classes: Readonly<Record<number, Readonly<Record<string, Type>>>>
  readonly options: VersionedApiOptions
}

/** A row and the controller that serves it. */
export interface Served {
  readonly row: Row
  /** The row's pattern, after the API's prefix. */
  readonly path: string
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
  { routes, classes, options: { prefix = '' } }: VersionedApi,
  container: NestContainer,
): readonly Served[] {
  const wrapperOf = new Map<unknown, InstanceWrapper>()
  // If several modules list a class, the first one has its instance.
  for (const wrapper of controllersOf(container).toReversed())
    wrapperOf.set(wrapper.metatype, wrapper)
  const missing = new Set<string>()
  const problems = new Set<string>()
  const served: Served[] = []
  for (const row of routeTable(routes)) {
    const declared = classes[row.version]?.[row.key]
    if (!declared) continue
    const metatype = servingClass(declared, wrapperOf)
    const wrapper = wrapperOf.get(metatype)
    const where = `controllers[${row.version}]['${row.key}']`
    const { name = 'not a class' } = metatype
    if (isEvent(Reflect.get(declared, row.action))) missing.add(`${where}.${row.action} (an event)`)
    else if (!wrapper)
      problems.add(`${where} (${name}) is in no module's controllers. List it in one.`)
    else if (metatype.prototype[row.action]) {
      const olderAction = olderActionOf(declared, row.action)
      const problem = olderAction && describeProblem(declared, row, olderAction)
      if (problem) problems.add(problem)
      served.push({ row, path: prefix + row.pattern, metatype, wrapper, olderAction })
    } else
      missing.add(
        `${where}.${row.action} (${name} has no such method, and a property such as ` +
          `${row.action} = () => … isn't one)`,
      )
  }
  if (missing.size > 0) throw new RouterError('HV_MISSING_ACTIONS', { missing: [...missing] })
  if (problems.size > 0)
    throw new Error(`VersionedApiModule.forRoot(): ${[...problems].join('\n')}`)
  return served
}

/** Arranges actions as an adapter's controllers: version → key → action. */
export function arrange(
  rows: Iterable<Row>,
  toAction: (row: Row) => object,
): Readonly<Record<number, object>> {
  const controllers: any = {}
  for (const row of rows)
    ((controllers[row.version] ??= {})[row.key] ??= {})[row.action] = toAction(row)
  return controllers
}
