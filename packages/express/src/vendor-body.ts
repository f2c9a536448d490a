import type { Api } from '@hv/router'
import { isVendorJson } from '@hv/router/adapter'
import { type Request, type RequestHandler, json } from 'express'
import type { RouterOptions } from './types.ts'

/**
 * Creates the handlers for JSON bodies with the vendor type: `first` runs before a route's
 * middleware, and `last` after it. If one of the app's parsers has read the body, they do nothing.
 */
export function createVendorBody(
  api: Api,
  options: RouterOptions['json'],
): Record<'first' | 'last', readonly RequestHandler[]> {
  const isUnread = (req: Request) =>
    isVendorJson(api, req.headers['content-type'] ?? '') && !req.readableDidRead
  const type = `${api.settings.vendorType}+json`
  const remedy =
    'Send Content-Type: application/json. ' +
    "To accept the vendor type, set createRouter()'s 'json' option."
  const refuse: RequestHandler = (req, _res, next) =>
    next(isUnread(req) && hasBody(req) ? unreadBody(type, remedy) : undefined)
  const parseAny = json({ ...options, type: () => true })
  const parse: RequestHandler = (req, res, next) => {
    if (!isUnread(req)) return next()
    parseAny(req, res, (error?: { type?: string; limit?: number; message: string }) => {
      if (error?.type === 'entity.too.large')
        error.message =
          `${type} bodies can have at most ${error.limit} bytes. ` +
          "To accept larger ones, set the router's option json.limit."
      next(error)
    })
  }
  return { first: options ? [parse] : [], last: options === undefined ? [refuse] : [] }
}

/**
 * Whether the request has a JSON body that nothing has parsed, so that validation would see
 * undefined.
 */
export const isUnparsedJson = (req: Request): boolean =>
  req.body === undefined &&
  !req.readableDidRead &&
  hasBody(req) &&
  /^application\/json\b/i.test(req.headers['content-type'] ?? '')

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Express sends an error's status, and outside production its message. */
export const unreadBody = (type: string, remedy: string): Error =>
  Object.assign(new Error(`The server doesn't parse ${type} request bodies. ${remedy}`), {
    status: 415,
    statusCode: 415,
    expose: true,
  })
