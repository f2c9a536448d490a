import { type Json, isObject, isEqual, entriesOf, pointerTo } from './json.ts'
import { normalize } from './normalize.ts'
import { type Comparison, type ContractFinding, type Place, compareSchemas } from './report.ts'
import { brief } from './value-gaps.ts'

export function compareContent(
  was: Json,
  is: Json,
  { direction, pointer, where }: Place,
  comparison: Comparison,
): readonly ContractFinding[] {
  const now = new Map(entriesOf(is['content']).map(([type, one]) => [typeKey(type), one]))
  const before = entriesOf(was['content'])
  const all = before.map(([type]) => typeKey(type))
  return before.flatMap(([type, media], index) => {
    const at = `${pointer}/content${pointerTo([type])}`
    const included = [...now.keys()].filter((other) => nearest(all, other) === all[index])
    // Clients send what one entry must describe. What the API sends may be any of those that the range includes.
    const home = direction === 'request' ? nearest([...now.keys()], all[index]!) : included[0]
    if (home === undefined)
      return [comparison.report('lost-media-type', direction, at, `${where}: ${type} is gone`)]
    return [...new Set([home, ...included])].flatMap((key) => compareMedia(type, media, key, at))
  })

  function compareMedia(
    type: string,
    media: unknown,
    key: string,
    at: string,
  ): readonly ContractFinding[] {
    const [old, own] = [media, now.get(key)].map((one) => (isObject(one) ? one : {})) as [
      Json,
      Json,
    ]
    const parts = normalize(comparison.released, old['schema'])['properties'] ?? {}
    const known: object = { ...parts, ...(old['encoding'] as object | undefined) }
    // A new part may have any encoding.
    const encodings = [old, own].map(({ encoding }) =>
      entriesOf(encoding).filter(([part]) => isEncoded(type) && Object.hasOwn(known, part)),
    )
    const isEncodingKept =
      isEqual(...(encodings as [unknown, unknown])) && comparison.meansTheSame(encodings[0])
    const why = `${where}: ${type} has another encoding: ${brief(own['encoding'])}`
    const schema = schemaOf(own, direction === 'request' ? type : key)
    const place = { direction, pointer: `${at}/schema`, where: `${where}:` }
    return [
      ...(isEncodingKept
        ? []
        : [comparison.report('unclear-change', direction, `${at}/encoding`, why)]),
      ...compareSchemas(schemaOf(old, type), schema, place, comparison),
    ]
  }
}

/** In lower case, with parameters in alphabetical order, and without the charset of JSON, which has no effect (RFC 8259). */
function typeKey(type: string): string {
  const [essence = '', ...parameters] = type.toLowerCase().split(/\s*;\s*/)
  const isJson = /[/+]json\b/.test(essence)
  const compared = parameters
    .map((parameter) => parameter.replace(/\s*=\s*/, '='))
    .filter((parameter) => !isJson || !/^charset="?utf-8"?$/.test(parameter))
  return [essence, ...compared.toSorted()].join(';')
}

/** The key that describes a media type: itself, or the most specific range that includes it. */
const nearest = (types: readonly string[], type: string): string | undefined =>
  types.includes(type)
    ? type
    : types.filter((range) => covers(range, type)).toSorted((a, b) => b.length - a.length)[0]

/** Whether a range, such as `text/*`, includes a media type. */
const covers = (range: string, type: string): boolean =>
  range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

/** A body of bytes needs no schema. In JSON, bytes are text. */
const schemaOf = ({ schema }: Json, type: string): unknown =>
  isBytes(type) && (schema === undefined || isEqual(schema, {})) ? { type: 'string' } : schema
/** OpenAPI ignores the encoding of other bodies. */
const isEncoded = (type: string): boolean =>
  /^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(type)
const isBytes = (type: string): boolean => !/json|xml|form|[*]/i.test(type)
