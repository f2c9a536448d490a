import type { IncomingHttpHeaders } from 'node:http'
import type { Api } from '@hv/router'
import { isVendorJson } from '@hv/router/adapter'
import { mapValues } from '@hv/router/internal'
import type { FastifyInstance } from 'fastify'

/**
 * Creates the function that makes a JSON body with the vendor type look like `application/json`, so
 * that the app's parser, limits, hooks and schemas for that type apply to it. The plugin couldn't
 * do that in a parser, because Fastify has no way to call the app's parser for a different type. If
 * the app has a parser for the vendor type, that's used instead.
 *
 * @returns the Content-Type that the client sent, or null if it stays
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

/** The parts of a schema that can have a schema per media type. */
export interface ContentSchema {
  readonly body?: HasContent
  readonly response?: Readonly<Record<string, HasContent>>
}
/** A schema, or one per media type. */
export type HasContent =
  | { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }
  | null
  | undefined

/**
 * Makes schemas for the vendor type also apply to `application/json`, which is the type that
 * Fastify sees.
 *
 * @returns a copy, because Fastify marks its routes' schemas, and the controllers' schemas
 *   shouldn't change
 */
export function withPlainJson(api: Api, schema: ContentSchema): ContentSchema {
  const { body, response } = schema
  const add = (part: HasContent): HasContent => {
    const content = part?.content
    const vendor = content && Object.keys(content).find((type) => isVendorJson(api, type))
    return vendor
      ? { ...part, content: { 'application/json': content[vendor]!, ...content } }
      : part
  }
  return {
    ...schema, // with a part that's undefined, so that Fastify warns about it
    ...(body !== undefined && { body: add(body) }),
    ...(response && {
      response: mapValues(response, add),
    }),
  }
}
