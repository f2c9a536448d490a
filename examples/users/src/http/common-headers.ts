import helmet from 'helmet'

/** Helmet's headers, which are the same for every response. */
const securityHeaders: Record<string, string> = {}
const collector = {
  setHeader: (name: string, value: string) => void (securityHeaders[name.toLowerCase()] = value),
  removeHeader: () => {},
}
// Without `upgrade-insecure-requests`, the documentation page also works over plain HTTP.
const policy = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }
helmet(policy)({} as never, collector as never, () => {})

/** The headers of every response, errors included. */
export const commonHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  ...securityHeaders,
  'cache-control': 'no-store',
  vary: 'Accept',
  'x-request-id': requestId,
})
