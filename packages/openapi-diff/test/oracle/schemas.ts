// Makes schemas, and pairs of which the second differs in a place or two.
import { type Random, createRandom } from './random.ts'

export type Schema = Record<string, unknown>

/** A schema with the components that it refers to. */
export interface Side {
  readonly openapi: string
  readonly schema: unknown
  readonly schemas: Readonly<Record<string, unknown>>
}
export interface SchemaPair {
  readonly older: Side
  readonly newer: Side
}

/** Where a schema is, which decides what it may contain. */
interface Spot {
  readonly depth: number
  /**
   * The first component that may be referred to. A schema that only leads to itself means nothing,
   * so only properties and elements may refer to any.
   */
  readonly from: number
}

const componentCount = 3
const names = ['p', 'q', 'r', 'x1']
const texts = ['', 'a', 'b', 'ab', 'abc', 'abcd', 'true', '1']
const scalars = [...texts, 0, 1, 2, 3, 2.5, -1, true, false, null]
const patterns = ['^a', 'b$', '^[a-c]*$', '^.{2}$', '']
const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object']
const inside = ({ depth }: Spot): Spot => ({ depth: depth - 1, from: 0 })
const beside = ({ depth, from }: Spot): Spot => ({ depth: depth - 1, from })

export function createPair(seed: number): SchemaPair {
  const random = createRandom(seed)
  const { below, chance, pick } = random
  const openapi = pick(['3.0.3', '3.1.0', '3.1.0', '3.2.0'])
  const make = createSchemas(random, openapi.startsWith('3.0'))
  const root: Spot = { depth: 3, from: 0 }
  const spots = Array.from({ length: componentCount }, (_, n): Spot => ({ depth: 2, from: n + 1 }))
  const older: Side = {
    openapi,
    schema: withHidden(make.schema(root)),
    schemas: Object.fromEntries(spots.map((spot, n) => [`S${n}`, make.schema(spot)])),
  }
  const newer: Side = structuredClone(older)
  for (let left = 1 + below(2); left > 0; left--) {
    const places = [
      ...placesIn(newer as unknown as Schema, 'schema', root),
      ...spots.flatMap((spot, n) => placesIn(newer.schemas as Schema, `S${n}`, spot)),
    ]
    // The places near the root are the ones that every value reaches.
    const place = chance(0.5) ? places[below(Math.min(3, places.length))]! : pick(places)
    place.home[place.key] = make.mutation(place.home[place.key], place.spot)
  }
  return chance(0.5) ? { older, newer } : { older: newer, newer: older }

  /** Sometimes with a property that only one of the sides sends. */
  function withHidden(schema: unknown): unknown {
    const { properties, required = [] } = schema as { properties?: Schema; required?: string[] }
    if (properties === undefined || !chance(0.1)) return schema
    const hidden = {
      ...make.schema({ depth: 0, from: 0 }),
      [pick(['readOnly', 'writeOnly'])]: true,
    }
    return {
      ...(schema as Schema),
      properties: { ...properties, hidden },
      required: chance(0.5) ? [...required, 'hidden'] : required,
    }
  }
}

interface Place {
  readonly home: Schema
  readonly key: string
  readonly spot: Spot
}

/** A schema and every schema in it. */
function placesIn(home: Schema, key: string, spot: Spot): readonly Place[] {
  const schema = home[key]
  const places: Place[] = [{ home, key, spot }]
  if (typeof schema !== 'object' || schema === null) return places
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = innerSpot(keyword, spot)
    if (inner === undefined) continue
    if (Array.isArray(value) || maps.has(keyword))
      for (const name of Object.keys(value as object))
        places.push(...placesIn(value as Schema, name, inner))
    else places.push(...placesIn(schema as Schema, keyword, inner))
  }
  return places
}

const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const applied = new Set(
  'allOf anyOf oneOf not if then else dependentSchemas unevaluatedProperties unevaluatedItems'.split(
    ' ',
  ),
)
const contained = new Set(
  'properties patternProperties additionalProperties items prefixItems contains propertyNames'.split(
    ' ',
  ),
)
const innerSpot = (keyword: string, spot: Spot): Spot | undefined =>
  applied.has(keyword) ? beside(spot) : contained.has(keyword) ? inside(spot) : undefined

function createSchemas(random: Random, is30: boolean) {
  const { below, chance, pick, several, some } = random
  // Most of them leave values between them.
  const least = (): number => below(3)
  const most = (): number => 2 + below(3)
  const part = (spot: Spot): Schema => schema(beside(spot))
  const low = (): number => pick([-1, 0, 0.5, 1])
  const high = (): number => pick([1.5, 2, 2.5, 3])

  /** The keywords of each type, with a value for each. */
  const keywords: Readonly<Record<string, Readonly<Record<string, (spot: Spot) => unknown>>>> = {
    string: {
      minLength: least,
      maxLength: most,
      pattern: () => pick(patterns),
      format: () => pick(['date', 'uuid', 'custom', 'byte']),
      ...(!is30 && { contentMediaType: () => 'text/x', contentEncoding: () => 'base64' }),
    },
    number: {
      minimum: low,
      maximum: high,
      exclusiveMinimum: is30 ? () => chance(0.7) : low,
      exclusiveMaximum: is30 ? () => chance(0.7) : high,
      multipleOf: () => pick([1, 2, 0.5]),
      format: () => pick(['int32', 'int64', 'float']),
    },
    array: {
      items: (spot) => schema(inside(spot)),
      minItems: least,
      maxItems: most,
      uniqueItems: () => chance(0.8),
      ...(!is30 && {
        prefixItems: (spot) => several(1, 2, () => schema(inside(spot))),
        contains: (spot) => schema(inside(spot)),
        minContains: () => below(3),
        maxContains: most,
        unevaluatedItems: (spot) => pick([false, schema(inside(spot))]),
      }),
    },
    object: {
      properties: (spot) =>
        Object.fromEntries(some(names).map((name) => [name, schema(inside(spot))])),
      required: () => some(names),
      additionalProperties: (spot) => pick([false, false, true, schema(inside(spot))]),
      minProperties: least,
      maxProperties: most,
      ...(!is30 && {
        patternProperties: (spot) => ({ [pick(['^p', '^x', '.'])]: schema(inside(spot)) }),
        propertyNames: () =>
          pick<unknown>([{ maxLength: 1 }, { enum: ['p', 'q'] }, { pattern: '^[pqx]' }]),
        dependentRequired: () => ({ [pick(names)]: some(names) }),
        dependentSchemas: (spot) => ({ [pick(names)]: schema(beside(spot)) }),
        unevaluatedProperties: (spot) => pick([false, schema(inside(spot))]),
      }),
    },
    any: {
      enum: () => enumOf(),
      ...(!is30 && { const: () => pick(scalars) }),
      type: () => typeOf(),
      anyOf: (spot) => alternatives(spot),
      oneOf: (spot) => alternatives(spot),
      allOf: (spot) => several(1, 2, () => schema(beside(spot))),
      not: (spot) => schema(beside(spot)),
      ...(!is30 && {
        if: part,
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: part,
        else: part,
      }),
      ...(is30 && { nullable: () => chance(0.8) }),
    },
  }
  return { schema, mutation }

  function schema(spot: Spot): Schema {
    const kind = below(spot.depth > 0 ? 20 : 9)
    if (kind === 0) return pick<() => Schema>([() => ({}), () => ({ enum: enumOf() })])()
    if (kind === 1 && spot.from < componentCount) return reference(spot)
    if (kind === 2 && !is30) return { const: pick(scalars) }
    if (kind < 6) return typed('string', spot)
    if (kind < 9) return typed(pick(['integer', 'number', 'boolean', 'null']), spot)
    if (kind < 13) return typed('object', spot)
    if (kind < 14) return typed('array', spot)
    if (kind < 17) return { [pick(['anyOf', 'oneOf'])]: alternatives(spot) }
    if (kind < 18) return { allOf: several(2, 2, () => schema(beside(spot))) }
    const keyword = pick(Object.keys(keywords['any']!))
    return { ...typed(pick(types), spot), [keyword]: keywords['any']![keyword]!(spot) }
  }

  function reference({ from }: Spot): Schema {
    const $ref = `#/components/schemas/S${from + below(componentCount - from)}`
    return chance(0.1) ? { $ref, [pick(['minLength', 'minimum'])]: least() } : { $ref }
  }

  function typed(type: string, spot: Spot): Schema {
    const made: Schema = chance(0.9) ? { type: !is30 && chance(0.1) ? typeOf() : type } : {}
    const group = keywords[type === 'integer' ? 'number' : type] ?? {}
    if (type === 'array' && (is30 || chance(0.7))) made['items'] = schema(inside(spot))
    if (type === 'object') made['properties'] = group['properties']!(spot)
    for (const keyword of chance(0.7) ? some(Object.keys(group)).slice(0, 2) : [])
      made[keyword] ??= group[keyword]!(spot)
    if (is30 && chance(0.1)) made['nullable'] = true
    return made
  }

  function alternatives(spot: Spot): Schema[] {
    const made = several(1, 3, () => schema(beside(spot)))
    // Alternatives that overlap, or that a property tells apart.
    if (chance(0.3)) made.push(mutation(structuredClone(pick(made)), beside(spot)) as Schema)
    if (chance(0.2))
      return made.map((alternative, n) => ({
        ...alternative,
        type: 'object',
        properties: { ...(alternative['properties'] as Schema), p: { enum: [texts[n]] } },
        ...(chance(0.7) && { required: ['p'] }),
      }))
    return made
  }

  function enumOf(): unknown[] {
    const values = new Set<unknown>(several(1, 4, () => pick(scalars)))
    return [...values, ...(chance(0.05) ? [{ p: pick(scalars) }] : [])]
  }

  function typeOf(): unknown {
    return is30 ? pick(types.filter((type) => type !== 'null')) : some(types).slice(0, 3)
  }

  /** A schema that's nearly the same. */
  function mutation(given: unknown, spot: Spot): unknown {
    if (typeof given !== 'object' || given === null) return schema(spot)
    const changed = given as Schema
    const keys = Object.keys(changed)
    const key = pick(keys.length > 0 ? keys : ['type'])
    const value = changed[key]
    const union = pick(['anyOf', 'oneOf'])
    switch (below(11)) {
      case 0:
        return schema(spot)
      case 1:
        delete changed[key]
        return changed
      case 2:
      case 3:
        return { ...changed, ...more(changed, spot) }
      case 4: // it or a part of it
        return { [union]: [given, { ...changed, ...more(changed, spot) }] }
      case 5:
        return { [union]: several(1, 1, () => schema(beside(spot))).concat(changed) }
      case 6:
        return { allOf: [given, schema(beside(spot))] }
      case 7: {
        const other = { anyOf: 'oneOf', oneOf: 'anyOf' }[
          keys.find((one) => one.endsWith('nyOf') || one === 'oneOf') ?? ''
        ]
        if (other === undefined) return { ...changed, ...more(changed, spot) }
        const { anyOf, oneOf, ...rest } = changed
        return { ...rest, [other]: anyOf ?? oneOf }
      }
      default:
        changed[key] = nearly(key, value, spot)
        return changed
    }
  }

  /** A keyword that the schema doesn't have, of its type. */
  function more({ type }: Schema, spot: Spot): Schema {
    const own = pick([type].flat() as string[])
    const group =
      keywords[chance(0.3) ? 'any' : own === 'integer' ? 'number' : own] ?? keywords['any']!
    const keyword = pick(Object.keys(group))
    return { [keyword]: group[keyword]!(spot) }
  }

  function nearly(key: string, value: unknown, spot: Spot): unknown {
    if (typeof value === 'number')
      return Math.max(
        key.endsWith('mum') ? -5 : key === 'multipleOf' ? 1 : 0,
        value + pick([-1, 1]),
      )
    if (Array.isArray(value)) {
      const list = [...(value as unknown[])]
      const isShorter = chance(0.5) && list.length > 1
      const isUnion = key === 'anyOf' || key === 'oneOf' || key === 'allOf'
      if (isShorter) list.splice(below(list.length), 1)
      else if (isUnion) list.push(schema(beside(spot)))
      else if (key === 'prefixItems') list.push(schema(inside(spot)))
      else list.push(pick<unknown>(key === 'enum' ? scalars : key === 'type' ? types : names))
      return isUnion || key === 'prefixItems' ? list : [...new Set(list)]
    }
    if (maps.has(key)) {
      const map = { ...(value as Schema) }
      const name = pick(names)
      if (chance(0.5)) delete map[pick(Object.keys(map))]
      else map[name] = schema(key === 'properties' ? inside(spot) : beside(spot))
      return map
    }
    const group = Object.values(keywords).find((one) => key in one)
    return group ? group[key]!(spot) : value
  }
}
