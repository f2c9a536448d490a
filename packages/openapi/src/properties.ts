// The properties of an object schema. Parameters are described by one object schema per location.
import type { Schema } from '@hv/router'
import { type JsonSchema, isObject } from '@hv/router/internal'
import type { Components } from './components.ts'
import { describedSchema } from './described-schema.ts'

/** A property of an object schema. */
export interface Property {
  readonly schema: JsonSchema
  readonly required: boolean
  /** The schema that `#` in one of its `$ref`s means. Default: its own schema. */
  readonly root?: JsonSchema
}

/**
 * An object schema's properties, including those behind `$ref`, `allOf`, `anyOf` and `oneOf`. A
 * union's properties are optional, because a request may have those of a different alternative.
 */
export function propertiesOf(
  schema: Schema | undefined,
  name: string,
  components: Components,
): ReadonlyMap<string, Property> {
  return schema === undefined ? new Map() : collect(describedSchema(schema, 'input', name))

  function collect(
    part: JsonSchema,
    into = new Map<string, Property>(),
    root = part,
    open: readonly JsonSchema[] = [],
  ): ReadonlyMap<string, Property> {
    const { schema: object, root: targetRoot } = components.resolve(part, name, root)
    if (open.includes(object)) return into
    const home = typeof object['$id'] === 'string' ? object : targetRoot
    const within = [...open, object]
    const { allOf = [], anyOf = [], oneOf = [], properties: declared = {} } = object
    for (const inner of allOf as readonly JsonSchema[]) collect(inner, into, home, within)
    for (const union of [anyOf, oneOf] as readonly (readonly JsonSchema[])[]) {
      const alternatives = union.map((inner) => collect(inner, new Map(), home, within))
      for (const [key, property] of eitherOf(alternatives))
        if (!into.has(key)) into.set(key, property)
    }
    const required = requiredOf(object)
    for (const [key, property] of Object.entries(declared as JsonSchema))
      into.set(key, {
        schema: isObject(property) ? property : {},
        required: required.includes(key),
        root: home,
      })
    return into
  }
}

/**
 * The properties of a union's alternatives. A property that several of them have may have any of
 * their schemas.
 */
function eitherOf(
  alternatives: readonly ReadonlyMap<string, Property>[],
): ReadonlyMap<string, Property> {
  const either = new Map<string, Property>()
  for (const key of new Set(alternatives.flatMap((properties) => [...properties.keys()]))) {
    const declared = alternatives.flatMap((properties) => properties.get(key) ?? [])
    const byText = new Map(declared.map(({ schema }) => [JSON.stringify(schema), schema]))
    const anyOf = [...byText.values()]
    const schema = anyOf.length === 1 ? anyOf[0]! : { anyOf }
    either.set(key, { ...declared.at(-1)!, schema, required: false })
  }
  return either
}

/** The properties that a client has to send. Validators fill in those with a default. */
export function requiredOf({ required = [], properties = {} }: JsonSchema): readonly string[] {
  const hasDefault = (name: string) => {
    const property = (properties as JsonSchema)[name]
    return isObject(property) && 'default' in property
  }
  return (required as readonly string[]).filter((name) => !hasDefault(name))
}
