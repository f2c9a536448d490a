import { AsyncLocalStorage } from 'node:async_hooks'
import { type Translation, guardBody } from '@hv/router/adapter'
import type { RequestHandler } from 'express'

const errors = new AsyncLocalStorage<object>()

/**
 * Converts what `res.json()` sends, JSON that's sent as text, and every response's head. This
 * middleware runs before the action's, because that may respond as well.
 */
export function convertResponses(translation: Translation): readonly RequestHandler[] {
  const { respond, head } = translation
  const convert: RequestHandler = (_req, res, next) => {
    const guard = guardBody(res, { translation, fail: next, errors })
    const set = (name: string, value: string) => void res.setHeader(name, value)
    if (respond !== null)
      for (const method of ['json', 'jsonp'] as const) {
        const send = res[method]
        res[method] = (body?: unknown) => {
          const newer = res.statusCode
          const older = respond(newer, body, set)
          guard.converted = { newer, older: older.status }
          return send.call(res.status(older.status), older.body)
        }
      }
    next()
  }
  return respond === null && head === null ? [] : [convert]
}
