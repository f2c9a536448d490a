import type { Api } from '@hv/router'
import { isVendorJson } from '@hv/router/adapter'
import type { Request, RequestHandler } from 'express'

/** Creates the middleware that refuses a JSON body under the vendor type, unless a parser has read it. */
export function refuseVendorBody(api: Api): RequestHandler {
  const type = `${api.settings.vendorType}+json`
  const remedy = `Send Content-Type: application/json. To accept both, mount express.json({ type: ['application/json', '${type}'] }).`
  return (req, _res, next) => {
    const isUnread = isVendorJson(api, req.headers['content-type'] ?? '') && !req.readableDidRead && hasBody(req)
    next(isUnread ? unreadBody(type, remedy) : undefined)
  }
}

/** Whether the request has a JSON body that nothing has parsed, so that validation would see undefined. */
export const isUnparsedJson = (req: Request): boolean =>
  req.body === undefined &&
  !req.readableDidRead &&
  hasBody(req) &&
  /^application\/json\b/i.test(req.headers['content-type'] ?? '')

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Express sends an error's status, and outside production its message. */
export const unreadBody = (type: string, remedy: string): Error =>
  Object.assign(new Error(`The server does not parse ${type} request bodies. ${remedy}`), {
    status: 415,
    statusCode: 415,
    expose: true,
  })
