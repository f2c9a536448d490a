// JSON Pointers (RFC 6901), and the `$ref`s that contain them.
import { idOf, mapSchema } from './json-schema.ts'
import { isObject } from '../objects.ts'

/** The steps of a JSON Pointer: `/a~1b/0` has `a/b` and `0`. */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The JSON Pointer with these steps. */
export const pointerTo = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/**
 * Splits a `$ref` into the `$id` of a schema and the place in it: `User#/$defs/A%20b` is the place
 * `/$defs/A b` in `User`. Without an `$id`, the place is in the schema that has the `$ref`.
 */
export function partsOfRef(ref: string): { readonly id: string; readonly fragment: string } {
  const [id = '', encoded = ''] = ref.split('#')
  try {
    return { id, fragment: decodeURIComponent(encoded) }
  } catch {
    return { id, fragment: encoded } // `#/$defs/100%` isn't a URI, but says what it means
  }
}

/**
 * Follows the fragment of a `$ref`, which is a JSON Pointer or an anchor, such as `address`.
 *
 * @returns every value on the way, from the schema itself to what the `$ref` names; null if there's
 *   no such thing
 */
export function followFragment(schema: unknown, fragment: string): readonly unknown[] | null {
  if (fragment !== '' && !fragment.startsWith('/')) {
    const anchored = findAnchor(schema, fragment)
    return anchored && [schema, anchored]
  }
  let value = schema
  const values = [value]
  for (const step of stepsOf(fragment)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null
    value = value[step as never]
    values.push(value)
  }
  return values
}

/**
 * In draft 7, an anchor is an `$id` such as `#address`. Anchors inside a schema with any other
 * `$id` belong to that schema.
 */
function findAnchor(schema: unknown, anchor: string): object | null {
  if (!isObject(schema)) return null
  if (schema['$anchor'] === anchor || schema['$id'] === `#${anchor}`) return schema
  let anchored: object | null = null
  mapSchema(schema, (inner) => {
    if (idOf(inner) === null) anchored ??= findAnchor(inner, anchor)
  })
  return anchored
}
