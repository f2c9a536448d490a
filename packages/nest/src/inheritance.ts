// Which decorators apply to an override. Nest inherits too many of some, and too few of others.
import type { Type } from '@nestjs/common'
import type { Served } from './handlers.ts'
import {
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  methodDecorators,
} from './internals.ts'

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
    const ancestors = ancestorsOf(owner).map((ancestor) => parametersOf(ancestor, action) ?? {})
    const inherited = new Set(ancestors.flatMap((parameters) => Object.values(parameters)))
    const kept = Object.entries(declared ?? {}).filter(([, parameter]) => !inherited.has(parameter))
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, Object.fromEntries(kept), owner, action)
    // If the override has a @Res(), it sends the response itself, even if its parent lets Nest do
    // that.
    if (!Reflect.hasOwnMetadata(RESPONSE_PASSTHROUGH_METADATA, owner, action))
      Reflect.defineMetadata(RESPONSE_PASSTHROUGH_METADATA, false, owner, action)
  }
}

/**
 * Describes overrides that lose guards, pipes and so on, or metadata that guards read. Nest stores
 * what `@UseGuards()` and `@SetMetadata()` declare on the function, and the override is a different
 * one.
 */
export function describeOverrides({ metatype, row: { action } }: Served): string[] {
  const owners = ownersOf(metatype, action).map(({ name, prototype }) => ({
    name,
    keys: keysOf(prototype[action]),
  }))
  return owners.slice(1).flatMap((parent, i) => {
    const override = owners[i]!
    const kept = new Set([...override.keys, ...owners[0]!.keys])
    const lost = parent.keys.filter((key) => !kept.has(key))
    if (lost.length === 0) return []
    const what = lost.map((key) => methodDecorators[String(key)] ?? `the metadata '${String(key)}'`)
    return [
      `${override.name}.${action}() overrides ${parent.name}.${action}() and doesn't inherit ` +
        `${new Intl.ListFormat('en').format(what)}. Repeat it, or declare it on the class.`,
    ]
  })
}

/** Nest's remaining metadata, and that of documents. */
const harmless = /^(?:path$|method$|__|swagger\/|design:|microservices:)/

const keysOf = (method: object): readonly unknown[] =>
  Reflect.getOwnMetadataKeys(method).filter(
    (key) => String(key) in methodDecorators || !harmless.test(String(key)),
  )

/**
 * Returns the classes that declare a method: first the one whose method runs, then those that it
 * overrides.
 */
const ownersOf = (metatype: Type, action: string): Type[] =>
  [metatype, ...ancestorsOf(metatype)].filter(({ prototype }) => Object.hasOwn(prototype, action))

/** Returns the classes that a class extends, the nearest first. */
function ancestorsOf(metatype: Type): Type[] {
  const parent = Object.getPrototypeOf(metatype) as Type | null
  return parent?.prototype === undefined ? [] : [parent, ...ancestorsOf(parent)]
}

const parametersOf = (
  metatype: Type,
  action: string,
): Readonly<Record<string, object>> | undefined =>
  Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, metatype, action) as never
