import { type Json, isObject, isEqual, listOf } from './json.ts'
import { schemaRef } from './normalize.ts'
import { type Reader, propertiesOf, tagOf, unionOf } from './reader.ts'
import { type GapsAndParts, type Pair, noRule } from './solve.ts'
import { type Gap, gap } from './value-gaps.ts'

/** A document whose base schemas name the schemas that extend them by `allOf`, as a discriminator does without a mapping. */
export function withChildren(document: Json): Json {
  const { schemas } = (document['components'] ?? {}) as { readonly schemas?: unknown }
  if (!isObject(schemas)) return document
  const childrenOf = new Map<unknown, string[]>()
  for (const [name, schema] of Object.entries(schemas))
    for (const parent of listOf(isObject(schema) ? schema['allOf'] : []))
      if (isObject(parent))
        childrenOf.set(parent['$ref'], [...(childrenOf.get(parent['$ref']) ?? []), name])
  const extended = Object.entries(schemas).map(([name, schema]): readonly [string, unknown] => {
    const discriminator = isObject(schema) ? schema['discriminator'] : undefined
    const children = childrenOf.get(schemaRef(name))
    if (!isObject(discriminator) || children === undefined) return [name, schema]
    const mapping = mappingOf(discriminator)
    const mapped = new Set(Object.values(mapping).map((target) => schemaRef(String(target))))
    const others = children.filter((child) => !mapped.has(schemaRef(child)))
    const all = { ...Object.fromEntries(others.map((child) => [child, child])), ...mapping }
    return [name, { ...(schema as object), discriminator: { ...discriminator, mapping: all } }]
  })
  return {
    ...document,
    components: { ...(document['components'] as object), schemas: Object.fromEntries(extended) },
  }
}

/** The schemas that a discriminator of a base schema leads to, by the values that it names on both sides. */
export function childrenRule(
  sent: Json,
  read: Json,
  pairOf: (a: unknown, b: unknown) => Pair,
): GapsAndParts {
  const [own, known] = [mappingOf(sent['discriminator']), mappingOf(read['discriminator'])]
  if (Object.keys(known).length === 0) return noRule
  const [shared, strange] = [true, false].map((isKnown) =>
    Object.keys(own).filter((value) => Object.hasOwn(known, value) === isKnown),
  ) as [string[], string[]]
  const targetOf = (mapping: Json, value: string): object => ({
    $ref: schemaRef(String(mapping[value])),
  })
  return {
    gaps: strange.map((value) => gap(`may be ${value}, which is new`, false)),
    parts: shared.map((value) => ({
      at: '',
      pair: pairOf(targetOf(own, value), targetOf(known, value)),
    })),
  }
}

const mappingOf = (discriminator: unknown): Json =>
  isObject(discriminator) && isObject(discriminator['mapping']) ? discriminator['mapping'] : {}

/**
 * Whether the alternatives of two unions are told apart by the same values. A discriminator is a hint: without one, the
 * schemas still say it. A name of a component is a value, unless a mapping or the alternative names another one.
 */
export function discriminatorGaps(
  sent: Json,
  read: Json,
  readSent: Reader,
  readRead: Reader,
): readonly Gap[] {
  const [own, other] = [sent['discriminator'], read['discriminator']]
  if (!isObject(own) || !isObject(other)) return []
  const [name, known] = [own['propertyName'], other['propertyName']]
  if (!isEqual(name, known))
    return [gap(`has the discriminator ${String(name)}, not ${String(known)}`, false)]
  return listOf(unionOf(sent)).flatMap((one) => {
    const counterparts = listOf(unionOf(read)).filter((each) => readRead(each) === readSent(one))
    const values = counterparts.flatMap((each) => valuesOf(other, each, readRead))
    const others = valuesOf(own, one, readSent).filter((value) => !values.includes(value))
    return counterparts.length === 0 || others.length === 0
      ? []
      : [
          gap(
            `has the ${String(name)} ${others.join(' or ')} for what had ${values.join(' or ')}`,
            false,
          ),
        ]
  })
}

function valuesOf(discriminator: Json, alternative: unknown, reader: Reader): readonly string[] {
  const ref = isObject(alternative) ? alternative['$ref'] : undefined
  if (typeof ref !== 'string') return []
  const id = ref.slice(ref.lastIndexOf('/') + 1)
  const mapped = Object.entries(mappingOf(discriminator)).filter(
    ([, target]) => target === ref || target === id,
  )
  if (mapped.length > 0) return mapped.map(([value]) => value)
  return tagOf(propertiesOf(reader(alternative))[String(discriminator['propertyName'])]) ===
    undefined
    ? [id]
    : []
}
