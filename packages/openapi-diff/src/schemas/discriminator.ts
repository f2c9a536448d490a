import { type Json, entriesOf, groupBy, isEqual, isObject, listOf } from '../json.ts'
import {
  type Gap,
  type Part,
  type Rule,
  type Sides,
  became,
  noRule,
  ruleWith,
  unclear,
} from './gap.ts'
import { mappingOf, schemaRef } from './normalize.ts'
import { type Reader, unionOf, valuesIn } from './shape.ts'

/**
 * Adds the schemas that extend a base schema with `allOf` to its discriminator's mapping, which may
 * leave them out.
 */
export function withChildren(document: Json): Json {
  const components = (document['components'] ?? {}) as Json
  const schemas = entriesOf(components['schemas'])
  const extending = schemas.flatMap(([name, schema]) =>
    listOf(isObject(schema) && schema['allOf'])
      .filter(isObject)
      .map(({ $ref }) => [String($ref), name] as const),
  )
  const childrenOf = groupBy(extending, ([parent]) => parent)

  const extended = Object.fromEntries(schemas)
  for (const [name, schema] of schemas) {
    const children = childrenOf.get(schemaRef(name))
    if (!isObject(schema) || !isObject(schema['discriminator']) || !children) continue
    const mapping: Record<string, unknown> = { ...mappingOf(schema['discriminator']) }
    const mapped = new Set(Object.values(mapping).map((target) => schemaRef(String(target))))
    for (const [, child] of children) if (!mapped.has(schemaRef(child))) mapping[child] ??= child
    extended[name] = { ...schema, discriminator: { ...schema['discriminator'], mapping } }
  }
  return { ...document, components: { ...components, schemas: extended } }
}

/**
 * Compares the schemas that two discriminators name by the same value. A discriminator is only a
 * hint, because the schemas contain the same information.
 */
export function discriminatorRule(sent: Json, read: Json, sides: Sides): Rule {
  const { direction, readSent, readRead, pairOf } = sides
  const sentHint = sent['discriminator']
  const readHint = read['discriminator']
  if (!isObject(sentHint) || !isObject(readHint)) return noRule
  const [name, readName] = [sentHint['propertyName'], readHint['propertyName']].map(String)
  if (name !== readName) {
    const change = became(direction, name!, readName!)
    return ruleWith(unclear(`is told apart by another property, which ${change}`))
  }
  const gaps: Gap[] = []
  const parts: Part[] = []
  const named = namedBy(read, sides.readRead)
  const shapes = new Set(listOf(unionOf(read)).map(readRead))
  for (const [value, target] of namedBy(sent, readSent)) {
    const counterpart = named.get(value)
    if (counterpart) parts.push({ at: '', pair: pairOf(target, counterpart) })
    else {
      const shape = readSent(target)
      const isTagged = isEqual(valuesIn(shape, name!, readSent), [value])
      // A union's new alternative is reported by its schema, and a tag is as good as a mapping.
      if (unionOf(sent) !== null && (isTagged || !shapes.has(shape))) continue
      const tag = `the ${name} "${value}"`
      gaps.push(
        unclear(
          direction === 'request' ? `may no longer have ${tag}` : `may have ${tag}, which is new`,
        ),
      )
    }
  }
  return { gaps, parts }
}

/**
 * The schemas that a discriminator names, by its values. An alternative is named like its
 * component, unless a mapping or its own tag names it.
 */
function namedBy(schema: Json, reader: Reader): ReadonlyMap<string, Json> {
  const hint = schema['discriminator'] as Json
  const entries = entriesOf(hint['mapping']).map(
    ([value, target]) => [value, { $ref: schemaRef(String(target)) }] as const,
  )
  const mapped = new Set(entries.map(([, { $ref }]) => $ref))
  for (const alternative of listOf(unionOf(schema))) {
    const { $ref } = isObject(alternative) ? alternative : {}
    if (typeof $ref !== 'string' || mapped.has($ref)) continue
    const tags = valuesIn(reader(alternative), String(hint['propertyName']), reader)
    if (tags.length !== 1) entries.push([$ref.slice($ref.lastIndexOf('/') + 1), { $ref }])
  }
  return new Map(entries)
}
