import { ValidationError } from '@hv/router/adapter'
import type { NextFunction, Request, Response } from 'express'

/**
 * An error handler that responds with a problem document to requests that don't match the schema of their action. Other errors
 * go to the next error handler.
 *
 * @example app.use(createRouter(routes, controllers), validationErrorHandler)
 */
export function validationErrorHandler(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  if (!(error instanceof ValidationError) || res.headersSent) return next(error)
  res.status(error.status).type('application/problem+json').send(JSON.stringify(error.problem))
}
