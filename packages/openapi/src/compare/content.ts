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
  const findings = entriesOf(was['content']).flatMap(([type, media]) => {
    const at = `${pointer}/content/${escapeStep(type)}`
    const key = counterpartOf(typeKey(type), [...now.keys()], direction)
    if (key === undefined) return [comparison.report('lost-media-type', direction, at, `${where}: ${type} is gone`)]
    const [old, own] = [media, now.get(key)].map((one) => (isObject(one) ? one : {})) as [Document, Document]
    const isEncodingKept =
      isEqual(old['encoding'] ?? {}, own['encoding'] ?? {}) && comparison.meansTheSame(old['encoding'])
    const encoding = isEncodingKept
      ? []
      : [comparison.report('unjudged-change', direction, `${at}/encoding`, `${where}: ${type} has another encoding`)]
    return [
      ...encoding,
      ...compareSchemas(schemaOf(old, type), schemaOf(own, key), direction, `${at}/schema`, `${where}:`, comparison),
    ]
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

/** The same media type, or a range: of a request, one that includes it; of a response, one of those that it includes. */
const counterpartOf = (type: string, types: readonly string[], direction: Direction): string | undefined =>
  types.includes(type)
    ? type
    : types.find((other) => (direction === 'request' ? covers(other, type) : covers(type, other)))

/** Whether a range, such as `text/*`, includes a media type. */
const covers = (range: string, type: string): boolean =>
  range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

/** A body of bytes needs no schema. In JSON, bytes are text. */
const schemaOf = ({ schema }: Document, type: string): unknown =>
  isBytes(type) && (schema === undefined || isEqual(schema, {})) ? { type: 'string' } : schema
const isBytes = (type: string): boolean => !/json|xml|form|[*]/i.test(type)
