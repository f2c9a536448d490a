import type { Comparison } from '../finding.ts'
import { type Json, type Node, entriesOf, isObject, listOf } from '../json.ts'
import { type Operation, child, rootOf } from './list-operations.ts'

/** Compares an operation's servers, if it or its path item declares its own in either document. */
export function compareOwnServers(
  before: Operation,
  after: Operation,
  comparison: Comparison,
): void {
  const [older, newer] = [before, after].map((operation) => {
    const homes = [operation, operation.pathItem]
    return homes.find(({ value }) => value['servers'] !== undefined) ?? rootOf(operation.document)
  }) as [Node, Node]
  // If neither does, both inherit the document's.
  if (older.pointer !== '' || newer.pointer !== '') compareServers(older, newer, comparison)
}

/** The parts of the paths that only the older or only the newer document's servers have. */
type Prefixes = readonly [older: string, newer: string]

/** Finds out whether a part of the addresses has moved between the servers and the paths. */
export function movedPrefixes(older: Json, newer: Json): Prefixes {
  for (const from of urlsOf(older['servers']))
    for (const to of urlsOf(newer['servers'])) {
      if (hasMoved(from, to, older, newer)) return [from.slice(to.length), '']
      if (hasMoved(to, from, newer, older)) return ['', to.slice(from.length)]
    }
  return ['', '']
}

function hasMoved(long: string, short: string, { paths }: Json, { paths: others }: Json) {
  const prefix = long.slice(short.length)
  if (!prefix.startsWith('/') || short + prefix !== long || !isObject(others)) return false
  return entriesOf(paths).some(([path]) => Object.hasOwn(others, prefix + path))
}

const without = (prefix: string, url: string) =>
  url.endsWith(prefix) ? url.slice(0, url.length - prefix.length) : url

/**
 * A document without servers has one at `/`. If the older document has none, it isn't compared,
 * because lock files leave servers out.
 */
export function compareServers(
  before: Node,
  after: Node,
  { report }: Comparison,
  [olderPrefix, newerPrefix]: Prefixes = ['', ''],
): void {
  const newer = urlsOf(after.value['servers']).map((url) => without(newerPrefix, url))
  if (newer.length === 0) newer.push('')
  const place = {
    direction: 'request',
    before: child(before, 'servers'),
    after: child(after, 'servers'),
    where: '',
  } as const
  for (const url of urlsOf(before.value['servers']))
    if (!newer.includes(without(olderPrefix, url)))
      report(place, 'lost-server', `the server ${url || '/'} is gone`)
}

const maxUrls = 100

/** Variables whose values contain variables could double a URL's length each time. */
const short = (text: unknown) => String(text).slice(0, 2000)

/**
 * URLs with every listed value of their variables, without a slash at the end, and with hosts in
 * lower case (RFC 3986).
 */
function urlsOf(servers: unknown) {
  return listOf(servers)
    .filter(isObject)
    .flatMap((server) => {
      let urls = [short(server['url'])]
      for (const [name, variable] of entriesOf(server['variables'])) {
        const { enum: listed, default: usual } = (variable ?? {}) as Json
        const isListed = Array.isArray(listed) && listed.length * urls.length <= maxUrls
        const values = isListed ? (listed as readonly unknown[]) : [usual]
        urls = values.flatMap((value) =>
          urls.map((url) => short(url.replaceAll(`{${name}}`, () => short(value)))),
        )
      }
      return urls.map((url) =>
        url.replace(/\/$/, '').replace(/^\w+:\/\/[^/]*/, (host) => host.toLowerCase()),
      )
    })
}
