import { type Json, isObject, entriesOf } from './json.ts'
import { type Operation, itemPointerOf } from './operations.ts'
import { type Comparison, type ContractFinding, type Report, createReport } from './report.ts'

/** Compares the servers of the documents. */
export const compareServers = (before: Json, after: Json): readonly ContractFinding[] =>
  lostServers(before['servers'], after['servers'], '', createReport('every operation'))

/** Compares the servers of an operation or path that has its own, before or after. */
export function compareOwnServers(
  was: Operation,
  is: Operation,
  { report }: Comparison,
): readonly ContractFinding[] {
  const [before, after] = [was, is].map(
    ({ operation, item, document, pointer }) =>
      [[pointer, operation] as const, [itemPointerOf(pointer), item] as const].find(
        ([, { servers }]) => servers !== undefined,
      ) ?? (['', document] as const),
  )
  if (before![0] === '' && after![0] === '') return []
  return lostServers(before![1]['servers'], after![1]['servers'], before![0], report)
}

/** Without servers there is one at `/`. A released document without any is not compared: a lock file has none. */
function lostServers(
  before: unknown,
  after: unknown,
  home: string,
  report: Report,
): readonly ContractFinding[] {
  const are = urlsOf(after)
  if (are.length === 0) are.push('')
  return urlsOf(before)
    .filter((url) => !are.includes(url))
    .map((url) =>
      report('lost-server', 'request', `${home}/servers`, `the server ${url || '/'} is gone`),
    )
}

/** With the listed values of variables, or their defaults, without a slash at the end, and hosts in lower case (RFC 3986). */
const urlsOf = (servers: unknown): string[] =>
  (Array.isArray(servers) ? (servers as readonly unknown[]) : [])
    .filter(isObject)
    .flatMap(({ url, variables }) =>
      entriesOf(variables)
        .reduce<readonly string[]>(
          (urls, [name, variable]) => {
            const { enum: values, default: usual } = (variable ?? {}) as Json
            const all =
              Array.isArray(values) && values.length * urls.length <= mostUrls ? values : [usual]
            return urls.flatMap((one) =>
              all.map((value) => one.replaceAll(`{${name}}`, String(value))),
            )
          },
          [String(url)],
        )
        .map((one) =>
          one.replace(/\/$/, '').replace(/^\w+:\/\/[^/]*/, (host) => host.toLowerCase()),
        ),
    )
const mostUrls = 100
