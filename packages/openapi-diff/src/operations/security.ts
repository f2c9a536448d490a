import type { Comparison, DiffFinding } from '../finding.ts'
import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { type Operation, dereference } from './list-operations.ts'

/** What a client has to send, for example an API key with a signature. */
interface Requirement {
  /** `oauth2 with mTLS` */
  readonly text: string
  readonly scopes: readonly string[]
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
  const lost = sent.filter((given) => !isEnough(given))
  if (lost.length === 0) return []
  const [had, has] = before.isSentByApi ? [older, lost] : [lost, newer]
  const [hadText, hasText] = [had, has].map((list) => listed(list.map(({ text }) => text)))
  const scopes = scopesOf(has).filter((scope) => !scopesOf(had).includes(scope))
  const isAnother = hadText === hasText && scopes.length === 0
  const now = isAnother ? `another ${hasText}` : hasText
  const change = `the security was ${hadText}, and is ${now}`
  const finding = comparison.report({
    code: 'unclear-change',
    direction: comparison.request,
    before: pointerOf(before),
    after: pointerOf(after),
    where: '',
    reason: scopes.length === 0 ? change : `${change} (${listed(scopes, ', ')})`,
  })
  return [finding]
}

/** Where an operation's security is declared. Null if it isn't. */
function pointerOf({ operation, document, pointer, isSentByApi }: Operation): string | null {
  if (operation['security'] !== undefined) return `${pointer}/security`
  return document['security'] === undefined || isSentByApi ? null : '/security'
}

const mostNames = 3

/** @example apiKey or basic or none or 2 more */
function listed(names: readonly string[], separator = ' or '): string {
  const distinct = [...new Set(names)].map((name) => name || 'none')
  const rest = distinct.length - mostNames
  const more = rest > 0 ? [`${rest} more`] : []
  return [...distinct.slice(0, mostNames), ...more].join(separator)
}

const scopesOf = (requirements: readonly Requirement[]): readonly string[] =>
  requirements.flatMap(({ scopes }) => scopes)

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
    return {
      text: entries.map(([name]) => name).join(' with '),
      scopes: entries.flatMap(([, scopes]) => listOf(scopes).map(String)),
      needs: new Set(needs),
    }
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
