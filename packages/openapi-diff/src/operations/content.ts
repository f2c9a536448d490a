import {
  type Comparison,
  type DiffFinding,
  type Findings,
  type Place,
  compareSchemas,
} from '../finding.ts'
import { type Json, entriesOf, isEqual, isObject, pointerTo } from '../json.ts'
import { brief } from '../schemas/gap.ts'

/** Compares the media types of a body. */
export function compareContent(
  before: Json,
  after: Json,
  place: Place,
  comparison: Comparison,
): Findings {
  const { direction, where } = place
  const newerEntries = new Map(
    entriesOf(after['content']).map((entry) => [typeKey(entry[0]), entry]),
  )
  const newerKeys = [...newerEntries.keys()]
  const olderEntries = entriesOf(before['content'])
  const olderKeys = olderEntries.map(([type]) => typeKey(type))
  return olderEntries.flatMap(([type, media], index) => {
    const olderKey = olderKeys[index]!
    const pointer = `${place.before}/content${pointerTo([type])}`
    const included = newerKeys.filter((key) => nearestKey(olderKeys, key) === olderKey)
    // Clients send what a single entry has to describe. What the API sends may be any entry that
    // the range includes.
    const home = direction === 'request' ? nearestKey(newerKeys, olderKey) : included[0]
    if (home === undefined) {
      const lost = { code: 'lost-media-type', direction, before: pointer, after: null } as const
      return [comparison.report({ ...lost, where: `${where}:`, reason: `${type} is gone` })]
    }
    return [...new Set([home, ...included])].flatMap((key) => {
      const [newerType, newerMedia] = newerEntries.get(key)!
      const sides = { before: asObject(media), after: asObject(newerMedia) }
      const types = { before: type, after: direction === 'request' ? type : newerType }
      const newerPointer = `${place.after}/content${pointerTo([newerType])}`
      const mediaPlace = { direction, before: pointer, after: newerPointer, where: `${where}:` }
      return compareMedia(sides, types, mediaPlace, comparison)
    })
  })
}

const asObject = (value: unknown): Json => (isObject(value) ? value : {})

/** Compares an entry's encoding and schema. */
function compareMedia(
  media: { readonly before: Json; readonly after: Json },
  types: { readonly before: string; readonly after: string },
  place: Place,
  comparison: Comparison,
): Findings {
  const type = types.before
  // The elements of a stream, such as `text/event-stream`, have an itemSchema in OpenAPI 3.2.
  const findings = ['encoding', 'itemSchema'].flatMap((part): readonly DiffFinding[] => {
    const [older, newer] = [media.before[part], media.after[part]]
    const isIgnored = part === 'encoding' && !isEncoded(type)
    if (isIgnored || (older === newer && comparison.meansTheSame(older))) return []
    const finding = comparison.report({
      ...place,
      before: older === undefined ? null : `${place.before}/${part}`,
      after: newer === undefined ? null : `${place.after}/${part}`,
      code: 'unclear-change',
      reason: `${type} has another ${part}: ${brief(newer)}`,
    })
    return [finding]
  })
  const schemas = [schemaOf(media.before, type), schemaOf(media.after, types.after)] as const
  const inSchema = {
    ...place,
    before: `${place.before}/schema`,
    after: `${place.after}/schema`,
  }
  return [...findings, ...compareSchemas(schemas, inSchema, comparison)]
}

/**
 * In lower case, with sorted parameters, and without JSON's charset, which has no effect (RFC
 * 8259).
 */
function typeKey(type: string): string {
  const [essence = '', ...parameters] = type.toLowerCase().split(/\s*;\s*/)
  const isJson = /[/+]json\b/.test(essence)
  const compared = parameters
    .map((parameter) => parameter.replace(/\s*=\s*/, '='))
    .filter((parameter) => !isJson || !/^charset="?utf-8"?$/.test(parameter))
  return [essence, ...compared.toSorted()].join(';')
}

/** The key that describes a media type: itself, or the most specific range that includes it. */
function nearestKey(keys: readonly string[], type: string): string | undefined {
  if (keys.includes(type)) return type
  const ranges = keys.filter((range) => covers(range, type))
  return ranges.toSorted((a, b) => b.length - a.length)[0]
}

/** Whether a range, such as `text/*`, includes a media type. */
const covers = (range: string, type: string): boolean =>
  range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

/** A body of bytes needs no schema. In JSON, bytes are text. */
function schemaOf({ schema }: Json, type: string): unknown {
  const isBytes = !/json|xml|form|[*]/i.test(type)
  return isBytes && (schema === undefined || isEqual(schema, {})) ? { type: 'string' } : schema
}

/** OpenAPI ignores the encoding of other bodies. */
const isEncoded = (type: string): boolean =>
  /^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(type)
