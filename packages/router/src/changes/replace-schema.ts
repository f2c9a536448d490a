import type { Schema } from '../types/schema.ts'
import type { Refuse } from './find-schema.ts'
import { mapSchema } from './json-schema.ts'
import { defaultOf, isLibrary, keywordsOf, mapLibrary } from './library-schema.ts'
import { isSameSchema, markRebuilt } from './same-schema.ts'

/**
 * Replaces a schema in another one.
 *
 * @param open - the schemas that contain this one
 * @returns the schema itself if it does not contain the target
 */
export function replaceSchema(
  schema: Schema,
  target: Schema,
  by: Schema,
  refuse: Refuse,
  open: readonly object[] = [],
): Schema {
  if (isSameSchema(schema, target)) return by
  const keywords = open.includes(schema as object) ? null : keywordsOf(schema)
  if (keywords === null) return schema
  let isReplaced = false
  const visit = (inner: Schema): Schema => {
    const replaced = replaceSchema(inner, target, by, refuse, [...open, schema as object])
    isReplaced ||= replaced !== inner
    return replaced
  }
  const copy = isLibrary(schema)
    ? mapLibrary(schema, visit)
    : withHiddenProperties(mapSchema(keywords, visit), keywords)
  if (!isReplaced) return schema
  // A default is a value of the newer version. An empty one is also a value of the older version.
  if (![undefined, 'null', '[]', '{}', '""'].includes(JSON.stringify(defaultOf(schema as object))))
    refuse('library')
  return markRebuilt(copy)
}

/** TypeBox keeps the kind of a schema under a symbol, or in a property that is not enumerable. */
function withHiddenProperties(copy: object, schema: object): object {
  for (const key of Reflect.ownKeys(schema))
    if (!Object.hasOwn(copy, key))
      Object.defineProperty(copy, key, Object.getOwnPropertyDescriptor(schema, key)!)
  return copy
}
