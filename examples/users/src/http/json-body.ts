import type { FastifyInstance } from 'fastify'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * JSON alone, under `application/json` and the vendor type: strict UTF-8, no `__proto__`. An empty body is no
 * body: clients of the service send the header with DELETE, too.
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
