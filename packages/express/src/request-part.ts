import type { RequestPart } from '@hv/router/adapter'
import type { Request } from 'express'

const properties = { params: 'params', querystring: 'query', headers: 'headers', body: 'body' } as const

/** The part of a request, as Express has parsed it. */
export const getPart = (req: Request, part: RequestPart): unknown => req[properties[part]]

/** Replaces a part of a request. Headers that are not replaced stay: other middleware needs them. */
export function setPart(req: Request, part: RequestPart, value: unknown): void {
  // Express 5 parses the query again on each access, so the property is replaced.
  Object.defineProperty(req, properties[part], {
    value: part === 'headers' ? { ...req.headers, ...(value as object) } : value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
