// Judges a comparison by what Ajv says about values.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { DiffError, type DiffFinding, compareDocuments } from '../../src/index.ts'
import { stepsOf } from '../../src/json.ts'
import type { Direction } from '../../src/schemas/gap.ts'
import { createRandom } from './random.ts'
import type { Schema, SchemaPair, Side } from './schemas.ts'
import { draw, hasAt, isDeclared } from './values.ts'

/** What a comparison says about one direction of a pair, and how to find out what values say. */
export interface Judgement {
  readonly direction: Direction
  readonly findings: readonly DiffFinding[]
  /**
   * Tries so many values, and returns one that's sent and not read. Undefined if there's none.
   *
   * @param isAny - whether properties that an open object doesn't name count as sent
   */
  readonly findLost: (count: number, isAny?: boolean) => unknown
  /** How many of the values that have been tried are sent, and have something at a JSON Pointer. */
  readonly countAt: (pointer: string) => number
}

type Validate = (value: unknown) => boolean

const directions = ['request', 'response'] as const
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  code: { optimize: false },
})

/** Judges a pair. Null if it's too large to compare. */
export function judge(pair: SchemaPair, seed: number): readonly Judgement[] | null {
  const findings = findingsOf(pair)
  if (findings === null) return null
  ajv.removeSchema()
  const compiled = new Map<string, Validate>()
  const random = createRandom(seed)
  const values: unknown[] = []
  return directions.map((direction) => {
    const isRequest = direction === 'request'
    const [sent, read] = isRequest ? [pair.older, pair.newer] : [pair.newer, pair.older]
    const hidden = isRequest ? 'readOnly' : 'writeOnly'
    const sentSide = asSent(sent, hidden)
    const isSent = (value: unknown) => compile(sentSide)(value)
    return {
      direction,
      findings: findings.filter((finding) => finding.direction === direction),
      findLost(count, isAny = false) {
        const reads = [isHiding(sent, hidden), false].map((isCounted) =>
          compile(asRead(read, hidden, !isRequest, isCounted)),
        )
        const isRead = (value: unknown) => reads.some((matches) => matches(value))
        const accepts = (schema: unknown, value: unknown) => compile({ ...sentSide, schema })(value)
        const isPromised = (value: unknown) => isAny || isDeclared(value, sentSide, accepts)
        while (values.length < count) values.push(draw(random, [pair.older, pair.newer]))
        return values.find((value) =>
          safely(() => isSent(value) && !isRead(value) && isPromised(value)),
        )
      },
      countAt: (pointer) =>
        values.filter((value) => hasAt(value, stepsOf(pointer)) && safely(() => isSent(value)))
          .length,
    }
  })

  function compile({ schema, schemas }: Side): Validate {
    const whole = typeof schema === 'object' ? { ...schema, components: { schemas } } : { not: {} }
    const text = JSON.stringify(schema === true ? {} : whole)
    const validate = compiled.get(text) ?? ajv.compile<unknown>(JSON.parse(text) as Schema)
    compiled.set(text, validate)
    return validate
  }
}

/** Ajv 8.20 fails at some objects with `patternProperties` beside `anyOf: [{}, …]`. */
function safely(test: () => boolean): boolean {
  try {
    return test()
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

function findingsOf({ older, newer }: SchemaPair): readonly DiffFinding[] | null {
  try {
    return compareDocuments(documentOf(older), documentOf(newer))
  } catch (error) {
    if (error instanceof DiffError && error.code === 'too-large') return null
    throw error
  }
}

function documentOf({ openapi, schema, schemas }: Side): object {
  const content = { 'application/json': { schema } }
  const operation = { requestBody: { content }, responses: { 200: { content } } }
  return { openapi, paths: { '/': { post: operation } }, components: { schemas } }
}

// ---- schemas of OpenAPI as JSON Schema 2020-12 --------------------------------------------------

type Change = (schema: Schema) => Schema

/** Nobody sends a property that's hidden in this direction. */
const asSent = (side: Side, hidden: string): Side => translated(side, hiding(side, hidden, false))

/**
 * A hidden property is ignored, and so are those that a client doesn't know. The README's limits say
 * that a required property counts for `minProperties` although it's hidden.
 */
function asRead(side: Side, hidden: string, isOpen: boolean, isCounted: boolean): Side {
  const hide = hiding(side, hidden, {})
  return translated(side, (schema) => {
    const { minProperties, ...rest } = hide(isOpen ? opened(schema, side) : schema)
    if (typeof minProperties !== 'number') return rest
    return { ...rest, minProperties: Math.max(0, minProperties - Number(isCounted)) }
  })
}

function isHiding(side: Side, hidden: string): boolean {
  let isFound = false
  JSON.stringify(side, (name, value: unknown) => {
    isFound ||= name === 'hidden' && isHidden(value, side, hidden)
    return value
  })
  return isFound
}

/** Whether a property's schema, or one of its `allOf`, is hidden. OpenAPI 3.0 ignores a reference's siblings. */
function isHidden(property: unknown, side: Side, hidden: string): boolean {
  const { $ref, allOf, [hidden]: own } = property as Schema
  if ($ref !== undefined && side.openapi.startsWith('3.0')) return false
  const parts = (allOf ?? []) as unknown[]
  return own === true || parts.some((part) => isHidden(part, side, hidden))
}

/** If alternatives of a `oneOf` only exclude each other by being closed, which of them is read is a client's choice. */
function opened(schema: Schema, { schemas }: Side): Schema {
  const { additionalProperties, unevaluatedProperties, oneOf, ...rest } = schema
  const text = JSON.stringify(oneOf ?? null)
  const isClosed =
    additionalProperties === false ||
    (text.includes('$ref') ? text + JSON.stringify(schemas) : text).includes('Properties":false')
  const anyOf = [{ anyOf: oneOf }, ...((rest['allOf'] ?? []) as unknown[])]
  return {
    ...rest,
    // No property is left for unevaluatedProperties beside additionalProperties.
    ...(additionalProperties !== false && { additionalProperties }),
    ...((additionalProperties ?? unevaluatedProperties) !== false && { unevaluatedProperties }),
    ...(oneOf !== undefined && (isClosed ? { allOf: anyOf } : { oneOf })),
  }
}

/** Hides the property `hidden`, also where a schema requires it without describing it. */
function hiding(side: Side, hidden: string, instead: unknown): Change {
  if (!isHiding(side, hidden)) return (schema) => schema
  return (schema) => {
    const { properties, required } = schema as { properties?: Schema; required?: string[] }
    const own = properties?.['hidden']
    if (own !== undefined && !isHidden(own, side, hidden)) return schema
    return {
      ...schema,
      ...(own !== undefined && { properties: { ...properties, hidden: instead } }),
      ...(required && { required: required.filter((name) => name !== 'hidden') }),
    }
  }
}

/** Rewrites a side's every schema to 2020-12. */
function translated(side: Side, change: Change): Side {
  const is30 = side.openapi.startsWith('3.0')
  const schemas = Object.entries(side.schemas).flatMap(([name, schema]) => [
    [name, visit(schema, change)],
    [`unchanged-${name}`, visit(schema, unchanged)],
  ])
  return {
    ...side,
    schema: visit(side.schema, change),
    schemas: Object.fromEntries(schemas) as Schema,
  }

  function visit(schema: unknown, outer: Change): unknown {
    if (Array.isArray(schema)) return schema.map((one) => visit(one, outer))
    if (typeof schema !== 'object' || schema === null) return schema
    const plainer = withNumbers(schema as Schema)
    const own = outer(is30 ? from30(plainer) : withoutTuple(plainer))
    const entries = Object.entries(own).map(([key, value]) => {
      if (key === '$ref' && outer === unchanged)
        return [key, String(value).replace('schemas/', 'schemas/unchanged-')]
      if (value === undefined || plain.has(key)) return [key, value]
      if (!maps.has(key)) return [key, visit(value, negating.has(key) ? unchanged : outer)]
      const inner = Object.entries(value as Schema).map(([name, one]) => [name, visit(one, outer)])
      return [key, Object.fromEntries(inner)]
    })
    return Object.fromEntries(entries) as Schema
  }
}

const plain = new Set(['enum', 'const', 'required', 'type', 'dependentRequired'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const negating = new Set(['not', 'if', 'contains'])
/** What's inside a `not` stays as it is: a client that ignored a part of it would accept less. */
const unchanged: Change = (schema) => schema

/** As the README says, an integer's values may all be written as texts. */
function withNumbers(schema: Schema): Schema {
  const { type, enum: values } = schema
  const isInteger = [type].flat().every((one) => one === 'integer' || one === 'null')
  if (type === undefined || !isInteger || !Array.isArray(values)) return schema
  const areTexts = values.every((value) => value === null || /^-?\d+$/.test(textOf(value)))
  return areTexts ? { ...schema, enum: values.map((value) => value && Number(value)) } : schema
}
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Ajv 8.20 accepts an empty list where `contains` is beside `prefixItems`. */
function withoutTuple(schema: Schema): Schema {
  const { prefixItems, ...rest } = schema
  if (prefixItems === undefined || rest['contains'] === undefined) return schema
  const { contains, minContains = 1, maxContains = 99, ...others } = rest
  const allOf = [...((rest['allOf'] ?? []) as unknown[]), { contains, minContains, maxContains }]
  return { ...others, prefixItems, allOf }
}

/** As the README says, an alternative that's only nullable is null. */
const nullFrom30 = (alternative: unknown): unknown =>
  JSON.stringify(alternative) === '{"nullable":true}' ? { type: 'null' } : alternative

function from30(schema: Schema): Schema {
  const { $ref, nullable, type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } =
    schema
  if ($ref !== undefined) return { $ref }
  for (const key of ['anyOf', 'oneOf'])
    if (Array.isArray(rest[key])) rest[key] = (rest[key] as unknown[]).map(nullFrom30)
  return {
    ...rest,
    ...(type !== undefined && { type: nullable === true ? [type, 'null'] : type }),
    ...(minimum !== undefined && {
      [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum,
    }),
    ...(maximum !== undefined && {
      [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum,
    }),
  }
}

// ---- smaller pairs ------------------------------------------------------------------------------

/** Takes away from a pair whatever isn't needed for it to fail. */
export function shrink(pair: SchemaPair, fails: (pair: SchemaPair) => boolean): SchemaPair {
  let [smallest, isSmaller] = [pair, true]
  while (isSmaller) {
    isSmaller = false
    for (const next of smallerPairs(smallest)) {
      if (!failsSafely(next)) continue
      ;[smallest, isSmaller] = [next, true]
      break
    }
  }
  return smallest

  function failsSafely(next: SchemaPair): boolean {
    try {
      return fails(next)
    } catch {
      return false // it isn't a pair of schemas any more
    }
  }
}

function* smallerPairs(pair: SchemaPair): Generator<SchemaPair> {
  const paths = [
    ...new Set(
      [...pathsIn(pair.older), ...pathsIn(pair.newer)].map((path) => JSON.stringify(path)),
    ),
  ]
  for (const text of paths)
    for (const sides of [['older', 'newer'], ['older'], ['newer']] as const)
      for (const isUnwrapped of [true, false]) {
        const path = JSON.parse(text) as string[]
        const copy = structuredClone(pair)
        if (sides.map((side) => remove(copy[side], path, isUnwrapped)).some(Boolean)) yield copy
      }
}

function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [...path, key],
    ...pathsIn(inner, [...path, key]),
  ])
}

/** Removes a part of a schema, or puts the part in place of the schema. */
function remove(side: object, path: readonly string[], isUnwrapped: boolean): boolean {
  const last = path.at(-1)!
  const up = /^(?:anyOf|oneOf|allOf)$/.test(path.at(-2) ?? '') ? 3 : 2
  const home = valueAt(side, path.slice(0, -1))
  if (typeof home !== 'object' || !Object.hasOwn(home, last) || path.length < 2) return false
  if (isUnwrapped) {
    const outer = valueAt(side, path.slice(0, -up))
    if (up !== 3 || outer === undefined) return false
    outer[path.at(-up)!] = home[last]
  } else if (!Array.isArray(home)) delete home[last]
  else if (home.length === 1) return false
  else home.splice(Number(last), 1)
  return true
}

const valueAt = (value: unknown, path: readonly string[]): Schema | undefined =>
  path.reduce<unknown>((inner, key) => (inner as Schema | undefined)?.[key], value) as
    | Schema
    | undefined
