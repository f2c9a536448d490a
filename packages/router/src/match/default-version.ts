import type { Settings } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { createAcceptCache } from '../negotiate/accept-cache.ts'
import { type Negotiation, createNegotiator } from '../negotiate/negotiate.ts'
import type { MatcherOptions } from './options.ts'

type Negotiate = (accept: string) => Negotiation

/**
 * Creates the functions that read Accept headers. There's a negotiator per default version, because
 * `pinVersion` may choose a different one for each request. Each has its own cache of headers, and
 * is created when it's first needed.
 */
export function createHeaderReader<Request>(
  settings: Settings,
  { pinVersion }: MatcherOptions<Request>,
) {
  const pinned = new Map<number, Negotiate>()
  return {
    /** Reads a header with the API's default version. `''` is a missing header. */
    negotiate: createAcceptCache(createNegotiator(settings)),
    /**
     * Reads a header with the default version that the app chooses for a request, and returns null
     * if it chooses none. Undefined if the app has no `pinVersion`.
     */
    negotiateFor: pinVersion && negotiateFor,
  }

  function negotiateFor(accept: string, request: Request | undefined): Negotiation | null {
    const version = pinVersion!(request as Request) ?? null
    if (version === null) return null
    let negotiate = pinned.get(version)
    if (negotiate === undefined) pinned.set(version, (negotiate = createPinned(version)))
    return negotiate(accept)
  }

  function createPinned(version: number): Negotiate {
    if (!settings.versions.includes(version)) {
      // An async function's promise may reject later. Without a handler, that would end the
      // process.
      void Promise.allSettled([version])
      throw new RouterError('HV_DEFAULT_VERSION', {
        option: 'pinVersion',
        received: version,
        known: settings.versions,
      })
    }
    const pinnedSettings = { ...settings, defaultVersion: version, requireVersion: false }
    return createAcceptCache(createNegotiator(pinnedSettings, 'pinned'))
  }
}
