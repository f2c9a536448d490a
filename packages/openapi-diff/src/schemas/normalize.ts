import { assertDepth } from '../budget.ts'
import { type Json, decode, isObject, listOf, stepsOf } from '../json.ts'
import { type Values, join, unions } from './join.ts'
import { allowsAll, nullMeant, refIn, typeOf, unionOf } from './shape.ts'

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
  const targets = new Map<string, readonly Json[]>()
  return simplify(join(read(schema, [], 0)))

  /**
   * Lists the schemas that hold at once: a schema's own keywords, and what it refers to.
   *
   * @param open - the references that led here
   */
  function read(value: unknown, open: readonly string[], depth: number): readonly Json[] {
    assertDepth(depth)
    if ((value ?? true) === true) return []
    if (value === false) return [{ not: {} }]
    if (!isObject(value)) return [{ 'malformed schema': value }]
    const { $ref, allOf, const: constant, ...siblings } = value
    const bases = listOf(allOf)
    const parts = new Set(typeof $ref === 'string' ? follow($ref) : [])
    if (parts.size > 0 && is30(document)) return [...parts]
    for (const base of bases) {
      for (const part of read(base, open, depth + 1)) {
        const { discriminator, anyOf: _any, oneOf: _one, ...rest } = part
        const union = unionOf(part)
        const children =
          union?.map(refIn) ??
          Object.values(mappingOf(discriminator)).map((child) => schemaRef(String(child)))
        // A schema that extends a base is one of the base's children, so the base's union or
        // discriminator doesn't apply to it.
        const isChild =
          children.some((child) => open.includes(child!)) ||
          (union === null && discriminator && (bases.length > 1 || siblings['properties']))
        parts.add(isChild ? rest : part)
      }
    }
    if (constant !== undefined) parts.add({ enum: [constant] })
    const own = toDraft2020(siblings, is30(document))
    // It depends on all of these schemas.
    if (own['unevaluatedProperties'] !== undefined) return [simplify(join([...parts, own]))]
    return [...parts, simplify(own)]

    function follow(ref: string) {
      if (open.includes(ref)) return [{ 'circular $ref': ref }]
      const target = resolve(document, ref)
      if (target === undefined) return [{ [unresolved]: ref }]
      const result = targets.get(ref) ?? read(target, [...open, ref], depth + 1)
      targets.set(ref, result)
      return result
    }
  }
}

/** The keyword for a reference that leads to another file, or to nothing. */
export const unresolved = 'unresolved $ref'

/** OpenAPI 3.0 ignores a `$ref`'s siblings, and has `nullable`. */
export const is30 = (document: Json): boolean => /^3(?:\.0|$)/.test(String(document['openapi']))

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

/**
 * Whether a reference without a target means nothing. One to another place may start at an `$id`.
 */
export const isInside = (ref: string): boolean => /^#\/(?:components|paths)\//.test(ref)

const valueIn = (value: unknown, key: string) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Json)[key]
    : undefined

/** A discriminator mapping's target as a reference. It can be a reference or a component's name. */
export const schemaRef = (target: string): string =>
  /[/#.]/.test(target) ? target : `#/components/schemas/${target}`

export const mappingOf = (discriminator: unknown): Json =>
  isObject(discriminator) && isObject(discriminator['mapping']) ? discriminator['mapping'] : {}

/** The values that the comparison can read, by keyword. */
const shapes = {
  type: (value: unknown) => [value].flat().every((type) => typeof type === 'string'),
  required: Array.isArray,
  enum: Array.isArray,
  anyOf: Array.isArray,
  oneOf: Array.isArray,
  properties: isObject,
}

function toDraft2020(schema: Json, hasNullable: boolean) {
  const result: Record<string, unknown> = { ...schema }
  for (const [key, isReadable] of Object.entries(shapes)) {
    if (result[key] === undefined || isReadable(result[key])) continue
    result[`malformed ${key}`] = result[key]
    delete result[key]
  }
  if (hasNullable) for (const key of unions) if (result[key]) result[key] = withNull(result[key])
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
  // Some documents write all of an integer's values as texts.
  const isInteger = /^(?:null,)?integer(?:,null)?$/.test(String(result['type']))
  if (isInteger && integerTexts.test(JSON.stringify(result['enum'])))
    result['enum'] = listOf(result['enum']).map((value) => value && Number(value))
  // Normalized schemas are normalized again, as parts of others.
  delete result['nullable']
  const { type, enum: listed } = result
  if (schema['nullable'] === true) {
    const isListed = !Array.isArray(listed) || listed.includes(null)
    if (!hasNullable || type === undefined || !isListed) result[nullMeant] = true
    if (type !== undefined && hasNullable) result['type'] = [type, 'null'].flat()
  }
  const {
    format,
    pattern,
    contentMediaType,
    contentEncoding,
    items,
    maxItems,
    prefixItems,
    unevaluatedItems,
  } = result
  // No element is left for it.
  if (items !== undefined) delete result['unevaluatedItems']
  // These formats are only hints, or only exist in OpenAPI 3.0.
  if (format === 'password' || format === 'binary' || format === 'byte') delete result['format']
  if (format === 'byte') result['contentEncoding'] = 'base64'
  if (typeof pattern === 'string' && matchesAll.test(pattern)) delete result['pattern']
  if (contentMediaType === 'application/octet-stream' && contentEncoding === undefined) {
    result['type'] ??= 'string'
    delete result['contentMediaType']
  }
  if (prefixItems !== undefined) {
    // Tuples are rare, so they're compared as a whole. What's a list now only needs their elements.
    result['its tuple'] = [prefixItems, items || true, unevaluatedItems]
    delete result['unevaluatedItems']
    delete result['prefixItems']
    const isFull = items === false || listOf(prefixItems).length === maxItems
    result['items'] = { anyOf: [...listOf(prefixItems), ...(isFull ? [] : [items ?? true])] }
  }
  return items === false ? join([result, { maxItems: listOf(prefixItems).length }]) : result
}

/** An enum's values, if all of them are texts of integers, or null. */
const integerTexts = /^\[(?:(?:"-?\d+"|null),?)+\]$/

/** In OpenAPI 3.0, a union with null has `{ nullable: true }`, although that allows any value. */
const withNull = (alternatives: unknown): Values =>
  listOf(alternatives).map((inner) => {
    if (!isObject(inner)) return inner
    if (inner['anyOf']) return { ...inner, anyOf: withNull(inner['anyOf']) }
    return inner['nullable'] === true && allowsAll(inner) ? { type: 'null' } : inner
  })

/** Patterns that match every text. `^.*$` doesn't match one with two lines. */
const matchesAll = /^\^?(?:\.\*)?$|^(?:\.\*)?\$$/

/** Keywords whose properties `unevaluatedProperties` takes into account. */
const evaluating = /^(?:anyOf|oneOf|if|dependentSchemas|allOf .*)$/

/** Rewrites equivalent spellings of a schema to a single one. */
function simplify(schema: Json) {
  let result: Record<string, unknown> = { ...schema }
  const { type, multipleOf } = result
  if (Number.isInteger(multipleOf) && type !== undefined)
    result['type'] = [type].flat().map((name) => (name === 'number' ? 'integer' : name))
  for (const key of unions) {
    const constants = constantsIn(result[key])
    if (constants === null) continue
    const { [key]: _, ...rest } = result
    const isMeant = (result[key] as Json[]).some(({ nullable }) => nullable === true)
    result = join([rest, { enum: constants, ...(isMeant && { [nullMeant]: true }) }])
  }
  // It applies to every property that isn't named.
  if (result['additionalProperties'] !== undefined) delete result['unevaluatedProperties']
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
 * The values of a union of constants or enums, which some documents use to describe each value. Null
 * for any other union.
 */
function constantsIn(union: unknown) {
  const constants: unknown[] = []
  for (const alternative of listOf(union)) {
    const own = isObject(alternative) ? alternative : {}
    const { const: constant, enum: values = [constant], type, ...rest } = own
    const isOfType = (value: unknown) => type === undefined || type === typeOf(value)
    if (constant !== undefined && own['enum'] !== undefined) return null
    if (!listOf(values).every(isOfType) || !allowsAll(rest)) return null
    constants.push(...listOf(values))
  }
  const texts = new Set(constants.map((constant) => JSON.stringify(constant)))
  const areListed = texts.size > 0 && !constants.includes(undefined)
  return areListed && texts.size === constants.length ? constants : null
}
