import type { Row } from '@hv/router'
import { type BoundAction, type Validation, createValidation, validatePart } from '@hv/router/adapter'
import type { RequestHandler } from 'express'
import { getPart, setPart } from './request-part.ts'
import type { RouterOptions } from './types.ts'

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
    for (const part of validation) setPart(req, part[0], await validatePart(part, getPart(req, part[0])))
    next()
  }
