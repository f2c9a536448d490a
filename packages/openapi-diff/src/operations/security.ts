import type { Comparison, DiffFinding } from '../finding.ts'
import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { type Operation, child, dereference, rootOf } from './list-operations.ts'

/** What a client has to send, for example an API key with a signature. */
interface Requirement {
  /** `oauth2 (read, write) with mTLS` */
  readonly text: string
  /** The schemes and scopes that it consists of. */
  readonly needs: ReadonlySet<string>
}

/**
 * Whether older clients' credentials are still enough. The newer document may also just describe
 * what was always required.
 */
export function compareSecurity(
  before: Operation,
  after: Operation,
  { report, request: direction }: Comparison,
): readonly DiffFinding[] {
  const [older, newer] = [requirementsOf(before), requirementsOf(after)]
  // Receivers of webhooks and callbacks check what the API sends.
  const [sent, checked] = before.isSentByApi ? [newer, older] : [older, newer]
  const isEnough = (given: Requirement): boolean =>
    checked.some(({ needs }) => [...needs].every((need) => given.needs.has(need)))
  if (sent.every(isEnough)) return []
  const [had, has] = [listed(older, newer), listed(newer, older)]
  const reason = `the security was ${had}, and is ${had === has ? 'another ' : ''}${has}`
  const homes = [before, after].map((operation) => {
    const homesOf = [operation, rootOf(operation.document)]
    const home = homesOf.find(({ value }) => value['security'] !== undefined)
    return home && !(operation.isSentByApi && home.pointer === '') ? child(home, 'security') : null
  })
  const place = { direction, before: homes[0]!, after: homes[1]!, where: '' }
  return [report({ ...place, code: 'unclear-change', reason })]
}

const mostNames = 3

/**
 * All alternatives, those that the other document doesn't have first.
 *
 * @example apiKey or basic (read, write) or none or 2 more
 */
function listed(requirements: readonly Requirement[], others: readonly Requirement[]): string {
  const shared = new Set(others.map(({ text }) => text))
  const texts = [...new Set(requirements.map(({ text }) => text))]
  const names = texts.toSorted((a, b) => Number(shared.has(a)) - Number(shared.has(b)))
  const more = names.length > mostNames ? [`${names.length - mostNames} more`] : []
  return [...names.slice(0, mostNames), ...more].join(' or ')
}

/**
 * One of them is enough. The document's requirements are for its clients, so webhooks and callbacks
 * don't have them.
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

/**
 * What a client has to know of a security scheme. Its name isn't sent, but of an undefined scheme
 * that's all there is. Names of headers and of HTTP schemes have no case.
 */
function schemeOf(document: Json, schemeName: string): string {
  const { securitySchemes } = (document['components'] ?? {}) as { readonly securitySchemes?: Json }
  const definition = dereference(document, securitySchemes?.[schemeName])
  const { type, scheme, in: location, name, openIdConnectUrl, flows } = definition
  if (type === undefined) return schemeName
  const addresses = entriesOf(flows).map(([flow, value]) => {
    const { authorizationUrl, tokenUrl } = value as Json
    return [flow, authorizationUrl, tokenUrl]
  })
  const key = location === 'header' ? String(name).toLowerCase() : name
  const httpScheme = String(scheme).toLowerCase()
  return JSON.stringify([type, httpScheme, location, key, openIdConnectUrl, addresses])
}
