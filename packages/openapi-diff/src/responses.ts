import { compareContent } from './content.ts'
import { type Json, entriesOf, pointerTo } from './json.ts'
import { type Located, type Operation, dereference, locatedAt } from './operations.ts'
import { compareNamed } from './parameters.ts'
import type { Comparison, ContractFinding } from './report.ts'

export function compareResponses(
  was: Operation,
  is: Operation,
  comparison: Comparison,
): readonly ContractFinding[] {
  const [before, now] = [was, is].map(({ operation }) => responsesOf(operation)) as [Json, Json]
  return Object.entries(before).flatMap(([status, raw]): readonly ContractFinding[] => {
    const pointer = `${was.pointer}/responses/${status}`
    /** Whether a status that was described by this range or default contradicts it: it needs a body for that. */
    const says = (other: string): boolean =>
      other === status ||
      (!(
        status === 'default' &&
        /^[23]/.test(other) &&
        Object.keys(before).some((one) => one.startsWith('2'))
      ) &&
        'content' in dereference(comparison.current, now[other]))
    const current = Object.keys(now).filter(
      (other) => nearest(before, other) === status && says(other),
    )
    const fallback = status in now ? undefined : replacementOf(status, before, now)
    if (fallback !== undefined) current.push(fallback)
    if (current.length === 0)
      return /^2|^3(?!04)/.test(status)
        ? [
            comparison.report(
              'lost-status',
              comparison.response,
              pointer,
              `status ${status} is gone`,
            ),
          ]
        : []
    return [...new Set(current)].flatMap((one) => {
      const [old, own] = [
        dereference(comparison.released, raw),
        dereference(comparison.current, now[one]),
      ]
      const where = `status ${one}`
      const at = `${is.pointer}/responses/${one}`
      const [had, has] = [
        headersOf(old, comparison.released, pointer, where),
        headersOf(own, comparison.current, at, where),
      ]
      // Receivers of webhooks and callbacks respond without a body.
      const isBodyNew = comparison.response === 'request' && !hasContent(old) && hasContent(own)
      return [
        ...(isBodyNew
          ? [comparison.report('new-requirement', 'request', at, `${where}: a body is required`)]
          : []),
        ...compareNamed(had!, has!, comparison.response, 'lost-header', comparison),
        ...compareContent(old, own, { direction: comparison.response, pointer, where }, comparison),
      ]
    })
  })
}

const hasContent = ({ content }: Json): boolean => entriesOf(content).length > 0

/** With ranges in upper case. */
const responsesOf = ({ responses }: Json): Json =>
  Object.fromEntries(
    Object.entries((responses ?? {}) as Json).map(([status, one]) => [
      status.replace(/xx$/, 'XX'),
      one,
    ]),
  )

/** The key of the response that describes a status or a range: itself, its range, or the default. */
const nearest = (responses: Json, status: string): string | undefined =>
  [status, `${status[0]}XX`, 'default'].find((key) => key in responses)

/** What describes a status that is not listed any more. A default that is there for errors does not describe a success. */
function replacementOf(status: string, before: Json, now: Json): string | undefined {
  const key = nearest(now, status)
  const isForErrors = 'default' in before || Object.keys(now).some((other) => other.startsWith('2'))
  return key === 'default' && /^[23]/.test(status) && isForErrors ? undefined : key
}

/** What announces an end is not a promise: an end may be called off. The media types say what the type of a body is. */
const otherHeaders = new Set(['deprecation', 'sunset', 'content-type'])

function headersOf(
  response: Json,
  document: Json,
  pointer: string,
  where: string,
): ReadonlyMap<string, Located> {
  const headers = entriesOf(response['headers']).filter(
    ([name]) => !otherHeaders.has(name.toLowerCase()),
  )
  return new Map(
    headers.map(([name, raw]) => {
      const value = { ...dereference(document, raw), in: 'header' }
      return [
        name.toLowerCase(),
        locatedAt(`${pointer}/headers${pointerTo([name])}`, value, `${where}: header ${name}`),
      ]
    }),
  )
}
