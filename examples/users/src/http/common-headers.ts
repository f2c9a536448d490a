import helmet from 'helmet'

/** Helmet's headers, and ours that are the same for every response. */
const sameHeaders: Record<string, string> = { 'cache-control': 'no-store', vary: 'Accept' }
const collector = {
  setHeader: (name: string, value: string) => void (sameHeaders[name.toLowerCase()] = value),
  removeHeader: () => {},
}
// Without `upgrade-insecure-requests`, the documentation page also works over plain HTTP.
const policy = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }
helmet(policy)({} as never, collector as never, () => {})

/** The headers of every response, errors included. */
export const commonHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  ...sameHeaders,
  'x-request-id': requestId,
})
