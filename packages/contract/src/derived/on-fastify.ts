// How Fastify's handlers send a message. Nest's may do so as well, with `@Res()`.
import { basename, dirname } from 'node:path'
import { type Message, hasNoBody } from './cells.ts'
import { type DerivedUnderTest, Failure } from './run.ts'

export const headOnFastify = (
  reply: any,
  { status, headers }: Pick<Message, 'status' | 'headers'>,
): any => reply.code(status).headers(headers)

/**
 * @param release.sendsFiles - whether the app has registered `@fastify/static`
 * @param release.isOld - whether Fastify's hook for HEAD knows no web streams
 */
export const onFastify = (release: { readonly sendsFiles: boolean; readonly isOld: boolean }) =>
  ({
    senders: {
      nothing: (sent, _request, reply) => headOnFastify(reply, sent).send(),
      object: (sent, _request, reply) => headOnFastify(reply, sent).send(JSON.parse(sent.text)),
      text: (sent, _request, reply) => headOnFastify(reply, sent).send(sent.text),
      bytes: (sent, _request, reply) => headOnFastify(reply, sent).send(Buffer.from(sent.text)),
      stream: (sent, _request, reply) => headOnFastify(reply, sent).send(sent.openFile()),
      'web stream': (sent, _request, reply) => headOnFastify(reply, sent).send(sent.openWeb()),
      Response: ({ openWeb, status, headers }, _request, reply) =>
        reply.send(new Response(openWeb(), { status, headers })),
      file: release.sendsFiles
        ? (sent, _request, reply) =>
            headOnFastify(reply, sent).sendFile(basename(sent.file), dirname(sent.file))
        : 'this release sends files as streams',
      error: (sent) => {
        throw new Failure(sent)
      },
      hijack: (sent, _request, reply) =>
        void reply.hijack().raw.writeHead(sent.status, sent.headers).end(sent.text),
      write: (sent, _request, reply) => {
        const { raw } = reply.hijack()
        raw.writeHead(sent.status, sent.headers)
        raw.write(sent.text.slice(0, 2))
        raw.end(sent.text.slice(2))
      },
    },
    addsHeaders: ({ way }) => way !== 'hijack' && way !== 'write',
    leaks: ({ way, status, method, change }) =>
      way === 'web stream' && status === 204
        ? "Fastify doesn't cancel a web stream that it drops"
        : way === 'Response' && method === 'HEAD' && change === 'none'
          ? "Fastify's hook for HEAD fails"
          : undefined,
    cannot({ way, status }, method) {
      if (way === 'Response' && hasNoBody(status)) return 'new Response(body, { status }) throws'
      const isWeb = way === 'web stream' || way === 'Response'
      if (isWeb && method === 'HEAD' && release.isOld)
        return "Fastify's hook for HEAD knows no web streams yet"
      return undefined
    },
    older({ change, way, method }, message) {
      if (way !== 'Response') return message
      // No Response with a body has such a status.
      if (hasNoBody(message.status)) return { ...message, way: 'nothing' }
      // Fastify's hook for HEAD fails for a Response, but a derived version has taken it apart.
      return method === 'HEAD' && change !== 'none' ? { ...message, way: 'web stream' } : message
    },
  }) satisfies Partial<DerivedUnderTest>
