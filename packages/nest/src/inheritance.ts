// What an override has of the decorators of the method that it overrides. Nest inherits too much of it, and too little.
import type { Type } from '@nestjs/common'
import type { Served } from './handlers.ts'
import {
  GUARDS_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
} from './internals.ts'

/**
 * Takes back the parameters that an override inherits. Nest hands `@Body()`, `@Res()` and so on down to the overriding method, for
 * parameters that it declares differently or not at all: after an inherited `@Res()`, nothing that it returns is sent.
 *
 * What a method inherits are the objects of its ancestors. An override with parameters but without decorators keeps them.
 */
export function forgetInheritedParameters(metatype: Type, action: string): void {
  const method = Object.getOwnPropertyDescriptor(metatype.prototype, action)?.value as Function | undefined
  const declared = parametersOf(metatype, action)
  if (method === undefined || (declared === undefined && method.length > 0)) return

  const inherited = ancestorsOf(metatype).map((ancestor) => Object.values(parametersOf(ancestor, action) ?? {}))
  const own = Object.entries(declared ?? {}).filter(([, parameter]) => !inherited.flat().includes(parameter))
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, Object.fromEntries(own), metatype, action)
  // The override's own @Res() takes the response over, even if its parent's let Nest send the result.
  if (!Reflect.hasOwnMetadata(RESPONSE_PASSTHROUGH_METADATA, metatype, action))
    Reflect.defineMetadata(RESPONSE_PASSTHROUGH_METADATA, false, metatype, action)
}

/**
 * Describes an override that lacks the guards, or what guards read, of its parent's method. Nest keeps what `@UseGuards()` and
 * `@SetMetadata()` declare on the function, and the override is a different one.
 */
export function describeOverride({ metatype, row: { action } }: Served): string[] {
  const [owner, parent] = [metatype, ...ancestorsOf(metatype)].filter((one) => Object.hasOwn(one.prototype, action))
  const lost = keysOf(parent, action).filter((key) => !keysOf(owner, action).includes(key))
  if (lost.length === 0) return []
  const what = lost.map((key) => (key === GUARDS_METADATA ? '@UseGuards()' : `the metadata '${String(key)}'`))
  return [
    `${owner!.name}.${action}() overrides ${parent!.name}.${action}() and does not inherit ${what.join(' and ')}. ` +
      'Repeat it, or declare it on the class.',
  ]
}

/** Metadata that no guard reads: Nest's own, apart from the guards, and that of documents. */
const harmless = /^(?:__(?!guards__)|swagger\/|design:|microservices:)/

const keysOf = (metatype: Type | undefined, action: string): readonly unknown[] =>
  Reflect.getOwnMetadataKeys((metatype?.prototype[action] as object) ?? {}).filter(
    (key) => key !== PATH_METADATA && key !== METHOD_METADATA && !(typeof key === 'string' && harmless.test(key)),
  )

/** The classes that a class extends, the nearest first. */
function ancestorsOf(metatype: Type): Type[] {
  const parent = Object.getPrototypeOf(metatype) as Type | null
  return parent?.prototype === undefined ? [] : [parent, ...ancestorsOf(parent)]
}

const parametersOf = (metatype: Type, action: string): Readonly<Record<string, object>> | undefined =>
  Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, metatype, action) as never
