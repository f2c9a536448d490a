// Which decorators apply to an override. Nest inherits too many of some, and too few of others.
import type { Row } from '@hv/router'
import type { Type } from '@nestjs/common'
import {
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  harmlessMetadata,
  protectingDecorators,
  shapingDecorators,
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

/** A row's action, and the class that has it. */
interface ActionOfClass {
  readonly metatype: Type
  readonly row: Row
}

/** What an override loses: holes are errors, the rest are warnings. */
export interface Losses {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Finds overrides that lose guards, pipes and so on, or metadata that guards read. Nest stores what
 * `@UseGuards()` and `@SetMetadata()` declare on the function, and the override is a different one.
 * Its own `@UseGuards()`, even an empty one, answers for guards and for metadata.
 */
export function findLosses({ metatype, row: { action } }: ActionOfClass): Losses {
  const owners = ownersOf(metatype, action)
  const errors: string[] = []
  const warnings: string[] = []
  for (const [i, parent] of owners.slice(1).entries()) {
    const override = owners[i]!
    const kept = new Set([...keysOf(override, action), ...keysOf(owners[0]!, action)])
    const lost = keysOf(parent, action).filter((key) => !kept.has(key))
    const shaping = lost.filter((key) => key in shapingDecorators)
    const holes = lost.filter(
      (key) =>
        !(key in shapingDecorators) && (key in protectingDecorators || !kept.has('__guards__')),
    )
    const what = `${override.name}.${action}() overrides ${parent.name}.${action}()`
    if (holes.length > 0)
      errors.push(
        `${what} and loses ${listOf(holes)}. Repeat what it needs, or say that it needs none: ` +
          `${holes.every((key) => key === '__pipes__') ? '@UsePipes()' : holes.includes('__pipes__') ? '@UseGuards() and @UsePipes()' : '@UseGuards()'}.`,
      )
    if (shaping.length > 0)
      warnings.push(
        `${what} and doesn't inherit ${listOf(shaping)}. Repeat it, or declare it on the class.`,
      )
  }
  return { errors, warnings }
}

const listOf = (keys: readonly string[]): string =>
  new Intl.ListFormat('en').format(
    keys.map(
      (key) => protectingDecorators[key] ?? shapingDecorators[key] ?? `the metadata '${key}'`,
    ),
  )

/** The keys of what decorators declare on a class's own method. */
const keysOf = ({ prototype }: Type, action: string): readonly string[] =>
  Reflect.getOwnMetadataKeys(prototype[action] as object)
    .map(String)
    .filter((key) => !harmlessMetadata.test(key))

/**
 * Returns the classes that declare a method: first the one whose method runs, then those that it
 * overrides.
 */
const ownersOf = (metatype: Type, action: string): Type[] =>
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
