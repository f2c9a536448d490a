import type { Translation } from '@hv/router/adapter'
import type { RequestHandler } from 'express'

/** Converts what `res.json()` sends. It runs before the middleware of the action, which may respond too. */
export const convertResponses =
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
