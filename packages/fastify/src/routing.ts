import type { IncomingMessage } from 'node:http'
import type { Api, Match, MatcherOptions, Miss } from '@hv/router'
import type { Answer, Header } from '@hv/router/adapter'
import type { FastifyInstance } from 'fastify'
import type { GroupedAction } from './groups.ts'
import { createMatch } from './match.ts'
import { createMountCheck } from './mount-check.ts'
import { createShowPlainJson } from './plain-json.ts'
import { type Target, createTargets } from './target.ts'

/** The constraint values of the routes that respond when no action serves a request. */
export const refusalConstraint = 'refusals'
export const optionsConstraint = 'OPTIONS'

/** The answer to a match. */
export type Served = Extract<Answer<GroupedAction>, { kind: 'action' }>
/** The answer to a miss. */
export type Refused = Extract<Answer<GroupedAction>, { kind: 'problem' }>

/** What the router found for a request. */
export interface Routed {
  /** The plugin that found it, and the URL of the request since then. */
  readonly app: FastifyInstance
  readonly url: string
  /** Null when there is an error. */
  readonly found: Match | Miss | null
  readonly answer: Served | Refused | null
  /** An error from before the request had a route. */
  readonly error: Error | null
  /** `onRouted` was called. */
  isNotified: boolean
  /** Headers of every response, those of hooks and error handlers included. */
  readonly headers: readonly Header[]
  /** The Content-Type of a JSON body; null before the handler runs, and after an error. */
  type: string | null
  /** The Content-Type that the client sent, while the request shows another. */
  contentType: string | null
}

/** The request of Node.js, as Fastify's `rewriteUrl` leaves it. */
export interface RawRequest extends IncomingMessage {
  originalUrl?: string
}

/** The part of the constraint strategy that {@link createRouting} creates. */
export interface Routing {
  /**
   * Finds the route of a request, gives the request the URL and the Content-Type with which Fastify handles it, and
   * returns the constraint value of the route. Undefined for a path that no version has.
   */
  deriveConstraint(raw: RawRequest): string | undefined
  /** What `deriveConstraint` found. */
  routedOf(raw: IncomingMessage): Routed
}

const kRouted = Symbol('routed')
type Raw = RawRequest & { [kRouted]?: Routed }

/** Creates the part of the constraint strategy that runs once per request, before Fastify looks up the route. */
export function createRouting(
  app: FastifyInstance,
  api: Api,
  answer: (found: Match | Miss) => Answer<GroupedAction>,
  options: MatcherOptions<IncomingMessage>,
): Routing {
  const { read, ofMatch, ofMiss } = createTargets(app, api.settings.prefix)
  const match = createMatch(api, app, options)
  const showPlainJson = createShowPlainJson(app, api)
  const checkMount = createMountCheck(match, app.prefix, api.settings.prefix)

  return {
    deriveConstraint(raw: Raw) {
      const target = read(raw.url!)
      if (target === null) return undefined
      const path = target.path || '/'
      const earlier = raw[kRouted]
      const byAnother = earlier !== undefined && earlier.app !== app && earlier.url === raw.url
      if (byAnother && earlier.found?.kind === 'match') return undefined
      let headers = varyOnAccept
      try {
        const found = match(raw.method!, path, raw.headers.accept, raw)
        checkMount(found, path)
        if (found.kind === 'match') {
          const served = answer(found) as Served
          ;({ headers } = served)
          rewrite(raw, target, ofMatch(target.path, found))
          raw[kRouted] = routed(app, raw, found, served, null, headers, showPlainJson(raw.headers))
          return served.action.constraint
        }
        if (found.code === 'unknown-path' || byAnother) return undefined
        rewrite(raw, target, ofMiss(target.path, found))
        raw[kRouted] = routed(app, raw, found, answer(found) as Refused, null, varyOnAccept, null)
        return found.code === 'options' ? optionsConstraint : refusalConstraint
      } catch (error) {
        rewrite(raw, target, api.settings.prefix || '/')
        raw[kRouted] = routed(app, raw, null, null, toError(error), headers, null)
        return raw.method === 'OPTIONS' ? optionsConstraint : refusalConstraint
      }
    },
    routedOf: (raw: Raw) => raw[kRouted]!,
  }
}

const varyOnAccept: readonly Header[] = [['vary', 'Accept']]

/** Positional arguments: each request would otherwise create a second object. */
const routed = (
  app: FastifyInstance,
  { url }: Raw,
  found: Routed['found'],
  answer: Routed['answer'],
  error: Routed['error'],
  headers: Routed['headers'],
  contentType: Routed['contentType'],
): Routed => ({ app, url: url!, found, answer, error, isNotified: false, headers, type: null, contentType })

/** Replaces the path of a request as Fastify's `rewriteUrl` does. */
function rewrite(raw: RawRequest, { prefix, query }: Target, path: string): void {
  const url = prefix + path + query
  if (url === raw.url) return
  raw.originalUrl ??= raw.url!
  raw.url = url
}

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('The request has no route: a function of the app threw.', { cause: error })
