import { type Api, type Row, routeTable } from '@hv/router'
import type { Type } from '@nestjs/common'
import {
  type ApplicationConfig,
  type Handler,
  type InstanceWrapper,
  type NestContainer,
  createExplorer,
} from './internals.ts'

/** Version → controller key → class. */
export type Classes = Readonly<Record<number, Readonly<Record<string, Type | undefined> | undefined>>>

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
export function findControllers(api: Api, classes: Classes, container: NestContainer): readonly Served[] {
  const wrappers = wrappersOf(container)
  const problems = new Set<string>()
  const served: Served[] = []

  for (const row of routeTable(api)) {
    const { version, key, action } = row
    const where = `controllers[${version}]${/^\w+$/.test(key) ? `.${key}` : `['${key}']`}`
    const metatype = classes[version]?.[key]
    const wrapper = wrappers.get(metatype)
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

/** Creates the handler of every row: what Nest would register for it, with guards, pipes, interceptors and filters. */
export function createHandlers(
  served: readonly Served[],
  container: NestContainer,
  config: ApplicationConfig,
): ReadonlyMap<Row, Handler> {
  const explore = createExplorer(container, config)
  return new Map(served.map(({ row, wrapper }) => [row, explore(row, wrapper)]))
}

/** The first module that lists a class has its instance. */
function wrappersOf(container: NestContainer): ReadonlyMap<unknown, InstanceWrapper> {
  const wrappers = [...container.getModules().values()].flatMap(({ controllers }) => [...controllers.values()])
  return new Map(wrappers.toReversed().map((wrapper) => [wrapper.metatype, wrapper]))
}
