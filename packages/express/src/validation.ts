import {
  type RequestPart,
  type Validation,
  ValidationError,
  propertyOf,
  validatePart,
} from '@hv/router/adapter'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { isUnparsedJson, unreadBody } from './vendor-body.ts'

/** The middleware that validates an action's requests, and converts those of older versions. */
export function validateWith(validation: Validation): readonly RequestHandler[] {
  const validate: RequestHandler = async (req, _res, next) => {
    for (const part of validation) {
      if (part[0] === 'body' && isUnparsedJson(req))
        throw unreadBody('application/json', 'Mount express.json() before the router.')
      setPart(req, part[0], await validatePart(part, req[propertyOf[part[0]]]))
    }
    next()
  }
  return validation.length === 0 ? [] : [validate]
}

/**
 * Replaces a part of a request. Headers that the schema doesn't mention stay, because other
 * middleware needs them.
 */
function setPart(req: Request, part: RequestPart, value: unknown): void {
  const replaced = part === 'headers' ? { ...req.headers, ...(value as object) } : value
  if (Reflect.set(req, propertyOf[part], replaced)) return
  // Express 5's query is only a getter, so the property itself is replaced.
  Object.defineProperty(req, propertyOf[part], {
    value: replaced,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}

/**
 * An error handler that sends a problem document if a request doesn't match its action's schema.
 * Other errors go to the next error handler.
 *
 * @example app.use(createRouter(routes, controllers), validationErrorHandler)
 */
export function validationErrorHandler(
  error: unknown,
  _req: Request,
  res: Response,
  next: NextFunction,
): void {
  if (!(error instanceof ValidationError) || res.headersSent) return next(error)
  res.status(error.status).type('application/problem+json').send(JSON.stringify(error.problem))
}
