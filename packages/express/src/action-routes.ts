import { type Api, RouterError, type Row } from '@hv/router'
import { type BoundAction, createValidation, translationOf } from '@hv/router/adapter'
import express, { type NextFunction, type RequestHandler, type Router } from 'express'
import { convertResponses } from './convert-responses.ts'
import type { RouterOptions } from './types.ts'
import { validateWith } from './validation.ts'
import { createVendorBody } from './vendor-body.ts'

/** The layer of an Express route, run apart from the router that created it. Tracing tools wrap `handle`. */
export type ActionRoute = Pick<Router['stack'][number], 'handle'>

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * Creates the Express route of every row: the router's middleware, the action's middleware, the validation
 * and the handler. All of them are checked at start-up. An Express route takes time and memory, so each is created on its first request.
 *
 * @throws RouterError HV_OPTION, HV_NO_VALIDATOR, HV_INVALID_SCHEMA
 */
export function createActionRoutes(
  api: Api,
  actions: ReadonlyMap<Row, BoundAction>,
  { use = [], json, validator }: Pick<RouterOptions, 'use' | 'json' | 'validator'>,
): { get(row: Row): ActionRoute } {
  const vendorBody = createVendorBody(api, json)
  const creators = new Map<Row, () => ActionRoute>()
  for (const [row, { handler, options }] of actions) {
    const isCalled = typeof use === 'function' && use.length < 2 // else it is a middleware
    const shared: unknown = isCalled ? use(row) : use
    const own = options['use'] ?? []
    assertMiddleware(shared, 'createRouter()', isCalled ? 'use(row)' : 'use')
    assertMiddleware(own, `version ${row.version}: ${row.controller}#${row.action}`, 'use')
    const validation = createValidation(row, options, validator)
    creators.set(row, () => {
      const { first, last } = row.method === 'GET' ? { first: [], last: [] } : vendorBody
      const after = [
        ...own,
        ...last,
        ...validateWith(validation),
        handler as unknown as RequestHandler,
      ]
      const handlers = [...first, ...shared, ...convertResponses(translationOf(options)), ...after]
      const router = express.Router()
      router.route(row.pattern)[row.method.toLowerCase() as Method](...handlers.map(passRejections))
      return router.stack[0]!
    })
  }
  return { get: (row) => creators.get(row)!() }
}

function assertMiddleware(
  received: unknown,
  where: string,
  option: string,
): asserts received is RequestHandler[] {
  if (!Array.isArray(received) || received.some((one) => typeof one !== 'function'))
    throw new RouterError('HV_OPTION', {
      where,
      option,
      expected: 'a list of middleware',
      received,
    })
}

/** Express 4 ignores the promise that a handler returns. Only Express 4 has `app.del()`. */
const ignoresPromises = 'del' in express.application

/** On Express 4, passes a rejection to `next`, as Express 5 does. */
function passRejections(handler: RequestHandler): RequestHandler {
  if (!ignoresPromises || handler.length > 3) return handler // four parameters: an error handler
  return (req, res, next: NextFunction) => {
    const result: unknown = handler(req, res, next)
    if (result === undefined) return
    // oxlint-disable-next-line promise/no-callback-in-promise -- it is Express's own callback
    Promise.resolve(result).catch((error: unknown) => next(error || new Error('Rejected promise')))
  }
}
