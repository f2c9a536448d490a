import type { IncomingMessage } from 'node:http'
import type { Api } from '@hv/router'
import type { Answer, Dispatcher, Header } from '@hv/router/adapter'
import { varyOnAccept } from '@hv/router/internal'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GroupedAction } from './groups.ts'
import { createShowPlainJson } from './plain-json.ts'
import { createTargets } from './target.ts'

/**
 * Constraint values of the plugin's own routes, which respond when no action serves a request: one
 * for OPTIONS, and one for every other method.
 */
export const refusalConstraint = 'refusals'
export const optionsConstraint = 'OPTIONS'

export type FastifyDispatcher = Dispatcher<
  IncomingMessage,
  FastifyRequest,
  [FastifyRequest, FastifyReply],
  GroupedAction
>

/** What the router has decided about a request. */
export interface Routed {
  /**
   * The router that decided, and the URL that it left on the request. As long as the URL is the
   * same, other routers leave the request alone.
   */
  readonly router: object
  readonly url: string
  readonly answer: Exclude<Answer<GroupedAction>, { kind: 'pass' }>
  /** The headers for every response, even if a hook or an error handler sends it. */
  readonly headers: readonly Header[]
  /** A JSON response's Content-Type. Null before the handler runs, and after an error. */
  responseType: string | null
  /**
   * The client's Content-Type, such as `application/vnd.acme+json`, while the request shows
   * `application/json` instead. Otherwise null.
   */
  sentType: string | null
}

const kRouted = Symbol('routed')
/**
 * Node's request. When we change its URL, we keep the client's in `originalUrl`, because that's
 * where Fastify keeps it when its option `rewriteUrl` changes the URL.
 */
type RawRequest = IncomingMessage & { originalUrl?: string; [kRouted]?: Routed }

/** Returns what the router has decided about a request to one of its routes. */
export const routedOf = ({ raw }: { readonly raw: IncomingMessage }): Routed =>
  (raw as RawRequest)[kRouted]!

/**
 * Creates the part of the constraint strategy that runs once per request, before Fastify looks up
 * the route. The function gives the request the URL and the Content-Type that Fastify should see,
 * and returns the constraint value of the route that should serve the request. If no version has
 * the path, it returns undefined.
 */
export function createRouting(
  app: FastifyInstance,
  mount: string,
  api: Api,
  dispatch: FastifyDispatcher['dispatch'],
) {
  const { read, spell } = createTargets(app, app.prefix + mount, api.settings.prefix)
  const showPlainJson = createShowPlainJson(app, api)

  return function router(raw: RawRequest): string | undefined {
    const target = read(raw.url!)
    if (target === null) return undefined
    // Fastify asks every router for a constraint value. If two APIs have the same path, the API
    // that was registered first responds.
    const routed = raw[kRouted]
    if (routed !== undefined && routed.router !== router && routed.url === raw.url) return undefined

    const answer = dispatch(raw.method!, target.path || '/', raw.headers.accept, raw, target.prefix)
    if (answer.kind === 'pass') return undefined

    const url = spell(target, answer)
    if (url !== raw.url) {
      raw.originalUrl ??= raw.url!
      raw.url = url
    }
    const hasType = answer.kind === 'action' && raw.headers['content-type'] !== undefined
    raw[kRouted] = {
      router,
      url,
      answer,
      headers: answer.kind === 'problem' ? varyOnAccept : answer.headers,
      responseType: null,
      sentType: hasType ? showPlainJson(raw.headers) : null,
    }
    if (answer.kind === 'action') return answer.action.group.constraint
    if (raw.method !== 'OPTIONS') return refusalConstraint
    // The app's own OPTIONS routes come first, even a catch-all such as that of @fastify/cors. They
    // may be registered after the router, so they're looked up here.
    const isPlain = answer.kind === 'problem' && answer.problem === null
    const isAnswered = isPlain && app.findRoute({ method: 'OPTIONS', url }) !== null
    return isAnswered ? undefined : optionsConstraint
  }
}
