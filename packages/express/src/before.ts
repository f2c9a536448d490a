import { type Translation, createBefore } from '@hv/router/adapter'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { getPart, setPart } from './request-part.ts'

/**
 * Derives the controllers of a version from those of the next version and what changed. An explicit controller replaces a
 * derived one: `{ ...before(v2, fullName), teams: new TeamsController() }`.
 *
 * The router validates requests with the older schemas, then they are converted. `res.json()` converts the response: text,
 * buffers and streams are sent as they are.
 *
 * @throws RouterError HV_CHANGE when a change does not apply, is ambiguous, or lacks a direction
 * @example
 * const v2 = { users: new UsersController(store) }
 * const v1 = before(v2, listsAreEnvelopes)
 * app.use(createRouter(routes, { 1: v1, 2: v2 }))
 */
export const before = createBefore(({ handler, ...newer }, { schema, request, respond }) => ({
  ...newer,
  schema,
  ...(respond !== null && { use: [convertResponses(respond), newer['use'] ?? []].flat() }),
  handler(this: unknown, req: Request, res: Response, next: NextFunction): unknown {
    for (const [part, convert] of request) setPart(req, part, convert(getPart(req, part)))
    return handler.call(this, req as never, res as never, next as never)
  },
}))

/** It runs before the middleware of the action, which may respond too. */
const convertResponses =
  (respond: NonNullable<Translation['respond']>): RequestHandler =>
  (_req, res, next) => {
    for (const method of ['json', 'jsonp'] as const) {
      const send = res[method]
      res[method] = (body?: unknown) => {
        res[method] = send // once: a response to an error of the conversion is not converted
        const converted = respond(res.statusCode, body, (name, value) => void res.setHeader(name, value))
        return send.call(res, converted)
      }
    }
    next()
  }
