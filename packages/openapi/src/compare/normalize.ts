import { type JsonSchema, isObject } from '@hv/router/adapter'

/** An OpenAPI document, as far as references into it matter. */
export type Document = Readonly<Record<string, unknown>>

const annotations = new Set(
  (
    '$schema $id $comment title description default example examples deprecated externalDocs xml discriminator readOnly ' +
    'writeOnly definitions $defs nullable'
  ).split(' '),
)
const compared = new Set(
  (
    'type enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format items ' +
    'prefixItems minItems maxItems uniqueItems properties required additionalProperties minProperties maxProperties anyOf oneOf'
  ).split(' '),
)

/** The keywords of a normalized schema that the comparison does not understand. */
export const unknownKeywords = (schema: JsonSchema): readonly string[] =>
  Object.keys(schema).filter((key) => !compared.has(key) && !annotations.has(key) && !key.startsWith('x-'))

/** Whether a schema allows every value. */
export const allowsAll = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((key) => annotations.has(key) || key.startsWith('x-'))

/**
 * Reads a schema of OpenAPI 3.0 or 3.1 as JSON Schema 2020-12. On its first level it has no `$ref`, `allOf` and `const`.
 * Keywords of two schemas of `allOf` that cannot be joined become one keyword that the comparison does not know.
 */
export function normalize(document: Document, schema: unknown): JsonSchema {
  if (schema === undefined || schema === null || schema === true) return {}
  if (schema === false) return { not: {} }
  const { $ref, allOf, const: only, ...own } = schema as JsonSchema
  const parts = [
    ...(typeof $ref === 'string' ? [normalize(document, resolve(document, $ref))] : []),
    ...(Array.isArray(allOf) ? allOf.map((one) => normalize(document, one)) : []),
    ...(only === undefined ? [] : [{ enum: [only] }]),
    toDraft2020(own),
  ]
  return parts.reduce(join)
}

/** Follows a reference into the document, and references that it leads to. */
export function resolve(document: Document, ref: string, left = 20): unknown {
  const steps = ref.replace(/^#\/?/, '').split('/')
  const found = steps.reduce<unknown>(
    (at, step) => (at as Document | undefined)?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  const next = isObject(found) ? found['$ref'] : undefined
  return typeof next === 'string' && left > 0 && Object.keys(found as object).length === 1
    ? resolve(document, next, left - 1)
    : found
}

function toDraft2020(schema: JsonSchema): JsonSchema {
  const result: Record<string, unknown> = { ...schema }
  for (const bound of ['Minimum', 'Maximum'] as const) {
    // OpenAPI 3.0: `exclusiveMinimum: true` makes `minimum` exclusive.
    const exclusive = result[`exclusive${bound}`]
    if (typeof exclusive !== 'boolean') continue
    delete result[`exclusive${bound}`]
    if (!exclusive) continue
    result[`exclusive${bound}`] = result[bound.toLowerCase()]
    delete result[bound.toLowerCase()]
  }
  if (schema['nullable'] === true && schema['type'] !== undefined) result['type'] = [schema['type'], 'null'].flat()
  return result
}

type Join = (a: never, b: never) => unknown
const lowest: Join = (a: number, b: number) => Math.min(a, b)
const highest: Join = (a: number, b: number) => Math.max(a, b)
const joins: Readonly<Record<string, Join>> = {
  required: (a: string[], b: string[]) => [...new Set([...a, ...b])],
  type: (a: string | string[], b: string | string[]) => [a].flat().flatMap((type) => commonType(type, [b].flat())),
  enum: (a: unknown[], b: unknown[]) => a.filter((one) => b.some((other) => isEqual(one, other))),
  properties: (a: JsonSchema, b: JsonSchema) => ({
    ...a,
    ...Object.fromEntries(Object.entries(b).map(([name, one]) => [name, name in a ? { allOf: [a[name], one] } : one])),
  }),
  items: (a: unknown, b: unknown) => ({ allOf: [a, b] }),
  ...Object.fromEntries(
    'minimum exclusiveMinimum minLength minItems minProperties'.split(' ').map((key) => [key, highest]),
  ),
  ...Object.fromEntries(
    'maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' ').map((key) => [key, lowest]),
  ),
}

function commonType(type: string, types: readonly string[]): readonly string[] {
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) return [type]
  return type === 'number' && types.includes('integer') ? ['integer'] : []
}

/** Both schemas at once. */
function join(a: JsonSchema, b: JsonSchema): JsonSchema {
  const joined: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = joined[key]
    if (known === undefined || isEqual(known, value)) joined[key] = value
    else if (joins[key] !== undefined) joined[key] = joins[key](known as never, value as never)
    else if (!annotations.has(key)) joined[`allOf ${key}`] = [known, value]
  }
  // Each schema of allOf refuses the properties that it does not name itself.
  if (refusesPropertiesOf(a, b) || refusesPropertiesOf(b, a)) joined['allOf additionalProperties'] = [a, b]
  return joined
}

const refusesPropertiesOf = ({ additionalProperties, properties = {} }: JsonSchema, other: JsonSchema): boolean =>
  additionalProperties !== undefined &&
  additionalProperties !== true &&
  Object.keys((other['properties'] ?? {}) as object).some((name) => !Object.hasOwn(properties as object, name))

/** Whether two JSON values are equal. */
export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
