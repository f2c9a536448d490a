import type { Life } from '../declare/life.ts'
import type { NegotiationTrace } from '../negotiate/negotiate.ts'

/** Why a version or a route that would serve a request does not, for the time being or for good. */
export interface Outage {
  readonly version: number
  readonly what: 'version' | 'route'
  readonly life: Life
  /** When the outage ends. Infinity when it is retired. */
  readonly until: number
}

/** What the matcher did before its result. It fills the trace as it goes. */
export interface Trace extends NegotiationTrace {
  /** The versions that do not serve the request, in the order they were tried, and their methods for the path. */
  readonly tried: { readonly version: number; readonly methods: readonly string[] }[]
  /** The outages of versions and routes that would have served the request. */
  outages: readonly Outage[]
}

/** Creates a trace. The negotiator fills the rest, because the matcher calls it first. */
export const createTrace = (): Trace => ({ tried: [], outages: [] }) as unknown as Trace
