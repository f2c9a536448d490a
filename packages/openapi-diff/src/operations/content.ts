import type { Comparison, Place } from '../finding.ts'
import { type Node, isEqual } from '../json.ts'
import { brief } from '../schemas/gap.ts'
import { child, childrenOf } from './list-operations.ts'
import { nearest, typeRanges } from './ranges.ts'

/** Compares the media types of a body. */
export function compareContent(place: Place, comparison: Comparison): void {
  const { direction, where } = place
  const [older, newer] = [entriesIn(place.before), entriesIn(place.after)]
  for (const [olderKey, [type, before]] of older) {
    const keys = [...newer.keys()].filter((key) => nearest(older, typeRanges(key)) === olderKey)
    // Clients send what a single entry has to describe. What the API sends may be any entry that
    // the range includes.
    const home = direction === 'request' ? nearest(newer, typeRanges(olderKey)) : keys[0]
    if (home === undefined) {
      const lost = { ...place, before, after: null, code: 'lost-media-type' as const }
      comparison.report({ ...lost, where: `${where}:`, reason: `${type} is gone` })
      continue
    }
    for (const key of new Set([home, ...keys])) {
      const [newerType, after] = newer.get(key)!
      const types = [type, direction === 'request' ? type : newerType] as const
      const media = { direction, before, after, where: `${where}:` }
      compareMedia(types, media, comparison)
    }
  }
}

const entriesIn = (body: Node) =>
  new Map(childrenOf(body, 'content').map((entry) => [typeKey(entry[0]), entry]))

/** Compares an entry's encoding and schema. */
function compareMedia(
  types: readonly [before: string, after: string],
  place: Place,
  comparison: Comparison,
): void {
  const { before, after } = place
  // OpenAPI ignores the encoding of other bodies. The elements of a stream, such as
  // `text/event-stream`, have an itemSchema in OpenAPI 3.2.
  const isForm = /^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(types[0])
  for (const part of isForm ? ['encoding', 'itemSchema'] : ['itemSchema']) {
    const [older, newer] = [before.value[part], after.value[part]]
    if (older === newer && comparison.meansTheSame(older)) continue
    comparison.report({
      ...place,
      before: older === undefined ? null : child(before, part),
      after: newer === undefined ? null : child(after, part),
      code: 'unclear-change',
      reason: `${types[0]} has another ${part}: ${brief(newer)}`,
    })
  }
  const schemas = [before, after].map(({ value: { schema } }, index) => {
    // A body of bytes needs no schema. In JSON, bytes are text.
    const isBytes = !/json|xml|form|[*]/i.test(types[index]!)
    return isBytes && (schema === undefined || isEqual(schema, {})) ? { type: 'string' } : schema
  })
  const inSchema = { ...place, before: child(before, 'schema'), after: child(after, 'schema') }
  comparison.compareSchemas(schemas[0], schemas[1], inSchema)
}

/**
 * In lower case, with sorted parameters, and without JSON's charset, which has no effect (RFC
 * 8259).
 */
function typeKey(type: string): string {
  const [essence = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const isJson = /[/+]json\b/.test(essence)
  const compared = parameters
    .map((parameter) => parameter.replace(/\s*=\s*/, '='))
    .filter((parameter) => !isJson || !/^charset="?utf-8"?$/.test(parameter))
  return [essence, ...compared.toSorted()].join(';')
}
