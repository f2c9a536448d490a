import type { Comparison, DiffFinding } from '../finding.ts'
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
 * Whether older clients' credentials are still enough. The newer document may also just describe
 * what was always required.
 */
export function compareSecurity(
  before: Operation,
  after: Operation,
  comparison: Comparison,
): readonly DiffFinding[] {
  const [older, newer] = [requirementsOf(before), requirementsOf(after)]
  // Receivers of webhooks and callbacks check what the API sends.
  const [sent, checked] = before.isSentByApi ? [newer, older] : [older, newer]
  const isEnough = (given: Requirement): boolean =>
    checked.some(({ needs }) => [...needs].every((need) => given.needs.has(need)))
  if (sent.every(isEnough)) return []
  const [had, has] = [listed(older, newer), listed(newer, older)]
  const finding = comparison.report({
    code: 'unclear-change',
    direction: comparison.request,
    before: pointerOf(before),
    after: pointerOf(after),
    where: '',
    reason: `the security was ${had}, and is ${had === has ? 'another ' : ''}${has}`,
  })
  return [finding]
}

/** Where an operation's security is declared. Null if it isn't. */
function pointerOf({ operation, document, pointer, isSentByApi }: Operation): string | null {
  if (operation['security'] !== undefined) return `${pointer}/security`
  return document['security'] === undefined || isSentByApi ? null : '/security'
}

const mostNames = 3

/**
 * All alternatives, those that the other document doesn't have first.
 *
 * @example apiKey or basic (read, write) or none or 2 more
 */
function listed(requirements: readonly Requirement[], others: readonly Requirement[]): string {
  const isShared = (name: string): boolean => others.some(({ text }) => text === name)
  const names = [...new Set(requirements.map(({ text }) => text))]
  const distinct = [...names.filter((name) => !isShared(name)), ...names.filter(isShared)]
  const rest = distinct.length - mostNames
  const more = rest > 0 ? [`${rest} more`] : []
  return [...distinct.slice(0, mostNames), ...more].join(' or ')
}

/**
 * One of them is enough. The document's requirements are for its clients, so webhooks and callbacks
 * don't have them.
 */
function requirementsOf({ operation, document, isSentByApi }: Operation): readonly Requirement[] {
  const security = operation['security'] ?? (isSentByApi ? [] : document['security'])
  const alternatives = listOf(security).filter(isObject)
  return (alternatives.length === 0 ? [{}] : alternatives).map((alternative) => {
    const entries = entriesOf(alternative)
    const needs = entries.flatMap(([name, scopes]) => {
      const scheme = schemeOf(document, name)
      return ['', ...listOf(scopes)].map((scope) => `${scheme} ${String(scope)}`)
    })
    const texts = entries.map(([name, scopes]) => {
      const list = listOf(scopes).join(', ')
      return list === '' ? name : `${name} (${list})`
    })
    return { text: texts.join(' with ') || 'none', needs: new Set(needs) }
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
  return JSON.stringify([
    type,
    String(scheme).toLowerCase(),
    location,
    key,
    openIdConnectUrl,
    addresses,
  ])
}
