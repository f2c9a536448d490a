import type { Api } from '@hv/router'
import { isVendorJson } from '@hv/router/adapter'
import { type Request, type RequestHandler, json } from 'express'
import type { RouterOptions } from './types.ts'

/** The handlers for JSON bodies under the vendor type: those that run before all middleware of a route, and after. */
interface VendorBody {
  readonly first: readonly RequestHandler[]
  readonly last: readonly RequestHandler[]
}

/** For routes whose vendor bodies are left alone. */
export const noHandlers: VendorBody = { first: [], last: [] }

/** @param options - see {@link RouterOptions.json} */
export function createVendorBody(api: Api, options: RouterOptions['json']): VendorBody {
  if (options === false) return noHandlers

  /** A body that a parser of the app has read is left alone. */
  const isUnread = (req: Request): boolean =>
    isVendorJson(api, req.headers['content-type'] ?? '') && !req.readableDidRead

  if (options === undefined) {
    return {
      first: [],
      last: [(req, _res, next) => next(isUnread(req) && hasBody(req) ? unreadVendorBody(api) : undefined)],
    }
  }
  const parse = json({ ...options, type: () => true })
  return { first: [(req, res, next) => (isUnread(req) ? parse(req, res, next) : next())], last: [] }
}

/** Whether the request has a JSON body that nothing has parsed, so that validation would see undefined. */
export const isUnparsedJson = (req: Request): boolean =>
  req.body === undefined &&
  !req.readableDidRead &&
  hasBody(req) &&
  /^application\/json\b/i.test(req.headers['content-type'] ?? '')

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const unreadVendorBody = ({ settings: { vendorType } }: Api): Error =>
  unreadBody(
    `${vendorType}+json`,
    "Send Content-Type: application/json. To accept the vendor type, set the 'json' option of createRouter().",
  )

/** Express sends the status of an error and, because of `expose`, the message. */
export const unreadBody = (type: string, remedy: string): Error =>
  Object.assign(new Error(`The server does not parse ${type} request bodies. ${remedy}`), {
    status: 415,
    statusCode: 415,
    expose: true,
  })
