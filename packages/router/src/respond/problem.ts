import type { Api } from '../compile/api.ts'
import { isoOf } from '../declare/life.ts'
import type { Settings } from '../declare/settings.ts'
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
  /** The versions that the Accept header asks for, up to `Number.MAX_SAFE_INTEGER`. */
  readonly requested?: readonly number[]
  /** When the version or route is retired, or was: `2027-07-01T00:00:00Z`. */
  readonly sunset?: string
  /** When the brownout ends: `2027-05-04T15:00:00Z`. */
  readonly until?: string
  /** The part of the request that doesn't match its schema. */
  readonly part?: 'params' | 'query' | 'headers' | 'body'
  /**
   * What's wrong with that part: at most 100 messages, each with a JSON Pointer (RFC 6901) into it.
   */
  readonly issues?: readonly { readonly pointer: string; readonly message: string }[]
}

/** The codes of problem documents. OPTIONS and redirects get a response without a body. */
type ProblemCode = Exclude<MissCode, 'options' | 'extension'>

/** Every problem's title, by code. `docs/reference/wire.md` has a section for each. */
export const problemTitles: Record<ProblemCode, string> = {
  'unknown-path': 'Not found',
  'malformed-path': 'Malformed path',
  'method-not-allowed': 'Method not allowed',
  'not-in-version': 'Not in this version',
  'malformed-accept': 'Malformed Accept header',
  'version-required': 'Version required',
  'not-acceptable': 'Version not acceptable',
  'version-retired': 'Version retired',
  'route-retired': 'Endpoint retired',
  brownout: 'Scheduled brownout',
}

/** Creates the problem document for a request that no route serves. */
export function problemOf({ settings }: Api, miss: Miss): Problem {
  const { kind: _kind, code: missCode, status, life, until, requested, ...data } = miss
  const code = missCode as ProblemCode
  const versions = requested?.filter(Number.isSafeInteger) ?? [] // JSON would round larger ones
  return {
    type: `urn:hv-router:${code}`,
    title: problemTitles[code],
    status,
    detail: detailOf(code, miss, settings),
    ...(versions.length > 0 && { requested: versions }),
    ...data,
    ...(typeof life?.sunset === 'number' && { sunset: isoOf(life.sunset) }),
    ...(until !== undefined && { until: isoOf(until) }),
  }
}

function detailOf(
  code: ProblemCode,
  miss: Miss,
  { vendorType, versions: declared }: Settings,
): string {
  const { allow, availableIn, supported, life } = miss
  const send = (versions: readonly number[] = []) => adviceFor(versions, vendorType)
  const methods = allow?.join(', ')
  const [requested = Number.NaN, second] = miss.requested ?? []
  const isNamed = Number.isSafeInteger(requested) && second === undefined
  const wanted = isNamed ? `Version ${requested}` : 'This version'
  const since = typeof life?.sunset === 'number' ? ` on ${isoOf(life.sunset)}` : ''
  const successor = miss.successor === undefined ? '' : ` ${send([miss.successor])}`
  switch (code) {
    case 'unknown-path':
      return 'No version of this API has this path.'
    case 'malformed-path':
      return 'The path contains an invalid percent-encoding. Send a literal percent sign as %25.'
    case 'method-not-allowed':
      if (availableIn === undefined) return `This path supports ${methods}.`
      return (
        `In this version, this path supports ${methods}. ` +
        `Another version has the method you sent. ${send(availableIn)}`
      )
    case 'not-in-version':
      return availableIn === undefined
        ? 'Neither this version nor any other supported version has this endpoint.'
        : `${wanted} doesn't have this endpoint. ${send(availableIn)}`
    case 'malformed-accept':
      return (
        'The Accept header is malformed. It has at most 50 ranges and 4 KiB, a version is a whole ' +
        `number, and a q-value is from 0 to 1, such as 0.5. ${send(supported)}`
      )
    case 'version-required':
      return `This API requires a version. ${send(supported)}`
    case 'not-acceptable':
      return isNamed && !declared.includes(requested)
        ? `${wanted} doesn't exist. ${send(supported)}`
        : `The Accept header matches no version of this API. ${send(supported)}`
    case 'version-retired':
      return `${wanted} was retired${since}.${successor || ` ${send(supported)}`}`
    case 'route-retired':
      return `This endpoint was retired${since}.${successor}`
    case 'brownout': {
      const isFinal = life!.outages.some(({ from }) => from === miss.until)
      const end = isFinal
        ? "Requests aren't served again."
        : `Requests are served again from ${isoOf(miss.until!)}.`
      return `This is a scheduled brownout before the retirement${since}. ${end}${successor}`
    }
  }
}

/** `Send Accept: application/vnd.acme+json;version=2.` */
function adviceFor(versions: readonly number[], vendorType: string): string {
  const type = `${vendorType}+json;version=`
  const last = versions.at(-1)
  if (last === undefined) return 'No version is currently available.'
  if (versions.length === 1) return `Send Accept: ${type}${last}.`
  return `Send Accept: ${type}<n>, where <n> is ${versions.slice(0, -1).join(', ')} or ${last}.`
}
