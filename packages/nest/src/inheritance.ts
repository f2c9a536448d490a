// Which decorators apply to an override. Nest inherits too many of some, and too few of others.
import type { Type } from '@nestjs/common'
import { RESPONSE_PASSTHROUGH_METADATA, ROUTE_ARGS_METADATA } from './internals.ts'

/**
 * Removes the parameters that an override has inherited. Nest passes `@Body()`, `@Res()` and so on
 * down to the overriding method, even if it declares different parameters or none. After an
 * inherited `@Res()`, nothing that it returns would be sent.
 *
 * Inherited parameters are recognized by identity: they're the same objects as the ancestors'. An
 * override that has parameters but no decorators keeps them.
 */
export function forgetInheritedParameters(metatype: Type, action: string): void {
  for (const owner of ownersOf(metatype, action)) {
    const declared = parametersOf(owner, action)
    if (declared === undefined && (owner.prototype[action] as Function).length > 0) continue
    const inherited = new Set(
      ancestorsOf(owner).flatMap((ancestor) => Object.values(parametersOf(ancestor, action) ?? {})),
    )
    const kept = Object.entries(declared ?? {}).filter(([, parameter]) => !inherited.has(parameter))
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, Object.fromEntries(kept), owner, action)
    // If the override has a @Res(), it sends the response itself, even if its parent lets Nest do
    // that.
    if (!Reflect.hasOwnMetadata(RESPONSE_PASSTHROUGH_METADATA, owner, action))
      Reflect.defineMetadata(RESPONSE_PASSTHROUGH_METADATA, false, owner, action)
  }
}

/**
 * Returns the classes that declare a method: first the one whose method runs, then those that it
 * overrides.
 */
export const ownersOf = (metatype: Type, action: string): Type[] =>
  [metatype, ...ancestorsOf(metatype)].filter(({ prototype }) => Object.hasOwn(prototype, action))

/** Returns the classes that a class extends, the nearest first. */
export function ancestorsOf(metatype: Type): Type[] {
  const parent = Object.getPrototypeOf(metatype) as Type | null
  return parent?.prototype === undefined ? [] : [parent, ...ancestorsOf(parent)]
}

const parametersOf = (
  metatype: Type,
  action: string,
): Readonly<Record<string, object>> | undefined =>
  Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, metatype, action) as never
