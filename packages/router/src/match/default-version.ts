import type { Settings } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { createAcceptCache } from '../negotiate/accept-cache.ts'
import { type Negotiation, createNegotiator } from '../negotiate/negotiate.ts'
import { type Clock, hasOutages } from './calendar.ts'
import type { MatcherOptions } from './options.ts'

/**
 * Creates the reader of Accept headers, with a negotiator per default version, when it is first needed. Each has its own
 * cache of headers.
 */
export function createHeaderReader<Request>(
  settings: Settings,
  { pinVersion }: MatcherOptions<Request>,
  clock: Clock,
) {
  const { versions, lives } = settings
  const moves = settings.defaultsToOldest && lives.some(hasOutages)
  const negotiators = {
    default: new Map<number, Negotiate>(),
    pinned: new Map<number, Negotiate>(),
  }
  return {
    /** What a header means; `''` is no header. */
    negotiate: negotiatorOf(settings.defaultVersion, 'default'),
    /**
     * What it means with the default version that the app or the time chooses for this request; null when neither does.
     * Undefined when neither can.
     */
    negotiateFor: moves || pinVersion !== undefined ? negotiateFor : undefined,
  }

  function negotiateFor(accept: string, request: Request | undefined): Negotiation | null {
    const pinned = pinVersion?.(request as Request) ?? undefined
    const version = pinned ?? (moves ? clock.period().oldest : undefined)
    if (version === undefined) return null
    assertDeclared(version)
    return negotiatorOf(version, pinned === undefined ? 'default' : 'pinned')(accept)
  }

  function negotiatorOf(version: number, source: 'default' | 'pinned'): Negotiate {
    let negotiator = negotiators[source].get(version)
    if (negotiator === undefined) {
      const requireVersion = source === 'default' && settings.requireVersion
      negotiator = createAcceptCache(
        createNegotiator({ ...settings, defaultVersion: version, requireVersion }, source),
      )
      negotiators[source].set(version, negotiator)
    }
    return negotiator
  }

  function assertDeclared(version: number): void {
    if (versions.includes(version)) return
    if ((version as unknown) instanceof Promise) void Promise.allSettled([version]) // it may reject
    throw new RouterError('HV_DEFAULT_VERSION', {
      option: 'pinVersion',
      received: version,
      known: versions,
    })
  }
}

type Negotiate = (accept: string) => Negotiation
