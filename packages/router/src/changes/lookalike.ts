// What a change would leave as it is although it probably changed: it looks like the newer schema, but is another object.
import type { Schema } from '../types/schema.ts'
import { type JsonSchema, contentsOf, isObject, mapSchema } from './json-schema.ts'
import { isLibrary, keywordsOf } from './library-schema.ts'
import { differenceOf } from './same-schema.ts'

/** Whether a body has a partial of a schema in it, as that of a PATCH does. */
export const hasPartial = (body: Schema, target: Schema): boolean =>
  hasLookalike(body, target, (required, ofTarget) => required < ofTarget)

/** Whether a schema that doesn't show its parts has one in it that is equal to another one. */
export const hidesEqual = (schema: Schema, target: Schema): boolean =>
  isLibrary(schema) &&
  keywordsOf(schema) === null &&
  hasLookalike(schema, target, (required, ofTarget) => required === ofTarget)

function hasLookalike(
  schema: Schema,
  target: Schema,
  isWanted: (required: number, ofTarget: number) => boolean,
): boolean {
  const wanted = contentsOf(target)
  if (!wanted || !isObject(wanted['properties'])) return false
  const isLookalike = (one: JsonSchema): boolean =>
    isObject(one['properties']) &&
    isWanted(requiredIn(one), requiredIn(wanted)) &&
    isSameButRequired(one, wanted)
  return someSchema(contentsOf(schema) ?? {}, isLookalike)
}

const requiredIn = ({ required }: JsonSchema): number =>
  Array.isArray(required) ? required.length : 0

/** Whether schemas differ in nothing but what they require, and in their names. */
function isSameButRequired(schema: JsonSchema, other: JsonSchema): boolean {
  const [one, two] = [schema, other].map(
    ({ $id: _id, id: _name, $schema: _version, required: _required, ...rest }) => rest,
  )
  return differenceOf(one, two) === null
}

/** Whether a schema, or one in it, passes a test. */
function someSchema(
  schema: JsonSchema,
  test: (schema: JsonSchema) => boolean,
  open: readonly JsonSchema[] = [],
): boolean {
  if (open.includes(schema)) return false
  let isFound = test(schema)
  mapSchema(schema, (one) => void (isFound ||= someSchema(one, test, [...open, schema])))
  return isFound
}
