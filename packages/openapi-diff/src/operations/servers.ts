import { type Comparison, type DiffFinding, type Report, createReport } from '../finding.ts'
import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { type Operation, itemPointerOf } from './list-operations.ts'

/** Compares the servers of whole documents. */
export const compareServers = (before: Json, after: Json): readonly DiffFinding[] =>
  lostServers(
    { home: '', servers: before['servers'] },
    { home: '', servers: after['servers'] },
    createReport('every operation'),
  )

/** Compares the servers of an operation or path that has its own, before or after. */
export function compareOwnServers(
  before: Operation,
  after: Operation,
  { report }: Comparison,
): readonly DiffFinding[] {
  const [older, newer] = [serversOf(before), serversOf(after)]
  if (older.home === '' && newer.home === '') return [] // both have the document's
  return lostServers(older, newer, report)
}

interface Servers {
  /** The pointer of what lists them: an operation, a path, or the document. */
  readonly home: string
  readonly servers: unknown
}

/** The servers that apply to an operation. */
function serversOf({ operation, item, document, pointer }: Operation): Servers {
  if (operation['servers'] !== undefined) return { home: pointer, servers: operation['servers'] }
  if (item['servers'] !== undefined)
    return { home: itemPointerOf(pointer), servers: item['servers'] }
  return { home: '', servers: document['servers'] }
}

/**
 * Without servers there's one at `/`. An older document without any isn't compared, because a lock
 * file has none.
 */
function lostServers(before: Servers, after: Servers, report: Report): readonly DiffFinding[] {
  const newerUrls = urlsOf(after.servers)
  if (newerUrls.length === 0) newerUrls.push('')
  const lostUrls = urlsOf(before.servers).filter((url) => !newerUrls.includes(url))
  return lostUrls.map((url) =>
    report({
      code: 'lost-server',
      direction: 'request',
      before: `${before.home}/servers`,
      after: after.servers === undefined ? null : `${after.home}/servers`,
      where: '',
      reason: `the server ${url || '/'} is gone`,
    }),
  )
}

/**
 * URLs with every listed value of their variables, without a slash at the end, and with hosts in
 * lower case (RFC 3986).
 */
function urlsOf(servers: unknown): string[] {
  const urls = listOf(servers)
    .filter(isObject)
    .flatMap(({ url, variables }) => withVariables(String(url), variables))
  return urls.map((url) =>
    url.replace(/\/$/, '').replace(/^\w+:\/\/[^/]*/, (host) => host.toLowerCase()),
  )
}

const mostUrls = 100

function withVariables(template: string, variables: unknown): readonly string[] {
  let urls: readonly string[] = [template]
  for (const [name, variable] of entriesOf(variables)) {
    const { enum: listed, default: usual } = (variable ?? {}) as Json
    const isListed = Array.isArray(listed) && listed.length * urls.length <= mostUrls
    const values: readonly unknown[] = isListed ? listed : [usual]
    urls = urls.flatMap((url) =>
      values.map((value) => url.replaceAll(`{${name}}`, () => String(value))),
    )
  }
  return urls
}
