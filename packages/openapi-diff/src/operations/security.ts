import type { Comparison } from '../finding.ts'
import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { type Operation, dereference } from './list-operations.ts'

/** What a client has to send, for example an API key with a signature. */
type Requirement = readonly Need[]

/** One of the schemes that a requirement combines. */
interface Need {
  readonly name: string
  /** What a client has to know about the scheme: `type: http`, `scheme: basic`. */
  readonly facts: readonly string[]
  readonly scopes: readonly string[]
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
  if (sent.every((given) => checked.some((needs) => isEnough(given, needs)))) return
  const place = { direction, before, after, where: '' }
  const change = `was ${textOf(older, newer)}, and is ${textOf(newer, older)}`
  report(place, 'unclear-change', `the security ${change}`)
}

/** A client may use any flow of OAuth 2.0, so a scheme has to keep them all. */
const isEnough = (given: Requirement, needs: Requirement) =>
  needs.every((need) =>
    given.some(
      ({ facts, scopes }) =>
        facts.every((fact) => need.facts.includes(fact)) &&
        need.scopes.every((scope) => scopes.includes(scope)),
    ),
  )

/**
 * @param others - the other document's requirements. What they don't say about a scheme is told
 * @example apiKey or basic (read, write) or none
 */
function textOf(requirements: readonly Requirement[], others: readonly Requirement[]) {
  const known = new Set(others.flat().flatMap(({ facts }) => facts))
  const texts = new Set<string>()
  for (const needs of requirements) {
    const schemes: string[] = []
    for (const { name, facts, scopes } of needs) {
      const news = facts.filter((fact) => fact !== name && !known.has(fact))
      const details = [...scopes, ...news].join(', ')
      schemes.push(details === '' ? name : `${name} (${details})`)
    }
    texts.add(schemes.join(' with ') || 'none')
  }
  return [...texts].join(' or ')
}

/**
 * A client only has to meet one of them. The document's requirements are for its clients, so
 * webhooks and callbacks don't inherit them.
 */
function requirementsOf({ value, document, isSentByApi }: Operation) {
  const security = value['security'] ?? (isSentByApi ? [] : document['security'])
  const alternatives = listOf(security).filter(isObject)
  return (alternatives.length === 0 ? [{}] : alternatives).map((alternative) =>
    entriesOf(alternative).map(([name, scopes]) => ({
      name,
      facts: factsOf(document, name),
      scopes: listOf(scopes).map(String),
    })),
  )
}

/**
 * What identifies a scheme is what's sent, or its name if it's undefined. The names of headers and
 * of HTTP schemes are case-insensitive.
 *
 * @param name - a component's name or, since OpenAPI 3.2, a reference
 */
function factsOf(document: Json, name: string) {
  const { securitySchemes } = (document['components'] ?? {}) as { readonly securitySchemes?: Json }
  const scheme = dereference(document, securitySchemes?.[name] ?? { $ref: name })
  if (scheme['type'] === undefined) return [name]
  const parts = { ...scheme, ...(scheme['flows'] as Json) }
  const facts: string[] = []
  for (const key of keywords) {
    if (!(key in parts)) continue
    const fact = `${key}: ${JSON.stringify(parts[key], keywords)}`
    const hasNoCase = key === 'scheme' || (key === 'name' && scheme['in'] === 'header')
    facts.push(hasNoCase ? fact.toLowerCase() : fact)
  }
  return facts
}

/** What a client has to know about a security scheme and the flows of OAuth 2.0. */
const keywords =
  'type scheme in name openIdConnectUrl implicit password clientCredentials authorizationCode deviceAuthorization authorizationUrl tokenUrl deviceAuthorizationUrl'.split(
    ' ',
  )
