import { type Api, assertApi } from '../compile/api.ts'
import { type Life, isoOf } from '../declare/life.ts'
import type { Settings } from '../declare/settings.ts'
import { invalidOption, assertObject } from '../errors.ts'
import { createMatcher } from '../match/matcher.ts'
import { type MatcherOptions, assertOptions } from '../match/options.ts'
import type { Match, Miss } from '../match/outcome.ts'
import { segmentsOf } from '../match/path.ts'
import { type Negotiation, createNegotiator } from '../negotiate/negotiate.ts'
import { type MediaRange, parseAccept } from '../negotiate/parse-accept.ts'
import { type RangeReading, createRangeReader, hasVersion } from '../negotiate/read-range.ts'
import { nearestOf } from '../wording.ts'
import { type Problem, problemOf } from './problem.ts'

/** The parts of a request that routing reads. */
export interface ExplainedRequest {
  /** `GET` */
  readonly method: string
  /** `/api/users/7` */
  readonly path: string
  /** The Accept header, or undefined if there's none. */
  readonly accept?: string | undefined
}

/** How a request is routed, and why. */
export interface Explanation {
  /** What `createMatcher(api).match` returns. */
  readonly result: Match | Miss
  /**
   * The problem document that an adapter sends. Null for a match, for OPTIONS, and if no version
   * has the path.
   */
  readonly problem: Problem | null
  /**
   * The decision in sentences: what the header means, what each acceptable version would do, and
   * the result.
   */
  readonly steps: readonly string[]
}

/**
 * Explains how a request is routed: what each range of its Accept header means, which versions are
 * tried in which order, and what serves it or why nothing does. For each of these versions, it asks
 * the matcher what would happen if the header only named that version.
 *
 * @param options - `now`, to see how the request is routed at a different time
 * @throws RouterError HV_OPTION
 * @example
 * const { steps } = explain(routes, { method: 'GET', path: '/api/users/7', accept: '*\/*' })
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
  const dependsOnVersion =
    result.kind === 'match' || (problem !== null && result.code !== 'malformed-path')
  for (const { version, index } of dependsOnVersion ? negotiation.acceptable : []) {
    const answer = match(method, path, `${settings.vendorType};version=${version}`)
    steps.push(versionStep(request, answer, version, settings.lives[index]!))
    if (answer.kind === 'match') break
  }
  if (result.kind === 'match') {
    const redirecting = createMatcher(api, { now: () => time, redirectsExtensions: true })
    const redirected = redirecting.match(method, path, accept)
    if (redirected.kind === 'miss')
      steps.push(
        `Express and fetch redirect to ${redirected.location} first (308), ` +
          'because api() declares no formats. Fastify serves the path as it is.',
      )
    steps.push(matchStep(result))
  } else if (problem !== null) steps.push(`${problem.status} ${problem.title}: ${problem.detail}`)
  else if (result.code === 'options')
    steps.push(
      `The response to OPTIONS covers all versions: 204, Allow: ${result.allow!.join(', ')}.`,
    )
  else
    steps.push(`No version has this path, so the app handles the request.${suggestion(api, path)}`)
  return { result, problem, steps }
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
  if (ranges.length === 0) return [`There's no Accept header. ${effect}`]
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

/** What happens if the header only names this version. */
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
      ? `Version ${version} doesn't have this path.`
      : `Version ${version} has this path for ${answer.allow.join(', ')}, but not for ${routed}.`
  const subject = answer.life === life ? `Version ${version}` : `The route of version ${version}`
  return answer.until === undefined
    ? `${subject} was retired on ${isoOf(answer.life.sunset!)}.`
    : `${subject} is in a brownout until ${isoOf(answer.until)}.`
}

function matchStep({ row, params, format }: Match): string {
  const values = Object.entries({ ...params, ...(format !== null && { format }) })
  const given = values.map(([name, value]) => `${name} = ${value}`).join(', ')
  const origin = row.inheritedFrom === null ? '' : `, declared in version ${row.inheritedFrom}`
  return (
    `${row.controller}#${row.action} serves the request (${row.pattern || '/'}${origin})` +
    `${given === '' ? '' : `, with ${given}`}.`
  )
}

/**
 * Suggests the nearest path that a version has: ` Did you mean /api/users/:id?` for `/api/user/7`.
 */
function suggestion(api: Api, path: string): string {
  const sent = segmentsOf(path.replace(/[?#].*/, '')).map(({ text }) => text)
  const patterns = new Map<string, string>() // by the path that they'd match with the values sent
  for (const { pattern } of api.table.flatMap(({ routes }) => routes)) {
    const segments = segmentsOf(pattern)
    const filled = segments.map(({ kind, text }, i) => (kind === 'static' ? text : sent[i]))
    if (segments.length === sent.length) patterns.set(filled.join('/'), pattern)
  }
  const nearest = nearestOf(sent.join('/'), [...patterns.keys()])
  return nearest === undefined ? '' : ` Did you mean ${patterns.get(nearest)}?`
}

function textOf({ type, version, q, malformed }: MediaRange): string {
  if (malformed) return type.trim()
  return `${type}${version === null ? '' : `;version=${version}`}${q === 1 ? '' : `;q=${q}`}`
}

function meaningOf(
  { version, q, malformed }: MediaRange,
  reading: RangeReading,
  versions: readonly number[],
): string {
  if (typeof reading === 'object') {
    const which = hasVersion(reading) ? 'version' : 'the default version,'
    return `${q === 0 ? 'excludes ' : ''}${which} ${reading.version}`
  }
  const meanings = {
    malformed: 'malformed',
    'malformed-version': 'malformed, because a version is a whole number without leading zeros',
    'undeclared-version': `version ${version} isn't declared (declared: ${versions.join(', ')})`,
    'unsupported-format': "its suffix isn't one of this API's formats",
    'no-version': 'asks for no version, and this API requires one',
    'other-vendor': "another vendor's type",
    foreign: malformed
      ? "malformed, but ignored, because it doesn't name this API's type"
      : "a type that this API doesn't serve",
  }
  return meanings[reading]
}
