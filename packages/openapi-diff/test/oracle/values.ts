// Values near two schemas, most of which at least one of them nearly allows.
import type { Random } from './random.ts'
import type { Schema, Side } from './schemas.ts'

/** A schema with the document that its references lead into. */
interface Part {
  readonly schema: unknown
  readonly side: Side
}
/** Whether a value is valid. */
export type Accepts = (schema: unknown, value: unknown) => boolean

const partsOf = ({ side }: Part, schemas: unknown): readonly Part[] =>
  schemas === undefined ? [] : [schemas].flat().map((schema) => ({ schema, side }))

function targetOf({ schema, side }: Part): readonly Part[] {
  const name = String((schema as Schema)['$ref'])
    .split('/')
    .at(-1)!
  return partsOf({ schema, side }, side.schemas[name])
}

/** Draws a value whose every keyword comes from one of the schemas, which often makes it valid for several. */
export function draw(random: Random, sides: readonly Side[]): unknown {
  const { below, chance, pick } = random
  const roots = chance(0.4) ? sides : [pick(sides)]
  return valueOf(
    roots.map((side) => ({ schema: side.schema, side })),
    4,
  )

  function expanded(part: Part, depth = 8): readonly Part[] {
    const { schema } = part
    if (typeof schema !== 'object' || schema === null || depth === 0) return []
    const {
      $ref,
      allOf,
      anyOf,
      oneOf,
      not,
      if: test,
      then,
      else: other,
      dependentSchemas,
    } = schema as Schema
    const union = partsOf(part, anyOf ?? oneOf)
    const fraction = pick([0, 0, 0, 0.5, 1])
    const chosen = union.length === 0 ? [] : [pick(union), ...union.filter(() => chance(fraction))]
    const maybe = [not, test, then, other, ...Object.values(dependentSchemas ?? {})]
    const inner = [
      ...($ref === undefined ? [] : targetOf(part)),
      ...partsOf(part, allOf),
      ...chosen,
      ...partsOf(part, oneOf && anyOf ? [pick(oneOf as unknown[])] : undefined),
      ...maybe
        .filter((one) => one !== undefined && chance(0.4))
        .flatMap((one) => partsOf(part, one)),
    ]
    return [part, ...inner.flatMap((one) => expanded(one, depth - 1))]
  }

  function valueOf(from: readonly Part[], depth: number): unknown {
    const parts = from.flatMap((part) => expanded(part))
    const values: Record<string, unknown[]> = {}
    const implied: string[] = []
    for (const { schema } of parts)
      for (const [keyword, value] of Object.entries(schema as Schema)) {
        const listed = keyword === 'const' ? 'enum' : keyword
        values[listed] = [
          ...(values[listed] ?? []),
          ...(Array.isArray(value) ? (value as unknown[]) : [value]),
        ]
        if (impliedType[keyword] !== undefined) implied.push(impliedType[keyword])
      }
    const all = (keyword: string): readonly unknown[] => values[keyword] ?? []
    if (all('enum').length > 0 && chance(0.7)) return pick(all('enum'))
    const types = all('type') as string[]
    const likely = types.length > 0 && chance(0.8) ? types : [...types, ...implied]
    const isNull = all('nullable').includes(true) && chance(0.2)
    const type = isNull ? 'null' : likely.length > 0 && chance(0.95) ? pick(likely) : pick(anyType)
    if (type === 'null' || depth === 0) return null
    if (type === 'boolean') return chance(0.5)
    if (type === 'string') {
      const lengths = [...all('minLength'), ...all('maxLength'), below(3)] as number[]
      const length = Math.max(0, pick(lengths) + pick([0, 0, 0, 1, -1]))
      return Array.from({ length }, (_, n) =>
        pick(n === 0 ? ['a', 'a', 'b'] : ['b', 'b', 'a', 'c', 'd']),
      ).join('')
    }
    if (type === 'integer' || type === 'number') {
      const limits = [
        ...all('minimum'),
        ...all('maximum'),
        ...all('exclusiveMinimum'),
        ...all('exclusiveMaximum'),
        below(5),
      ]
      const limit = pick(limits.filter((one) => typeof one === 'number'))
      return limit + pick([0, 0, 1, -1, ...(type === 'number' ? [0.5, -0.5] : [])])
    }
    return type === 'array' ? listOf() : objectOf()

    function listOf(): unknown[] {
      const lengths = [
        ...all('minItems'),
        ...all('maxItems'),
        ...all('minContains'),
        below(4),
      ] as number[]
      const length = Math.min(6, Math.max(0, pick(lengths) + pick([0, 0, 1, -1])))
      const list: unknown[] = []
      for (let n = 0; n < length; n++) {
        const element = parts.flatMap((part) => {
          const { items, prefixItems, contains } = part.schema as Schema
          const own = (prefixItems as unknown[] | undefined)?.[n] ?? items
          return partsOf(part, chance(0.3) ? (contains ?? own) : own)
        })
        list.push(n > 0 && chance(0.2) ? list[0] : valueOf(element, depth - 1))
      }
      return list
    }

    function objectOf(): Schema {
      const required = new Set(all('required'))
      const maps = ['properties', 'dependentSchemas', 'dependentRequired'].flatMap(all)
      const candidates = new Set([
        ...required,
        ...maps.flatMap((map) => Object.keys(map as object)),
        ...(chance(0.3) ? ['p', 'x1', 's'] : []),
      ])
      const size = pick([
        0,
        ...(all('minProperties') as number[]),
        ...(all('maxProperties') as number[]),
      ])
      while (chance(0.5) && candidates.size <= size) candidates.add(`s${candidates.size}`)
      const object: Schema = {}
      for (const name of candidates as Set<string>) {
        if (!chance(required.has(name) ? 0.9 : 0.5)) continue
        const schemas = parts.flatMap((part) => innerOf(part, name))
        object[name] = valueOf(schemas, depth - 1)
      }
      return object
    }
  }
}

const anyType = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object']
const impliedType: Readonly<Record<string, string>> = {
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  items: 'array',
  prefixItems: 'array',
  contains: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  patternProperties: 'object',
  propertyNames: 'object',
  dependentRequired: 'object',
  dependentSchemas: 'object',
  minProperties: 'object',
  maxProperties: 'object',
}

/** What a part says about a property. */
function innerOf(part: Part, name: string): readonly Part[] {
  const { properties, additionalProperties, unevaluatedProperties } = part.schema as Record<
    string,
    Schema | undefined
  >
  const own = [properties?.[name], ...patternsFor(part, name)].filter(
    (schema) => schema !== undefined,
  )
  const others = [additionalProperties, unevaluatedProperties].filter(
    (schema) => typeof schema === 'object' && schema !== null && Object.keys(schema).length > 0,
  )
  return partsOf(part, own.length > 0 ? own : others)
}

const patternsFor = ({ schema }: Part, name: string): readonly unknown[] =>
  Object.entries(((schema as Schema)['patternProperties'] ?? {}) as Schema).flatMap(
    ([pattern, inner]) => (new RegExp(pattern, 'u').test(name) ? [inner] : []),
  )

/**
 * Whether a schema names every property of a value that it allows. The README's limits say that
 * others count as not sent, and that nothing is compared with what `patternProperties`,
 * `dependentSchemas`, `then` or `else` say about a property.
 */
export function isDeclared(value: unknown, side: Side, accepts: Accepts): boolean {
  return isNamed(value, [{ schema: side.schema, side }])

  function isNamed(inner: unknown, from: readonly Part[]): boolean {
    if (typeof inner !== 'object' || inner === null) return true
    const parts = from.flatMap((part) => applying(part, inner))
    if (parts.some(({ schema }) => 'enum' in (schema as object) || 'const' in (schema as object)))
      return true
    if (Array.isArray(inner))
      return inner.every((element, n) =>
        isNamed(
          element,
          parts.flatMap((part) => {
            const { items, prefixItems } = part.schema as Schema
            return partsOf(part, (prefixItems as unknown[] | undefined)?.[n] ?? items)
          }),
        ),
      )
    const required = new Set(parts.flatMap(({ schema }) => (schema as Schema)['required'] ?? []))
    return Object.entries(inner).every(([name, property]) => {
      const schemas = parts.flatMap((part) => innerOf(part, name))
      if (parts.some((part) => patternsFor(part, name).length > 0)) return false
      return (schemas.length > 0 || required.has(name)) && isNamed(property, schemas)
    })
  }

  /** A schema and those in it that a value has to match, or does match. */
  function applying(part: Part, inner: unknown): readonly Part[] {
    const { schema } = part
    if (typeof schema !== 'object' || schema === null) return []
    const { $ref, allOf, anyOf, oneOf } = schema as Schema
    const held = [
      ...($ref === undefined ? [] : targetOf(part)),
      ...partsOf(part, allOf),
      ...[anyOf, oneOf]
        .flatMap((one) => partsOf(part, one))
        .filter((one) => accepts(one.schema, inner)),
    ]
    return [part, ...held.flatMap((one) => applying(one, inner))]
  }
}

/** Whether a value has something at a path, in which `*` stands for any step. */
export function hasAt(value: unknown, [step, ...steps]: readonly string[]): boolean {
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, inner]) => (step === '*' || step === name) && hasAt(inner, steps),
  )
}
