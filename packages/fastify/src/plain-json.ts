import type { Api } from '@hv/router'
import { isVendorJson } from '@hv/router/adapter'
import type { FastifyInstance } from 'fastify'

interface HasHeaders {
  readonly headers: { 'content-type'?: string | undefined }
}

/**
 * Creates the function that shows a JSON body under the vendor type as `application/json`, so that everything the app has
 * for that type applies to it: its parser, limits, hooks and schemas. A parser of the app for the vendor type is used.
 *
 * @returns the Content-Type that the client sent; null when it stays
 */
export function createShowPlainJson(app: FastifyInstance, api: Api): (raw: HasHeaders) => string | null {
  const { vendorType } = api.settings
  const parsedByApp = new Set([vendorType, `${vendorType}+json`].filter((type) => app.hasContentTypeParser(type)))
  return ({ headers }) => {
    const sent = headers['content-type']
    if (sent === undefined || sent === 'application/json' || !isVendorJson(api, sent)) return null
    const [type, ...parameters] = sent.split(';')
    if (parsedByApp.has(type!.trim().toLowerCase())) return null
    headers['content-type'] = ['application/json', ...parameters].join(';')
    return sent
  }
}

/** The parts of a schema that may have one schema per media type. */
export interface ContentSchema {
  readonly body?: { readonly content?: Content }
  readonly response?: Readonly<Record<string, { readonly content?: Content }>>
}
type Content = Readonly<Record<string, unknown>>

/**
 * Lets schemas under the vendor type apply to `application/json` too, the type that Fastify sees.
 *
 * @returns a copy: Fastify marks the schemas of its routes, and those of the controllers stay as they are
 */
export function withPlainJson(api: Api, schema: ContentSchema): ContentSchema {
  const { body, response } = schema
  return {
    ...schema,
    ...(body?.content && { body: { ...body, content: addPlainJson(api, body.content) } }),
    ...(response && {
      response: Object.fromEntries(
        Object.entries(response).map(([status, one]) => [
          status,
          one?.content ? { ...one, content: addPlainJson(api, one.content) } : one,
        ]),
      ),
    }),
  }
}

function addPlainJson(api: Api, content: Content): Content {
  const vendor = Object.keys(content).find((type) => isVendorJson(api, type))
  return vendor === undefined ? content : { 'application/json': content[vendor], ...content }
}
