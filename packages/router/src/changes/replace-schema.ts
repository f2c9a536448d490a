import type { Schema } from '../types/schema.ts'
import { Irreversible } from './find-schema.ts'
import { mapSchema } from './json-schema.ts'
import { defaultOf, isLibrary, keywordsOf, mapLibrary } from './library-schema.ts'
import { isSameSchema, markRebuilt } from './same-schema.ts'

/**
 * Replaces the target wherever it is in a schema.
 *
 * @param open - the schemas that contain this one
 * @returns the schema itself if it doesn't contain the target
 * @throws Irreversible if the schema around the target has a default, which only the newer version
 *   can use
 */
export function replaceSchema(
  schema: Schema,
  target: Schema,
  by: Schema,
  open: readonly unknown[] = [],
): Schema {
  if (isSameSchema(schema, target)) return by
  const keywords = open.includes(schema) ? null : keywordsOf(schema)
  if (keywords === null) return schema
  let isReplaced = false
  const visit = (inner: Schema): Schema => {
    const replaced = replaceSchema(inner, target, by, [...open, schema])
    isReplaced ||= replaced !== inner
    return replaced
  }
  const copy: object = isLibrary(schema) ? mapLibrary(schema, visit) : mapSchema(keywords, visit)
  if (!isReplaced) return schema
  // An empty list or text is a valid default in both versions. Any other default is a value as the
  // newer version has it.
  const fallback = JSON.stringify(defaultOf(schema as object))
  if (![undefined, 'null', '[]', '{}', '""'].includes(fallback)) throw new Irreversible('library')
  // TypeBox keeps a schema's kind under a symbol, or in a property that isn't enumerable.
  if (!isLibrary(schema))
    for (const key of Reflect.ownKeys(keywords))
      if (!Object.hasOwn(copy, key))
        Object.defineProperty(copy, key, Object.getOwnPropertyDescriptor(keywords, key)!)
  return markRebuilt(copy)
}
