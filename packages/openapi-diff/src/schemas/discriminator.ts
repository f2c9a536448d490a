import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { mappingOf, schemaRef, unresolved } from './normalize.ts'
import { type Reader, propertiesOf, tagOf, unionOf } from './reader.ts'
import { noRule, type Pair, type Rule, type Sides } from './pair.ts'
import { type Gap, became, unclear } from './gap.ts'

/**
 * A document whose base schemas name the schemas that extend them by `allOf`, as a discriminator
 * does without a mapping.
 */
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
    const unmapped = children.filter((child) => !mapped.has(schemaRef(child)))
    const complete = { ...Object.fromEntries(unmapped.map((child) => [child, child])), ...mapping }
    return [name, { ...(schema as object), discriminator: { ...discriminator, mapping: complete } }]
  })
  const components = document['components'] as object
  return { ...document, components: { ...components, schemas: Object.fromEntries(extended) } }
}

/**
 * The schemas that a base schema's discriminator leads to, by the values that it names on both
 * sides.
 */
export function childrenRule(
  sent: Json,
  read: Json,
  pairOf: (sent: unknown, read: unknown) => Pair,
): Rule {
  const sentMapping = mappingOf(sent['discriminator'])
  const readMapping = mappingOf(read['discriminator'])
  if (Object.keys(readMapping).length === 0) return noRule
  const name = String((read['discriminator'] as Json)['propertyName'])
  const targetOf = (target: unknown): object => ({ $ref: schemaRef(String(target)) })
  const gaps: Gap[] = []
  const parts = entriesOf(sentMapping).flatMap(([value, target]) => {
    if (Object.hasOwn(readMapping, value))
      return [{ at: '', pair: pairOf(targetOf(target), targetOf(readMapping[value])) }]
    gaps.push(unclear(`may have the ${name} "${value}", which is new`))
    return []
  })
  return { gaps, parts }
}

/**
 * Finds out whether the alternatives of two unions are told apart by the same values. A
 * discriminator is a hint: without one, the schemas still say it. A component's name is a value,
 * unless a mapping or the alternative names a different one.
 */
export function discriminatorGaps(
  sent: Json,
  read: Json,
  { direction, readSent, readRead }: Sides,
): readonly Gap[] {
  const [sentHint, readHint] = [sent['discriminator'], read['discriminator']]
  if (!isObject(sentHint) || !isObject(readHint)) return []
  const [sentName, readName] = [sentHint['propertyName'], readHint['propertyName']].map(String)
  if (sentName !== readName)
    return [
      unclear(
        `is told apart by another property, which ${became(direction, sentName!, readName!)}`,
      ),
    ]
  // A mapping may name schemas that the union itself doesn't.
  const targets = [...Object.values(mappingOf(sentHint)), ...Object.values(mappingOf(readHint))]
  const elsewhere = [...new Set(targets.map((target) => schemaRef(String(target))))].filter(
    ($ref) => unresolved in readSent({ $ref }) && unresolved in readRead({ $ref }),
  )
  const gaps = elsewhere.map(($ref) => unclear(`refers to ${$ref}, which isn't in the document`))
  const renamed = listOf(unionOf(sent)).flatMap((alternative) => {
    const shape = readSent(alternative)
    const counterparts = listOf(unionOf(read)).filter((candidate) => readRead(candidate) === shape)
    const values = counterparts.flatMap((counterpart) => valuesOf(readHint, counterpart, readRead))
    const newValues = valuesOf(sentHint, alternative, readSent).filter(
      (value) => !values.includes(value),
    )
    if (counterparts.length === 0 || newValues.length === 0) return []
    const change = became(direction, newValues.join(' or '), values.join(' or '))
    return [unclear(`has another ${sentName} for an alternative, which ${change}`)]
  })
  return [...gaps, ...renamed]
}

/** The values by which a discriminator names an alternative. */
function valuesOf(discriminator: Json, alternative: unknown, reader: Reader): readonly string[] {
  const ref = isObject(alternative) ? alternative['$ref'] : undefined
  if (typeof ref !== 'string') return []
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  const mapped = entriesOf(mappingOf(discriminator)).filter(
    ([, target]) => target === ref || target === name,
  )
  if (mapped.length > 0) return mapped.map(([value]) => value)
  const property = propertiesOf(reader(alternative))[String(discriminator['propertyName'])]
  return tagOf(property) === undefined ? [name] : []
}
