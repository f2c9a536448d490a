import { type Translation, isBodiless } from '@hv/router/adapter'
import type { RequestHandler } from 'express'
import onHeaders from 'on-headers'

/**
 * Converts what `res.json()` sends, and every response's head. This middleware runs before the
 * action's, because that may respond as well.
 */
export function convertResponses({ respond, head }: Translation): readonly RequestHandler[] {
  const convert: RequestHandler = (_req, res, next) => {
    let isConverted = false
    if (respond !== null)
      for (const method of ['json', 'jsonp'] as const) {
        const send = res[method]
        res[method] = (body?: unknown) => {
          res[method] = send // if the conversion fails, the response to that error isn't converted
          const older = respond(
            res.statusCode,
            body,
            (name, value) => void res.setHeader(name, value),
          )
          isConverted = true
          return send.call(res.status(older.status), older.body)
        }
      }
    if (head !== null)
      onHeaders(res, () => {
        if (!isConverted) res.statusCode = head.statusOf(res.statusCode)
        head.rename({
          get: (name) => res.getHeader(name),
          set: (name, value) => void res.setHeader(name, value),
          remove: (name) => res.removeHeader(name),
        })
        if (isBodiless(res.statusCode))
          for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding'])
            res.removeHeader(name)
      })
    next()
  }
  return respond === null && head === null ? [] : [convert]
}
