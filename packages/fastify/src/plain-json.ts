import type { IncomingHttpHeaders } from 'node:http'
import type { Api } from '@hv/router'
import { isVendorJson } from '@hv/router/adapter'
import type { FastifyInstance } from 'fastify'

/**
 * Creates the function that shows a JSON body under the vendor type as `application/json`, so that everything the app has
 * for that type applies to it: its parser, limits, hooks and schemas. A parser of the app for the vendor type is used.
 * A parser of the plugin could not: Fastify has no way to call the parser that the app has for another type.
 *
 * @returns the Content-Type that the client sent; null when it stays
 */
export function createShowPlainJson(
  app: FastifyInstance,
  api: Api,
): (headers: IncomingHttpHeaders) => string | null {
  const { vendorType } = api.settings
  const parsedByApp = new Set(
    [vendorType, `${vendorType}+json`].filter((type) => app.hasContentTypeParser(type)),
  )
  return (headers) => {
    const sent = headers['content-type']
    if (sent === undefined || !isVendorJson(api, sent)) return null
    const [type, ...parameters] = sent.split(';')
    if (parsedByApp.has(type!.trim().toLowerCase())) return null
    headers['content-type'] = ['application/json', ...parameters].join(';')
    return sent
  }
}

/** The parts of a schema that may have one schema per media type. */
export interface ContentSchema {
  readonly body?: HasContent
  readonly response?: Readonly<Record<string, HasContent>>
}
type HasContent = { readonly content?: Readonly<Record<string, unknown>> } | null | undefined

/**
 * Lets schemas under the vendor type apply to `application/json` too, the type that Fastify sees.
 *
 * @returns a copy: Fastify marks the schemas of its routes, and those of the controllers stay as they are
 */
export function withPlainJson(api: Api, { body, response, ...rest }: ContentSchema): ContentSchema {
  const add = (part: HasContent): HasContent => {
    const content = part?.content
    const vendor = content && Object.keys(content).find((type) => isVendorJson(api, type))
    return vendor ? { ...part, content: { 'application/json': content[vendor], ...content } } : part
  }
  return {
    ...rest,
    ...(body !== undefined && { body: add(body) }),
    ...(response && {
      response: Object.fromEntries(
        Object.entries(response).map(([status, part]) => [status, add(part)]),
      ),
    }),
  }
}
