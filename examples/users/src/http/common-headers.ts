/**
 * The headers that are identical on every response. All but the first two are Helmet's defaults,
 * which a test compares with the package, except that the policy lacks `upgrade-insecure-requests`:
 * it would break the documentation page over plain HTTP.
 */
const fixedHeaders = {
  'cache-control': 'no-store',
  vary: 'Accept',
  'content-security-policy':
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** The headers that every response gets, including errors. */
export const commonHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  ...fixedHeaders,
  'x-request-id': requestId,
})
