import type { ActionSchema, Row } from '@hv/router'
import { type BoundAction, type Validation, createValidation, validatePart } from '@hv/router/adapter'
import type { RequestHandler } from 'express'
import type { RouterOptions } from './types.ts'

const properties = { params: 'params', querystring: 'query', headers: 'headers', body: 'body' } as const

/**
 * Creates the middleware that validates the requests of each row. Rows without schemas have none.
 *
 * @throws RouterError HV_NO_VALIDATOR, HV_OPTION
 */
export function createValidationMiddleware(
  actions: ReadonlyMap<Row, BoundAction>,
  validator: RouterOptions['validator'],
): (row: Row) => readonly RequestHandler[] {
  const middleware = new Map<Row, RequestHandler>()
  for (const [row, { options }] of actions) {
    const validation = createValidation(row, options['schema'] as ActionSchema | undefined, validator)
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
      const property = properties[part[0]]
      const value = await validatePart(part, req[property])
      // Express 5 parses the query again on each access, so the property is replaced.
      // Headers that the schema does not name stay: other middleware needs them.
      Object.defineProperty(req, property, {
        value: property === 'headers' ? { ...req.headers, ...(value as object) } : value,
        configurable: true,
        enumerable: true,
        writable: true,
      })
    }
    next()
  }
