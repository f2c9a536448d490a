// What an override has of the decorators of the method that it overrides. Nest inherits too much of it, and too little.
import type { Type } from '@nestjs/common'
import type { Served } from './handlers.ts'
import {
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  methodDecorators,
} from './internals.ts'

/**
 * Takes back the parameters that an override inherits. Nest hands `@Body()`, `@Res()` and so on down to the overriding method, for
 * parameters that it declares differently or not at all: after an inherited `@Res()`, nothing that it returns is sent.
 *
 * What a method inherits are the objects of its ancestors. An override with parameters but without decorators keeps them.
 */
export function forgetInheritedParameters(metatype: Type, action: string): void {
  for (const owner of ownersOf(metatype, action)) {
    const declared = parametersOf(owner, action)
    if (declared === undefined && (owner.prototype[action] as Function).length > 0) continue
    const ancestors = ancestorsOf(owner).map((ancestor) => parametersOf(ancestor, action) ?? {})
    const inherited = new Set(ancestors.flatMap((parameters) => Object.values(parameters)))
    const own = Object.entries(declared ?? {}).filter(([, parameter]) => !inherited.has(parameter))
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, Object.fromEntries(own), owner, action)
    // The override's own @Res() takes the response over, even if its parent's let Nest send the result.
    if (!Reflect.hasOwnMetadata(RESPONSE_PASSTHROUGH_METADATA, owner, action))
      Reflect.defineMetadata(RESPONSE_PASSTHROUGH_METADATA, false, owner, action)
  }
}

/**
 * Describes overrides that lack the guards, pipes and so on, or what guards read, of the method that they override. Nest keeps what
 * `@UseGuards()` and `@SetMetadata()` declare on the function, and the override is a different one.
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
      `${override.name}.${action}() overrides ${parent.name}.${action}() and does not inherit ${new Intl.ListFormat('en').format(what)}. ` +
        'Repeat it, or declare it on the class.',
    ]
  })
}

/** The rest of Nest's own metadata, and that of documents. */
const harmless = /^(?:path$|method$|__|swagger\/|design:|microservices:)/

const keysOf = (method: object): readonly unknown[] =>
  Reflect.getOwnMetadataKeys(method).filter(
    (key) => String(key) in methodDecorators || !harmless.test(String(key)),
  )

/** The classes that declare a method: the one whose method runs, and those whose method it overrides. */
const ownersOf = (metatype: Type, action: string): Type[] =>
  [metatype, ...ancestorsOf(metatype)].filter(({ prototype }) => Object.hasOwn(prototype, action))

/** The classes that a class extends, the nearest first. */
function ancestorsOf(metatype: Type): Type[] {
  const parent = Object.getPrototypeOf(metatype) as Type | null
  return parent?.prototype === undefined ? [] : [parent, ...ancestorsOf(parent)]
}

const parametersOf = (
  metatype: Type,
  action: string,
): Readonly<Record<string, object>> | undefined =>
  Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, metatype, action) as never
