import { type Api, assertApi } from '../compile/api.ts'
import { isoOf } from '../declare/life.ts'
import { invalidOption, assertObject } from '../errors.ts'
import type { MatcherOptions } from '../match/options.ts'
import { traceMatch } from '../match/matcher.ts'
import type { Match, Miss, Outage, Trace } from '../match/outcome.ts'
import type { MediaRange } from '../negotiate/parse-accept.ts'
import { type RangeReading, hasVersion } from '../negotiate/read-range.ts'
import { type Problem, problemOf } from './problem.ts'

/** A request, as far as routing reads it. */
export interface ExplainedRequest {
  /** `GET` */
  readonly method: string
  /** `/api/users/7` */
  readonly path: string
  /** The Accept header; undefined without one. */
  readonly accept?: string | undefined
}

/** How a request is routed, and why. */
export interface Explanation {
  /** The result of `createMatcher(api).match`. */
  readonly result: Match | Miss
  /** The problem document that an adapter sends. Null for a match, for OPTIONS, and for a path that no version has. */
  readonly problem: Problem | null
  /** What the matcher did, in sentences: how it read the header, which versions it tried, what it decided. */
  readonly steps: readonly string[]
}

/**
 * Explains how a request is routed: what each range of its Accept header means, which versions are tried in which order,
 * and what serves it or why nothing does. It reports the steps of the matcher itself.
 *
 * @param options - the clock: how the request is routed at another time
 * @throws RouterError HV_OPTION
 * @example explain(routes, { method: 'GET', path: '/api/users/7', accept: 'application/json' }).steps.join('\n')
 */
export function explain(api: Api, request: ExplainedRequest, options?: Pick<MatcherOptions, 'now'>): Explanation {
  assertApi(api, 'explain()')
  assertObject('explain()', 'request', "an object like { method: 'GET', path: '/api/users' }", request)
  const { method, path, accept = '' } = request
  if (typeof method !== 'string' || method.startsWith('/'))
    throw invalidOption('explain()', 'method', "a method like 'GET'", method)
  if (typeof path !== 'string') throw invalidOption('explain()', 'path', "a path like '/api/users'", path)
  if (typeof accept !== 'string') throw invalidOption('explain()', 'accept', 'an Accept header', accept)
  const { result, ...trace } = traceMatch(api, method, path, accept, options)
  const hasProblem = result.kind === 'miss' && !['options', 'unknown-path'].includes(result.code)
  const problem = hasProblem ? problemOf(api, result) : null
  const routed = method === 'HEAD' ? 'GET' : method
  return {
    result,
    problem,
    steps: [
      ...headerSteps(trace, api.settings),
      ...negotiationSteps(trace),
      ...versionSteps(trace, result, routed, path),
      resultStep(result, problem),
    ],
  }
}

function headerSteps(trace: Trace, { versions, requireVersion, strict }: Api['settings']): readonly string[] {
  const { defaultVersion, ranges, readings, isUnrelated } = trace
  if (ranges === null) return ['The Accept header has more than 4 KiB or more than 50 ranges. All of it is malformed.']
  const effect = requireVersion
    ? 'The API requires a version, so no default applies.'
    : `The default version applies: ${defaultVersion}.`
  if (ranges.length === 0) return [`There is no Accept header. ${effect}`]
  const steps = ranges.map((range, i) => `${textOf(range)}: ${meaningOf(range, readings[i]!, versions)}.`)
  if (!isUnrelated) return steps
  const unrelated = 'The header contains only unrelated types, as a browser sends them.'
  return [...steps, `${unrelated} ${strict ? 'The API is strict, so no default applies.' : effect}`]
}

function negotiationSteps({ negotiation: { acceptable, malformed } }: Trace): readonly string[] {
  if (acceptable.length > 0)
    return [`Acceptable versions, best first: ${acceptable.map((one) => one.version).join(', ')}.`]
  return [`No version is acceptable${malformed ? ', and a part of the header is malformed' : ''}.`]
}

/** The versions that the matcher tried, after those that have an outage. */
function versionSteps(
  { tried, outages }: Trace,
  result: Match | Miss,
  method: string,
  path: string,
): readonly string[] {
  const skipped = result.kind === 'miss' && ['unknown-path', 'options', 'malformed-path'].includes(result.code)
  const open = (skipped ? [] : tried).map(({ version, methods }) =>
    methods.length === 0
      ? `Version ${version} does not have this path.`
      : `Version ${version} has this path for ${methods.join(', ')}, but not for ${method}.`,
  )
  const steps = [...outages.map(outageStep), ...open]
  return result.kind === 'match' ? [...steps, `Version ${result.version} has ${method} ${path}.`] : steps
}

function outageStep({ version, what, life, until }: Outage): string {
  const subject = what === 'version' ? `Version ${version}` : `The route of version ${version}`
  return until < Infinity
    ? `${subject} is in a brownout until ${isoOf(until)}.`
    : `${subject} was retired on ${isoOf(life.sunset!)}.`
}

function resultStep(result: Match | Miss, problem: Problem | null): string {
  if (problem !== null) return `${problem.status} ${problem.title}: ${problem.detail}`
  if (result.kind === 'miss')
    return result.code === 'options'
      ? `The response to OPTIONS covers all versions: 204, Allow: ${result.allow!.join(', ')}.`
      : 'No version has this path. The app handles the request.'
  const { row, params, format } = result
  const declared = row.inheritedFrom === null ? '' : `, declared in version ${row.inheritedFrom}`
  return (
    `${row.controller}#${row.action} serves the request (${row.path}${declared}), ` +
    `with params ${JSON.stringify(params)} and format ${format}.`
  )
}

function textOf({ type, version, q, malformed }: MediaRange): string {
  if (malformed) return type || 'a range'
  return `${type}${version === null ? '' : `;version=${version}`}${q === 1 ? '' : `;q=${q}`}`
}

function meaningOf({ version, q }: MediaRange, reading: RangeReading, versions: readonly number[]): string {
  if (typeof reading === 'object')
    return `${q === 0 ? 'excludes ' : ''}${hasVersion(reading) ? 'version' : 'the default version,'} ${reading.version}`
  const meanings = {
    malformed: 'malformed',
    'malformed-version': 'malformed, because a version is one whole number without leading zeros',
    'undeclared-version': `version ${version} is not declared (declared: ${versions.join(', ')})`,
    'unsupported-format': 'its suffix is not a format of this API',
    'no-version': 'names no version, and this API requires one',
    'other-vendor': "another vendor's type",
    foreign: 'a type that this API does not serve',
  }
  return meanings[reading]
}
