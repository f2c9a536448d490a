import type { IncomingMessage } from 'node:http'
import type { Api } from '@hv/router'
import type { Answer, Dispatcher, Header } from '@hv/router/adapter'
import { varyOnAccept } from '@hv/router/internal'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GroupedAction } from './groups.ts'
import { createShowPlainJson } from './plain-json.ts'
import { createTargets } from './target.ts'

/** The constraint values of the routes that respond if no action serves a request. */
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
  /** The plugin that has decided, and the request's URL since then. */
  readonly app: FastifyInstance
  readonly url: string
  readonly answer: Exclude<Answer<GroupedAction>, { kind: 'pass' }>
  /** The headers for every response, including those of hooks and error handlers. */
  readonly headers: readonly Header[]
  /** A JSON response's Content-Type. Null before the handler runs, and after an error. */
  responseType: string | null
  /** The Content-Type that the client sent, as long as the request shows a different one. */
  sentType: string | null
}

const kRouted = Symbol('routed')
/** Node's request, as Fastify's `rewriteUrl` leaves it. */
type RawRequest = IncomingMessage & { originalUrl?: string; [kRouted]?: Routed }

/** Returns what the router has decided about a request to one of its routes. */
export const routedOf = ({ raw }: { readonly raw: IncomingMessage }): Routed =>
  (raw as RawRequest)[kRouted]!

/**
 * Creates the part of the constraint strategy that runs once per request, before Fastify looks up
 * the route. It gives the request the URL and the Content-Type with which Fastify should handle it,
 * and returns its route's constraint value. That's undefined for a path that no version has.
 */
export function createRouting(
  app: FastifyInstance,
  api: Api,
  dispatch: FastifyDispatcher['dispatch'],
) {
  const { read, spell } = createTargets(app, api.settings.prefix)
  const showPlainJson = createShowPlainJson(app, api)

  return (raw: RawRequest): string | undefined => {
    const target = read(raw.url!)
    if (target === null) return undefined
    // Fastify asks every plugin for a constraint. If two APIs have a path, the one that's
    // registered first responds.
    const routed = raw[kRouted]
    if (routed !== undefined && routed.app !== app && routed.url === raw.url) return undefined

    const answer = dispatch(raw.method!, target.path || '/', raw.headers.accept, raw, target.prefix)
    if (answer.kind === 'pass') return undefined

    const url = spell(target, answer)
    if (url !== raw.url) {
      raw.originalUrl ??= raw.url!
      raw.url = url
    }
    const hasType = answer.kind === 'action' && raw.headers['content-type'] !== undefined
    raw[kRouted] = {
      app,
      url,
      answer,
      headers: answer.kind === 'problem' ? varyOnAccept : answer.headers,
      responseType: null,
      sentType: hasType ? showPlainJson(raw.headers) : null,
    }
    if (answer.kind === 'action') return answer.action.group.constraint
    return raw.method === 'OPTIONS' ? optionsConstraint : refusalConstraint
  }
}
