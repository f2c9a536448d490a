import type { Row } from '@hv/router'
import {
  type BoundAction,
  type RequestPart,
  type Validation,
  createValidation,
  propertyOf,
  validatePart,
} from '@hv/router/adapter'
import type { Request, RequestHandler } from 'express'
import type { RouterOptions } from './types.ts'
import { isUnparsedJson, unreadBody } from './vendor-body.ts'

/**
 * Creates the middleware that validates and converts the requests of each row. Rows without schemas have none.
 *
 * @throws RouterError HV_NO_VALIDATOR, HV_INVALID_SCHEMA, HV_OPTION
 */
export function createValidationMiddleware(
  actions: ReadonlyMap<Row, BoundAction>,
  validator: RouterOptions['validator'],
): (row: Row) => readonly RequestHandler[] {
  const middleware = new Map<Row, RequestHandler>()
  for (const [row, { options }] of actions) {
    const validation = createValidation(row, options, validator)
    if (validation.length > 0) middleware.set(row, validateWith(validation))
  }
  return (row) => {
    const own = middleware.get(row)
    return own === undefined ? [] : [own]
  }
}

const validateWith =
  (validation: Validation): RequestHandler =>
  async (req, _res, next) => {
    for (const part of validation) {
      if (part[0] === 'body' && isUnparsedJson(req))
        throw unreadBody('application/json', 'Mount express.json() before the router.')
      setPart(req, part[0], await validatePart(part, req[propertyOf[part[0]]]))
    }
    next()
  }

/** Replaces a part of a request. Headers that are not replaced stay: other middleware needs them. */
function setPart(req: Request, part: RequestPart, value: unknown): void {
  // Express 5 parses the query again on each access, so the property is replaced.
  Object.defineProperty(req, propertyOf[part], {
    value: part === 'headers' ? { ...req.headers, ...(value as object) } : value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
