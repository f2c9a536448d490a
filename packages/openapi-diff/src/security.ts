import { type Json, isObject, isEqual, entriesOf } from './json.ts'
import { type Operation, dereference } from './operations.ts'
import type { Comparison, ContractFinding } from './report.ts'

type Requirement = Readonly<Record<string, readonly string[]>>

/** Whether the credentials of released clients are enough. A document may also just describe what was required before. */
export function compareSecurity(
  was: Operation,
  is: Operation,
  comparison: Comparison,
): readonly ContractFinding[] {
  const [before, after] = [requirementsOf(was), requirementsOf(is)]
  const { isSentByApi } = was
  const isEnough = (given: Requirement, required: Requirement): boolean =>
    Object.entries(required).every(([name, scopes]) =>
      Object.entries(given).some(
        ([other, granted]) =>
          (isSentByApi
            ? isSameScheme(name, other, comparison)
            : isSameScheme(other, name, comparison)) &&
          scopes.every((scope) => granted.includes(scope)),
      ),
    )
  // Receivers of webhooks and callbacks check what the API sends.
  const [sent, checked] = isSentByApi ? [after, before] : [before, after]
  if (sent.every((given) => checked.some((required) => isEnough(given, required)))) return []
  const [had, has] = [before, after].map((all) => JSON.stringify(all))
  const message =
    had === has
      ? `the security ${has} means another scheme`
      : `had the security ${had}, and has ${has}`
  const home = [was, is].find(({ operation }) => operation['security'] !== undefined)?.pointer ?? ''
  return [comparison.report('unclear-change', comparison.request, `${home}/security`, message)]
}

/** One of them is enough. Without any, an empty one is. Those of the document are for its clients. */
function requirementsOf({ operation, document, isSentByApi }: Operation): readonly Requirement[] {
  const security = operation['security'] ?? (isSentByApi ? [] : document['security'])
  const requirements = (Array.isArray(security) ? (security as readonly unknown[]) : []).filter(
    isObject,
  )
  const read = requirements.map((one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, scopes]) => [name, Array.isArray(scopes) ? scopes : []]),
    ),
  )
  return read.length === 0 ? [{}] : read
}

/** Whether two schemes ask clients for the same. Their names are not sent, but all that is known of an undefined one. */
function isSameScheme(released: string, current: string, comparison: Comparison): boolean {
  const [was, is] = [schemeOf(comparison.released, released), schemeOf(comparison.current, current)]
  if (was['type'] === undefined || is['type'] === undefined)
    return released === current && isEqual(was, is)
  const flows = entriesOf(is['flows'])
  return (
    isEqual(credentialsOf(was), credentialsOf(is)) &&
    entriesOf(was['flows']).every(([name, flow]) =>
      flows.some(([other, one]) => name === other && isEqual(urlsOf(flow), urlsOf(one))),
    )
  )
}

function schemeOf(document: Json, name: string): Json {
  const { securitySchemes } = (document['components'] ?? {}) as {
    readonly securitySchemes?: Json
  }
  return dereference(document, securitySchemes?.[name])
}

/** What a client must know of a security scheme. Names of headers and of HTTP schemes have no case. */
const credentialsOf = ({
  type,
  scheme,
  in: where,
  name,
  openIdConnectUrl,
}: Json): readonly unknown[] => [
  type,
  String(scheme).toLowerCase(),
  where,
  where === 'header' ? String(name).toLowerCase() : name,
  openIdConnectUrl,
]

const urlsOf = (flow: unknown): readonly unknown[] =>
  isObject(flow) ? [flow['authorizationUrl'], flow['tokenUrl']] : []
