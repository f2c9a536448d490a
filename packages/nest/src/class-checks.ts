import type { Type } from '@nestjs/common'
import type { Served } from './handlers.ts'
import { ancestorsOf } from './inherited-parameters.ts'
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA, paramType } from './internals.ts'

/** A method of a controller, and the paths that reach it. */
export interface Method {
  readonly metatype: Type
  readonly action: string
  readonly patterns: ReadonlySet<string>
}

/** The methods that serve rows, each once: versions share them. */
export function methodsOf(served: readonly Served[]): readonly Method[] {
  const methods = new Map<Type, Map<string, Set<string>>>()
  for (const { metatype, row } of served) {
    const actions = methods.get(metatype) ?? new Map<string, Set<string>>()
    methods.set(metatype, actions)
    actions.set(row.action, (actions.get(row.action) ?? new Set()).add(row.pattern))
  }
  return [...methods].flatMap(([metatype, actions]) =>
    [...actions].map(([action, patterns]) => ({ metatype, action, patterns })),
  )
}

/** @throws Error that lists every `@Param('idd')` whose method no path with that parameter reaches */
export function assertParameters(methods: readonly Method[]): void {
  const problems = methods.flatMap(({ metatype, action, patterns }) => {
    const paths = [...patterns].join(' and ')
    const names = new Set([...paths.matchAll(/[:*](\w+)/g)].map(([, name]) => name))
    const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, metatype, action) as Record<string, { data?: unknown }>
    return Object.entries(declared ?? {})
      .filter(([key, { data }]) => key.startsWith(`${paramType}:`) && typeof data === 'string' && !names.has(data))
      .map(([, { data }]) => `${metatype.name}.${action}() has @Param('${String(data)}'), which is not in ${paths}`)
  })
  if (problems.length > 0) throw new Error(`VersionedApiModule.forRoot(): ${problems.join('; ')}.`)
}

/** Metadata that no guard reads: Nest's own, apart from the guards, and that of documents. */
const harmless = /^(?:__(?!guards__)|swagger\/|design:|microservices:)/

/**
 * Describes every method that overrides one with guards, without them. Nest keeps what `@UseGuards()` and `@SetMetadata()` declare
 * on the function, and the function of a subclass is a different one.
 */
export function describeOverrides(methods: readonly Method[]): readonly string[] {
  const warnings = methods.map(({ metatype, action }) => {
    const [owner, parent] = [metatype, ...ancestorsOf(metatype)].filter(({ prototype }) =>
      Object.hasOwn(prototype, action),
    )
    if (owner === undefined || parent === undefined) return undefined
    const own = new Set(keysOf(owner, action))
    const lost = keysOf(parent, action).filter((key) => !own.has(key))
    if (lost.length === 0) return undefined
    const what = lost.map((key) => (key === GUARDS_METADATA ? '@UseGuards()' : `the metadata '${String(key)}'`))
    return (
      `${owner.name}.${action}() overrides ${parent.name}.${action}() and does not inherit ${what.join(' and ')}. ` +
      'Repeat it, or declare it on the class.'
    )
  })
  return [...new Set(warnings.filter((warning) => warning !== undefined))]
}

const keysOf = ({ prototype }: Type, action: string): readonly unknown[] =>
  Reflect.getOwnMetadataKeys(prototype[action] as object).filter(
    (key) => key !== PATH_METADATA && key !== METHOD_METADATA && !(typeof key === 'string' && harmless.test(key)),
  )
