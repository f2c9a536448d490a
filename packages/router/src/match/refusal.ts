import type { Settings } from '../declare/settings.ts'
import type { Negotiation } from '../negotiate/negotiate.ts'
import type { Clock, VersionStates } from './clock.ts'
import { type Miss, type MissCode, type Outage, malformedPath, unknownPath } from './outcome.ts'
import { type PathFacts, allowOf } from './path-facts.ts'

/**
 * Returns why no version serves a request. `outages` lists the outages of the versions and routes
 * that would serve the request otherwise.
 */
export type Refuse = (
  method: string,
  path: string,
  negotiation: Negotiation,
  outages: readonly Outage[],
) => Miss

/**
 * Creates the function that finds out why no version serves a request. The reasons are checked in
 * this order: 404, 400, 204 (OPTIONS), 410, 400 or 406, 405 or 404.
 */
export function createRefusal(settings: Settings, facts: PathFacts, clock: Clock): Refuse {
  const { versions, previews } = settings
  const hidesPreviews = previews.length > 0 && previews.length < versions.length

  return (method, path, negotiation, outages) => {
    // 1. No version that the client may know about has the path, or the path contains an invalid
    // escape.
    const visible = hidesPreviews ? visibleTo(negotiation) : undefined
    if (!facts.isServed(path, visible)) return unknownPath
    if (facts.isMalformed(path)) return malformedPath

    // 2. OPTIONS covers all versions.
    if (method === 'OPTIONS') {
      const allow = allowOf(facts.methodsIn(path, visible))
      return { kind: 'miss', status: 204, code: 'options', allow }
    }

    // 3. The route, or every acceptable version, is retired or in a brownout.
    const { acceptable, malformed, requested, lacksVersion } = negotiation
    const states = clock.versionStates()
    const outage = decisiveOutage(outages, negotiation)
    if (outage !== null) return refuseOutage(settings, outage, requested, states)

    // 4. The Accept header allows no version.
    if (outages.length === acceptable.length) {
      if (malformed) return createMiss(400, 'malformed-accept', requested, states)
      return lacksVersion
        ? createMiss(400, 'version-required', requested, states)
        : createMiss(406, 'not-acceptable', requested, states)
    }

    // 5. An acceptable version has the path, but not for this method. Otherwise, none of them has
    // it.
    const time = clock.time()
    const allow = allowOfBest(path, negotiation, outages, time)
    const availableIn = facts.versionsWith(method, path, states.supported, time)
    const miss =
      allow.length > 0
        ? createMiss(405, 'method-not-allowed', requested, states)
        : createMiss(404, 'not-in-version', requested, states)
    if (availableIn.length > 0) miss.availableIn = availableIn
    if (allow.length > 0) miss.allow = allow
    return miss
  }

  /** Previews are hidden from requests that don't ask for them. */
  function visibleTo({ acceptable, requested }: Negotiation): readonly number[] {
    return [...versions.keys()].filter((index) => {
      const version = versions[index]!
      return (
        !previews.includes(version) ||
        requested.includes(version) ||
        acceptable.some((range) => range.version === version)
      )
    })
  }

  /**
   * The Allow header of the best acceptable version that has the path. If all of its methods there
   * are retired, that's only OPTIONS.
   */
  function allowOfBest(
    path: string,
    { acceptable }: Negotiation,
    outages: readonly Outage[],
    time: number,
  ): readonly string[] {
    const open =
      outages.length === 0
        ? acceptable
        : acceptable.filter(({ version }) => outages.every((outage) => outage.version !== version))
    for (const { index } of open) {
      const allow = facts.allowIn(path, index, time)
      if (allow.length > 0) return allow
    }
    const isRetired =
      clock.isNeeded && open.some(({ index }) => facts.methodsIn(path, [index]).length > 0)
    return isRetired ? ['OPTIONS'] : []
  }
}

/**
 * Chooses the outage to report: a route's, or a version's if all acceptable versions have one and
 * no part of the header is malformed. A brownout wins over a retirement, because the client can try
 * again. Null if something other than outages is the reason.
 */
function decisiveOutage(
  outages: readonly Outage[],
  { acceptable, malformed }: Negotiation,
): Outage | null {
  if (outages.length === 0) return null
  const ofRoutes = outages.filter(({ what }) => what === 'route')
  const isEveryVersion = outages.length === acceptable.length && !malformed
  if (ofRoutes.length === 0 && !isEveryVersion) return null
  const reported = ofRoutes.length > 0 ? ofRoutes : outages
  return reported.find(({ until }) => until < Infinity) ?? reported[0]!
}

function refuseOutage(
  { versions, lives }: Settings,
  { what, life, until, version }: Outage,
  requested: readonly number[],
  states: VersionStates,
): Miss {
  const isBrownout = until < Infinity
  const miss = createMiss(410, isBrownout ? 'brownout' : `${what}-retired`, requested, states)
  if (isBrownout) miss.until = until
  miss.life = life
  // If version 2 has ended as well, version 1's successor is version 3. No version's successors lead
  // back to it, see `checkLives`. But whoever inherits a route inherits its successor, and that may
  // be the version itself.
  let { successor } = life
  while (successor !== null && states.retired.includes(successor))
    successor = lives[versions.indexOf(successor)]!.successor
  if (successor !== null && successor !== version) miss.successor = successor
  return miss
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Optional properties are assigned, because spreading a condition takes longer than a match. */
function createMiss(
  status: number,
  code: MissCode,
  requested: readonly number[],
  { supported, retired }: VersionStates,
): Writable<Miss> {
  const miss: Writable<Miss> = { kind: 'miss', status, code, supported }
  if (requested.length > 0) miss.requested = requested
  if (retired.length > 0) miss.retired = retired
  return miss
}
