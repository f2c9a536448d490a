import { AsyncLocalStorage } from 'node:async_hooks'
import { type Translation, guardBody } from '@hv/router/adapter'
import type { RequestHandler } from 'express'

const errors = new AsyncLocalStorage<object>()

/**
 * Converts what `res.json()` sends, JSON that's sent as text, and every response's head. This
 * middleware runs before the action's, because that may respond as well.
 */
export function convertResponses(translation: Translation): readonly RequestHandler[] {
  const { respond, changesBodies, changesHeads } = translation
  const convert: RequestHandler = (_req, res, next) => {
    const guard = guardBody(res, { translation, fail: next, errors })
    const set = (name: string, value: string) => void res.setHeader(name, value)
    if (changesBodies)
      for (const method of ['json', 'jsonp'] as const) {
        const send = res[method]
        res[method] = (...args: unknown[]) => {
          // Express 4 also takes a status, before or after the body.
          if (args.length > 1 && 'sendfile' in res)
            res.statusCode = (typeof args[1] === 'number' ? args.pop() : args.shift()) as number
          const newer = res.statusCode
          const older = respond(newer, args[0], set)
          guard.converted = { newer, older: older.status }
          res.statusCode = older.status
          return send.call(res, older.body)
        }
      }
    next()
  }
  return changesBodies || changesHeads ? [convert] : []
}
