import type { Api, Row } from '@hv/router'
import { type BoundAction, createValidation, translationOf } from '@hv/router/adapter'
import { invalidOption, placeOf } from '@hv/router/internal'
import express, { type NextFunction, type RequestHandler } from 'express'
import { convertResponses } from './convert-responses.ts'
import type { RouterOptions } from './types.ts'
import { validateWith } from './validation.ts'
import { createVendorBody } from './vendor-body.ts'

/** An Express route's layer, which runs without the router that created it. */
export interface ActionRoute {
  /** In Express 5. */
  handleRequest?(...args: Parameters<RequestHandler>): void
  /** In Express 4. */
  handle_request?(...args: Parameters<RequestHandler>): void
}

/**
 * Creates each row's Express route: the router's middleware, the action's middleware, the
 * validation and the handler. All of them are checked at start-up, but a route is only created on
 * its first request, because that takes time and memory.
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
    const isCalled = typeof use === 'function' && use.length < 2 // otherwise it's a middleware
    const ofRouter: unknown = isCalled ? use(row) : use
    const ofAction = options['use'] ?? []
    assertMiddleware(ofRouter, 'createRouter()', isCalled ? 'use(row)' : 'use')
    assertMiddleware(ofAction, placeOf(row), 'use')
    const validation = createValidation(row, options, validator)
    creators.set(row, () => {
      const { first, last } = row.method === 'GET' ? { first: [], last: [] } : vendorBody
      const handlers = [
        ...first,
        ...ofRouter,
        ...convertResponses(translationOf(options)),
        ...ofAction,
        ...last,
        ...validateWith(validation),
        handler as unknown as RequestHandler,
      ]
      const router = express.Router()
      router.route(row.pattern)[row.method.toLowerCase() as 'get'](...handlers.map(passRejections))
      return router.stack[0] as ActionRoute
    })
  }
  return { get: (row) => creators.get(row)!() }
}

function assertMiddleware(
  received: unknown,
  where: string,
  option: string,
): asserts received is RequestHandler[] {
  const isList = Array.isArray(received) && received.every((item) => typeof item === 'function')
  if (!isList) throw invalidOption(where, option, 'a list of middleware', received)
}

/**
 * Whether this is Express 4, which ignores promises that handlers return. Only it has `app.del()`.
 */
const ignoresPromises = 'del' in express.application

/** Makes Express 4 pass rejections to `next`, as Express 5 does. */
function passRejections(handler: RequestHandler): RequestHandler {
  if (!ignoresPromises || handler.length > 3) return handler // an error handler has four parameters
  return (req, res, next: NextFunction) => {
    const result: unknown = handler(req, res, next)
    if (result === undefined) return
    // oxlint-disable-next-line promise/no-callback-in-promise -- it's Express's callback
    Promise.resolve(result).catch((error: unknown) => next(error || new Error('Rejected promise')))
  }
}
