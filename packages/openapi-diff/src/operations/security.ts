import type { Comparison, DiffFinding } from '../finding.ts'
import { type Json, entriesOf, isEqual, isObject, listOf } from '../json.ts'
import { type Operation, dereference } from './list-operations.ts'

type Requirement = Readonly<Record<string, readonly unknown[]>>

/** Whether older clients' credentials are still enough. The newer document may also just describe what was always required. */
export function compareSecurity(
  before: Operation,
  after: Operation,
  comparison: Comparison,
): readonly DiffFinding[] {
  const [older, newer] = [requirementsOf(before), requirementsOf(after)]
  // Receivers of webhooks and callbacks check what the API sends.
  const { isSentByApi } = before
  const [sent, checked] = isSentByApi ? [newer, older] : [older, newer]
  const isSame = (sentName: string, checkedName: string): boolean =>
    isSentByApi
      ? isSameScheme(checkedName, sentName, comparison)
      : isSameScheme(sentName, checkedName, comparison)
  const isEnough = (given: Requirement, required: Requirement): boolean =>
    Object.entries(required).every(([name, scopes]) =>
      Object.entries(given).some(
        ([givenName, granted]) =>
          isSame(givenName, name) && scopes.every((scope) => granted.includes(scope)),
      ),
    )
  if (sent.every((given) => checked.some((required) => isEnough(given, required)))) return []

  const [had, has] = [textOf(older), textOf(newer)]
  const finding = comparison.report({
    code: 'unclear-change',
    direction: comparison.request,
    before: pointerOf(before),
    after: pointerOf(after),
    where: '',
    reason:
      had === has
        ? `the security ${has} means another scheme`
        : `the security was ${had}, and is ${has}`,
  })
  return [finding]
}

/** Where an operation's security is declared. Null if it isn't. */
function pointerOf({ operation, document, pointer, isSentByApi }: Operation): string | null {
  if (operation['security'] !== undefined) return `${pointer}/security`
  return document['security'] === undefined || isSentByApi ? null : '/security'
}

/** @example apiKey, or oauth2 (users:read) with mTLS */
function textOf(requirements: readonly Requirement[]): string {
  const texts = requirements.map((requirement) =>
    Object.entries(requirement)
      .map(([name, scopes]) => (scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`))
      .join(' with '),
  )
  return texts.map((text) => text || 'none').join(', or ')
}

/** One of them is enough. The document's requirements are for its clients, so webhooks and callbacks don't have them. */
function requirementsOf({ operation, document, isSentByApi }: Operation): readonly Requirement[] {
  const security = operation['security'] ?? (isSentByApi ? [] : document['security'])
  const requirements = listOf(security).filter(isObject)
  if (requirements.length === 0) return [{}]
  return requirements.map((requirement) =>
    Object.fromEntries(entriesOf(requirement).map(([name, scopes]) => [name, listOf(scopes)])),
  )
}

/** Whether two schemes ask clients for the same. Their names aren't sent, but of an undefined scheme that's all there is. */
function isSameScheme(
  olderName: string,
  newerName: string,
  { before, after }: Comparison,
): boolean {
  const [older, newer] = [schemeOf(before, olderName), schemeOf(after, newerName)]
  if (older['type'] === undefined || newer['type'] === undefined)
    return olderName === newerName && isEqual(older, newer)
  const newerFlows = entriesOf(newer['flows'])
  return (
    isEqual(credentialsOf(older), credentialsOf(newer)) &&
    entriesOf(older['flows']).every(([name, flow]) =>
      newerFlows.some(
        ([newerFlowName, newerFlow]) =>
          name === newerFlowName && isEqual(urlsOf(flow), urlsOf(newerFlow)),
      ),
    )
  )
}

function schemeOf(document: Json, name: string): Json {
  const { securitySchemes } = (document['components'] ?? {}) as { readonly securitySchemes?: Json }
  return dereference(document, securitySchemes?.[name])
}

/** What a client has to know of a security scheme. Names of headers and of HTTP schemes have no case. */
const credentialsOf = ({
  type,
  scheme,
  in: location,
  name,
  openIdConnectUrl,
}: Json): readonly unknown[] => [
  type,
  String(scheme).toLowerCase(),
  location,
  location === 'header' ? String(name).toLowerCase() : name,
  openIdConnectUrl,
]

const urlsOf = (flow: unknown): readonly unknown[] =>
  isObject(flow) ? [flow['authorizationUrl'], flow['tokenUrl']] : []
