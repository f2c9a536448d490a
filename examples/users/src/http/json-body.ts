import type { FastifyInstance } from 'fastify'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Accepts nothing but JSON (`application/json` or the vendor type) in valid UTF-8 and without
 * `__proto__`. An empty body counts as no body, because clients send the Content-Type with DELETE
 * as well.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/vnd.users+json'],
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (body.length === 0) return done(null, undefined)
      let text: string
      try {
        text = utf8.decode(body as Buffer)
      } catch {
        return done(Object.assign(new Error('the body is not valid UTF-8'), { statusCode: 400 }))
      }
      return parse(request, text, done)
    },
  )
}
