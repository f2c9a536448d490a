import { type Comparison, type DiffFinding, type Report, createReport } from '../finding.ts'
import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { type Node, type Operation, child, rootOf } from './list-operations.ts'

/** Compares the servers of whole documents. */
export const compareServers = (before: Json, after: Json): readonly DiffFinding[] =>
  lostServers(rootOf(before), rootOf(after), createReport('every operation'))

/** Compares the servers of an operation or path that has its own, before or after. */
export function compareOwnServers(
  before: Operation,
  after: Operation,
  { report }: Comparison,
): readonly DiffFinding[] {
  const [older, newer] = [before, after].map((operation) => {
    const homes = [operation, operation.pathItem]
    return homes.find(({ value }) => value['servers'] !== undefined) ?? rootOf(operation.document)
  }) as [Node, Node]
  if (older.pointer === '' && newer.pointer === '') return [] // both have the document's
  return lostServers(older, newer, report)
}

/**
 * Without servers there's one at `/`. An older document without any isn't compared, because a lock
 * file has none.
 */
function lostServers(before: Node, after: Node, report: Report): readonly DiffFinding[] {
  const newer = urlsOf(after.value['servers'])
  if (newer.length === 0) newer.push('')
  const lost = urlsOf(before.value['servers']).filter((url) => !newer.includes(url))
  const place = {
    direction: 'request',
    before: child(before, 'servers'),
    after: after.value['servers'] === undefined ? null : child(after, 'servers'),
    where: '',
  } as const
  return lost.map((url) =>
    report({ ...place, code: 'lost-server', reason: `the server ${url || '/'} is gone` }),
  )
}

const mostUrls = 100

/**
 * URLs with every listed value of their variables, without a slash at the end, and with hosts in
 * lower case (RFC 3986).
 */
function urlsOf(servers: unknown): string[] {
  return listOf(servers)
    .filter(isObject)
    .flatMap((server) => {
      let urls = [String(server['url'])]
      for (const [name, variable] of entriesOf(server['variables'])) {
        const { enum: listed, default: usual } = (variable ?? {}) as Json
        const isListed = Array.isArray(listed) && listed.length * urls.length <= mostUrls
        const values = isListed ? (listed as readonly unknown[]) : [usual]
        urls = values.flatMap((value) =>
          urls.map((url) => url.replaceAll(`{${name}}`, () => String(value))),
        )
      }
      return urls.map((url) =>
        url.replace(/\/$/, '').replace(/^\w+:\/\/[^/]*/, (host) => host.toLowerCase()),
      )
    })
}
