import { type Json, entriesOf, groupBy, isEqual, isObject, listOf } from '../json.ts'
import { type Item, type Sides, became, part, unclear } from './gap.ts'
import { mappingOf, schemaRef } from './normalize.ts'
import { type Reader, unionOf, valuesIn } from './shape.ts'
import { withTags } from './unions.ts'

/**
 * Adds the schemas that extend a base schema with `allOf` to its discriminator's mapping, which may
 * leave them out.
 */
export function withChildren(document: Json): Json {
  const components = (document['components'] ?? {}) as Json
  const schemas = entriesOf(components['schemas'])
  const extending: (readonly [parent: string, child: string])[] = []
  for (const [name, schema] of schemas)
    for (const base of listOf(isObject(schema) && schema['allOf']))
      if (isObject(base)) extending.push([String(base['$ref']), name])
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
export function* discriminatorItems(sent: Json, read: Json, sides: Sides): Generator<Item> {
  const { isRequest, readSent, readRead, pairOf } = sides
  const sentHint = sent['discriminator']
  const readHint = read['discriminator']
  if (!isObject(sentHint) || !isObject(readHint)) return
  const name = String(sentHint['propertyName'])
  const readName = String(readHint['propertyName'])
  if (name !== readName) {
    const change = became(isRequest, name, readName)
    yield unclear(`is told apart by another property, which ${change}`)
    return
  }
  const named = namedBy(read, readRead)
  const shapes = new Set(listOf(unionOf(read)).map(readRead))
  for (const [value, target] of namedBy(sent, readSent)) {
    const counterpart = named.get(value)
    if (counterpart) {
      yield part(pairOf(target, counterpart))
      continue
    }
    const shape = readSent(target)
    const isTagged = isEqual(valuesIn(shape, name, readSent), [value])
    // A union's new alternative is reported by its schema, and a tag is as good as a mapping.
    if (unionOf(sent) !== null && (isTagged || !shapes.has(shape))) continue
    const tag = `the ${name} "${value}"`
    yield unclear(isRequest ? `may no longer have ${tag}` : `may have ${tag}, which is new`)
  }
}

/**
 * The schemas that a discriminator names, by its values. An alternative is named like its
 * component, unless a mapping or its own tag names it.
 */
function namedBy(schema: Json, reader: Reader) {
  const hint = schema['discriminator'] as Json
  const named = new Map<string, unknown>()
  const mapped = new Set<unknown>()
  const alternatives = new Map<unknown, unknown>()
  for (const alternative of listOf(unionOf(schema)))
    if (isObject(alternative)) alternatives.set(alternative['$ref'], alternative)
  for (const [value, target] of entriesOf(hint['mapping'])) {
    const $ref = schemaRef(String(target))
    mapped.add($ref)
    named.set(value, withTags(alternatives.get($ref) ?? { $ref }, hint, reader))
  }
  for (const [$ref, alternative] of alternatives) {
    if (typeof $ref !== 'string' || mapped.has($ref)) continue
    const tags = valuesIn(reader(alternative), String(hint['propertyName']), reader)
    if (tags.length !== 1) named.set($ref.slice($ref.lastIndexOf('/') + 1), alternative)
  }
  return named
}
