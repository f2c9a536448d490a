import helmet from 'helmet'

/** The headers that are identical on every response: Helmet's and two of ours. */
const fixedHeaders: Record<string, string> = { 'cache-control': 'no-store', vary: 'Accept' }
const collector = {
  setHeader: (name: string, value: string) => void (fixedHeaders[name.toLowerCase()] = value),
  removeHeader: () => {},
}
// `upgrade-insecure-requests` would break the documentation page over plain HTTP.
const policy = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }
helmet(policy)({} as never, collector as never, () => {})

/** The headers that every response gets, including errors. */
export const commonHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  ...fixedHeaders,
  'x-request-id': requestId,
})
