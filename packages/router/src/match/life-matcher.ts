// The matcher of an API that changes with time or with the request: versions and routes end, previews are hidden, and
// the app pins requests to versions. It calls the matcher that knows no time, and checks the row that it returns.
import type { Api } from '../compile/api.ts'
import { type Life, closureAt } from '../declare/life.ts'
import { RouterError } from '../errors.ts'
import { createAcceptCache } from '../negotiate/accept-cache.ts'
import { type Negotiation, createNegotiator } from '../negotiate/negotiate.ts'
import { type Period, createCalendar } from './calendar.ts'
import type { Match, Miss, MissCode } from './outcome.ts'
import type { Closed, Trace } from './trace.ts'

/** The options of `createMatcher`. */
export interface MatcherOptions<Request = unknown> {
  /**
   * The clock, in milliseconds since 1970. It is read only for routes and versions that end, and may go backwards.
   *
   * @default Date.now
   */
  readonly now?: () => number
  /**
   * Chooses the version of a request that leaves it open, such as the version to which an account is pinned. Null or
   * undefined means the default version. It is called only for such requests, and only for paths of the API.
   */
  readonly defaultVersion?: (request: Request) => number | null | undefined
}

type Decide = (method: string, path: string, negotiation: Negotiation, trace: Trace | null) => Match | Miss

const ends = (life: Life | null): boolean => life !== null && life.closes < Infinity

const hasEnds = ({ settings: { lives }, table }: Api): boolean =>
  lives.some(ends) || table.some(({ routes }) => routes.some(({ life }) => ends(life)))

/** Whether time or hidden versions change what the API serves. */
export const hasLife = (api: Api): boolean => api.settings.previews.length > 0 || hasEnds(api)

// oxlint-disable-next-line max-lines-per-function -- short functions that share the calendar and the clock
export function createLifeMatcher<Request>(
  api: Api,
  options: MatcherOptions<Request>,
  decide: Decide,
  trace: Trace | null = null,
): { match(method: string, path: string, accept: string | undefined, request?: Request): Match | Miss } {
  const { settings } = api
  const { versions, lives, previews, defaultsToOldest } = settings
  const { defaultVersion } = options
  const now = hasEnds(api) ? (options.now ?? (() => Date.now())) : () => 0 // nothing depends on the time
  const periodAt = createCalendar(settings)
  const negotiators = { default: createNegotiators('default'), pinned: createNegotiators('pinned') }
  const negotiate = negotiators.default(settings.defaultVersion)
  const defaultMoves = defaultsToOldest && lives.some(ends)
  const choosesDefault = defaultMoves || defaultVersion !== undefined

  return { match }

  function match(method: string, path: string, accept: string | undefined, request?: Request): Match | Miss {
    const header = accept ?? ''
    let negotiation = negotiate(header)
    let found = decide(method, path, negotiation, trace)
    let time: number | undefined // read at most once

    // 1. The default version of this request.
    if (choosesDefault && negotiation.usesDefault && isAboutVersions(found)) {
      const pinned = defaultVersion?.(request as Request) ?? undefined
      const version = pinned ?? (defaultMoves ? periodAt((time = now())).oldest : undefined)
      if (version !== undefined) {
        negotiation = negotiators[pinned === undefined ? 'default' : 'pinned'](assertDeclared(version))(header)
        found = decideAgain(method, path, negotiation)
      }
    }

    // 2. What serves the request is open.
    if (found.kind === 'match') {
      const { life } = found.route
      if (life === null || life.closes === Infinity) return found
      time ??= now()
      if (time < life.closes || closureAt(life, time) === null) return found
    } else if (!isAboutVersions(found)) return withoutPreviews(found, method, path, negotiation)
    return withoutPreviews(matchOpen(method, path, negotiation, found, time ?? now()), method, path, negotiation)
  }

  /** A miss as it would be without the previews that the request does not ask for. */
  function withoutPreviews(found: Match | Miss, method: string, path: string, negotiation: Negotiation): Match | Miss {
    // An API of nothing but previews has no other versions to hide them behind.
    if (found.kind === 'match' || previews.length === 0 || previews.length === versions.length) return found
    const { acceptable, requested } = negotiation
    const asksFor = (preview: number): boolean =>
      requested.includes(preview) || acceptable.some(({ version }) => version === preview)
    const hidden = previews.filter((preview) => !asksFor(preview)).map((preview) => versions.indexOf(preview))
    const visible = decide(method, path, { ...negotiation, acceptable: [], hidden }, null)
    return isAboutVersions(visible) ? found : visible
  }

  /** Matches among the versions and routes that are open. `first` is the result among all. */
  function matchOpen(
    method: string,
    path: string,
    negotiation: Negotiation,
    first: Match | Miss,
    time: number,
  ): Match | Miss {
    const period = periodAt(time)
    const closedVersions: Closed[] = []
    for (const { version, index } of negotiation.acceptable) {
      const closure = period.closures[index]!
      if (closure !== null) closedVersions.push({ version, what: 'version', life: lives[index]!, until: closure.until })
    }
    trace?.closed.push(...closedVersions)
    let acceptable = negotiation.acceptable.filter(({ index }) => period.closures[index] === null)
    const closedRoutes: Closed[] = []
    for (let isFirst = closedVersions.length === 0; ; isFirst = false) {
      const found = isFirst ? first : decideAgain(method, path, { ...negotiation, acceptable })
      if (found.kind === 'miss') {
        if (closedRoutes.length > 0) return refuse(closedRoutes, 'route-retired', found, period)
        if (closedVersions.length > 0 && acceptable.length === 0 && found.code !== 'malformed-accept')
          return refuse(closedVersions, 'version-retired', found, period)
        return withoutRetired(found, method, path, { ...negotiation, acceptable }, period, time)
      }
      const { version, route } = found
      const closure = closureAt(route.life, time)
      if (closure === null) return found
      const closed: Closed = { version, what: 'route', life: route.life!, until: closure.until }
      closedRoutes.push(closed)
      trace?.closed.push(closed)
      acceptable = acceptable.filter((other) => other.version !== version)
    }
  }

  function decideAgain(method: string, path: string, negotiation: Negotiation): Match | Miss {
    if (trace !== null) trace.tried.length = 0
    return decide(method, path, negotiation, trace)
  }

  /** A miss that lists only what is not retired. The negotiation contains the versions that are open. */
  function withoutRetired(
    miss: Miss,
    method: string,
    path: string,
    negotiation: Negotiation,
    period: Period,
    time: number,
  ): Miss {
    const { availableIn, allow, ...rest } = miss
    const inVersion = (routed: string, version: number): Match | Miss => {
      const one = { version, index: versions.indexOf(version), format: null, vendor: false, source: 'default' as const }
      return decide(routed, path, { ...negotiation, acceptable: [one] }, null)
    }
    const has = (routed: string, version: number): boolean => {
      const found = inVersion(routed, version)
      return found.kind === 'match' && closureAt(found.route.life, time)?.until !== Infinity
    }
    const open = availableIn?.filter((version) => period.supported.includes(version) && has(method, version)) ?? []
    return {
      ...rest,
      ...listsOf(period),
      ...(open.length > 0 && { availableIn: Object.freeze(open) }),
      ...(allow !== undefined && { allow: Object.freeze(openMethods()) }),
    }

    /** The methods of the best acceptable version that has some. OPTIONS is always one. */
    function openMethods(): readonly string[] {
      for (const { version } of negotiation.acceptable) {
        const found = inVersion(method, version) as Miss
        const methods = found.allow?.filter((one) => one === 'OPTIONS' || has(one, version)) ?? []
        if (methods.length > 1) return methods
      }
      return ['OPTIONS']
    }
  }

  /** Refuses what is closed. Of several, one that opens again is reported. */
  function refuse(closed: readonly Closed[], code: MissCode, { requested }: Miss, period: Period): Miss {
    const { life, until, version } = closed.find((one) => one.until < Infinity) ?? closed[0]!
    const successor = openSuccessor(life, version, period)
    return {
      kind: 'miss',
      ...(until < Infinity ? { status: life.brownoutStatus ?? 410, code: 'brownout', until } : { status: 410, code }),
      ...(requested !== undefined && { requested }),
      ...listsOf(period),
      life,
      ...(successor !== null && { successor }),
    }
  }

  /** Follows successors that are retired, too. */
  function openSuccessor({ successor }: Life, version: number, { retired }: Period): number | null {
    const left = new Set([version])
    let next = successor
    while (next !== null && !left.has(next) && retired.includes(next)) {
      left.add(next)
      next = lives[versions.indexOf(next)]!.successor
    }
    return next === null || left.has(next) ? null : next
  }

  /** Creates one negotiator per default version, when it is first needed. Each has its own cache of Accept headers. */
  function createNegotiators(source: 'default' | 'pinned'): (version: number) => (accept: string) => Negotiation {
    const known = new Map<number, (accept: string) => Negotiation>()
    return (version) => {
      let negotiator = known.get(version)
      if (negotiator === undefined) {
        const requireVersion = source === 'default' && settings.requireVersion
        negotiator = createCachedNegotiator({ ...settings, defaultVersion: version, requireVersion }, source, trace)
        known.set(version, negotiator)
      }
      return negotiator
    }
  }

  function assertDeclared(version: number): number {
    if (versions.includes(version)) return version
    if ((version as unknown) instanceof Promise) void Promise.allSettled([version]) // it may reject
    throw new RouterError('HV_DEFAULT_VERSION', { received: version, known: versions })
  }
}

/** Misses that list no versions are the same at any time: an unknown path, a malformed one, OPTIONS. */
const isAboutVersions = (found: Match | Miss): boolean => found.kind === 'match' || found.supported !== undefined

const listsOf = ({ supported, retired }: Period): Pick<Miss, 'supported' | 'retired'> => ({
  supported,
  ...(retired.length > 0 && { retired }),
})

/** With a trace it caches nothing, so that every header fills the trace. */
function createCachedNegotiator(settings: Api['settings'], source: 'default' | 'pinned', trace: Trace | null) {
  const negotiate = createNegotiator(settings, source, trace)
  if (trace !== null) return negotiate
  const negotiateCached = createAcceptCache(negotiate)
  const withoutHeader = negotiate('')
  return (accept: string): Negotiation => (accept === '' ? withoutHeader : negotiateCached(accept))
}
