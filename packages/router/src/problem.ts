import type { Miss, MissCode } from './matcher.ts'

/** A problem document (RFC 9457), sent as `application/problem+json`. */
export interface Problem {
  /** A stable URN, e.g. `urn:hv-router:not-acceptable`. */
  readonly type: string
  readonly title: string
  readonly status: number
  /** What to send instead. */
  readonly detail: string
  readonly requested?: readonly number[]
  readonly supported?: readonly number[]
  readonly availableIn?: readonly number[]
  readonly allow?: readonly string[]
}

const titles: Record<MissCode, string> = {
  'unknown-path': 'Not found',
  'malformed-path': 'Malformed path',
  options: 'Options',
  'method-not-allowed': 'Method not allowed',
  'not-in-version': 'Not in this version',
  'malformed-accept': 'Malformed Accept header',
  'not-acceptable': 'Version not acceptable',
}

/**
 * The problem document that tells a client why nothing served its request.
 *
 * @example problemOf(miss, 'acme').detail // "Send Accept: application/vnd.acme+json;version=2 …"
 */
export function problemOf({ kind: _kind, code, status, ...data }: Miss, vendorString: string): Problem {
  return {
    type: `urn:hv-router:${code}`,
    title: titles[code],
    status,
    detail: detailOf(code, data, vendorString),
    ...data,
  }
}

function detailOf(code: MissCode, miss: Partial<Miss>, vendorString: string): string {
  const accept = (versions: readonly number[] = []) =>
    `Accept: application/vnd.${vendorString}+json;version=<n>, with a version of ${versions.join(', ')}`
  switch (code) {
    case 'unknown-path':
      return 'No version of this API has this path.'
    case 'malformed-path':
      return 'The path holds a percent sign that is no escape. Send a percent sign as %25.'
    case 'options':
      return 'The methods of this path stand in Allow.'
    case 'method-not-allowed':
      return `This path takes ${miss.allow?.join(', ')}.`
    case 'not-in-version':
      return miss.availableIn === undefined
        ? 'This version does not have this route, and no other has it with this method.'
        : `This version does not have this route. Send ${accept(miss.availableIn)}.`
    case 'malformed-accept':
      return `The Accept header is malformed; a version is a whole number. Send ${accept(miss.supported)}.`
    case 'not-acceptable':
      return `This API has no version that the Accept header allows. Send ${accept(miss.supported)}.`
  }
}
