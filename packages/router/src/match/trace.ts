import type { Life } from '../declare/life.ts'
import type { NegotiationTrace } from '../negotiate/negotiate.ts'

/** A version or a route that would serve a request if it were open. */
export interface Closed {
  readonly version: number
  readonly what: 'version' | 'route'
  readonly life: Life
  /** When it opens again. Infinity when it is retired. */
  readonly until: number
}

/** What the matcher did before its result. It fills the trace as it goes. */
export interface Trace extends NegotiationTrace {
  /** The versions that do not serve the request, in the order they were tried, and their methods for the path. */
  readonly tried: { readonly version: number; readonly methods: readonly string[] }[]
  /** The versions and routes that are retired or in a brownout. */
  closed: readonly Closed[]
}

/** Creates a trace. The negotiator fills the rest, because the matcher calls it first. */
export const createTrace = (): Trace => ({ tried: [], closed: [] }) as unknown as Trace
