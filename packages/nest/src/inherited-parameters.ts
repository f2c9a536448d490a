import type { Type } from '@nestjs/common'
import { RESPONSE_PASSTHROUGH_METADATA, ROUTE_ARGS_METADATA } from './internals.ts'

type Parameters = Readonly<Record<string, object>>

/**
 * Takes back the parameters that an override inherits. Nest hands `@Body()`, `@Res()` and so on down to the overriding method, for
 * parameters that it declares differently or not at all: after an inherited `@Res()`, nothing that it returns is sent.
 *
 * What a method inherits are the objects of its ancestors. An override with parameters but without decorators keeps them.
 */
export function forgetInheritedParameters(metatype: Type, action: string): void {
  const method = Object.getOwnPropertyDescriptor(metatype.prototype, action)?.value as Function | undefined
  if (method === undefined) return
  const declared = parametersOf(metatype, action)
  if (declared === undefined && method.length > 0) return

  const inherited = new Set(
    ancestorsOf(metatype).flatMap((ancestor) => Object.values(parametersOf(ancestor, action) ?? {})),
  )
  const own = Object.entries(declared ?? {}).filter(([, parameter]) => !inherited.has(parameter))
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, Object.fromEntries(own), metatype, action)
  // The override's own @Res() takes the response over, even if its parent's let Nest send the result.
  if (!Reflect.hasOwnMetadata(RESPONSE_PASSTHROUGH_METADATA, metatype, action))
    Reflect.defineMetadata(RESPONSE_PASSTHROUGH_METADATA, false, metatype, action)
}

/** The classes that a class extends, the nearest first. */
export function ancestorsOf(metatype: Type): Type[] {
  const parent = Object.getPrototypeOf(metatype) as Type | null
  return parent === null || parent.prototype === undefined ? [] : [parent, ...ancestorsOf(parent)]
}

const parametersOf = (metatype: Type, action: string): Parameters | undefined =>
  Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, metatype, action) as Parameters | undefined
