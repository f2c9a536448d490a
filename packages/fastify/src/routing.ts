import type { IncomingMessage } from 'node:http'
import { type Api, type Match, type MatcherOptions, type Miss, createMatcher } from '@hv/router'
import type { Answer, Header } from '@hv/router/adapter'
import type { FastifyInstance } from 'fastify'
import type { GroupedAction } from './groups.ts'
import { createMountCheck } from './mount-check.ts'
import { createShowPlainJson } from './plain-json.ts'
import { createTargetReader, readPathOptions } from './request-target.ts'
import { createRoutableUrls } from './routable-url.ts'

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
  const pathOptions = readPathOptions(app)
  const targets = createTargetReader(pathOptions)
  const urls = createRoutableUrls(pathOptions, targets, api.settings.prefix)
  const { match } = createMatcher(api, { ...options, caseSensitive: pathOptions.caseSensitive })
  const showPlainJson = createShowPlainJson(app, api)
  const checkMount = createMountCheck(match, pathOptions.prefix, api.settings.prefix)

  return {
    deriveConstraint(raw: Raw) {
      const path = targets.pathOf(raw.url!)
      if (path === null) return undefined
      const earlier = routedByAnother(raw)
      if (earlier?.found?.kind === 'match') return undefined
      try {
        const found = match(raw.method!, path, raw.headers.accept, raw)
        checkMount(found, path)
        if (found.kind === 'match') return serve(raw, found)
        return found.code === 'unknown-path' || earlier !== undefined ? undefined : refuse(raw, found)
      } catch (error) {
        return fail(raw, error) // Fastify would not catch it
      }
    },
    routedOf: (raw: Raw) => raw[kRouted]!,
  }

  /** What a router that is registered earlier found: another vendor may share the path. */
  function routedByAnother(raw: Raw): Routed | undefined {
    const routed = raw[kRouted]
    return routed === undefined || routed.app === app || routed.url !== raw.url ? undefined : routed
  }

  function serve(raw: Raw, found: Match): string {
    const served = answer(found) as Served
    const url = urls.ofMatch(raw.url!, found)
    if (url === null) return fail(raw, paramTooLong(pathOptions.maxParamLength), served.headers)
    rewrite(raw, url)
    raw[kRouted] = routed(app, raw, found, served, null, served.headers, showPlainJson(raw))
    return served.action.constraint
  }

  function refuse(raw: Raw, found: Miss): string {
    rewrite(raw, urls.ofMiss(raw.url!, found))
    raw[kRouted] = routed(app, raw, found, answer(found) as Refused, null, varyOnAccept, null)
    return found.code === 'options' ? optionsConstraint : refusalConstraint
  }

  /** Lets the route of refusals pass the error to the error handler of the app. */
  function fail(raw: Raw, error: unknown, headers = varyOnAccept): string {
    rewrite(raw, urls.ofApi(raw.url!))
    raw[kRouted] = routed(app, raw, null, null, toError(error), headers, null)
    return raw.method === 'OPTIONS' ? optionsConstraint : refusalConstraint
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

/** Replaces the URL of a request as Fastify's `rewriteUrl` does. */
function rewrite(raw: RawRequest, url: string): void {
  if (url === raw.url) return
  raw.originalUrl ??= raw.url!
  raw.url = url
}

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('The request has no route: a function of the app threw.', { cause: error })

/** Fastify responds to such a parameter before any hook, without `Vary`. */
const paramTooLong = (max: number): Error =>
  Object.assign(new Error(`A path parameter is longer than maxParamLength, which is ${max}.`), {
    statusCode: 414,
    code: 'FST_ERR_MAX_PARAM_LENGTH',
  })
