import { type Api, assertApi } from '../compile/api.ts'
import { type Life, isoOf } from '../declare/life.ts'
import type { Settings } from '../declare/settings.ts'
import { invalidOption, assertObject } from '../errors.ts'
import { createMatcher } from '../match/matcher.ts'
import { type MatcherOptions, assertOptions } from '../match/options.ts'
import type { Match, Miss } from '../match/outcome.ts'
import { type Negotiation, createNegotiator } from '../negotiate/negotiate.ts'
import { type MediaRange, parseAccept } from '../negotiate/parse-accept.ts'
import { type RangeReading, createRangeReader, hasVersion } from '../negotiate/read-range.ts'
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
  /** The decision in sentences: what the header means, what each acceptable version answers, and the result. */
  readonly steps: readonly string[]
}

/**
 * Explains how a request is routed: what each range of its Accept header means, which versions are tried in which order,
 * and what serves it or why nothing does. For each of these versions, it asks the matcher what the version alone would answer.
 *
 * @param options - the clock: how the request is routed at another time
 * @throws RouterError HV_OPTION
 * @example explain(routes, { method: 'GET', path: '/api/users/7', accept: 'application/json' }).steps.join('\n')
 */
export function explain(
  api: Api,
  request: ExplainedRequest,
  options: Pick<MatcherOptions, 'now'> = {},
): Explanation {
  assertApi(api, 'explain()')
  assertObject(
    'explain()',
    'request',
    "an object like { method: 'GET', path: '/api/users' }",
    request,
  )
  const { method, path, accept = '' } = request
  if (typeof method !== 'string' || method.startsWith('/'))
    throw invalidOption('explain()', 'method', "a method like 'GET'", method)
  if (typeof path !== 'string')
    throw invalidOption('explain()', 'path', "a path like '/api/users'", path)
  if (typeof accept !== 'string')
    throw invalidOption('explain()', 'accept', 'an Accept header', accept)
  assertOptions('explain()', options)
  const time = (options.now ?? Date.now)()
  const { match } = createMatcher(api, { now: () => time })
  const result = match(method, path, accept)
  const hasProblem = result.kind === 'miss' && !['options', 'unknown-path'].includes(result.code)
  const problem = hasProblem ? problemOf(api, result) : null
  const { settings } = api
  const negotiation = createNegotiator(settings)(accept)
  const steps = [...headerSteps(accept, settings, negotiation), negotiationStep(negotiation)]
  if (result.kind === 'match' || (problem !== null && result.code !== 'malformed-path'))
    for (const { version, index } of negotiation.acceptable) {
      const answer = match(method, path, `${settings.vendorType};version=${version}`)
      steps.push(versionStep(request, answer, version, settings.lives[index]!))
      if (answer.kind === 'match') break
    }
  return { result, problem, steps: [...steps, resultStep(result, problem)] }
}

function headerSteps(
  accept: string,
  settings: Settings,
  { isUnrelated }: Negotiation,
): readonly string[] {
  const ranges = parseAccept(accept)
  if (ranges === null)
    return ['The Accept header has more than 4 KiB or more than 50 ranges. All of it is malformed.']
  const effect = settings.requireVersion
    ? 'The API requires a version, so no default applies.'
    : `The default version applies: ${settings.defaultVersion}.`
  if (ranges.length === 0) return [`There is no Accept header. ${effect}`]
  const readRange = createRangeReader(settings)
  const steps = ranges.map(
    (range) => `${textOf(range)}: ${meaningOf(range, readRange(range), settings.versions)}.`,
  )
  if (!isUnrelated) return steps
  const unrelated = 'The header contains only unrelated types, as a browser sends them.'
  return [
    ...steps,
    `${unrelated} ${settings.strict ? 'The API is strict, so no default applies.' : effect}`,
  ]
}

function negotiationStep({ acceptable, malformed }: Negotiation): string {
  return acceptable.length > 0
    ? `Acceptable versions, best first: ${acceptable.map(({ version }) => version).join(', ')}.`
    : `No version is acceptable${malformed ? ', and a part of the header is malformed' : ''}.`
}

/** What a version alone would answer. */
function versionStep(
  { method, path }: ExplainedRequest,
  answer: Match | Miss,
  version: number,
  life: Life | null,
) {
  const routed = method === 'HEAD' ? 'GET' : method
  if (answer.kind === 'match') return `Version ${version} has ${routed} ${path}.`
  if (answer.life === undefined)
    return answer.allow === undefined
      ? `Version ${version} does not have this path.`
      : `Version ${version} has this path for ${answer.allow.join(', ')}, but not for ${routed}.`
  const subject = answer.life === life ? `Version ${version}` : `The route of version ${version}`
  return answer.until === undefined
    ? `${subject} was retired on ${isoOf(answer.life.sunset!)}.`
    : `${subject} is in a brownout until ${isoOf(answer.until)}.`
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

function meaningOf(
  { version, q }: MediaRange,
  reading: RangeReading,
  versions: readonly number[],
): string {
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
