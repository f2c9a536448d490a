import type { Api } from '../compile/api.ts'
import { isoOf } from '../declare/life.ts'
import type { Miss, MissCode } from '../match/outcome.ts'

/** A problem document (RFC 9457), sent as `application/problem+json`. */
export interface Problem extends Pick<
  Miss,
  'supported' | 'retired' | 'availableIn' | 'allow' | 'successor'
> {
  /** A stable URN, such as `urn:hv-router:not-acceptable`. */
  readonly type: string
  /** The kind of problem, such as `Version not acceptable`. */
  readonly title: string
  /** The status of the response. */
  readonly status: number
  /** What happened, and what to send instead. */
  readonly detail: string
  /** The versions that the Accept header names, up to `Number.MAX_SAFE_INTEGER`. */
  readonly requested?: readonly number[]
  /** When the version or route ends, or ended: `2027-07-01T00:00:00Z`. */
  readonly sunset?: string
  /** When the brownout ends: `2027-05-04T15:00:00Z`. */
  readonly until?: string
  /** The part of the request that does not match its schema. */
  readonly part?: 'params' | 'query' | 'headers' | 'body'
  /** What is wrong in that part: at most 100 messages, each with a JSON Pointer (RFC 6901) into the part. */
  readonly issues?: readonly { readonly pointer: string; readonly message: string }[]
}

/** The title of every problem, by code. `docs/reference/problems.md` has a section for each. */
export const problemTitles: Record<MissCode, string> = {
  'unknown-path': 'Not found',
  'malformed-path': 'Malformed path',
  options: 'Options',
  'method-not-allowed': 'Method not allowed',
  'not-in-version': 'Not in this version',
  'malformed-accept': 'Malformed Accept header',
  'version-required': 'Version required',
  'not-acceptable': 'Version not acceptable',
  'version-retired': 'Version retired',
  'route-retired': 'Endpoint retired',
  brownout: 'Scheduled brownout',
}

/**
 * Creates the problem document for a request that no route serves.
 *
 * @param api - the API
 * @param miss - what the matcher returned
 */
export function problemOf(
  { settings: { vendorType, versions: declared } }: Api,
  miss: Miss,
): Problem {
  const { kind: _kind, code, status, life, until, requested, ...data } = miss
  const versions = requested?.filter(Number.isSafeInteger) ?? [] // JSON would change the others
  return {
    type: `urn:hv-router:${code}`,
    title: problemTitles[code],
    status,
    detail: detailOf(miss, vendorType, declared),
    ...(versions.length > 0 && { requested: versions }),
    ...data,
    ...(typeof life?.sunset === 'number' && { sunset: isoOf(life.sunset) }),
    ...(until !== undefined && { until: isoOf(until) }),
  }
}

function detailOf(miss: Miss, vendorType: string, declared: readonly number[]): string {
  const send = (versions: readonly number[] = []) =>
    versions.length === 0
      ? 'No version is currently available.'
      : `Send Accept: ${vendorType}+json;version=<n>, where <n> is ${versions.join(' or ')}.`
  const [requested, second] = miss.requested ?? []
  const isNamed = requested !== undefined && second === undefined
  const wanted = isNamed ? `Version ${requested}` : 'This version'
  const isUnknown = isNamed && !declared.includes(requested)
  const since = typeof miss.life?.sunset === 'number' ? ` on ${isoOf(miss.life.sunset)}` : ''
  switch (miss.code) {
    case 'unknown-path':
      return 'No version of this API has this path.'
    case 'malformed-path':
      return 'The path contains an invalid percent-encoding. Send a literal percent sign as %25.'
    case 'options':
      return 'See the Allow header for the methods of this path.'
    case 'method-not-allowed':
      return miss.availableIn === undefined
        ? `This path supports ${miss.allow?.join(', ')}.`
        : `In this version, this path supports ${miss.allow?.join(', ')}. For the method you sent: ${send(miss.availableIn)}`
    case 'not-in-version':
      return miss.availableIn === undefined
        ? 'Neither this version nor any other supported version has this endpoint.'
        : `${wanted} doesn't have this endpoint. ${send(miss.availableIn)}`
    case 'malformed-accept':
      return `The Accept header is malformed. A version is a whole number, and a q-value is from 0 to 1, such as 0.5. ${send(miss.supported)}`
    case 'version-required':
      return `This API requires a version. ${send(miss.supported)}`
    case 'not-acceptable':
      return `${isUnknown ? `${wanted} doesn't exist` : 'The Accept header matches no version of this API'}. ${send(miss.supported)}`
    case 'version-retired':
      return `${wanted} was retired${since}. ${send(miss.successor === undefined ? miss.supported : [miss.successor])}`
    case 'route-retired':
      return `This endpoint was retired${since}.${miss.successor === undefined ? '' : ` ${send([miss.successor])}`}`
    case 'brownout':
      return (
        `This is a scheduled brownout before the retirement${since}. ` +
        `${miss.life!.outages.some(({ from }) => from === miss.until) ? 'Requests are not served again' : `Requests are served again from ${isoOf(miss.until!)}`}.` +
        (miss.successor === undefined ? '' : ` ${send([miss.successor])}`)
      )
  }
}
