import { asText, schemaOf } from './parameters.ts'
import { compareContent } from './content.ts'
import { type Document, normalize } from './normalize.ts'
import { escapeStep } from '../json-pointer.ts'
import { type Operation, dereference } from './operations.ts'
import { type Comparison, type ContractFinding, compareSchemas } from './report.ts'

export function compareResponses(was: Operation, is: Operation, comparison: Comparison): readonly ContractFinding[] {
  const [before, now] = [was, is].map(({ operation }) => responsesOf(operation)) as [Document, Document]
  return Object.entries(before).flatMap(([status, raw]): readonly ContractFinding[] => {
    const pointer = `/responses/${status}`
    /** Whether a status that was described by this range or default contradicts it: it needs a body for that. */
    const says = (other: string, described: string): boolean =>
      other === described ||
      (replacementOf(other, now, before) === described && 'content' in dereference(comparison.current, now[other]))
    const current = Object.keys(now).filter((other) => nearest(before, other) === status && says(other, status))
    const fallback = status in now ? undefined : replacementOf(status, before, now)
    if (fallback !== undefined && !current.includes(fallback)) current.push(fallback)
    if (current.length === 0)
      return /^2|^3(?!04)/.test(status)
        ? [comparison.report('lost-status', comparison.response, pointer, `status ${status} is gone`)]
        : []
    return current.flatMap((one) => {
      const [old, own] = [dereference(comparison.released, raw), dereference(comparison.current, now[one])]
      return [
        ...compareHeaders(old, own, pointer, `status ${one}`, comparison),
        ...compareContent(old, own, comparison.response, pointer, `status ${one}`, comparison),
      ]
    })
  })
}

/** With ranges in upper case. */
const responsesOf = ({ responses }: Document): Document =>
  Object.fromEntries(
    Object.entries((responses ?? {}) as Document).map(([status, one]) => [status.replace(/xx$/, 'XX'), one]),
  )

/** The key of the response that describes a status or a range: itself, its range, or the default. */
const nearest = (responses: Document, status: string): string | undefined =>
  [status, `${status[0]}XX`, 'default'].find((key) => key in responses)

/** What describes a status that is not listed any more. A default that is there for errors does not describe a success. */
function replacementOf(status: string, before: Document, now: Document): string | undefined {
  const key = nearest(now, status)
  const isForErrors = 'default' in before || Object.keys(now).some((other) => other.startsWith('2'))
  return key === 'default' && /^[23]/.test(status) && isForErrors ? undefined : key
}

/** What announces an end is not a promise: an end may be called off. The media types say what the type of a body is. */
const otherHeaders = new Set(['deprecation', 'sunset', 'content-type'])

function compareHeaders(was: Document, is: Document, pointer: string, where: string, comparison: Comparison) {
  const now = new Map(Object.entries((is['headers'] ?? {}) as Document).map(([name, one]) => [name.toLowerCase(), one]))
  return Object.entries((was['headers'] ?? {}) as Document).flatMap(([name, raw]): readonly ContractFinding[] => {
    if (otherHeaders.has(name.toLowerCase())) return []
    const at = `${pointer}/headers/${escapeStep(name)}`
    const raws = now.get(name.toLowerCase())
    if (raws === undefined)
      return [comparison.report('lost-header', 'response', at, `${where}: header ${name} is gone`)]
    const [old, own] = [dereference(comparison.released, raw), dereference(comparison.current, raws)]
    const isWeaker = old['required'] === true && own['required'] !== true
    const [schema, wanted] = [schemaOf(own), schemaOf(old)]
    const sides = { released: comparison.current, current: comparison.released } // the API sends
    const sent = own['content'] ? schema : asText(schema, normalize(sides.released, schema), wanted, sides)
    return [
      ...(isWeaker
        ? [comparison.report('lost-header', 'response', at, `${where}: header ${name} may be missing`)]
        : []),
      ...compareSchemas(wanted, sent, 'response', `${at}/schema`, `${where}: header ${name}`, comparison),
    ]
  })
}
