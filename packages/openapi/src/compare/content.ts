import { isObject } from '@hv/router/internal'
import type { Direction } from './rules.ts'
import { type Document, isEqual } from './normalize.ts'
import { escapeStep } from '../json-pointer.ts'
import { entriesOf } from './operations.ts'
import { type Comparison, type ContractFinding, compareSchemas } from './report.ts'

export function compareContent(
  was: Document,
  is: Document,
  direction: Direction,
  pointer: string,
  where: string,
  comparison: Comparison,
): readonly ContractFinding[] {
  const now = new Map(entriesOf(is['content']).map(([type, one]) => [typeKey(type), one]))
  const keys = [...now.keys()]
  const before = entriesOf(was['content'])
  const all = before.map(([type]) => typeKey(type))
  const findings = before.flatMap(([type, media], index) => {
    const at = `${pointer}/content/${escapeStep(type)}`
    const included = keys.filter((key) => nearest(all, key) === all[index])
    // Clients send what one entry must describe. What the API sends may be any of those that the range includes.
    const home = direction === 'request' ? nearest(keys, all[index]!) : included[0]
    if (home === undefined) return [comparison.report('lost-media-type', direction, at, `${where}: ${type} is gone`)]
    return [home, ...included].flatMap((key) => {
      const [old, own] = [media, now.get(key)].map((one) => (isObject(one) ? one : {})) as [Document, Document]
      const isEncodingKept =
        isEqual(old['encoding'] ?? {}, own['encoding'] ?? {}) && comparison.meansTheSame(old['encoding'])
      const encoding = isEncodingKept
        ? []
        : [comparison.report('unjudged-change', direction, `${at}/encoding`, `${where}: ${type} has another encoding`)]
      const schema = schemaOf(own, direction === 'request' ? type : key)
      return [
        ...encoding,
        ...compareSchemas(schemaOf(old, type), schema, direction, `${at}/schema`, `${where}:`, comparison),
      ]
    })
  })
  // Several media types usually share one schema.
  const texts = new Set<string>()
  return findings.filter(({ code, message }) => texts.size < texts.add(`${code} ${message}`).size)
}

/** In lower case, and without the charset of JSON, which has no effect (RFC 8259). */
function typeKey(type: string): string {
  const key = type.toLowerCase().replace(/\s*([;=])\s*/g, '$1')
  return /^[^;]*[/+]json\b/.test(key) ? key.replace(/;charset="?utf-8"?/, '') : key
}

/** The key that describes a media type: itself, or the most specific range that includes it. */
const nearest = (types: readonly string[], type: string): string | undefined =>
  types.toSorted((a, b) => b.length - a.length).find((range) => covers(range, type))

/** Whether a range, such as `text/*`, includes a media type. */
const covers = (range: string, type: string): boolean =>
  range === type || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

/** A body of bytes needs no schema. In JSON, bytes are text. */
const schemaOf = ({ schema }: Document, type: string): unknown =>
  isBytes(type) && (schema === undefined || isEqual(schema, {})) ? { type: 'string' } : schema
const isBytes = (type: string): boolean => !/json|xml|form|[*]/i.test(type)
