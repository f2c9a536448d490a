import { type Json, isObject, isEqual, stepsOf, decode } from './json.ts'

const annotations = new Set(
  (
    '$schema $id $anchor $comment title description default example examples deprecated externalDocs xml discriminator readOnly ' +
    'writeOnly definitions $defs nullable contentMediaType'
  ).split(' '),
)
const compared = new Set(
  (
    'type enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format items ' +
    'prefixItems minItems maxItems uniqueItems properties required additionalProperties minProperties maxProperties anyOf oneOf'
  ).split(' '),
)

/** The keywords of a normalized schema that the comparison does not understand. */
export const unknownKeywords = (schema: Json): readonly string[] =>
  Object.keys(schema).filter((key) => !compared.has(key) && !isAnnotation(key))

/** Whether a schema allows every value. */
export const allowsAll = (schema: Json): boolean => Object.keys(schema).every(isAnnotation)

export const isAnnotation = (key: string): boolean => annotations.has(key) || key.startsWith('x-')

/**
 * Reads a schema of OpenAPI 3.0 or 3.1 as JSON Schema 2020-12. On its first level it has no `$ref`, `allOf` and `const`.
 * Keywords of two schemas of `allOf` that cannot be joined become one keyword that the comparison does not know. So do a
 * keyword with a value of the wrong type, and a reference that leads back to itself.
 *
 * @param open - the references that led here
 * @param known - those that have been read: diamonds of `allOf` would double the work with every level
 */
export function normalize(
  document: Json,
  schema: unknown,
  open: readonly string[] = [],
  known = new Map<string, Json>(),
): Json {
  if (schema === undefined || schema === null || schema === true) return {}
  if (schema === false) return { not: {} }
  if (!isObject(schema)) return { 'malformed schema': schema }
  const { $ref, allOf, const: only, ...own } = schema as Json
  if (typeof $ref === 'string' && ignoresSiblings(document)) return referred($ref)
  const parts = [
    ...(typeof $ref === 'string' ? [referred($ref)] : []),
    ...(Array.isArray(allOf)
      ? allOf.map((one) => basisOf(normalize(document, one, open, known)))
      : []),
    ...(only === undefined ? [] : [{ enum: [only] }]),
    toDraft2020(own),
  ]
  return simplify(parts.reduce(join))

  /** A schema that extends a base is one of its children, and leads to no others. */
  function basisOf({ discriminator, ...part }: Json): Json {
    const isExtended = (allOf as readonly unknown[]).length > 1 || own['properties'] !== undefined
    return discriminator === undefined || (isExtended && !part['oneOf'] && !part['anyOf'])
      ? part
      : { ...part, discriminator }
  }

  function referred(ref: string): Json {
    if (open.includes(ref)) return { 'circular $ref': ref }
    const target = resolve(document, ref)
    if (target === undefined) return { 'unresolved $ref': { $ref: ref } }
    const result = known.get(ref) ?? normalize(document, target, [...open, ref], known)
    known.set(ref, result)
    return result
  }
}

/** OpenAPI 3.0 ignores what is beside a reference. */
export const ignoresSiblings = (document: Json): boolean =>
  String(document['openapi']).startsWith('3.0')

/**
 * Follows a reference into the document, and references that it leads to. Undefined for what is in other files, for nothing,
 * and for references that lead back.
 *
 * @param isSchema - what is beside a reference holds as well, so only a reference by itself is followed
 */
export function resolve(document: Json, ref: string, isSchema = true): unknown {
  const seen = new Set<string>()
  for (let next: unknown = ref; ;) {
    if (typeof next !== 'string' || !next.startsWith('#/') || seen.has(next)) return undefined
    seen.add(next)
    const found = stepsOf(decode(next)).reduce<unknown>(ownValue, document)
    if (
      !isObject(found) ||
      found['$ref'] === undefined ||
      (isSchema && Object.keys(found).length > 1)
    )
      return found
    next = found['$ref']
  }
}

const ownValue = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Json)[key]
    : undefined

/** What a name of a component, or a reference, refers to. */
export const schemaRef = (target: string): string =>
  /[/#.]/.test(target) ? target : `#/components/schemas/${target}`

const isListOf =
  (isOne: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isOne)
const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = isListOf(isText)
const isList = isListOf(() => true)
/** What the values of keywords must be for the comparison to read them. */
const shapes: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => isText(value) || isTexts(value),
  required: isTexts,
  enum: isList,
  anyOf: isList,
  oneOf: isList,
  prefixItems: isList,
  properties: isObject,
  pattern: isText,
}

function toDraft2020(schema: Json): Json {
  const result: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      shapes[key]?.(value) === false ? `malformed ${key}` : key,
      value,
    ]),
  )
  for (const bound of ['Minimum', 'Maximum'] as const) {
    // OpenAPI 3.0: `exclusiveMinimum: true` makes `minimum` exclusive.
    const exclusive = result[`exclusive${bound}`]
    if (typeof exclusive !== 'boolean') continue
    delete result[`exclusive${bound}`]
    if (!exclusive || result[bound.toLowerCase()] === undefined) continue
    result[`exclusive${bound}`] = result[bound.toLowerCase()]
    delete result[bound.toLowerCase()]
  }
  // Normalized schemas are normalized again, as parts of others.
  delete result['nullable']
  if (schema['nullable'] === true && result['type'] !== undefined)
    result['type'] = [result['type'], 'null'].flat()
  const { format, contentMediaType, contentEncoding } = result
  if (format === 'password' || format === 'binary' || format === 'byte') delete result['format'] // hints, and names of 3.0
  if (format === 'byte') result['contentEncoding'] = 'base64'
  if (contentMediaType === 'application/octet-stream' && contentEncoding === undefined)
    result['type'] ??= 'string'
  return result
}

const seeThrough = [
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'patternProperties',
  'additionalProperties',
]

/** Says in one way what can be said in several. */
function simplify(schema: Json): Json {
  const result: Record<string, unknown> = { ...schema }
  const { type, multipleOf, items, prefixItems, maxItems, unevaluatedProperties: rest } = result
  if (Number.isInteger(multipleOf)) {
    const types = [type].flat().map((one) => (one === 'number' ? 'integer' : one))
    if (type !== undefined) result['type'] = types.length === 1 ? types[0] : types
  }
  if (items === false || isEqual(items, { not: {} })) {
    const length = Array.isArray(prefixItems) ? prefixItems.length : 0
    result['maxItems'] = typeof maxItems === 'number' ? Math.min(maxItems, length) : length
  }
  const isOpen = (others: unknown): boolean =>
    others === true || (isObject(others) && allowsAll(others))
  if (isOpen(result['additionalProperties'])) delete result['additionalProperties']
  const isAll =
    seeThrough.every((key) => result[key] === undefined) && !Object.keys(result).some(isConflict)
  if (rest !== undefined && (isOpen(rest) || isAll)) {
    delete result['unevaluatedProperties']
    if (!isOpen(rest)) result['additionalProperties'] = rest
  }
  return result
}

type Join = (a: never, b: never) => unknown
const lowest: Join = (a: number, b: number) => Math.min(a, b)
const highest: Join = (a: number, b: number) => Math.max(a, b)
const joins: Readonly<Record<string, Join>> = {
  required: (a: string[], b: string[]) => [...new Set([...a, ...b])],
  type: (a: string | string[], b: string | string[]) =>
    [a].flat().flatMap((type) => commonType(type, [b].flat())),
  enum: (a: unknown[], b: unknown[]) => a.filter((one) => b.some((other) => isEqual(one, other))),
  properties: (a: Json, b: Json) => ({
    ...a,
    ...Object.fromEntries(
      Object.entries(b).map(([name, one]) => [
        name,
        Object.hasOwn(a, name) ? both(a[name], one) : one,
      ]),
    ),
  }),
  items: both,
  anyOf: product,
  oneOf: product,
  uniqueItems: (a: unknown, b: unknown) => a === true || b === true,
  ...Object.fromEntries(
    'minimum exclusiveMinimum minLength minItems minProperties'
      .split(' ')
      .map((key) => [key, highest]),
  ),
  ...Object.fromEntries(
    'maximum exclusiveMaximum maxLength maxItems maxProperties'
      .split(' ')
      .map((key) => [key, lowest]),
  ),
}

/** Each schema of the two once: a recursion through allOf would grow with every step. */
function both(a: unknown, b: unknown): unknown {
  const allOf = [...new Set([a, b].flatMap(partsOf))]
  return allOf.length === 1 ? allOf[0] : { allOf }
}

const partsOf = (schema: unknown): readonly unknown[] =>
  isObject(schema) && Array.isArray(schema['allOf']) && Object.keys(schema).length === 1
    ? schema['allOf'].flatMap(partsOf)
    : [schema]

function commonType(type: string, types: readonly string[]): readonly string[] {
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) return [type]
  return type === 'number' && types.includes('integer') ? ['integer'] : []
}

/** The keyword for values of a keyword that hold at once and cannot be joined. */
export const conflictOf = (key: string): string => (isConflict(key) ? key : `allOf ${key}`)
export const isConflict = (key: string): boolean => key.startsWith('allOf ')

/** Of two unions that hold at once, every pair of alternatives. Undefined if these are too many. */
function product(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] | undefined {
  return a.length * b.length > 100
    ? undefined
    : a.flatMap((one) => b.map((other) => both(one, other)))
}

/** Both schemas at once. */
function join(a: Json, b: Json): Json {
  const joined: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = joined[key]
    const isKept = known === undefined || isEqual(known, value) || isAnnotation(key)
    const result = isKept ? value : joins[key]?.(known as never, value as never)
    if (result === undefined) addConflict(joined, key, value)
    else joined[key] = result
  }
  // Each schema of allOf refuses the properties that it does not name itself.
  if (refusesPropertiesOf(a, b) || refusesPropertiesOf(b, a))
    joined['allOf additionalProperties'] = [a, b]
  return joined
}

/** In any order: `allOf` has none. */
function addConflict(joined: Record<string, unknown>, key: string, value: unknown): void {
  const conflict = conflictOf(key)
  const others = (joined[conflict] ?? []) as readonly unknown[]
  const values = isConflict(key) ? (value as readonly unknown[]) : [joined[key], value]
  const all = new Map([...others, ...values].map((one) => [JSON.stringify(one), one]))
  const sorted = [...all.keys()].toSorted().map((text) => all.get(text))
  joined[conflict] = sorted
  if (conflict !== key) joined[key] = sorted[0]
}

const refusesPropertiesOf = (
  { additionalProperties, properties = {} }: Json,
  other: Json,
): boolean =>
  additionalProperties !== undefined &&
  additionalProperties !== true &&
  Object.keys((other['properties'] ?? {}) as object).some(
    (name) => !Object.hasOwn(properties as object, name),
  )
