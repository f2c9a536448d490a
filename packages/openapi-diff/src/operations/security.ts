import type { Comparison } from '../finding.ts'
import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { type Operation, dereference } from './list-operations.ts'

/** What a client has to send, for example an API key with a signature. */
interface Requirement {
  /** `oauth2 (read, write) with mTLS` */
  readonly text: string
  /** The schemes and scopes that it consists of. */
  readonly needs: ReadonlySet<string>
}

/**
 * Checks whether older clients' credentials are still enough. If not, the newer document may also
 * just describe what was always required.
 */
export function compareSecurity(
  before: Operation,
  after: Operation,
  { report, request: direction }: Comparison,
): void {
  const older = requirementsOf(before)
  const newer = requirementsOf(after)
  // Receivers of webhooks and callbacks check what the API sends.
  const [sent, checked] = before.isSentByApi ? [newer, older] : [older, newer]
  const isEnough = (given: Requirement) =>
    checked.some(({ needs }) => [...needs].every((need) => given.needs.has(need)))
  if (sent.every(isEnough)) return
  const olderText = listed(older)
  const newerText = listed(newer)
  const place = { direction, before, after, where: '' }
  report(
    place,
    'unclear-change',
    `the security was ${olderText}, and is ${olderText === newerText ? 'another ' : ''}${newerText}`,
  )
}

/** @example apiKey or basic (read, write) or none */
const listed = (requirements: readonly Requirement[]): string =>
  [...new Set(requirements.map(({ text }) => text))].join(' or ')

/**
 * A client only has to meet one of them. The document's requirements are for its clients, so
 * webhooks and callbacks don't inherit them.
 */
function requirementsOf({ value, document, isSentByApi }: Operation): readonly Requirement[] {
  const security = value['security'] ?? (isSentByApi ? [] : document['security'])
  const alternatives = listOf(security).filter(isObject)
  return (alternatives.length === 0 ? [{}] : alternatives).map((alternative) => {
    const texts: string[] = []
    const needs = new Set<string>()
    for (const [name, scopes] of entriesOf(alternative)) {
      const list = listOf(scopes).join(', ')
      texts.push(list === '' ? name : `${name} (${list})`)
      const scheme = schemeOf(document, name)
      for (const scope of ['', ...listOf(scopes)]) needs.add(`${scheme} ${String(scope)}`)
    }
    return { text: texts.join(' with ') || 'none', needs }
  })
}

/** What a client has to know about a security scheme. */
const schemeKeywords =
  'type scheme in name openIdConnectUrl flows implicit password clientCredentials authorizationCode deviceAuthorization authorizationUrl tokenUrl'.split(
    ' ',
  )

/**
 * Identifies a scheme by what's sent, and by its name if it's undefined. The names of headers and
 * of HTTP schemes are case-insensitive.
 */
function schemeOf(document: Json, schemeName: string): string {
  const { securitySchemes } = (document['components'] ?? {}) as { readonly securitySchemes?: Json }
  const definition = dereference(document, securitySchemes?.[schemeName])
  if (definition['type'] === undefined) return schemeName
  const text = JSON.stringify(definition, schemeKeywords)
  return definition['in'] === 'query' || definition['in'] === 'cookie' ? text : text.toLowerCase()
}
