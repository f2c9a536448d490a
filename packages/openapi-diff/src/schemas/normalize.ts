import { assertDepth } from '../budget.ts'
import { type Json, decode, isEqual, isObject, listOf, stepsOf } from '../json.ts'
import {
  allowsAll,
  bounds,
  hasType,
  isAnnotation,
  propertiesOf,
  propertyOf,
  unionOf,
} from './shape.ts'

/**
 * Reads a schema of OpenAPI 3.0 or 3.1 as JSON Schema 2020-12. On its first level the result has no
 * `$ref`, `allOf` or `const`. What can't be compared becomes a keyword that the comparison doesn't
 * know: two keywords of `allOf` that can't be joined, a keyword with a value of the wrong type, or
 * a reference that leads back to itself.
 *
 * @example normalize(document, { $ref: '#/components/schemas/Id', nullable: true }) // { type: ['integer', 'null'] }
 */
export function normalize(document: Json, schema: unknown): Json {
  // Caches references, because a component that two parts of an `allOf` extend would double the
  // work with every level.
  const targets = new Map<string, Json>()
  return read(schema, [], 0)

  /** @param open - the references that led here */
  function read(value: unknown, open: readonly string[], depth: number): Json {
    assertDepth(depth)
    if ((value ?? true) === true) return {}
    if (value === false) return { not: {} }
    if (!isObject(value)) return { 'malformed schema': value }
    const { $ref, allOf, const: constant, ...siblings } = value
    const bases = listOf(allOf)
    const parts = typeof $ref === 'string' ? [follow($ref)] : []
    if (parts.length > 0 && ignoresSiblings(document)) return parts[0]!
    for (const base of bases) {
      const basis = read(base, open, depth + 1)
      const { discriminator, ...rest } = basis
      // A schema that extends a base is one of the base's children, so the discriminator doesn't
      // apply to it.
      const isChild =
        bases.length > 1 ||
        siblings['properties'] ||
        Object.values(mappingOf(discriminator)).some((child) =>
          open.includes(schemaRef(String(child))),
        )
      parts.push(isChild && unionOf(rest) === null ? rest : basis)
    }
    if (constant !== undefined) parts.push({ enum: [constant] })
    parts.push(toDraft2020(siblings))
    return simplify(parts.reduce(join))

    function follow(ref: string): Json {
      if (open.includes(ref)) return { 'circular $ref': ref }
      const target = resolve(document, ref)
      if (target === undefined) return { [unresolved]: ref }
      const result = targets.get(ref) ?? read(target, [...open, ref], depth + 1)
      targets.set(ref, result)
      return result
    }
  }
}

/** The keyword for a reference that leads to another file, or to nothing. */
export const unresolved = 'unresolved $ref'

/** OpenAPI 3.0 ignores a `$ref`'s siblings. */
export const ignoresSiblings = (document: Json): boolean =>
  /^3(?:\.0|$)/.test(String(document['openapi']))

/**
 * Follows a reference into the document, and further references from there. Returns undefined if
 * the target is in another file or doesn't exist, and a reference if they form a circle.
 *
 * @param isSchema - a schema's reference with siblings isn't followed any further, because its
 *   siblings apply as well
 */
export function resolve(document: Json, ref: string, isSchema = true): unknown {
  const seen = new Set<string>()
  let target: unknown
  for (let next: unknown = ref; !seen.has(next as string); next = (target as Json)['$ref']) {
    if (typeof next !== 'string' || !next.startsWith('#/')) return undefined
    seen.add(next)
    assertDepth(seen.size)
    target = stepsOf(decode(next)).reduce<unknown>(valueIn, document)
    const hasSiblings = isObject(target) && Object.keys(target).length > 1
    if (!isObject(target) || target['$ref'] === undefined || (isSchema && hasSiblings)) break
  }
  return target
}

const valueIn = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Json)[key]
    : undefined

/** A discriminator mapping's target as a reference. It can be a reference or a component's name. */
export const schemaRef = (target: string): string =>
  /[/#.]/.test(target) ? target : `#/components/schemas/${target}`

export const mappingOf = (discriminator: unknown): Json =>
  isObject(discriminator) && isObject(discriminator['mapping']) ? discriminator['mapping'] : {}

/** The values that the comparison can read, by keyword. */
const shapes: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => [value].flat().every((type) => typeof type === 'string'),
  required: Array.isArray,
  enum: Array.isArray,
  anyOf: Array.isArray,
  oneOf: Array.isArray,
  properties: isObject,
}

/**
 * Marks an enum that only has null because of `nullable: true`. According to OpenAPI 3.0.3, that
 * doesn't allow null, but authors usually mean it to.
 */
export const nullableEnum = 'x-hv-nullable-enum'

function toDraft2020(schema: Json): Json {
  const result: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      shapes[key]?.(value) === false ? `malformed ${key}` : key,
      value,
    ]),
  )
  for (const bound of ['minimum', 'maximum']) {
    // In OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive.
    const exclusive = bound.replace('m', 'exclusiveM')
    const { [bound]: limit, [exclusive]: isExclusive } = result
    if (typeof isExclusive !== 'boolean') continue
    delete result[exclusive]
    if (!isExclusive || limit === undefined) continue
    result[exclusive] = limit
    delete result[bound]
  }
  // Normalized schemas are normalized again, as parts of others.
  delete result['nullable']
  if (schema['nullable'] === true && result['type'] !== undefined) {
    const { enum: values } = schema
    if (Array.isArray(values) && !values.includes(null)) {
      result[nullableEnum] = true
      result['enum'] = [...(values as readonly unknown[]), null]
    }
    result['type'] = [result['type'], 'null'].flat()
  }
  const { format, contentMediaType, contentEncoding, items, prefixItems } = result
  // These formats are only hints, or only exist in OpenAPI 3.0.
  if (format === 'password' || format === 'binary' || format === 'byte') delete result['format']
  if (format === 'byte') result['contentEncoding'] = 'base64'
  if (contentMediaType === 'application/octet-stream' && contentEncoding === undefined)
    result['type'] ??= 'string'
  const isClosed = items === false || isEqual(items, { not: {} })
  if (prefixItems !== undefined) {
    // Tuples are rare, so their elements are compared as a whole.
    result['tuple'] = [prefixItems, isClosed || (items ?? true)]
    delete result['prefixItems']
    delete result['items']
  }
  return isClosed ? join(result, { maxItems: listOf(prefixItems).length }) : result
}

/** Keywords whose properties `unevaluatedProperties` takes into account. */
const evaluating =
  /^(?:anyOf|oneOf|if|dependentSchemas|patternProperties|additionalProperties|allOf .*)$/

/** Rewrites equivalent spellings of a schema to a single one. */
function simplify(schema: Json): Json {
  const result: Record<string, unknown> = { ...schema }
  const { type, multipleOf } = result
  if (Number.isInteger(multipleOf) && type !== undefined)
    result['type'] = [type].flat().map((name) => (name === 'number' ? 'integer' : name))
  for (const key of unions) {
    const constants = constantsIn(result[key])
    if (constants === null) continue
    delete result[key]
    const { enum: values } = result
    result['enum'] = Array.isArray(values) ? commonValues(values, constants) : constants
  }
  for (const key of ['additionalProperties', 'unevaluatedProperties'])
    if (result[key] === true || (isObject(result[key]) && allowsAll(result[key])))
      delete result[key]
  const isClosing = !Object.keys(result).some((key) => evaluating.test(key))
  if (isClosing && result['unevaluatedProperties'] !== undefined) {
    result['additionalProperties'] = result['unevaluatedProperties']
    delete result['unevaluatedProperties']
  }
  return result
}

/**
 * The values of a union of constants, which some documents use to describe each value of an enum.
 * Null for any other union.
 */
function constantsIn(union: unknown): readonly unknown[] | null {
  const constants: unknown[] = []
  for (const alternative of listOf(union)) {
    const { const: constant, enum: values, ...rest } = isObject(alternative) ? alternative : {}
    const [value, ...others] = constant === undefined ? listOf(values) : [constant]
    if (value === undefined || others.length > 0 || !allowsAll(rest)) return null
    constants.push(value)
  }
  const texts = new Set(constants.map((constant) => JSON.stringify(constant)))
  return texts.size > 0 && texts.size === constants.length ? constants : null
}

// ---- schemas that hold at once ------------------------------------------------------------------

type Join = (a: never, b: never) => unknown
/** Joins two values of a keyword that both apply. A keyword that isn't listed can't be joined. */
const joins: Readonly<Record<string, Join>> = {
  required: (a: string[], b: string[]) => [...new Set([...a, ...b])],
  type: (a: string | string[], b: string | string[]) => {
    const [left, right] = [[a].flat(), [b].flat()]
    const common = left.filter((type) => hasType(right, type))
    return [...new Set([...common, ...right.filter((type) => hasType(left, type))])]
  },
  enum: commonValues,
  properties: (a: Json, b: Json) => {
    const properties: Record<string, unknown> = { ...a }
    for (const [name, schema] of Object.entries(b))
      properties[name] = Object.hasOwn(a, name) ? both(a[name], schema) : schema
    return properties
  },
  items: both,
  anyOf: product,
  oneOf: product,
  uniqueItems: (a: unknown, b: unknown) => a === true || b === true,
  ...Object.fromEntries(
    bounds.flatMap(({ sign, keywords }) =>
      keywords.map((keyword) => [keyword, sign > 0 ? Math.max : Math.min] as const),
    ),
  ),
}

/**
 * A schema for values that match both. Repetitions are left out, because a recursion through
 * `allOf` would grow with every step.
 */
export function both(a: unknown, b: unknown): unknown {
  const allOf = [...new Set([a, b].flatMap(partsOf))]
  return allOf.length === 1 ? allOf[0] : { allOf }
}

const partsOf = (schema: unknown): readonly unknown[] =>
  isObject(schema) && Array.isArray(schema['allOf']) && Object.keys(schema).length === 1
    ? schema['allOf'].flatMap(partsOf)
    : [schema]

function commonValues(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const texts = new Set(b.map((value) => JSON.stringify(value)))
  return a.filter((value) => texts.has(JSON.stringify(value)))
}

const isConflict = (key: string): boolean => key.startsWith('allOf ')

const mostCombined = 100
const unions = ['anyOf', 'oneOf']

/**
 * The combinations of two unions' alternatives, for values that match both unions. Undefined if
 * there are too many.
 */
function product(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] | undefined {
  if (a.length * b.length > mostCombined) return undefined
  return a.flatMap((left) => b.map((right) => both(left, right)))
}

/** Joins two schemas into one for values that match both. */
function join(a: Json, b: Json): Json {
  const joined: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const present = joined[key]
    const conflict = isConflict(key) ? key : `allOf ${key}`
    const isNew = present === undefined && joined[conflict] === undefined
    if (isNew || isEqual(present, value) || isAnnotation(key)) {
      joined[key] = value
      continue
    }
    const result =
      present === undefined ? undefined : joins[key]?.(present as never, value as never)
    if (result !== undefined) {
      joined[key] = result
      continue
    }
    // Keeps both values, sorted, because the order of `allOf` doesn't matter.
    const values = isConflict(key) ? listOf(value) : [present ?? value, value]
    const byText = new Map(
      [...listOf(joined[conflict]), ...values].map((entry) => [JSON.stringify(entry), entry]),
    )
    const sorted = [...byText.keys()].toSorted().map((text) => byText.get(text))
    // Comparing one of the unions would be as much work as comparing both.
    if (unions.includes(key)) delete joined[key]
    else if (!isConflict(key)) joined[key] = sorted[0]
    joined[conflict] = sorted
  }
  // In an `allOf`, a closed schema rejects every property that it doesn't name itself.
  if (refusesPropertiesOf(a, b) || refusesPropertiesOf(b, a))
    joined['allOf additionalProperties'] = [a, b]
  return joined
}

function refusesPropertiesOf(schema: Json, other: Json): boolean {
  const { additionalProperties = true } = schema
  const names = additionalProperties === true ? [] : Object.keys(propertiesOf(other))
  return names.some((name) => propertyOf(schema, name) === undefined)
}
