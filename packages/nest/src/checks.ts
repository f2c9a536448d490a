// What would otherwise fail silently stops the app's start, or logs a warning.
import { routeTable } from '@hv/router'
import { shapeOf } from '@hv/router/internal'
import type { Type } from '@nestjs/common'
import { readersOf } from './action-schema.ts'
import type { Served, VersionedApi } from './handlers.ts'
import { ownersOf } from './inheritance.ts'
import { decoratorNames, harmlessMetadata } from './internals.ts'

/**
 * Two APIs may share a prefix, but the first one responds for all methods of its paths. So a later
 * API's route with the same path would never get a request.
 *
 * @throws Error that names the first such route
 */
export function assertDistinctPaths(apis: readonly VersionedApi[]): void {
  const owners = new Map<string, VersionedApi>()
  for (const api of apis)
    for (const { method, pattern } of routeTable(api.routes)) {
      const path = (api.options.prefix ?? '') + pattern
      const shape = shapeOf(path) // parameter names don't tell paths apart
      const owner = owners.get(shape) ?? api
      owners.set(shape, owner)
      if (owner !== api)
        throw new Error(
          `VersionedApiModule.forRoot(): the path of ${method} ${path} is in both ${owner.routes.settings.vendor} and ` +
            `${api.routes.settings.vendor}. Only the first would get requests, so import each API once, and give ` +
            'each path to one of them.',
        )
    }
}

/** Rejects a `@Param('id')` that's in none of its action's paths. */
export function assertParameters(served: readonly Served[]): void {
  for (const { metatype, row } of served)
    for (const { part, data } of readersOf(metatype, row.action)) {
      if (part !== 'params' || typeof data !== 'string') continue
      const isInPath = served.some(
        (other) =>
          other.metatype === metatype &&
          other.row.action === row.action &&
          other.row.params.includes(data),
      )
      if (!isInPath)
        throw new Error(
          `VersionedApiModule.forRoot(): ${metatype.name}.${row.action}() has @Param('${data}'), ` +
            `which isn't in ${row.pattern}.`,
        )
    }
}

/**
 * Finds overrides that lose what decorators declare. Nest stores what `@UseGuards()` and
 * `@SetMetadata()` declare on the function, and the override is a different one. Its own
 * `@UseGuards()`, even an empty one, answers for guards and for metadata.
 *
 * @returns warnings about what only changes responses
 * @throws Error for guards and pipes, and for metadata that guards read
 */
export function checkOverrides(served: readonly Served[]): string[] {
  const errors = new Set<string>()
  const warnings: string[] = []
  for (const { metatype, row } of served) {
    const [override, ...parents] = ownersOf(metatype, row.action)
    const kept = new Set(keysOf(override!, row.action))
    for (const parent of parents) {
      const lost = keysOf(parent, row.action).filter((key) => !kept.has(key))
      const holes = lost.filter(
        (key) =>
          /^__(?:guards|pipes)__$/.test(key) ||
          (!(key in decoratorNames) && !kept.has('__guards__')),
      )
      const shaping = lost.filter((key) => key in decoratorNames && !holes.includes(key))
      const what = `${override!.name}.${row.action}() overrides ${parent.name}.${row.action}()`
      if (holes.length > 0)
        errors.add(
          `${what} and loses ${listOf(holes)}. Repeat what it needs, or say that it needs none: ` +
            `${holes.every((key) => key === '__pipes__') ? '@UsePipes()' : '@UseGuards()'}.`,
        )
      if (shaping.length > 0)
        warnings.push(
          `${what} and doesn't inherit ${listOf(shaping)}. Repeat it, or declare it on the class.`,
        )
    }
  }
  if (errors.size > 0) throw new Error(`VersionedApiModule.forRoot(): ${[...errors].join('\n')}`)
  return warnings
}

const listOf = (keys: readonly string[]) =>
  new Intl.ListFormat('en').format(
    keys.map((key) => decoratorNames[key] ?? `the metadata '${key}'`),
  )

/** The keys of what decorators declare on a class's own method. */
const keysOf = ({ prototype }: Type, action: string): readonly string[] =>
  Reflect.getOwnMetadataKeys(prototype[action])
    .map(String)
    .filter((key) => !harmlessMetadata.test(key))
