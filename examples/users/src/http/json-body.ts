import type { FastifyInstance } from 'fastify'
import { ApiError } from './errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const encodingRefused = () =>
  new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', 'send the body without Content-Encoding', {
    'accept-encoding': 'identity',
  })

/**
 * Accepts nothing but JSON (`application/json` or the vendor type) in valid UTF-8 and without
 * `__proto__`, and not compressed (RFC 9110, section 12.5.3). An empty body counts as no body,
 * because clients send the Content-Type with DELETE as well.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/vnd.users+json'],
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (body.length === 0) return done(null, undefined)
      if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? ''))
        return done(encodingRefused())
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
